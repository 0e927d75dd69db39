"""The role of every kind, from what its pages show of the others.

A file's kind gives torrents. A page about one thing shows a few files; a list has a row for each of many
pages that do, or for each of many lists. So the roles hang together, and are worked out from the files
backwards: whatever leads to none of it (lists of members, of who was online) is none of the crawl's business.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from harvester.model.site import Role
from harvester.patterns.learner.evidence import MOSTLY, Evidence, Target, wilson
from harvester.patterns.learner.tree import Leaf, PatternTree

ROUNDS = 4
"""Steps from files backwards: pages, lists, lists of lists, and one for what hangs on those."""
LEAST_SHARE = 0.02
"""Share of a kind's pages that show files from which the others, which show none, are taken for the same:
threads of a chat board are built like those of a torrent board."""
LIST_SHARE = 0.3
BESIDE = (20, 0.8)
"""Rows that a kind names, and the share in which a file stands beside it, from which its pages are known to
be about one thing without a visit."""
_COPIES = 0.5


class Verdict(NamedTuple):
    """What a kind is: how many of the `trials` fit the role. FLIP is a further page of a list."""

    role: Role
    hits: float
    trials: float
    is_seen: bool = True
    """Whether it rests on visits; else on the rows that lead to it."""
    is_weak: bool = False
    """Whether it is only a guess, which gives way to what is known of other kinds of the same path."""


class Roles:
    """The verdicts on all kinds of a tree at one time."""

    def __init__(self, tree: PatternTree, *, passwords_tell: bool = True) -> None:
        self._tree = tree
        self._passwords_tell = passwords_tell
        self._verdicts: dict[int, Verdict] = {}
        self._relevant: set[int] = set()
        self._decide()

    def of(self, leaf: Leaf) -> Verdict | None:
        """The verdict on a kind, None where nothing is known of it."""
        return self._verdicts.get(leaf.number)

    def _decide(self) -> None:
        leaves = [leaf for leaf in self._tree.live() if leaf.evidence.visits or leaf.evidence.beside]
        self._targets = {leaf.number: self._merged(leaf) for leaf in leaves}
        self._shows = {leaf.number: self._counted(leaf, _few) for leaf in leaves}
        self._many = {leaf.number: self._counted(leaf, _many) for leaf in leaves}
        for _ in range(ROUNDS):
            before = dict(self._verdicts)
            for leaf in leaves:
                verdict = self._verdict(leaf)
                self._verdicts[leaf.number] = verdict
                if verdict.role in (Role.LIST, Role.FLIP, Role.DETAIL):
                    self._relevant.add(leaf.number)
                else:
                    self._relevant.discard(leaf.number)
            if before == self._verdicts:
                return

    def _merged(self, leaf: Leaf) -> dict[int, Target]:
        """What its pages show, by the kinds that those became."""
        merged: dict[int, Target] = {}
        for number, target in leaf.evidence.targets.items():
            heir = self._tree.leaf(number).number if number >= 0 else number
            merged.setdefault(heir, Target()).add(target)
        return merged

    def _verdict(self, leaf: Leaf) -> Verdict:
        evidence = leaf.evidence
        if not evidence.visits:
            beside = evidence.named >= BESIDE[0] and wilson(evidence.beside, evidence.named) >= BESIDE[1]
            role = Role.DETAIL if beside else Role.IGNORE
            return Verdict(role, evidence.beside, evidence.named if beside else 0.0, is_seen=False)
        trials = max(1.0, evidence.visits - evidence.walls)
        readable = _readable(evidence)
        if evidence.torrents >= 0.5 * trials:
            return Verdict(Role.DOWNLOAD, evidence.torrents, trials)
        shows, many = self._shows[leaf.number], self._many[leaf.number]
        lists = min(readable, max(self._lists(leaf), many, evidence.folders))
        is_detail = shows >= (max(2.0, LEAST_SHARE * readable) if readable >= 2 else 1.0)
        if self._passwords_tell and evidence.passwords >= 0.5 * trials and not is_detail:
            return Verdict(Role.LOGIN, evidence.passwords, trials)
        most = LIST_SHARE * readable
        if is_detail and evidence.folders < most and lists < max(most, shows):
            return _read_as(Role.DETAIL, readable, trials)
        turns = evidence.flips > 0 and evidence.flips >= 0.5 * evidence.links
        if lists >= LIST_SHARE * readable and lists:
            whole = min(readable, self._short_lists(leaf) + self._of_its_own(leaf) + evidence.empty)
            hits = readable if max(lists, whole) >= MOSTLY * readable else lists
            return _read_as(Role.FLIP if turns else Role.LIST, hits, trials)
        if turns and (base := self._turned(leaf)) is not None:
            return _read_as(base, readable, trials)
        if not shows and self._short_lists(leaf) >= MOSTLY * readable > 0:
            return _read_as(Role.FLIP if turns else Role.LIST, readable, trials)._replace(is_weak=True)
        return Verdict(Role.IGNORE, evidence.visits - shows - lists, evidence.visits)

    def _counted(self, leaf: Leaf, count: Callable[[Target], float]) -> float:
        """On how many of its pages stand links to files that are torrents, as far as is known."""
        targets = self._targets[leaf.number].items()
        total = sum(count(target) for number, target in targets if number < 0 or self._may_be_file(number))
        return min(_readable(leaf.evidence), total)

    def _may_be_file(self, number: int) -> bool:
        evidence = self._tree.leaf(number).evidence
        answered = evidence.visits - evidence.walls
        return evidence.torrents >= 0.5 * answered if answered else not evidence.walls

    def _lists(self, leaf: Leaf) -> float:
        """On how many of its pages stand lists of pages that matter: neither copies nor more of its own."""
        targets = self._targets[leaf.number].items()
        return max(
            (t.lists for number, t in targets if t.lists and self._is_listed(leaf, number)), default=0.0
        )

    def _short_lists(self, leaf: Leaf) -> float:
        """On how many of its pages stand links, be it one, to pages about one thing; or rows of lists."""
        most = 0.0
        for number, target in self._targets[leaf.number].items():
            if self._is_listed(leaf, number):
                is_detail = self._role_of(number) is Role.DETAIL
                most = max(most, target.any if is_detail else target.rows)
        return most

    def _of_its_own(self, leaf: Leaf) -> float:
        """On how many pages stand links to others of its kind: a board that holds boards."""
        own = self._targets[leaf.number].get(leaf.number)
        return own.any if own is not None else 0.0

    def _is_listed(self, leaf: Leaf, number: int) -> bool:
        if number < 0:
            return False
        listed = self._tree.leaf(number)
        if listed is leaf or listed.number not in self._relevant:
            return False
        return not listed.evidence.visits or listed.evidence.doubles < _COPIES * listed.evidence.visits

    def _turned(self, leaf: Leaf) -> Role | None:
        """The role of the pages that it is a further page of: FLIP for a list's."""
        known = {self._tree.leaf(n).number: count for n, count in leaf.evidence.turned.items()}
        known.pop(leaf.number, None)
        for number in sorted(known, key=lambda n: -known[n]):
            role = self._role_of(number)
            if role is Role.DETAIL:
                return Role.DETAIL
            if role in (Role.LIST, Role.FLIP):
                return Role.FLIP
        return None

    def _role_of(self, number: int) -> Role | None:
        verdict = self._verdicts.get(self._tree.leaf(number).number)
        return verdict.role if verdict is not None else None


def _read_as(role: Role, hits: float, trials: float) -> Verdict:
    if hits < 0.5 * trials:
        return Verdict(Role.IGNORE, trials - hits, trials)
    return Verdict(role, hits, trials)


def _readable(evidence: Evidence) -> float:
    left = evidence.visits - evidence.torrents - evidence.walls - evidence.gone
    return max(0.0, left - evidence.redirects - evidence.others)


def _few(target: Target) -> float:
    return target.few


def _many(target: Target) -> float:
    return target.many
