"""The default order: a bandit over learned kinds of URLs.

An arm is a kind of URL in a context (the list it was found on: this board, that board). Each arm has a
band of priorities of its own in the frontier, so that what is learned reorders everything that waits
without touching it. The next URLs come from the arm with the best index: torrents a request, shrunk from
the arm to its kind, with a bonus for what was hardly tried.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Collection, Sequence
from typing import ClassVar

from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import Came, PageLink, PageSeen, Place, Turn
from harvester.model.site import Role
from harvester.ordering import MOST_BANDS, OrderOptions, register
from harvester.ordering.appraisal import Appraisal
from harvester.ordering.arms import Arm
from harvester.ordering.priors import POOR, VARIANT, is_variant, prior
from harvester.ordering.values import Record
from harvester.patterns.learner.flips import looks_like_flip
from harvester.patterns.learner.tree import Leaf

BAND = 1024.0
"""Width of an arm's band of priorities; the first belongs to none: start pages and the like."""
MOST_ARMS = MOST_BANDS
MOST_CONTEXTS = 4000
OLD = 0.05
"""What the URLs that an earlier run left behind may give: nobody remembers which is which."""
LEFT_OVER = Turn(1, low=0.0)
DRAWS = 8
"""Arms that are drawn until one was hardly tried."""
_LIST_ROWS = 5
_REMEMBERED = 50_000

DEFAULTS = {
    "explore": 0.03,  # share of turns that go to an arm drawn at random
    "bonus": 0.05,  # weight of sqrt(ln t / (n + 2))
    "prior_visits": 1.5,  # visits that the prior of a kind counts for
    "shrink": 2.0,  # visits that the kind counts for in an arm
    "discount": 0.85,  # of what is one link further away
    "rows": 1.0,  # one link of a row only
    "contexts": 1.0,  # arms by list
    "tail": 1.0,  # arms that gave nothing wait till the end
    "learn": 0.0,  # visits go where the evidence is thin, not where the torrents are
}


@register("bandit")
class Bandit:
    """See the module. Settings are the names of `DEFAULTS`."""

    name: ClassVar[str] = "bandit"
    lifo: ClassVar[bool] = False
    review_every: ClassVar[int] = 0

    def __init__(self, options: OrderOptions) -> None:
        self._learner = options.learner
        self._random = random.Random(options.seed)
        self._set = {**DEFAULTS, **options.settings}
        self._values = Appraisal(self._learner, self._set)
        self._arms = self._values.arms
        self._by_key: dict[tuple[int, int, bool], Arm] = {}
        self._by_host: dict[str, list[Arm]] = {}
        self._groups: dict[str, Record] = {}
        self._contexts: dict[str, int] = {}
        self._flipped: OrderedDict[int, int] = OrderedDict()
        self._since_settled = 0
        self._first = 1
        self._left_over = False

    def resume(self, first: int) -> None:
        """Number arms from `first` on; what an earlier run queued has lower numbers."""
        self._first = max(1, first)
        self._left_over = first > 0

    @property
    def window(self) -> int:
        """Few at first, when every visit teaches something."""
        visits = self._values.visits
        return 2 if visits < 100 else 4 if visits < 1000 else 8

    # Learning ----------------------------------------------------------------------------------------

    def observe(self, seen: PageSeen) -> None:
        """Take in one visit; what its links lead to is counted when they are placed."""
        if seen.came is Came.FAILED:
            return
        self._since_settled += 1
        leaf, arm = self._learner.kind(seen.url), self._arm_of(seen)
        useful = bool(seen.torrents) or any(link.download and link.fresh for link in seen.links)
        records = [(self._values.kind(leaf.number).record, 200), *([(arm.record, 30)] if arm else [])]
        for record, most in records:
            if record.visits >= most:
                record.fade(0.9)
            record.add(seen.torrents, useful=useful)
        self._values.visited(arm, leaf)
        siblings = self._groups.setdefault(leaf.group, Record())
        fresh = sum(link.fresh for link in seen.links)
        siblings.add(seen.torrents, useful=useful or fresh >= _LIST_ROWS)

    def _arm_of(self, seen: PageSeen) -> Arm | None:
        place = int(seen.priority // BAND) - self._first
        return self._arms[place] if 0 <= place < len(self._arms) else None

    # Placing -----------------------------------------------------------------------------------------

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """Give each fresh link a place in the band of its arm."""
        learner, source = self._learner, self._learner.key(seen.url)
        context, inherited = self._context_of(seen), self._inherited(seen)
        namers = self._namers(links)
        beside = self._beside_better(links) if self._set["rows"] else set()
        own = self._arm_of(seen)
        records = [self._values.kind(learner.kind(seen.url).number).record, *([own.record] if own else [])]
        placed: list[Place] = []
        for number, link in enumerate(links):
            leaf, key = learner.kind(link.url), learner.key(link.url)
            flips = looks_like_flip(source, key, link.anchor, is_next=link.is_next)
            expected = self._expected(seen, link, leaf, source, key, names=number in namers, flips=flips)
            if flips:
                self._flip(link.key_hash, context)
            where = context if link.row is not None or flips else (inherited or context)
            arm = self._arm(leaf, where, link.host, shadow=number in beside, expected=expected)
            arm.is_download = link.download
            self._values.found(arm, own)
            for record in records:
                record.link(arm.number)
            placed.append(self._place(arm, link, expected, leaf))
        return placed

    def _expected(
        self, seen: PageSeen, link: PageLink, leaf: Leaf, source: str, key: str, *, names: bool, flips: bool
    ) -> float:
        """What a link may be worth, before anything of its kind was visited."""
        expected = prior(link, names_row=names)
        if link.download:
            return expected
        if flips:
            expected = max(expected, self._worth_of_page(seen))
        elif is_variant(source, key):
            expected = min(expected, VARIANT)
        siblings = self._groups.get(leaf.group)
        if siblings is not None and not siblings.useful and not flips:
            expected *= 1.5 / (1.5 + siblings.visits)
        kind = self._values.kind(leaf.number)
        if kind.prior is None or (expected > kind.prior and not kind.record.visits):
            kind.prior = expected
        return expected

    def _place(self, arm: Arm, link: PageLink, expected: float, leaf: Leaf) -> Place:
        belief = self._learner.believe_kind(leaf)
        role = link.role or (belief.role.value if belief.role is Role.DOWNLOAD and belief.bound > 0.5 else "")
        within = BAND * (1 - min(max(expected, 0.0), 0.999)) * 0.9
        number = self._first + arm.number
        return Place(number * BAND + within, role=role)

    def _namers(self, links: Sequence[PageLink]) -> set[int]:
        """The first link with words of each row."""
        first: dict[tuple[int, int], int] = {}
        for number, link in enumerate(links):
            if link.row is not None and link.row not in first and len(link.anchor.strip()) >= 3:
                first[link.row] = number
        return set(first.values())

    def _beside_better(self, links: Sequence[PageLink]) -> set[int]:
        """Links that stand in one row with a better one: the row is about one object, which that one shows.

        Downloads, and links of the same kind as the better one, are never among them.
        """
        rows: dict[tuple[int, int], list[int]] = {}
        for number, link in enumerate(links):
            if link.row is not None:
                rows.setdefault(link.row, []).append(number)
        beside: set[int] = set()
        for numbers in rows.values():
            if len(numbers) < 2:
                continue
            rank, best = max((self._rank(links[number]), -number) for number in numbers)
            if rank <= 0:
                continue
            kind = self._learner.kind(links[-best].url)
            beside.update(
                number
                for number in numbers
                if not links[number].download and self._learner.kind(links[number].url) is not kind
            )
        return beside

    def _rank(self, link: PageLink) -> float:
        """How good the link is known to be; 0 while its kind is unknown."""
        if link.download:
            return 10.0
        leaf = self._learner.kind(link.url)
        record = self._values.kind(leaf.number).record
        if record.visits < 2 or record.useful < 0.3 * record.visits:
            return 0.0
        return self._values.ratio_of(leaf) + record.useful / record.visits

    def _arm(self, leaf: Leaf, context: int, host: str, *, shadow: bool, expected: float) -> Arm:
        if shadow or not self._set["contexts"] or self._is_barren(leaf):
            context = 0
        key = (leaf.number, context, shadow)
        arm = self._by_key.get(key)
        if arm is None and len(self._arms) >= MOST_ARMS:
            key = (leaf.number, 0, shadow)
            arm = self._by_key.get(key)
        if arm is None:
            arm = Arm(len(self._arms), leaf.number, key[1], host, shadow, prior=expected)
            self._values.add(arm)
            self._by_key[key] = arm
            self._by_host.setdefault(host, []).append(arm)
        elif expected > arm.prior:
            self._values.raised(arm, expected)
        return arm

    def _is_barren(self, leaf: Leaf) -> bool:
        """Whether nothing came of the kind wherever it was found: then one arm is enough for it."""
        kind = self._values.kind(leaf.number)
        return kind.record.visits >= 4 and kind.worth is not None and kind.worth.ratio < POOR

    def _is_detail(self, leaf: Leaf) -> bool:
        """Whether pages of the kind are about one thing, however many rows they have."""
        evidence = leaf.evidence
        return evidence.shows >= 2 and evidence.shows >= 0.15 * evidence.visits > evidence.many

    # Contexts ----------------------------------------------------------------------------------------

    def _context_of(self, seen: PageSeen) -> int:
        """The context of what a page lists: its own series, or the one it turns a page of."""
        turned = self._flipped.get(seen.key_hash)
        if turned is not None:
            return turned
        if self._arm_of(seen) and (
            seen.row_count < _LIST_ROWS or self._is_detail(self._learner.kind(seen.url))
        ):
            return self._inherited(seen)
        key = self._learner.key(seen.url)
        known = self._contexts.get(key)
        if known is None:
            if len(self._contexts) >= MOST_CONTEXTS:
                return 0
            known = self._contexts[key] = len(self._contexts) + 1
        return known

    def _inherited(self, seen: PageSeen) -> int:
        arm = self._arm_of(seen)
        return arm.context if arm is not None else 0

    def _flip(self, key_hash: int, context: int) -> None:
        self._flipped[key_hash] = context
        if len(self._flipped) > _REMEMBERED:
            self._flipped.popitem(last=False)

    def _worth_of_page(self, seen: PageSeen) -> float:
        arm = self._arm_of(seen)
        return arm.worth.ratio if arm is not None else self._values.ratio_of(self._learner.kind(seen.url))

    # Turns -------------------------------------------------------------------------------------------

    def turns(self, full: Collection[str] = (), *, hosts: int = 1, each: int = 4) -> list[Turn]:
        """The best arms of the best hosts that have room, then whatever is left."""
        if self._since_settled:
            self._values.settle(self._since_settled)
            self._since_settled = 0
        turns: list[Turn] = []
        for host in self._values.ranking.hosts(hosts, full):
            best = self._values.ranking.best(host, each)
            drawn = self._drawn(host) if self._random.random() < self._set["explore"] else None
            if drawn is not None:
                best = [drawn, *(arm for arm in best if arm is not drawn)]
            least = OLD if self._left_over else 0.0
            turns += [self._turn(arm, drawn is arm) for arm in best if arm.score >= least]
        if self._left_over:
            turns.append(LEFT_OVER._replace(limit=self.window, high=self._first * BAND))
        return turns

    def _drawn(self, host: str) -> Arm | None:
        """An arm of the host drawn at random that was hardly tried."""
        arms = self._by_host[host]
        for _ in range(DRAWS):
            arm = self._random.choice(arms)
            if arm.waiting > 0 and arm.record.visits < 3 and not arm.shadow:
                return arm
        return None

    def _turn(self, arm: Arm, drawn: bool) -> Turn:
        """A few at once only where the arm itself is known."""
        sure = (arm.record.visits >= 4 or arm.is_download) and not drawn
        number = self._first + arm.number
        return Turn(self.window if sure else 1, number * BAND, (number + 1) * BAND, (arm.host,))

    def claimed(self, turn: Turn, count: int) -> None:
        """`count` URLs were claimed by `turn`; fewer than asked: nothing more waits there."""
        if turn.low == LEFT_OVER.low:
            self._left_over = self._left_over and count > 0
            return
        number = int(turn.low // BAND) - self._first
        if 0 <= number < len(self._arms):
            arm = self._arms[number]
            arm.waiting = max(0, arm.waiting - count) if count >= turn.limit else 0

    def best(self) -> float:
        """The index of the best arm."""
        ranking = self._values.ranking
        return max((ranking.best(host, 1)[0].score for host in ranking.hosts(1)), default=0.0)

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Nothing to do: arms are reordered, not URLs."""
        del queued
        return []
