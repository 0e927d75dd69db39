"""What a kind of URL is worth: torrents a request, counting what its pages lead to.

A kind's value is the best ratio of torrents to requests that can be had by visiting it and then following
the links it gives, the most worthwhile first, as long as they are worth more than the ratio so far. (An
index in the sense of Gittins: what is finished first is what pays most for each request.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_LINKS = 200
"""Arms that a record tells apart; the rarest are forgotten first."""


class Worth(NamedTuple):
    """Torrents and requests of a visit and of what follows it."""

    torrents: float
    requests: float

    @property
    def ratio(self) -> float:
        """Torrents a request."""
        return self.torrents / self.requests


@dataclass(slots=True)
class Record:
    """Visits of a kind or arm.

    `requests` they took, with redirects, `torrents` they brought, `links` fresh links by their arm.
    """

    visits: float = 0.0
    requests: float = 0.0
    torrents: float = 0.0
    useful: float = 0.0
    links: dict[int, float] = field(default_factory=dict)

    def add(self, torrents: float, *, useful: bool, requests: float = 1.0) -> None:
        """Take in one visit."""
        self.visits += 1
        self.requests += requests
        self.torrents += torrents
        self.useful += useful

    def link(self, arm: int) -> None:
        """Take in one fresh link of the last visit."""
        self.links[arm] = self.links.get(arm, 0.0) + 1
        if len(self.links) > MOST_LINKS:
            rare = sorted(self.links, key=self.links.__getitem__)[: MOST_LINKS // 2]
            for number in rare:
                del self.links[number]

    def fade(self, factor: float) -> None:
        """Let older visits count less."""
        self.visits *= factor
        self.requests *= factor
        self.torrents *= factor
        self.useful *= factor
        for arm in self.links:
            self.links[arm] *= factor

    def join(self, other: Record) -> None:
        """Take in the record of a kind that turned out to be the same."""
        self.visits += other.visits
        self.requests += other.requests
        self.torrents += other.torrents
        self.useful += other.useful
        for arm, count in other.links.items():
            self.links[arm] = self.links.get(arm, 0.0) + count


def worth(
    torrents: float, children: Iterable[tuple[float, Worth]], discount: float = 1.0, requests: float = 1.0
) -> Worth:
    """The best ratio of a visit that takes `requests`, brings `torrents` and links (count, worth of each)."""
    total = torrents
    for count, child in sorted(children, key=lambda pair: -pair[1].ratio):
        if child.ratio * discount * requests <= total:
            break
        total += count * child.torrents * discount
        requests += count * child.requests
    return Worth(total, requests)
