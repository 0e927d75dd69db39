"""The learner: takes in visits, groups URLs by shape, and says what kind of page a URL leads to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from harvester.model.order import PageLink, PageSeen
from harvester.model.site import Role, Rule


class Belief(NamedTuple):
    """What the learner thinks of a URL.

    `rule` is its name for the kind of URL (stable within a run, the id of the rule when it is written
    down), `role` None while the evidence is too thin. `support` are visits of this kind, `bound` the
    Wilson lower bound of the share that fits the role.
    """

    rule: str
    role: Role | None = None
    support: int = 0
    bound: float = 0.0


class Learner:
    """Learns the rules of one site (all of its hosts) from its visits.

    Pure and deterministic; bounded memory; cheap for each page. `known` are rules learned before: their
    evidence counts, locked ones are kept as they are.
    """

    def __init__(self, hosts: Iterable[str] = (), known: Sequence[Rule] = ()) -> None:
        raise NotImplementedError

    def observe(self, seen: PageSeen) -> None:
        """Take in one visit with all of its links."""
        raise NotImplementedError

    def believe(self, url: str) -> Belief:
        """What kind of URL this is, as far as is known."""
        raise NotImplementedError

    def rules(self) -> list[Rule]:
        """What was learned, as rules in their order, with evidence; retired ones included."""
        raise NotImplementedError

    def irrelevant_parameters(self) -> frozenset[str]:
        """Query parameters (lower case) that were found to change nothing."""
        raise NotImplementedError

    def tests(self, links: Sequence[PageLink]) -> list[str]:
        """URLs worth one request each to find out whether a parameter changes anything."""
        raise NotImplementedError
