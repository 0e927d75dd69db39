"""What every visit of one crawl shares."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from harvester.crawl.admission import Admissions
from harvester.crawl.analysis import Page
from harvester.crawl.downloads import Downloads
from harvester.crawl.learning import Guide
from harvester.links import LinkMemo
from harvester.model.http import FetchLimits
from harvester.model.site import SiteFile
from harvester.policy.robots import RobotsPolicy
from harvester.policy.trapwatch import TrapWatch
from harvester.ports.fetch import Fetcher

_MEMORY = 200_000


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


@dataclass(slots=True)
class VisitContext:
    """What every visit of one crawl shares.

    `patience` is in seconds: a failed URL is tried again after it, then after twice that, and so on.
    `look_at` sees each page before its links are judged. `conditional` asks only for what changed since the
    last visit, which is right for a refresh and wrong for a crawl that wants the links of every page.
    `redirected_to` holds the keys of pages that were read under another key, `met` those of links and left
    URLs that are already on their way to the store, `torrents` the torrents met in this run. `links`
    remembers what hrefs lead to. `guide` learns from each visit and gives each link its place.
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
    links: LinkMemo = field(default_factory=LinkMemo)
    downloads: Downloads = field(default_factory=Downloads)
    limits: FetchLimits = field(default_factory=FetchLimits)
    look_at: Callable[[Page], None] = lambda _page: None

    def rekey(self) -> None:
        """Tell pages apart without the parameters that were found irrelevant; what was met stays met."""
        ignored = self.guide.ignored
        self.links = LinkMemo()
        self.admissions.ignored = ignored
        self.admissions.forget()
        for url in self.guide.learner.known_urls():
            if any(name in url.lower() for name in ignored):
                self.met.add(self.admissions.key(url))
