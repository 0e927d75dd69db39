"""Best-first with tunnelling: the most relevant first; unpromising pages are followed for a few hops.

(Bergmark, Lagoze and Sbityakov, "Focused crawls, tunneling, and digital libraries", ECDL 2002.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from harvester.model.order import PageLink, PageSeen, Place
from harvester.ordering import OrderOptions, register
from harvester.ordering.fixed import QueueOrder
from harvester.ordering.relevance import relevance, was_relevant

TUNNEL = 3


@register("best-first")
class BestFirst(QueueOrder):
    """By relevance; `note` counts the hops since the last relevant page, `settings["tunnel"]` bounds it.

    Links beyond the bound are not given up: they come after all others.
    """

    name: ClassVar[str] = "best-first"

    def __init__(self, options: OrderOptions) -> None:
        super().__init__(options)
        self._bound = int(options.settings.get("tunnel", TUNNEL))

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """By relevance, behind everything else when the tunnel is too long."""
        hops = 0 if was_relevant(seen) or not seen.depth else seen.note + 1
        places = []
        for link in links:
            score = relevance(self.options.learner, link)
            too_far = hops > self._bound and score < 0.5
            places.append(Place(-score + 10.0 * too_far + 0.001 * min(hops, 100), note=min(hops, 10_000)))
        return places
