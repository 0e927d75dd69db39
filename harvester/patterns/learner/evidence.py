"""What is known of one kind of URL: counts of visits, the role they speak for, how far it is trusted."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

from harvester.model.site import Role, RuleState

Z = 1.28
"""One-sided 90 %: three of three pages give a bound of 0.65, eight of eight 0.83."""
PROBATION = (3, 0.6)
ACTIVE = (8, 0.8)
"""Visits and Wilson bound from which a rule is on probation, and active."""
MAX_EXAMPLES = 5
MAX_TURNED = 8
MAX_TARGETS = 60
"""Kinds that the pages of one kind are counted to show."""


def wilson(hits: float, trials: float, z: float = Z) -> float:
    """Lower bound of a share (Wilson 1927); 0 without trials."""
    if trials <= 0:
        return 0.0
    share = min(1.0, hits / trials)
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    return max(0.0, (centre - spread) / (1 + z * z / trials))


@dataclass(slots=True)
class Target:
    """How pages of one kind show another: pages with a few links to it, with many, with a row for each of
    many, with rows for some, and with any at all."""

    few: float = 0.0
    many: float = 0.0
    lists: float = 0.0
    rows: float = 0.0
    any: float = 0.0

    def add(self, other: Target) -> None:
        """Take in other counts."""
        self.few += other.few
        self.many += other.many
        self.lists += other.lists
        self.rows += other.rows
        self.any += other.any


@dataclass(slots=True)
class Evidence:
    """Counts of one kind of URL.

    `visits` leaves out failures, which say nothing about the URL. `shows` are pages that show a few
    downloads, `rows` pages that are lists, `many` lists of downloads. `links` counts links to this kind,
    `flips` those that turn a page of where they stand. `reward` sums new torrents, downloads shown for the
    first time included. `folders` are pages that are a web server's lists of files, `empty`
    those without a row or a file of their own. `named` counts rows that
    a link to this kind names, `beside` those of them in which a file stands. `targets` are the kinds that its
    pages show, by number; `turned` those whose pages link to this kind to turn a page. `copies` are pages
    whose content was known; `doubles` those of them that were known under a URL of another kind.
    """

    visits: float = 0.0
    torrents: float = 0.0
    shows: float = 0.0
    rows: float = 0.0
    many: float = 0.0
    passwords: float = 0.0
    walls: float = 0.0
    gone: float = 0.0
    redirects: float = 0.0
    others: float = 0.0
    copies: float = 0.0
    useless: float = 0.0
    links: float = 0.0
    flips: float = 0.0
    reward: float = 0.0
    found: float = 0.0
    folders: float = 0.0
    empty: float = 0.0
    named: float = 0.0
    beside: float = 0.0
    doubles: float = 0.0
    targets: dict[int, Target] = field(default_factory=dict)
    turned: dict[int, float] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)

    def add(self, other: Evidence) -> None:
        """Take in the counts of another kind that turned out to be the same."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for number, shown in other.targets.items():
            mine = self.target(number)
            if mine is not None:
                mine.add(shown)
        for number, count in other.turned.items():
            if number in self.turned or len(self.turned) < MAX_TURNED:
                self.turned[number] = self.turned.get(number, 0.0) + count
        self.examples = (self.examples + other.examples)[:MAX_EXAMPLES]

    def target(self, number: int) -> Target | None:
        """What is known of links to kind `number`; None when too many kinds are counted already."""
        known = self.targets.get(number)
        if known is None and len(self.targets) < MAX_TARGETS:
            known = self.targets[number] = Target()
        return known

    def example(self, url: str) -> None:
        """Keep `url` as an example if few are kept."""
        if len(self.examples) < MAX_EXAMPLES and url not in self.examples:
            self.examples.append(url)


COUNTS = tuple(name for name in Evidence.__slots__ if name not in ("examples", "targets", "turned"))


MOSTLY = 0.7
"""Share of lists among readable pages from which short ones are lists too."""
DETAIL_SHARE = 0.1
"""Share of a kind's pages that show downloads from which all of them are taken for pages about one thing:
threads of a chat board are built like those of a torrent board."""


def hits_of(evidence: Evidence, *, passwords_tell: bool = True) -> dict[Role, float]:
    """How many of the visits fit each role; at most one of list, flip and detail fits at all."""
    visits = evidence.visits
    readable = visits - evidence.torrents - evidence.walls - evidence.gone
    readable = max(0.0, readable - evidence.redirects - evidence.others)
    is_flip = evidence.flips > 0 and evidence.flips >= 0.5 * evidence.links
    shows = max(2.0, DETAIL_SHARE * visits) if visits >= 2 else 1.0
    is_detail = evidence.shows >= shows and evidence.shows >= evidence.many
    lists = max(evidence.rows, evidence.many)
    hits = dict.fromkeys((Role.DOWNLOAD, Role.DETAIL, Role.LIST, Role.FLIP, Role.LOGIN), 0.0)
    hits[Role.DOWNLOAD] = evidence.torrents
    hits[Role.LOGIN] = evidence.passwords if passwords_tell and not is_detail else 0.0
    if is_flip and (lists or is_detail):
        hits[Role.FLIP] = readable
    elif is_detail:
        hits[Role.DETAIL] = readable
    else:
        hits[Role.LIST] = readable if lists >= MOSTLY * readable else lists
    hits[Role.IGNORE] = max(0.0, visits - max(hits.values()))
    return hits


def role_of(evidence: Evidence, *, passwords_tell: bool = True) -> tuple[Role | None, float]:
    """The role the evidence speaks for most, and the Wilson bound of its share; None without visits."""
    if evidence.visits < 1:
        return None, 0.0
    hits = hits_of(evidence, passwords_tell=passwords_tell)
    for role in (Role.DOWNLOAD, Role.LOGIN, Role.FLIP, Role.DETAIL, Role.LIST):
        if hits[role] >= 0.5 * evidence.visits:
            return role, wilson(hits[role], evidence.visits)
    return Role.IGNORE, wilson(hits[Role.IGNORE], evidence.visits)


def state_of(support: float, bound: float) -> RuleState | None:
    """How far a rule with this evidence is trusted; None: not at all yet."""
    if support >= ACTIVE[0] and bound >= ACTIVE[1]:
        return RuleState.ACTIVE
    if support >= PROBATION[0] and bound >= PROBATION[1]:
        return RuleState.PROBATION
    return None
