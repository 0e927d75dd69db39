"""Importance I(P) = a * IB(P) + b * IL(P): backlinks and location.

IB counts the pages that link to P; IL is high for short URLs and for words that name torrents.
(Cho, Garcia-Molina and Page, "Efficient crawling through URL ordering", WWW 1998.)
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from math import log1p
from typing import ClassVar

from harvester.model.order import PageLink, PageSeen, Place
from harvester.ordering import OrderOptions, register
from harvester.ordering.relevance import relevance
from harvester.ordering.scored import ScoredOrder, bump


@register("importance")
class Importance(ScoredOrder):
    """`settings["a"]` and `settings["b"]` are the weights of backlinks (log) and location."""

    name: ClassVar[str] = "importance"

    def __init__(self, options: OrderOptions) -> None:
        super().__init__(options)
        self._a = options.settings.get("a", 0.5)
        self._b = options.settings.get("b", 1.0)
        self._backlinks: OrderedDict[int, float] = OrderedDict()
        self._location: OrderedDict[int, float] = OrderedDict()

    def observe(self, seen: PageSeen) -> None:
        """Count a backlink for each target."""
        for link in seen.links:
            bump(self._backlinks, link.key_hash, 1.0)

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """Learn the location of fresh links, then score them."""
        for link in links:
            bump(self._location, link.key_hash, self._of_location(link))
        return super().place(seen, links)

    def score(self, key: int) -> float:
        """a * IB + b * IL."""
        return self._a * log1p(self._backlinks.get(key, 0.0)) + self._b * self._location.get(key, 0.0)

    def _of_location(self, link: PageLink) -> float:
        slashes = link.url.count("/") - 2
        return relevance(self.options.learner, link) + 0.2 / max(1, slashes)
