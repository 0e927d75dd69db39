"""What a crawl learns while it runs: hands every visit to the learner and the order, and asks them back."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from harvester.links import canonical_key
from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import Came, PageLink, PageSeen, Place, Turn
from harvester.model.site import Rule, SiteFile
from harvester.ordering import DEFAULT_ORDER, MOST_BANDS, OrderOptions, make_order
from harvester.ordering.gaps import IdGaps
from harvester.patterns.learner import Learner
from harvester.patterns.learner.moves import coarse
from harvester.patterns.learner.studies import Studies

MOST_RETURNS = 5
RUNS_A_SECOND = 4
"""Runs of one crawl that may begin within a second."""
FIRST_MEMORY = 20
"""Visits after which what the order knows is kept, and again whenever they have doubled."""
HOPELESS_VISITS = 150
HOPELESS = 0.012
"""Torrents a request: below it, and with nothing found at all, a crawl ends. After twice the visits four
times as much has to be promised, and so on: what was promised did not come."""
_REMEMBERED = 50_000
OnLearned = Callable[[list[Rule]], None]
STUDY = -0.5
"""The priority of a URL that is asked for because of what it teaches."""
SEEDS = Turn(1 << 30, high=0.0)
"""What a crawl begins with, before anything is found."""


class Guide:
    """The learner and the order of one run.

    Driven the same way by the engine and by simulators: `seen` for each visit with all its followable
    links gives a place for each fresh one; `turns` says what to claim next, `claimed` what came of it. With
    `studies`, a few requests are spent on what is not known (see `patterns.learner.studies`).
    """

    def __init__(
        self,
        site: SiteFile,
        order: str = DEFAULT_ORDER,
        *,
        known: Sequence[Rule] = (),
        seed: int = 0,
        settings: dict[str, float] | None = None,
        studies: bool = True,
    ) -> None:
        self.learner = Learner(site.hosts, known)
        self.order = make_order(
            order, OrderOptions(self.learner, seed=seed, start=site.start, settings=settings or {})
        )
        learner = self.learner
        self._studies = (
            Studies(learner.kind, learner.tests, lambda: learner.met, lambda url: coarse(learner.key(url)))
            if studies
            else None
        )
        self._since_review = 0
        self._kept_at = 0
        self._seeds_left = True
        self._start = site.start
        self._returns = 0
        self._signs = 0
        self._reread_at = (0, 0)
        self._gaps = IdGaps()
        self._visits = 0
        self._gave = False
        self._visited: OrderedDict[str, None] = OrderedDict()
        self._read: set[str] = set()
        self.ignored: frozenset[str] = frozenset()
        self._twice: OrderedDict[int, bool] = OrderedDict()
        self.also: dict[int, Place] = {}
        """Second places for URLs that the last page showed and that wait already, by key hash."""

    def resume(self, age: float, memory: Mapping[str, object]) -> None:
        """The crawl goes on that began `age` seconds ago; `memory` is what its last run wrote.

        Bands are numbered by the age, so that no two runs of a crawl give the same ones.
        """
        self.learner.remember(memory.get("learned"))
        self.order.resume((1 + int(max(0.0, age) * RUNS_A_SECOND)) * MOST_BANDS, memory)

    @property
    def memory_is_due(self) -> bool:
        """Whether so much was learned since the last `memory` that a run that goes on should know it."""
        return self._visits >= FIRST_MEMORY and self._visits >= 2 * self._kept_at

    def memory(self) -> dict[str, object]:
        """What a run that goes on needs to know, as JSON takes it."""
        self._kept_at = self._visits
        known = self.order.memory()
        return {**known, "learned": self.learner.memory()} if known else {}

    def seen(self, seen: PageSeen) -> list[Place]:
        """Take in one visit; a place for each link of `seen.links` with `fresh`, in their order."""
        guessed = self._gaps.observe(seen.url, gave=seen.came is Came.TORRENT)
        self.also = {}
        if guessed and seen.came is not Came.TORRENT:
            return [Place(0.0, drop=True) for link in seen.links if link.fresh]  # says nothing of the site
        seen = self._with_downloads(seen)
        self.learner.observe(seen)
        self.order.observe(seen)
        if seen.came not in (Came.GONE, Came.FAILED):
            self._remember(seen.final_url if seen.final_url and self.learner.moves.count else seen.url)
        self._visits += 1
        self._gave = self._gave or bool(seen.torrents or seen.repeated)
        self._since_review += 1
        fresh = [link for link in seen.links if link.fresh]
        places = self._with_study(fresh, self.order.place(seen, fresh)) if fresh else []
        self.also = self.order.also(seen) if len(fresh) < len(seen.links) else {}
        for key in self.also:
            self._twice.setdefault(key, False)
        while len(self._twice) > _REMEMBERED:
            self._twice.popitem(last=False)
        return places

    def _with_study(self, fresh: list[PageLink], places: list[Place]) -> list[Place]:
        """The places, with one link first of all where it is worth a request for what it teaches."""
        if self._studies is None:
            return places
        chosen = self._studies.choose(fresh, self._visits)
        if chosen is None:
            return places
        number = fresh.index(chosen)
        self._seeds_left = True
        return [*places[:number], places[number]._replace(priority=STUDY), *places[number + 1 :]]

    def turns(self, full: Collection[str] = (), *, hosts: int = 1, each: int = 4) -> list[Turn]:
        """What to claim next, the most wanted first (see `Order.turns`)."""
        turns = self.order.turns(full, hosts=hosts, each=each)
        return [SEEDS, *turns] if self._seeds_left else turns

    def expect_seeds(self) -> None:
        """Something with the priority of a seed is about to be queued."""
        self._seeds_left = True

    def claimed(self, turn: Turn, count: int) -> None:
        """A claim by `turn` brought `count` URLs."""
        if turn.high == SEEDS.high and turn.low == SEEDS.low:
            self._seeds_left = self._seeds_left and count > 0
        else:
            self.order.claimed(turn, count)

    @property
    def review_is_due(self) -> bool:
        """Whether the order wants to see the head of the queue."""
        return 0 < self.order.review_every <= self._since_review

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Other priorities for what is queued."""
        self._since_review = 0
        return self.order.review(queued)

    @property
    def is_alarmed(self) -> bool:
        """Whether a kind of URL failed that worked before, and that was not looked into yet."""
        signs = self.learner.suspicions + self.learner.retirements
        return signs > self._signs and self._returns < MOST_RETURNS

    def again(self) -> tuple[str, ...]:
        """Pages to visit once more, because a kind of URL that worked does not any more.

        A site that moved shows its new URLs on its start pages; what else waits may lead nowhere. Not more
        than `MOST_RETURNS` times a run.
        """
        if not self.is_alarmed:
            return ()
        self._signs = self.learner.suspicions + self.learner.retirements
        self._returns += 1
        self._seeds_left = True
        return self._start

    def found_again(self) -> list[str]:
        """URLs that were gone and are worth another visit, since it is known where they went."""
        found, self.learner.found_again = self.learner.found_again, []
        return found

    def beyond(self) -> list[str]:
        """URLs that no page linked to and that are worth a try now that all others were visited."""
        return self._gaps.propose(3)

    @property
    def hopeless(self) -> str:
        """Why going on makes no sense, "" while it does."""
        least = HOPELESS * (self._visits / HOPELESS_VISITS) ** 2
        if self._seeds_left or self._gave or self._visits < HOPELESS_VISITS or self.order.best() >= least:
            return ""
        return f"no torrent in {self._visits:,} visits, and nothing that is left looks like one"

    def relearn_keys(self) -> bool:
        """Take up newly found irrelevant parameters (`ignored`); whether there are any."""
        found = self.learner.irrelevant_parameters()
        if found <= self.ignored:
            return False
        self.ignored |= found
        self._reread()
        return True

    def ignore(self, names: Iterable[str]) -> None:
        """Parameters (lower case) are known to say nothing: an engine says so, or an earlier run found it."""
        self.ignored |= frozenset(names)
        self.learner.ignore(self.ignored)
        self._reread()

    def recall(self, read: Iterable[tuple[str, bytes]]) -> None:
        """Earlier runs of the crawl read these pages, with these contents."""
        for url, content in read:
            self._remember(url)
            self.learner.recall(url, content)
        self._reread()

    def was_read(self, url: str) -> bool:
        """Whether a page was visited already that differs in irrelevant parameters only, in a number of the
        path that changes nothing, or that is the same under its address before the site moved."""
        moves, slots = self.learner.moves, len(self.learner.slots.irrelevant)
        if not self.ignored and not moves.count and not slots:
            return False
        if (moves.count, slots) != self._reread_at:
            self._reread_at = (moves.count, slots)
            self._reread()
        # Two new addresses may be called like one old page (a forum has its threads as plain text beside): a
        # name counts for a page that was read under it, not for what is said to stand elsewhere now.
        key = canonical_key(url, self.ignored)
        return not self._read.isdisjoint((*self._names(url), self.learner.aliases.get(key, key)))

    def address(self, url: str) -> str:
        """Where to ask for `url`: since the site moved, maybe elsewhere."""
        moves = self.learner.moves
        return (moves.rewrite(self.learner.key(url)) or url) if moves.count else url

    def _names(self, address: str) -> set[str]:
        """The keys of a page that was asked for at `address`: since the site moved, the new one too."""
        key = canonical_key(address, self.ignored)
        moved = self.learner.moves.rewrite(key) if self.learner.moves.count else None
        plain = self.learner.slots.plain(key)
        return {key, plain, moved} if moved else {key, plain}

    def _reread(self) -> None:
        """Work out anew which keys were read."""
        self._read = set().union(*map(self._names, self._visited))

    def begins(self, key_hash: int) -> bool:
        """A visit of a URL is about to begin: whether it is the first one, where the URL has two places."""
        begun = self._twice.get(key_hash)
        if begun is False:
            self._twice[key_hash] = True
        return begun is not True

    def _remember(self, url: str) -> None:
        """A page was read at this address."""
        self._visited[url] = None
        if len(self._visited) > _REMEMBERED:
            self._visited.popitem(last=False)
        if self.ignored or self.learner.moves.count or self.learner.slots.irrelevant:
            self._read |= self._names(url)
            if len(self._read) > 2 * _REMEMBERED:
                self._reread()

    def rules(self) -> list[Rule]:
        """What was learned so far."""
        return self.learner.rules()

    def _with_downloads(self, seen: PageSeen) -> PageSeen:
        """The visit, with links marked whose kind was found to give torrents."""
        learner = self.learner
        if not any(not link.download and learner.is_download(link.url) for link in seen.links):
            return seen
        links: list[PageLink] = [
            replace(link, download=True) if not link.download and learner.is_download(link.url) else link
            for link in seen.links
        ]
        return replace(seen, links=tuple(links))
