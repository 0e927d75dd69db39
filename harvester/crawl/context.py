"""What every visit of one crawl shares."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor

from msgspec import Struct, field
from msgspec.structs import replace

from harvester.crawl.admission import Admissions
from harvester.crawl.analysis import Page
from harvester.crawl.downloads import Downloads
from harvester.crawl.learning import Guide
from harvester.crawl.unlock import Unlocker
from harvester.links import LinkMemo
from harvester.model.crawl import FrontierItem
from harvester.model.http import FetchLimits
from harvester.model.site import SiteFile
from harvester.policy.robots import RobotsPolicy
from harvester.policy.trapwatch import TrapWatch
from harvester.ports.fetch import Fetcher
from harvester.text.fingerprint import NearDuplicates

_MEMORY = 200_000
MOST_SITEMAPS = 200
"""Sitemaps of a run that were found in others."""


class Budget:
    """How many requests a run may send; None: any number."""

    def __init__(self, *limits: int | None) -> None:
        set_limits = [limit for limit in limits if limit is not None]
        self.limit = min(set_limits) if set_limits else None
        self.spent = 0

    @property
    def left(self) -> bool:
        """Whether one more request may be sent."""
        return self.limit is None or self.spent < self.limit

    def spend(self) -> bool:
        """Count one request, if it may be sent."""
        if not self.left:
            return False
        self.spent += 1
        return True


class RecentKeys:
    """Hashes met lately in this run, in bounded memory: forgetting one costs a look-up, no more."""

    def __init__(self, capacity: int = _MEMORY) -> None:
        self._capacity = capacity
        self._keys: set[int] = set()

    def __contains__(self, key: int) -> bool:
        return key in self._keys

    def add(self, key: int) -> bool:
        """Remember a hash; whether it is news."""
        if key in self._keys:
            return False
        if len(self._keys) >= self._capacity:
            self._keys.clear()
        self._keys.add(key)
        return True


MOST_CUT = 50
"""Links of one page that are remembered as too deep."""


class Depths:
    """How few links from a start page the URLs met lately are; in bounded memory.

    An order that follows what looks best reaches some pages by a long way first. What counts for the scope is
    the shortest way known.
    """

    def __init__(self, capacity: int = _MEMORY) -> None:
        self._capacity = capacity
        self._least: dict[int, int] = {}
        self._cut: dict[int, tuple[FrontierItem, int, list[int]]] = {}

    def of(self, key_hash: int, depth: int) -> int:
        """The depth of a page that was claimed with this one."""
        return min(depth, self._least.get(key_hash, depth))

    def meet(self, key_hash: int, depth: int) -> None:
        """A link to the URL was found."""
        if depth < self._least.get(key_hash, depth + 1):
            if len(self._least) >= self._capacity:
                self._least.clear()
            self._least[key_hash] = depth

    def cut(self, page: FrontierItem, depth: int, link: int) -> None:
        """A link of a page at this depth was left as too deep."""
        if len(self._cut) < self._capacity:
            links = self._cut.setdefault(page.key_hash, (page, depth, []))[2]
            if len(links) < MOST_CUT:
                links.append(link)

    def nearer(self, met: RecentKeys) -> list[FrontierItem]:
        """Pages that turned out to be nearer than they were when read, with links that were left and that no
        other page led to. Each is told once."""
        found = []
        for key_hash, (page, depth, links) in list(self._cut.items()):
            least = self.of(key_hash, depth)
            if least < depth and any(link not in met for link in links):
                del self._cut[key_hash]
                found.append(replace(page, depth=least))
        return found


class AnchorTexts:
    """The anchor texts met lately in this run, so that each is written once; bounded like `RecentKeys`.

    Of a URL, the first `PER_URL` texts count: a link in a menu has one, a link that carries a counter or
    the time of day has a new one on every page.
    """

    PER_URL = 5

    def __init__(self, capacity: int = 50_000) -> None:
        self._capacity = capacity
        self._met: set[int] = set()
        self._counts: dict[int, int] = {}

    def is_news(self, key_hash: int, text: str) -> bool:
        """Remember that a link with this text leads to the URL; whether that is worth writing down."""
        met = hash((key_hash, text))
        if met in self._met:
            return False
        count = self._counts.get(key_hash, 0)
        if count >= self.PER_URL:
            return False
        if len(self._met) >= self._capacity:
            self._met.clear()
            self._counts.clear()
        self._met.add(met)
        self._counts[key_hash] = count + 1
        return True


class VisitContext(Struct):
    """What every visit of one crawl shares.

    `patience` is in seconds: a failed URL is tried again after it, then after twice that, and so on.
    `look_at` sees each page before its links are judged. `conditional` asks only for what changed since the
    last visit, which is right for a refresh and wrong for a crawl that wants the links of every page.
    `redirected_to` holds the keys of pages that were read under another key, `met` those of links and left
    URLs that are already on their way to the store, `anchors` the texts of links that are, `torrents` the
    torrents met in this run, `sighted` the pairs of a page and a download that it shows: a page that is read
    twice is one sighting. `copies` knows near-duplicates, `links` remembers what hrefs lead to. `guide`
    learns from each visit and gives each link its place.
    """

    site: SiteFile
    agent: str
    fetcher: Fetcher
    admissions: Admissions
    traps: TrapWatch
    robots: dict[str, RobotsPolicy]
    budget: Budget
    parser: Callable[[], Executor]
    patience: float
    guide: Guide
    conditional: bool = False
    engine: str = ""
    redirected_to: RecentKeys = field(default_factory=RecentKeys)
    met: RecentKeys = field(default_factory=RecentKeys)
    torrents: RecentKeys = field(default_factory=RecentKeys)
    anchors: AnchorTexts = field(default_factory=AnchorTexts)
    depths: Depths = field(default_factory=Depths)
    sighted: RecentKeys = field(default_factory=RecentKeys)
    copies: NearDuplicates = field(default_factory=NearDuplicates)
    links: LinkMemo = field(default_factory=LinkMemo)
    downloads: Downloads = field(default_factory=Downloads)
    limits: FetchLimits = field(default_factory=FetchLimits)
    look_at: Callable[[Page], None] = lambda _page: None
    sitemaps: int = MOST_SITEMAPS
    """How many more sitemaps that another one names may be followed in this run."""
    account: Unlocker | None = None
    """The operator's account on the site; None where nobody gave the crawl the means for one."""

    def rekey(self) -> list[int]:
        """Tell pages apart without the parameters found irrelevant; the new keys of what was met."""
        ignored = self.guide.ignored
        self.links = LinkMemo()
        self.admissions.ignored = ignored
        self.admissions.forget()
        urls = self.guide.learner.known_urls()
        keys = [self.admissions.key(url) for url in urls if any(name in url.lower() for name in ignored)]
        return [key for key in keys if self.met.add(key)]
