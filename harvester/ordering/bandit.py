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
from math import log, sqrt
from typing import ClassVar

from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import Came, PageLink, PageSeen, Place, Turn
from harvester.model.site import Role
from harvester.ordering import OrderOptions, register
from harvester.ordering.priors import POOR, prior
from harvester.ordering.values import Record, Worth, worth
from harvester.patterns.learner.drift import Health
from harvester.patterns.learner.flips import looks_like_flip
from harvester.patterns.learner.tree import Leaf

BAND = 1024.0
"""Width of an arm's band of priorities."""
MOST_ARMS = 4000
MOST_CONTEXTS = 4000
ENOUGH = 10
"""Visits of a kind after which a crawl that only learns turns to others."""
TAIL = 0.3
"""What is left of the index of an arm that gave nothing for long."""
LEAST_SHRINK = 0.5
MOST_SHRINK = 3.0
_LIST_ROWS = 5
_SWEEPS = 4
_REMEMBERED = 50_000

DEFAULTS = {
    "explore": 0.03,  # share of turns that go to an arm drawn at random
    "bonus": 0.05,  # weight of sqrt(ln t / (n + 2))
    "prior_visits": 1.0,  # visits that the prior of a kind counts for
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
    score: float = 0.0
    is_download: bool = False


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
        self._priors: dict[int, float] = {}
        self._worth: dict[int, Worth] = {}
        self._shrinkage: dict[int, float] = {}
        self._contexts: dict[str, int] = {}
        self._flipped: OrderedDict[int, int] = OrderedDict()
        self._visits = 0
        self._turns = 0
        self._since_sweep = 0

    @property
    def window(self) -> int:
        """Few at first, when every visit teaches something."""
        return 2 if self._visits < 100 else 4 if self._visits < 1000 else 8

    # Learning ----------------------------------------------------------------------------------------

    def observe(self, seen: PageSeen) -> None:
        """Take in one visit."""
        if seen.came is Came.FAILED:
            return
        self._visits += 1
        leaf = self._learner.kind(seen.url)
        kind = self._kinds.setdefault(leaf.number, Record())
        fresh = [self._learner.kind(link.url).number for link in seen.links if link.fresh]
        downloads = sum(link.download for link in seen.links if link.fresh)
        useful = bool(seen.torrents or downloads)
        kind.add(seen.torrents, fresh, useful=useful)
        arm = self._arms[seen.note - 1] if 0 < seen.note <= len(self._arms) else None
        if arm is not None:
            if arm.record.visits >= 30:
                arm.record.fade(0.9)
            arm.record.add(seen.torrents, fresh, useful=useful)
        if kind.visits >= 200:
            kind.fade(0.9)
        self._since_sweep += 1

    # Placing -----------------------------------------------------------------------------------------

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """Give each fresh link a place in the band of its arm."""
        context = self._context_of(seen)
        inherited = self._inherited(seen)
        source = self._learner.key(seen.url)
        namers = self._namers(links)
        placed: list[Place] = []
        beside = self._beside_better(links) if self._set["rows"] else set()
        for number, link in enumerate(links):
            leaf = self._learner.kind(link.url)
            flips = looks_like_flip(source, self._learner.key(link.url), link.anchor, is_next=link.is_next)
            where = context if link.row is not None or flips else (inherited if inherited else context)
            expected = prior(link, names_row=number in namers)
            if flips and not link.download:
                expected = max(expected, self._worth_of_page(seen))
                self._flip(link.key_hash, context)
            shadow = number in beside
            arm = self._arm(leaf, where, link.host, shadow=shadow, expected=expected)
            arm.waiting += 1
            arm.is_download = link.download
            self._priors.setdefault(leaf.number, expected)
            if expected > self._priors[leaf.number] and not self._kinds.get(leaf.number):
                self._priors[leaf.number] = expected
            placed.append(self._place(arm, link, expected, leaf))
        return placed

    def _place(self, arm: Arm, link: PageLink, expected: float, leaf: Leaf) -> Place:
        belief = self._learner.believe_kind(leaf)
        role = link.role or (belief.role.value if belief.role is Role.DOWNLOAD and belief.bound > 0.5 else "")
        within = BAND * (1 - min(max(expected, 0.0), 0.999)) * 0.9
        return Place(arm.number * BAND + within, note=arm.number + 1, role=role)

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
        return self._worth_of(leaf.number).ratio + record.useful / record.visits

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
            self._arms.append(arm)
            self._by_key[key] = arm
        elif expected > arm.prior:
            arm.prior = expected
        return arm

    def _is_barren(self, leaf: Leaf) -> bool:
        """Whether nothing came of the kind wherever it was found: then one arm is enough for it."""
        record = self._kinds.get(leaf.number)
        return record is not None and record.visits >= 4 and self._worth_of(leaf.number).ratio < POOR

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
        if seen.note and (seen.row_count < _LIST_ROWS or self._is_detail(self._learner.kind(seen.url))):
            return self._inherited(seen)
        key = self._learner.key(seen.url)
        known = self._contexts.get(key)
        if known is None:
            if len(self._contexts) >= MOST_CONTEXTS:
                return 0
            known = self._contexts[key] = len(self._contexts) + 1
        return known

    def _inherited(self, seen: PageSeen) -> int:
        return self._arms[seen.note - 1].context if 0 < seen.note <= len(self._arms) else 0

    def _flip(self, key_hash: int, context: int) -> None:
        self._flipped[key_hash] = context
        if len(self._flipped) > _REMEMBERED:
            self._flipped.popitem(last=False)

    # Values ------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        """Work out the worth of every kind from what its pages led to."""
        self._since_sweep = 0
        for number in list(self._kinds):
            heir = self._learner.tree.leaf(number).number
            if heir != number:
                self._kinds.setdefault(heir, Record()).join(self._kinds.pop(number))
        self._worth = {}
        for _ in range(_SWEEPS):
            for number, record in self._kinds.items():
                self._worth[number] = self._recorded(record, self._priors.get(number, POOR))

        self._shrinkage = self._spread()

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
            if len(arms) < 4:
                continue
            mean = sum(share for share, _ in arms) / len(arms)
            noise = sum(mean * (1 - mean) / visits for _, visits in arms) / len(arms)
            variance = sum((share - mean) ** 2 for share, _ in arms) / (len(arms) - 1) - noise
            if mean <= 0 or mean >= 1:
                continue
            estimate = mean * (1 - mean) / variance - 1 if variance > 0 else MOST_SHRINK
            spread[kind] = min(max(estimate, LEAST_SHRINK), MOST_SHRINK)
        return spread

    def _recorded(self, record: Record, before: float) -> Worth:
        """The worth that a kind's record shows, with a prior that fades."""
        weight = self._set["prior_visits"]
        total = record.visits + weight
        children = [
            (count / total, self._worth_of(self._learner.tree.leaf(kind).number))
            for kind, count in record.links.items()
        ]
        return worth((record.torrents + weight * before) / total, children, self._set["discount"])

    def _child(self, kind: int, context: int | None) -> Worth:
        if context:
            arm = self._by_key.get((kind, context, False))
            if arm is not None and arm.record.visits >= 1:
                return self._worth_of_arm(arm)
        return self._worth_of(kind)

    def _worth_of(self, kind: int) -> Worth:
        known = self._worth.get(kind)
        return known if known is not None else Worth(self._priors.get(kind, POOR), 1.0)

    def _worth_of_arm(self, arm: Arm) -> Worth:
        """Shrunk from the arm to its kind; no look at the arms that its links lead to."""
        general = self._worth_of(self._learner.tree.leaf(arm.kind).number)
        return self._shrunk(arm, general, None) if arm.record.visits else general

    def _shrunk(self, arm: Arm, general: Worth, context: int | None) -> Worth:
        """What an arm's own visits show, drawn towards `general` while they are few."""
        visits = arm.record.visits
        children = [
            (count / visits, self._child(self._learner.tree.leaf(kind).number, context))
            for kind, count in arm.record.links.items()
        ]
        own = worth(arm.record.torrents / visits, children, self._set["discount"])
        shrink = self._shrinkage.get(self._learner.tree.leaf(arm.kind).number, self._set["shrink"])
        weight = visits + shrink
        return Worth(
            (visits * own.torrents + shrink * general.torrents) / weight,
            (visits * own.requests + shrink * general.requests) / weight,
        )

    def _worth_of_page(self, seen: PageSeen) -> float:
        arm = self._arms[seen.note - 1] if 0 < seen.note <= len(self._arms) else None
        if arm is not None:
            return self._score(arm)
        return self._worth_of(self._learner.kind(seen.url).number).ratio

    def _score(self, arm: Arm) -> float:
        """The index of an arm."""
        leaf = self._learner.tree.leaf(arm.kind)
        kind = self._kinds.get(leaf.number)
        visits = arm.record.visits
        if kind is None or not kind.visits:
            general = Worth(max(arm.prior, self._inherited_worth(leaf)), 1.0)
        else:
            general = self._worth_of(leaf.number)
        if arm.shadow:
            general = Worth(min(POOR / 2, 0.3 * general.ratio), 1.0)
        value = (self._shrunk(arm, general, arm.context) if visits else general).ratio
        bonus = self._set["bonus"] * sqrt(log(self._visits + 2) / (visits + 2))
        score = value + bonus * min(1.0, 4 * value)
        if self._set["learn"] and kind is not None:
            score /= 1 + max(0.0, kind.visits - ENOUGH)
        if self._learner.health(leaf) is Health.RETIRED:
            return 0.0
        if self._set["tail"] and visits >= 8 and value < 0.02:
            return value * TAIL
        return score

    def _inherited_worth(self, leaf: Leaf) -> float:
        """What a kind that was never visited is worth since another redirects to it."""
        before = self._learner.predecessor(leaf)
        return self._worth_of(before.number).ratio if before is not None else 0.0

    # Turns -------------------------------------------------------------------------------------------

    def turns(self, hosts: Sequence[str] = ()) -> list[Turn]:
        """The best arms of each host that has room, then whatever is left."""
        if self._since_sweep:
            self._sweep()
        full = set(hosts)
        by_host: dict[str, list[Arm]] = {}
        for arm in self._arms:
            if arm.waiting > 0 and arm.host not in full:
                arm.score = self._score(arm)
                by_host.setdefault(arm.host, []).append(arm)
        turns: list[Turn] = []
        self._turns += 1
        for arms in by_host.values():
            arms.sort(key=lambda arm: -arm.score)
            if self._random.random() < self._set["explore"]:
                untried = [arm for arm in arms if arm.record.visits < 3 and not arm.shadow]
                if untried:
                    turns.append(self._turn(self._random.choice(untried), 1))
            turns += [self._turn(arm, self.window) for arm in arms[:4]]
        return turns

    def _turn(self, arm: Arm, count: int) -> Turn:
        """A few at once only where the arm itself is known."""
        sure = arm.record.visits >= 4 or arm.is_download
        return Turn(count if sure else 1, arm.number * BAND, (arm.number + 1) * BAND, (arm.host,))

    def claimed(self, turn: Turn, count: int) -> None:
        """`count` URLs were claimed by `turn`; fewer than asked: nothing more waits there."""
        number = int(turn.low // BAND) if turn.low > float("-inf") else -1
        if 0 <= number < len(self._arms):
            arm = self._arms[number]
            arm.waiting = max(0, arm.waiting - count) if count >= turn.limit else 0

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Nothing to do: arms are reordered, not URLs."""
        del queued
        return []
