"""Partial PageRank: the ranks of the pages known so far, worked out anew every K pages.

(Cho, Garcia-Molina and Page, WWW 1998; K as in Baeza-Yates et al., "Crawling a country", WWW 2005.)
"""

from __future__ import annotations

from collections import OrderedDict
from typing import ClassVar

from harvester.model.order import PageSeen
from harvester.ordering import OrderOptions, register
from harvester.ordering.scored import CAPACITY, ScoredOrder

DAMPING = 0.85
_ROUNDS = 8
_MOST_PAGES = 20_000
_MOST_LINKS = 200


@register("pagerank")
class PageRank(ScoredOrder):
    """`settings["every"]` is K. A page without a rank yet gets the shares of the pages that link to it."""

    name: ClassVar[str] = "pagerank"

    def __init__(self, options: OrderOptions) -> None:
        super().__init__(options)
        self._every = int(options.settings.get("every", 100))
        self._out: OrderedDict[int, tuple[int, ...]] = OrderedDict()
        self._ranks: dict[int, float] = {}
        self._fresh: dict[int, float] = {}
        self._seen = 0

    def observe(self, seen: PageSeen) -> None:
        """Keep the page's links; every K pages, rank everything."""
        targets = tuple({link.key_hash for link in seen.links[:_MOST_LINKS]})
        self._out[seen.key_hash] = targets
        if len(self._out) > _MOST_PAGES:
            self._out.popitem(last=False)
        self._seen += 1
        share = self._ranks.get(seen.key_hash, 1.0 - DAMPING) * DAMPING / max(1, len(targets))
        for target in targets:
            if target not in self._ranks and (target in self._fresh or len(self._fresh) < CAPACITY):
                self._fresh[target] = self._fresh.get(target, 1.0 - DAMPING) + share
        if self._seen % self._every == 0:
            self._rank()

    def _rank(self) -> None:
        ranks = dict.fromkeys(self._out, 1.0)
        for _ in range(_ROUNDS):
            following: dict[int, float] = {}
            for page, targets in self._out.items():
                share = DAMPING * ranks.get(page, 1.0 - DAMPING) / max(1, len(targets))
                for target in targets:
                    following[target] = following.get(target, 1.0 - DAMPING) + share
            ranks = following
        self._ranks = ranks
        self._fresh.clear()

    def score(self, key: int) -> float:
        """The rank, as far as it is known."""
        return self._ranks.get(key) or self._fresh.get(key, 1.0 - DAMPING)
