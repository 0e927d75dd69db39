"""Breadth-first: what was found first is fetched first; the yardstick of every other order."""

from __future__ import annotations

from typing import ClassVar

from harvester.model.order import PageLink, PageSeen
from harvester.ordering import register
from harvester.ordering.fixed import FixedOrder


@register("breadth-first")
class BreadthFirst(FixedOrder):
    """By depth, within one depth by the time of finding."""

    name: ClassVar[str] = "breadth-first"

    def priority(self, seen: PageSeen, link: PageLink) -> float:
        """The depth."""
        del seen
        return float(link.depth)
