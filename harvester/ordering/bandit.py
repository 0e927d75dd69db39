"""The default order: a bandit over learned kinds of URLs.

An arm is a kind of URL in a context (the list it was found on: this board, that board). Each arm has a
band of priorities of its own in the frontier, so that what is learned reorders everything that waits
without touching it. The next URLs come from the arm with the best index: torrents a request, shrunk from
the arm to its kind, with a bonus for what was hardly tried.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from math import log, sqrt
from typing import ClassVar

from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import Came, PageLink, PageSeen, Place, Turn
from harvester.model.site import Role
from harvester.ordering import MOST_BANDS, OrderOptions, register
from harvester.ordering.priors import POOR, VARIANT, is_variant, prior
from harvester.ordering.values import Record, Worth, worth
from harvester.patterns.learner.drift import Health
from harvester.patterns.learner.flips import looks_like_flip
from harvester.patterns.learner.tree import Leaf

BAND = 1024.0
"""Width of an arm's band of priorities."""
MOST_ARMS = MOST_BANDS
MOST_CONTEXTS = 4000
ENOUGH = 10
"""Visits of a kind after which a crawl that only learns turns to others."""
NOTHING = Worth(0.0, 1.0)
FAIR_TRIAL = 8
"""Visits after which the hope for a kind that gave nothing anywhere fades."""
OLD = 0.05
"""What the URLs that an earlier run left behind may give: nobody remembers which is which."""
LEFT_OVER = Turn(1, low=0.0)
TAIL = 0.3
"""What is left of the index of an arm that gave nothing for long."""
LEAST_SHRINK = 0.5
MOST_SHRINK = 3.0
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


@dataclass(slots=True)
class Arm:
    """A kind of URL in a context. `shadow`: links beside a better one of the same row."""

    number: int
    kind: int
    context: int
    host: str
    shadow: bool
    waiting: int = 0
    prior: float = 0.0
    record: Record = field(default_factory=Record)
    own: Worth = NOTHING
    worth: Worth = NOTHING
    score: float = 0.0
    is_download: bool = False


def _score_of(arm: Arm) -> float:
    return arm.score


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
        self._arms: list[Arm] = []
        self._by_key: dict[tuple[int, int, bool], Arm] = {}
        self._kinds: dict[int, Record] = {}
        self._groups: dict[str, Record] = {}
        self._priors: dict[int, float] = {}
        self._worth: dict[int, Worth] = {}
        self._shrinkage: dict[int, float] = {}
        self._contexts: dict[str, int] = {}
        self._flipped: OrderedDict[int, int] = OrderedDict()
        self._visits = 0
        self._since_sweep = 0
        self._first = 0
        self._left_over = False

    def resume(self, first: int) -> None:
        """Number arms from `first` on; what an earlier run queued has lower numbers."""
        self._first = first
        self._left_over = first > 0

    @property
    def window(self) -> int:
        """Few at first, when every visit teaches something."""
        return 2 if self._visits < 100 else 4 if self._visits < 1000 else 8

    # Learning ----------------------------------------------------------------------------------------

    def observe(self, seen: PageSeen) -> None:
        """Take in one visit; what its links lead to is counted when they are placed."""
        if seen.came is Came.FAILED:
            return
        self._visits += 1
        self._since_sweep += 1
        leaf = self._learner.kind(seen.url)
        useful = bool(seen.torrents) or any(link.download and link.fresh for link in seen.links)
        for record, most in ((self._kind(leaf.number), 200), (self._record_of(seen), 30)):
            if record is not None:
                if record.visits >= most:
                    record.fade(0.9)
                record.add(seen.torrents, useful=useful)
        siblings = self._groups.setdefault(leaf.group, Record())
        fresh = sum(link.fresh for link in seen.links)
        siblings.add(seen.torrents, useful=useful or fresh >= _LIST_ROWS)

    def _kind(self, number: int) -> Record:
        return self._kinds.setdefault(number, Record())

    def _arm_of(self, seen: PageSeen) -> Arm | None:
        place = int(seen.priority // BAND) - self._first
        return self._arms[place] if 0 <= place < len(self._arms) else None

    def _record_of(self, seen: PageSeen) -> Record | None:
        arm = self._arm_of(seen)
        return arm.record if arm is not None else None

    # Placing -----------------------------------------------------------------------------------------

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """Give each fresh link a place in the band of its arm."""
        learner, source = self._learner, self._learner.key(seen.url)
        context, inherited = self._context_of(seen), self._inherited(seen)
        namers = self._namers(links)
        beside = self._beside_better(links) if self._set["rows"] else set()
        records = [self._kind(learner.kind(seen.url).number), self._record_of(seen)]
        placed: list[Place] = []
        for number, link in enumerate(links):
            leaf, key = learner.kind(link.url), learner.key(link.url)
            flips = looks_like_flip(source, key, link.anchor, is_next=link.is_next)
            expected = self._expected(seen, link, leaf, source, key, names=number in namers, flips=flips)
            if flips:
                self._flip(link.key_hash, context)
            where = context if link.row is not None or flips else (inherited or context)
            arm = self._arm(leaf, where, link.host, shadow=number in beside, expected=expected)
            arm.waiting += 1
            arm.is_download = link.download
            for record in records:
                if record is not None:
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
        known = self._priors.get(leaf.number)
        if known is None or (expected > known and not self._kind(leaf.number).visits):
            self._priors[leaf.number] = expected
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
        record = self._kinds.get(leaf.number)
        if record is None or record.visits < 2:
            return 0.0
        if record.useful < 0.3 * record.visits:
            return 0.0
        known = self._worth.get(leaf.number)
        return (known.ratio if known is not None else 0.0) + record.useful / record.visits

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
            self._value(arm)
            self._arms.append(arm)
            self._by_key[key] = arm
        elif expected > arm.prior:
            arm.prior = expected
            self._value(arm)
        return arm

    def _is_barren(self, leaf: Leaf) -> bool:
        """Whether nothing came of the kind wherever it was found: then one arm is enough for it."""
        record = self._kinds.get(leaf.number)
        known = self._worth.get(leaf.number)
        return record is not None and record.visits >= 4 and known is not None and known.ratio < POOR

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

    # Values ------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        """Work out anew what every kind and arm is worth, from what their visits led to.

        One step of a fixed-point iteration: what an arm's links are worth is taken from the step before.
        """
        self._since_sweep = 0
        self._merge_kinds()
        self._shrinkage = self._spread()
        self._judge_kinds()
        for arm in self._arms:
            if arm.waiting > 0 or arm.record.visits:
                self._value(arm)

    def _judge_kinds(self) -> None:
        """The worth of a kind where it was not met yet: the mean over its arms, each counted once.

        Many visits on one board say much of that board and little of the next one.
        """
        weight = self._set["prior_visits"]
        sums: dict[int, tuple[float, float, float]] = {}
        for arm in self._arms:
            visits = arm.record.visits
            if not visits or arm.shadow:
                continue
            children = self._children(arm.record, visits)
            arm.own = worth(arm.record.torrents / visits, children, self._set["discount"])
            kind = self._learner.tree.leaf(arm.kind).number
            share = visits / (visits + 1)
            total, ratios, requests = sums.get(kind, (0.0, 0.0, 0.0))
            sums[kind] = total + share, ratios + share * arm.own.ratio, requests + share * arm.own.requests
        for kind, (total, ratios, requests) in sums.items():
            record, before = self._kind(kind), self._priors.get(kind, POOR)
            if not record.useful and record.visits > FAIR_TRIAL:
                before *= FAIR_TRIAL / record.visits
            ratio = (weight * before + ratios) / (weight + total)
            mean = requests / total
            self._worth[kind] = Worth(ratio * mean, mean)

    def _merge_kinds(self) -> None:
        tree = self._learner.tree
        for number in [number for number in self._kinds if tree.leaf(number).number != number]:
            self._kind(tree.leaf(number).number).join(self._kinds.pop(number))

    def _children(self, record: Record, total: float) -> list[tuple[float, Worth]]:
        return [(count / total, self._arms[number].worth) for number, count in record.links.items()]

    def _spread(self) -> dict[int, float]:
        """How many visits a kind counts for in its arms: few where the arms differ, many where they agree.

        Beta-binomial by the method of moments: with mean m and variance v of the arms' shares,
        m (1 - m) / v - 1.
        """
        shares: dict[int, list[tuple[float, float]]] = {}
        for arm in self._arms:
            if arm.record.visits >= 3 and not arm.shadow:
                kind = self._learner.tree.leaf(arm.kind).number
                shares.setdefault(kind, []).append((arm.record.useful / arm.record.visits, arm.record.visits))
        spread = {}
        for kind, arms in shares.items():
            mean = sum(share for share, _ in arms) / len(arms)
            if len(arms) < 4 or not 0 < mean < 1:
                continue
            noise = sum(mean * (1 - mean) / visits for _, visits in arms) / len(arms)
            variance = sum((share - mean) ** 2 for share, _ in arms) / (len(arms) - 1) - noise
            estimate = mean * (1 - mean) / variance - 1 if variance > 0 else MOST_SHRINK
            spread[kind] = min(max(estimate, LEAST_SHRINK), MOST_SHRINK)
        return spread

    def _general(self, arm: Arm, leaf: Leaf) -> Worth:
        """What the arm is worth going by its kind alone."""
        kind = self._kinds.get(leaf.number)
        if kind is None or not kind.visits:
            general = Worth(max(arm.prior, self._inherited_worth(leaf)), 1.0)
        else:
            general = self._worth.get(leaf.number) or Worth(arm.prior, 1.0)
        return Worth(min(POOR / 2, 0.3 * general.ratio), 1.0) if arm.shadow else general

    def _value(self, arm: Arm) -> None:
        """Work out the worth of an arm, drawn towards its kind while its visits are few, and its index."""
        leaf = self._learner.tree.leaf(arm.kind)
        general, visits = self._general(arm, leaf), arm.record.visits
        arm.worth = general
        if visits:
            if arm.shadow:
                arm.own = worth(arm.record.torrents / visits, self._children(arm.record, visits))
            shrink = self._shrinkage.get(leaf.number, self._set["shrink"])
            ratio = (visits * arm.own.ratio + shrink * general.ratio) / (visits + shrink)
            arm.worth = Worth(ratio * arm.own.requests, arm.own.requests)
        value = arm.worth.ratio
        bonus = self._set["bonus"] * sqrt(log(self._visits + 2) / (visits + 2))
        arm.score = value + bonus * min(1.0, 4 * value)
        kind = self._kinds.get(leaf.number)
        if self._set["learn"] and kind is not None:
            arm.score /= 1 + max(0.0, kind.visits - ENOUGH)
        if self._learner.health(leaf) is Health.RETIRED:
            arm.score = 0.0
        elif self._set["tail"] and visits >= 8 and value < 0.02:
            arm.score = value * TAIL

    def _worth_of_page(self, seen: PageSeen) -> float:
        arm = self._arm_of(seen)
        if arm is not None:
            return arm.worth.ratio
        known = self._worth.get(self._learner.kind(seen.url).number)
        return known.ratio if known is not None else 0.0

    def _inherited_worth(self, leaf: Leaf) -> float:
        """What a kind that was never visited is worth since another redirects to it."""
        before = self._learner.predecessor(leaf)
        known = self._worth.get(before.number) if before is not None else None
        return known.ratio if known is not None else 0.0

    # Turns -------------------------------------------------------------------------------------------

    def turns(self, hosts: Sequence[str] = ()) -> list[Turn]:
        """The best arms of each host that has room, then whatever is left."""
        if self._since_sweep >= (1 if len(self._arms) < 300 else 3):
            self._sweep()
        full = set(hosts)
        by_host: dict[str, list[Arm]] = {}
        for arm in self._arms:
            if arm.waiting > 0 and arm.host not in full:
                by_host.setdefault(arm.host, []).append(arm)
        turns: list[Turn] = []
        for arms in by_host.values():
            if self._random.random() < self._set["explore"]:
                untried = [arm for arm in arms if arm.record.visits < 3 and not arm.shadow]
                if untried:
                    turns.append(self._turn(self._random.choice(untried), 1))
            best = nlargest(4, arms, key=_score_of)
            turns += [self._turn(arm, self.window) for arm in best if arm.score >= OLD or not self._left_over]
        if self._left_over:
            turns.append(LEFT_OVER._replace(limit=self.window, high=self._first * BAND))
        return turns

    def _turn(self, arm: Arm, count: int) -> Turn:
        """A few at once only where the arm itself is known."""
        sure = arm.record.visits >= 4 or arm.is_download
        number = self._first + arm.number
        return Turn(count if sure else 1, number * BAND, (number + 1) * BAND, (arm.host,))

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
        return max((arm.score for arm in self._arms if arm.waiting > 0), default=0.0)

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Nothing to do: arms are reordered, not URLs."""
        del queued
        return []
