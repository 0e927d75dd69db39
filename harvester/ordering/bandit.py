"""The default order: a bandit over learned kinds of URLs.

An arm is a kind of URL in a context (the list it was found on: this board, that board). Each arm has a
band of priorities of its own in the frontier, so that what is learned reorders everything that waits
without touching it. The next URLs come from the arm with the best index: torrents a request, shrunk from
the arm to its kind, with a bonus for what was hardly tried.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import Came, PageLink, PageSeen, Place, Turn
from harvester.model.site import Role
from harvester.ordering import MOST_BANDS, OrderOptions, keeping, register
from harvester.ordering.appraisal import Appraisal
from harvester.ordering.arms import MOST_PARENTS, Arm
from harvester.ordering.contexts import LIST_ROWS, Contexts
from harvester.ordering.hints import TIERS, UNTOLD, Hints, RowHints
from harvester.ordering.priors import PLAIN, POOR, VARIANT, is_variant, prior
from harvester.ordering.rows import beside_better, namers_of
from harvester.ordering.values import Record
from harvester.patterns.learner.flips import looks_like_flip
from harvester.patterns.learner.tree import Leaf

BAND = 1024.0
"""Width of an arm's band of priorities; the first belongs to none: start pages and the like."""
MOST_ARMS = MOST_BANDS
OLD = 0.05
"""What the URLs that an earlier run left behind may give: nobody remembers which is which."""
MOST_OF_KIND, MOST_OF_ARM = 200, 30
"""Visits from which a kind and an arm let older ones count less."""
FADE = 0.9
FEW_HINTS = 3
"""A link whose first row said less is read again where another row shows it."""
UNKNOWN = 20
"""Visits of a kind up to which nobody knows which list its URLs belong to."""
BETTER = 1.3
LEAST_BETTER = 0.01
"""A URL that waits waits in another arm as well when that is worth so much more."""
SPARE = 3
"""Arms of a host that are offered at least, in case that the first hold nothing, where many hosts share a
claim."""
FIRST_REVIEW = 20
"""Visits before what waits is looked at again."""
DRAWS = 8
"""Arms that are drawn until one was hardly tried."""
_REMEMBERED = 50_000

DEFAULTS = {
    "explore": 0.03,  # share of turns that go to an arm drawn at random
    "bonus": 0.05,  # weight of sqrt(ln t / (n + 2))
    "prior_visits": 1.5,  # visits that the prior of a kind counts for
    "shrink": 2.0,  # visits that the kind counts for in an arm
    "discount": 0.85,  # of what is one link further away
    "downloads": 1.0,  # known downloads first
    "rows": 1.0,  # one link of a row only
    "contexts": 1.0,  # arms by list
    "tail": 1.0,  # arms that gave nothing wait till the end
    "hints": 1.0,  # links of a list told apart by their words and by what stands beside them
    "lists": 1.0,  # a further page of a list promises what that list holds
    "views": 1.0,  # sorted and filtered lists wait till the end
    "moves": 1.0,  # a URL that another list shows too waits with that list as well
    "learn": 0.0,  # visits go where the evidence is thin, not where the torrents are
}


@register("bandit")
class Bandit:
    """See the module. Settings are the names of `DEFAULTS`."""

    name: ClassVar[str] = "bandit"
    lifo: ClassVar[bool] = False

    def __init__(self, options: OrderOptions) -> None:
        self._learner = options.learner
        self._random = random.Random(options.seed)
        self._set = {**DEFAULTS, **options.settings}
        self._hints = RowHints()
        self._values = Appraisal(self._learner, self._set, self._hints.join)
        self._arms = self._values.arms
        self._by_key = self._values.by_key
        self._by_host: dict[str, list[Arm]] = {}
        self._groups: dict[str, Record] = {}
        self._contexts = Contexts()
        self._waits: OrderedDict[int, int] = OrderedDict()
        self._since_settled = 0
        self._by_band: dict[int, Arm] = {}
        self._next_band = 1
        self._old = (0, 0)
        """Bands of an earlier run of which nothing is known: from, to."""

    def resume(self, first: int, memory: Mapping[str, object]) -> None:
        """Go on with what an earlier run knew; new arms have bands from `first` on."""
        kept = keeping.read(memory)
        self._old = (kept.next_band if kept is not None else 0, first)
        self._next_band = max(1, first, self._old[0])
        if kept is None:
            return
        for met in kept.kinds:
            kind = self._values.kind(self._learner.kind(met.sample).number)
            kind.prior, kind.links, kind.variants = met.prior, met.links, met.variants
            kind.record.join(Record(*met.record))
            for url, count in met.gives.items():
                kind.gives[self._learner.kind(url).number] = count
        arms = {known.band: self._recalled(known) for known in kept.arms}
        for known in kept.arms:
            arm = arms[known.band]
            linked = [(arms[band], count) for band, count in known.links.items() if band in arms]
            arm.record.join(Record(*known.record, {child.number: count for child, count in linked}))
            for child, _ in linked:
                child.parents[arm.number] = None
        self._values.visits = kept.visits
        self._values.begin()

    def _recalled(self, known: keeping.KeptArm) -> Arm:
        """The arm again, or the one that took its place as kinds became one."""
        leaf = self._learner.kind(known.sample)
        context = self._contexts.named(known.context) if known.context else 0
        key = (leaf.number, context, known.shadow, known.tier)
        arm = self._by_key.get(key)
        if arm is None or arm.band != known.band:
            arm = self._new_arm(key, known.host, known.prior, known.band)
        arm.is_flip, arm.is_download, arm.waiting = known.is_flip, known.is_download, known.waiting
        return arm

    def memory(self) -> dict[str, object]:
        """See `Order.memory`."""
        return keeping.written(
            self._arms,
            self._values.kinds,
            self._contexts.numbers,
            self._learner.tree,
            next_band=self._next_band,
            visits=self._values.visits,
        )

    @property
    def _left_over(self) -> bool:
        return self._old[1] > self._old[0]

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
        self._waits.pop(seen.key_hash, None)
        leaf, arm = self._learner.kind(seen.url), self._arm_of(seen)
        useful = bool(seen.torrents) or any(link.download and link.fresh for link in seen.links)
        kind = self._values.kind(leaf.number)
        if useful or not any(link.download for link in seen.links):  # else it was read under another address
            context = arm.context if arm is not None else 0
            self._hints.visited(seen.key_hash, leaf.number, useful=useful, context=context)
        requests = 2.0 if seen.final_url and seen.final_url != seen.url else 1.0
        if kind.record.visits >= MOST_OF_KIND:
            kind.fade(FADE)
        kind.record.add(seen.torrents, useful=useful, requests=requests)
        if arm is not None:
            if arm.record.visits >= MOST_OF_ARM:
                arm.record.fade(FADE)
            arm.record.add(seen.torrents, useful=useful, requests=requests)
        self._values.visited(arm, leaf, seen.host)
        siblings = self._groups.setdefault(leaf.group, Record())
        fresh = sum(link.fresh for link in seen.links)
        siblings.add(seen.torrents, useful=useful or fresh >= LIST_ROWS)

    def _arm_of(self, seen: PageSeen) -> Arm | None:
        return self._by_band.get(int(seen.priority // BAND))

    # Placing -----------------------------------------------------------------------------------------

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """Give each fresh link a place in the band of its arm."""
        learner, source = self._learner, self._learner.key(seen.url)
        context, inherited = self._context_of(seen), self._inherited(seen)
        namers = namers_of(links)
        fresh = {link.key_hash for link in links if link.row is not None and not link.download}
        hints = self._hints.read(seen.links, fresh, seen.marks) if fresh and self._set["hints"] else {}
        beside = beside_better(links, namers, self._values, learner) if self._set["rows"] else set()
        own, turned = self._arm_of(seen), self._contexts.is_turned(seen.key_hash)
        page_leaf = learner.kind(seen.url)
        kind = self._values.kind(page_leaf.number)
        placed: list[Place] = []
        for number, link in enumerate(links):
            leaf, key = learner.kind(link.url), learner.key(link.url)
            flips = looks_like_flip(source, key, link.anchor, is_next=link.is_next)
            expected = self._expected(seen, link, leaf, source, key, names=number in namers, flips=flips)
            if flips:
                self._contexts.turns(link.key_hash, context)
            self._count_view(leaf, source, key, flips=flips, from_view=kind.is_view)
            where = context if link.row is not None or flips else (inherited or context)
            if where and where == inherited and leaf is page_leaf and not flips:
                where = self._contexts.named(f"beside {where}")
            told = hints.get(link.key_hash, ())
            tier = UNTOLD if number in beside or flips else self._tier(leaf, told)
            self._hints.remember(link.key_hash, told, link.url)
            arm = self._arm(leaf, where, link.host, shadow=number in beside, expected=expected, tier=tier)
            self._wait(link.key_hash, arm)
            arm.is_download, arm.is_flip = link.download, arm.is_flip or flips
            self._values.found(arm, own)
            if own is not None:
                own.record.link(arm.number)
                if turned and own.context == where == arm.context and not arm.shadow:
                    kind.gives[leaf.number] = kind.gives.get(leaf.number, 0.0) + 1
            placed.append(self._place(arm, link, expected, leaf))
        return placed

    def _tier(self, leaf: Leaf, hints: Hints) -> int:
        record = self._values.kind(leaf.number).record
        return self._hints.tier(hints, leaf.number, record.visits, record.useful) if hints else UNTOLD

    def _wait(self, key_hash: int, arm: Arm) -> None:
        self._waits[key_hash] = arm.number
        if len(self._waits) > _REMEMBERED:
            self._waits.popitem(last=False)

    def _count_view(self, leaf: Leaf, source: str, key: str, *, flips: bool, from_view: bool) -> None:
        kind = self._values.kind(leaf.number)
        kind.links += 1
        kind.variants += from_view if flips else is_variant(source, key)

    def also(self, seen: PageSeen) -> dict[int, Place]:
        """Places with this page's list for URLs that wait with another one that promises less."""
        context = self._context_of(seen)
        if not self._set["moves"] or not context:
            return {}
        waiting = {link.key_hash: link for link in seen.links if not link.fresh and link.row is not None}
        waiting = {key: link for key, link in waiting.items() if key in self._waits}
        if not waiting:
            return {}
        unread = {key for key in waiting if len(self._hints.of(key)) < FEW_HINTS}
        for key, hints in (self._hints.read(seen.links, unread, seen.marks) if unread else {}).items():
            self._hints.remember(key, hints, waiting[key].url)
        places = {}
        for key, link in waiting.items():
            old, leaf = self._arms[self._waits[key]], self._learner.kind(link.url)
            tier = self._tier(leaf, self._hints.of(key))
            new = self._by_key.get((leaf.number, context, False, tier))
            if new is None and tier != old.tier and old.context == context:
                new = self._arm(leaf, context, link.host, shadow=False, expected=old.prior, tier=tier)
            if new is None or new is old or not self._is_better(new, old):
                continue
            self._values.found(new, self._arm_of(seen))
            self._waits[key] = new.number
            places[key] = self._place(new, link, new.prior, leaf)
        return places

    def _is_better(self, new: Arm, old: Arm) -> bool:
        """Whether a URL of `old` should wait in `new` too; while little is known, that may be."""
        if self._values.kind(new.kind).record.visits < UNKNOWN and not old.record.visits:
            return True
        return new.worth.ratio > BETTER * old.worth.ratio + LEAST_BETTER

    def _expected(
        self, seen: PageSeen, link: PageLink, leaf: Leaf, source: str, key: str, *, names: bool, flips: bool
    ) -> float:
        """What a link may be worth, before anything of its kind was visited."""
        expected = prior(link, names_row=names)
        if link.download:
            return expected if self._set["downloads"] else PLAIN
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
        return Place(arm.band * BAND + within, role=role)

    def _arm(self, leaf: Leaf, context: int, host: str, *, shadow: bool, expected: float, tier: int) -> Arm:
        if shadow or not self._set["contexts"] or self._is_barren(leaf):
            context = 0
        key = (leaf.number, context, shadow, tier)
        arm = self._by_key.get(key)
        if arm is None and len(self._arms) >= MOST_ARMS:
            key = (leaf.number, 0, shadow, UNTOLD)
            arm = self._by_key.get(key)
        if arm is None:
            arm = self._new_arm(key, host, expected, self._next_band)
            self._next_band += 1
        elif expected > arm.prior:
            self._values.raised(arm, expected)
        return arm

    def _new_arm(self, key: tuple[int, int, bool, int], host: str, expected: float, band: int) -> Arm:
        number, context, shadow, tier = key
        arm = Arm(len(self._arms), number, context, host, shadow, tier, band, prior=expected)
        self._values.add(arm)
        self._by_key[key] = self._by_band[band] = arm
        self._by_host.setdefault(host, []).append(arm)
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
        leaf = self._learner.kind(seen.url)
        key = self._learner.key(seen.url)
        return self._contexts.of(seen, self._arm_of(seen), key, is_detail=self._is_detail(leaf))

    def _inherited(self, seen: PageSeen) -> int:
        arm = self._arm_of(seen)
        return arm.context if arm is not None else 0

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
        chosen = self._values.ranking.hosts(hosts, full)
        each = min(each, max(SPARE, hosts // max(1, len(chosen))))
        for host in chosen:
            best = self._values.ranking.best(host, each)
            drawn = self._drawn(host) if self._random.random() < self._set["explore"] else None
            if drawn is not None:
                best = [drawn, *(arm for arm in best if arm is not drawn)]
            least = OLD if self._left_over else 0.0
            turns += [self._turn(arm, drawn is arm) for arm in best if arm.score >= least]
        if self._left_over:
            turns.append(Turn(self.window, self._old[0] * BAND, self._old[1] * BAND))
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
        return Turn(self.window if sure else 1, arm.band * BAND, (arm.band + 1) * BAND, (arm.host,))

    def claimed(self, turn: Turn, count: int) -> None:
        """`count` URLs were claimed by `turn`; fewer than asked: nothing more waits there."""
        arm = self._by_band.get(int(turn.low // BAND))
        if not turn.hosts:
            self._old = self._old if count else (0, 0)
        elif arm is not None:
            arm.waiting = max(0, arm.waiting - count) if count >= turn.limit else 0

    def best(self) -> float:
        """The index of the best arm."""
        ranking = self._values.ranking
        return max((ranking.best(host, 1)[0].score for host in ranking.hosts(1)), default=0.0)

    def explain(self, priority: float) -> tuple[float, float, str]:
        """Of the arm that a place in the frontier belongs to: index, visits, and in words what it is."""
        arm = self._by_band.get(int(priority // BAND))
        if arm is None:
            return 0.0, 0.0, "no arm: start page or left over"
        leaf = self._learner.tree.leaf(arm.kind)
        role = self._learner.believe_kind(leaf).role
        beside = " beside" if arm.shadow else f" {TIERS[arm.tier]}" if arm.tier else ""
        words = (
            f"{role.value if role else '-'}{beside} {leaf.group.rpartition(' ')[2]} {'/'.join(leaf.forms)}"
        )
        return arm.score, arm.record.visits, words

    @property
    def review_every(self) -> int:
        """Often at first: what waits was placed when nothing was known of what its rows say."""
        return max(FIRST_REVIEW, self._values.visits // 2) if self._set["hints"] else 0

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Links that waited since little was known of their kind: into the tiers that they belong to now."""
        self._hints.learn_again()
        moved = []
        for ref, url in queued:
            arm = self._by_band.get(int(ref.priority // BAND))
            if arm is None or arm.shadow or arm.is_flip or arm.is_download:
                continue
            leaf = self._learner.kind(url)
            key, hints = self._hints.of_url(url)
            tier = self._tier(leaf, hints)
            if tier in (UNTOLD, arm.tier) or leaf.number != arm.kind:
                continue
            other = self._arm(leaf, arm.context, arm.host, shadow=False, expected=arm.prior, tier=tier)
            if other is arm:
                continue
            self._wait(key, other)
            arm.waiting = max(0, arm.waiting - 1)
            self._values.found(other, None)
            if len(other.parents) < MOST_PARENTS:
                other.parents.update(arm.parents)
            moved.append(Reprioritised(ref, other.band * BAND + ref.priority % BAND))
        return moved
