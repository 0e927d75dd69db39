"""What the bandit's arms and kinds are worth, kept up to date visit by visit.

Values depend on each other: a list is worth what its links are. What a visit changes is worked out at once,
what depends on that a few steps a visit (prioritised sweeping, Moore and Atkeson 1993), and every arm again
now and then: the work of a visit does not grow with the number of arms.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from math import log, sqrt

from harvester.ordering.arms import MOST_PARENTS, NOTHING, Arm, Kind
from harvester.ordering.hints import FACTORS, LOW
from harvester.ordering.priors import POOR
from harvester.ordering.ranking import Ranking
from harvester.ordering.values import Worth, worth
from harvester.patterns.learner import Learner
from harvester.patterns.learner.drift import Health
from harvester.patterns.learner.tree import Leaf

LIST_LINKS = 3
"""Fresh links in its own context that a page of a list has at least."""
ENOUGH = 10
"""Visits of a kind after which a crawl that only learns turns to others."""
FAIR_TRIAL = 8
"""Visits after which the hope for a kind that gave nothing anywhere fades."""
TAIL = 0.3
"""What is left of the index of an arm that gave nothing for long."""
VIEW = 0.3
"""What is left of the index of sorted and filtered lists: only capped lists make them give new things."""
LEAST_SHRINK = 0.5
MOST_SHRINK = 3.0
STEPS = 5
"""Arms that are worked out for each visit beside the visited one."""
SIBLINGS = 2
"""Arms of the visited one's kind that are worked out with it."""
BACKGROUND = 1
"""Arms that are worked out for each visit by turns, whatever changed."""
EARLY = 150
"""Visits during which ten times as much is worked out: little is known, and every visit matters."""
STALE = 0.01
SETTLED = 1000
"""Share of the visits of a host beyond so many after which the worth of an arm that is about to be chosen is
worked out again: at first after each."""
_CHANGE = 0.02
"""Share by which a worth has to change before what depends on it is worked out again."""
_LEAST_CHANGE = 0.001
_LEAST_STEP = 0.005
"""Share by which an index has to change before the arm is ranked anew: it moves a little with every visit."""


class Appraisal:
    """All arms and kinds of one run; `settings` are the bandit's.

    `on_merged` is told of a kind that turned out to be another one (numbers).
    """

    def __init__(
        self, learner: Learner, settings: Mapping[str, float], on_merged: Callable[[int, int], None]
    ) -> None:
        self._learner = learner
        self._on_merged = on_merged
        self._set = settings
        self.arms: list[Arm] = []
        self.by_key: dict[tuple[int, int, bool, int], Arm] = {}
        """Arms by kind, context, shadow and tier."""
        self.kinds: dict[int, Kind] = {}
        self.ranking = Ranking(self.arms, self.refreshed)
        self.visits = 0
        self._visits_of: dict[str, int] = {}
        self._due: OrderedDict[int, None] = OrderedDict()
        self._later: OrderedDict[int, None] = OrderedDict()
        self._next = 0
        self._merged = 0

    def kind(self, number: int) -> Kind:
        """The kind of that number."""
        found = self.kinds.get(number)
        if found is None:
            found = self.kinds[number] = Kind()
        return found

    def add(self, arm: Arm) -> None:
        """A new arm."""
        self.arms.append(arm)
        self.kind(arm.kind).arms.append(arm)
        self._work_out(arm)

    def begin(self) -> None:
        """Work out everything once, after arms were taken over from an earlier run."""
        for arm in [*self.arms, *reversed(self.arms)]:
            self._work_out(arm)
        for arm in self.arms:
            if arm.waiting > 0:
                self.ranking.add(arm)

    def found(self, arm: Arm, source: Arm | None) -> None:
        """One more URL waits in `arm`; it was found on a page of `source`."""
        arm.waiting += 1
        if arm.waiting == 1:
            self.ranking.add(arm)
        if source is not None and len(arm.parents) < MOST_PARENTS:
            arm.parents[source.number] = None

    def raised(self, arm: Arm, expected: float) -> None:
        """A link in `arm` promises more than those before."""
        arm.prior = expected
        self._work_out(arm)

    def visited(self, arm: Arm | None, leaf: Leaf, host: str) -> None:
        """A URL of `arm` was visited on `host`, whose kind turned out to be `leaf`."""
        self.visits += 1
        self._visits_of[host] = self._visits_of.get(host, 0) + 1
        if arm is not None:
            self._due[arm.number] = None
        for other in self.kind(leaf.number).arms[:SIBLINGS]:
            self._later[other.number] = None

    def settle(self, visits: int) -> None:
        """Work out what changed in the last `visits` visits."""
        self._merge_kinds()
        steps = STEPS * visits * (10 if self.visits < EARLY else 1)
        while steps > 0 and (self._due or self._later):
            number, _ = (self._due or self._later).popitem(last=False)
            self._work_out(self.arms[number])
            steps -= 1
        for _ in range(min(BACKGROUND * visits + steps // 4, len(self.arms))):
            self._next = (self._next + 1) % len(self.arms)
            self._work_out(self.arms[self._next])

    def refreshed(self, arm: Arm) -> float:
        """The score of an arm by what is known now, or was known a little while ago.

        Kinds are those of one host, so that visits elsewhere say nothing of it.
        """
        visits = self._visits_of.get(arm.host, 0)
        if visits - arm.worked_out > STALE * max(0, visits - SETTLED):
            self._work_out(arm)
        return arm.score

    def _merge_kinds(self) -> None:
        tree = self._learner.tree
        for old in tree.merged[self._merged :]:
            kind = self.kinds.pop(old, None)
            if kind is None:
                continue
            heir = tree.leaf(old).number
            for arm in kind.arms:
                arm.kind = heir
                self.by_key.setdefault((heir, arm.context, arm.shadow, arm.tier), arm)
                self._later[arm.number] = None
            self.kind(heir).join(kind)
            self._on_merged(old, heir)
        self._merged = len(tree.merged)

    # Values ------------------------------------------------------------------------------------------

    def _work_out(self, arm: Arm) -> None:
        """The worth and the index of an arm; what depends on them is due if they changed."""
        arm.worked_out = self._visits_of.get(arm.host, 0)
        kind = self.kind(arm.kind)
        leaf, visits = self._learner.tree.leaf(arm.kind), arm.record.visits
        if visits:
            arm.own = worth(
                arm.record.torrents / visits,
                self._children(arm),
                self._set["discount"],
                arm.record.requests / visits,
            )
            if not arm.shadow:
                self._count(arm, kind)
        before = arm.worth.ratio
        general = self._general(arm, kind, leaf)
        arm.worth = general
        if visits:
            shrink = self._shrinkage(kind)
            ratio = (visits * arm.own.ratio + shrink * general.ratio) / (visits + shrink)
            arm.worth = Worth(ratio * arm.own.requests, arm.own.requests)
        if _differs(arm.worth.ratio, before):
            for parent in arm.parents:
                self._due[parent] = None
        score = self._index(arm, kind, leaf)
        if abs(score - arm.score) > _LEAST_STEP * arm.score + 1e-9:
            arm.score = score
            if arm.waiting > 0:
                self.ranking.add(arm)

    def _count(self, arm: Arm, kind: Kind) -> None:
        """Bring the sums of the arm's kind up to date, and its worth."""
        visits = arm.record.visits
        share, trial = arm.share, arm.trial
        arm.share = (visits / (visits + 1), arm.own.ratio, arm.own.requests)
        if share == arm.share:
            return
        arm.trial = (arm.record.useful / visits, visits) if visits >= 3 else None
        kind.count(share, -1, arm.tier)
        kind.count(arm.share, 1, arm.tier)
        kind.try_out(trial, -1)
        kind.try_out(arm.trial, 1)
        self._judge(kind)

    def _judge(self, kind: Kind) -> None:
        """The worth of a kind where it was not met yet: the mean over its arms, each counted once.

        Many visits on one board say much of that board and little of the next one.
        """
        weight = self._set["prior_visits"]
        record, before = kind.record, POOR if kind.prior is None else kind.prior
        if not record.useful and record.visits > FAIR_TRIAL:
            before *= sqrt(FAIR_TRIAL / record.visits)
        ratio = max(0.0, (weight * before + kind.ratios) / (weight + kind.shares))
        mean = max(1.0, kind.requests / kind.shares) if kind.shares > 0 else 1.0
        kind.worth = Worth(ratio * mean, mean)
        if _differs(ratio, kind.told):
            kind.told = ratio
            self._later.update((arm.number, None) for arm in kind.arms)

    def _children(self, arm: Arm) -> list[tuple[float, Worth]]:
        """Links a visit, with what they are worth.

        A page that opens a list of its own (a board) opens another one at the next visit, of which no more is
        known than of its kind; other links lead to the very arms that they led to.
        """
        children, total = [], arm.record.visits
        for number, count in arm.record.links.items():
            child = self.arms[number]
            known = child.worth
            if child.context and child.context != arm.context and not child.shadow and self._set["lists"]:
                unmet = self.kind(child.kind)
                known = _times(unmet.worth, unmet.factor(child.tier)) if unmet.worth is not None else known
            children.append((count / total, known))
        return children

    def _shrinkage(self, kind: Kind) -> float:
        """How many visits a kind counts for in its arms: few where the arms differ, many where they agree.

        Beta-binomial by the method of moments: with mean m and variance v of the arms' shares,
        m (1 - m) / v - 1.
        """
        arms = kind.trials
        mean = kind.useful / arms if arms else 0.0
        if arms < 4 or not 1e-9 < mean < 1 - 1e-9:
            return self._set["shrink"]
        noise = mean * (1 - mean) * kind.inverses / arms
        variance = max(0.0, kind.squares - arms * mean * mean) / (arms - 1) - noise
        estimate = mean * (1 - mean) / variance - 1 if variance > 0 else MOST_SHRINK
        return min(max(estimate, LEAST_SHRINK), MOST_SHRINK)

    def _general(self, arm: Arm, kind: Kind, leaf: Leaf) -> Worth:
        """What the arm is worth going by its kind alone."""
        if not kind.record.visits:
            general = Worth(max(arm.prior, self._inherited(leaf)), 1.0)
        else:
            general = self._in_context(arm, kind) or self._of_kind(arm, kind)
        return Worth(min(POOR / 2, 0.3 * general.ratio), 1.0) if arm.shadow else general

    def _of_kind(self, arm: Arm, kind: Kind) -> Worth:
        """By the kind, and by what the other tiers of the same list gave."""
        known = kind.worth or Worth(arm.prior, 1.0)
        found = self._on_list(arm.kind, kind, arm.context, known, but=arm.tier)
        return _times(found, kind.factor(arm.tier))

    def _on_list(self, number: int, kind: Kind, context: int, known: Worth, but: int = -1) -> Worth:
        """What links of a kind are worth on one list, going by all tiers there (`but` one) and the kind."""
        shrink = self._shrinkage(kind)
        visits, ratios = shrink, shrink * known.ratio
        for tier in range(len(FACTORS)):
            arm = self.by_key.get((number, context, False, tier)) if tier != but else None
            if arm is not None and arm.record.visits:
                visits += arm.record.visits
                ratios += arm.record.visits * arm.own.ratio / max(kind.factor(tier), FACTORS[LOW])
        return Worth(ratios / visits * known.requests, known.requests)

    def _in_context(self, arm: Arm, kind: Kind) -> Worth | None:
        """What a further page of a list is worth by what is known of that list; None for other pages."""
        visits = kind.record.visits
        if not arm.context or sum(kind.gives.values()) < LIST_LINKS * visits or not self._set["lists"]:
            return None
        children = []
        for number, count in kind.gives.items():
            child = self._learner.tree.leaf(number).number
            known = self.kind(child)
            if child != arm.kind and known.worth is not None:
                found = self._on_list(child, known, arm.context, known.worth)
                for share, factor in self._mix(child, known, arm.context):
                    children.append((share * count / visits, _times(found, factor)))
        return worth(kind.record.torrents / visits, children, self._set["discount"])

    def _mix(self, number: int, kind: Kind, context: int) -> list[tuple[float, float]]:
        """The shares of the tiers among links of a kind on one list, and what each is worth of the whole."""
        met = []
        for tier in range(len(FACTORS)):
            arm = self.by_key.get((number, context, False, tier))
            if arm is not None:
                met.append((arm.waiting + arm.record.visits, kind.factor(tier)))
        total = sum(count for count, _ in met)
        return [(count / total, factor) for count, factor in met] if total else [(1.0, 1.0)]

    def _inherited(self, leaf: Leaf) -> float:
        """What a kind that was never visited is worth since another redirects to it."""
        before = self._learner.predecessor(leaf)
        known = self.kinds.get(before.number) if before is not None else None
        return known.worth.ratio if known is not None and known.worth is not None else 0.0

    def _index(self, arm: Arm, kind: Kind, leaf: Leaf) -> float:
        visits, value = arm.record.visits, arm.worth.ratio
        bonus = self._set["bonus"] * sqrt(log(self.visits + 2) / (visits + 2))
        score = value + bonus * min(1.0, 4 * value)
        if self._set["learn"]:
            score /= 1 + max(0.0, kind.record.visits - ENOUGH)
        if self._learner.health(leaf) is Health.RETIRED:
            return 0.0
        if self._set["views"] and kind.is_view:
            return score * VIEW
        if self._set["tail"] and visits >= 8 and value < 0.02:
            return value * TAIL
        return score

    def ratio_of(self, leaf: Leaf) -> float:
        """Torrents a request of a kind as far as is known, else 0."""
        known = self.kinds.get(leaf.number)
        return (known.worth or NOTHING).ratio if known is not None else 0.0


def _times(known: Worth, factor: float) -> Worth:
    return Worth(factor * known.torrents, known.requests)


def _differs(value: float, before: float) -> bool:
    return abs(value - before) > _LEAST_CHANGE + _CHANGE * abs(before)
