"""Largest site first: the host with the most waiting pages is served first, within it breadth-first.

(Baeza-Yates, Castillo, Marin and Rodriguez, "Crawling a country", WWW 2005.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import ClassVar

from harvester.model.order import EVERYTHING, PageLink, PageSeen, Place, Turn
from harvester.ordering import OrderOptions, register
from harvester.ordering.fixed import FixedOrder

_MOST_HOSTS = 10_000
_OFFERED = 8


@register("largest-site-first")
class LargestSiteFirst(FixedOrder):
    """Counts what waits for each host."""

    name: ClassVar[str] = "largest-site-first"

    def __init__(self, options: OrderOptions) -> None:
        super().__init__(options)
        self._waiting: Counter[str] = Counter()

    def observe(self, seen: PageSeen) -> None:
        """One less waits."""
        self._waiting[seen.host] = max(0, self._waiting[seen.host] - 1)

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """By depth."""
        for link in links:
            if link.host in self._waiting or len(self._waiting) < _MOST_HOSTS:
                self._waiting[link.host] += 1
        return super().place(seen, links)

    def priority(self, seen: PageSeen, link: PageLink) -> float:
        """The depth."""
        del seen
        return float(link.depth)

    def turns(self, full: Collection[str] = (), *, hosts: int = 1, each: int = 4) -> list[Turn]:
        """The largest hosts with room, one after the other, then whatever is left."""
        del each
        ranked = [(-count, host) for host, count in self._waiting.items() if count > 0 and host not in full]
        largest = sorted(ranked)[: max(hosts, _OFFERED)]
        return [*(Turn(self.window, hosts=(host,)) for _, host in largest), EVERYTHING]
