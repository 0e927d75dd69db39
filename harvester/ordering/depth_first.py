"""Depth-first: what was found last is fetched first."""

from __future__ import annotations

from typing import ClassVar

from harvester.model.order import PageLink, PageSeen
from harvester.ordering import register
from harvester.ordering.fixed import FixedOrder


@register("depth-first")
class DepthFirst(FixedOrder):
    """By depth, the deepest first; within one depth the newest."""

    name: ClassVar[str] = "depth-first"
    lifo: ClassVar[bool] = True

    @property
    def window(self) -> int:
        """One by one: a page's links go before those that were found earlier."""
        return 1

    def priority(self, seen: PageSeen, link: PageLink) -> float:
        """The depth, negative."""
        del seen
        return -float(link.depth)
