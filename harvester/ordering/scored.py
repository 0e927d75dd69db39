"""What orders share whose scores of waiting URLs change as more links to them are found.

The scores of the URLs met last are held in memory; now and then the head of the queue is put in order.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from typing import ClassVar

from harvester.links import canonical_key, key_hash
from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import PageLink, PageSeen, Place
from harvester.ordering.fixed import QueueOrder

CAPACITY = 200_000
_LEAST_CHANGE = 1e-9


class ScoredOrder(QueueOrder):
    """A base for orders with a `score` by key hash, the highest first."""

    review_every: ClassVar[int] = 50

    @abstractmethod
    def score(self, key: int) -> float:
        """The score of a URL now."""

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """By the scores of this moment."""
        del seen
        return [Place(-self.score(link.key_hash)) for link in links]

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """The scores of this moment for what is queued."""
        changed = []
        for ref, url in queued:
            priority = -self.score(key_hash(canonical_key(url)))
            if abs(priority - ref.priority) > _LEAST_CHANGE:
                changed.append(Reprioritised(ref, priority))
        return changed


def bump(scores: OrderedDict[int, float], key: int, amount: float, capacity: int = CAPACITY) -> None:
    """Add to a score; the URL met longest ago is forgotten when there are too many."""
    scores[key] = scores.pop(key, 0.0) + amount
    if len(scores) > capacity:
        scores.popitem(last=False)
