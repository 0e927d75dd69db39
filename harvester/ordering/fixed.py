"""What orders share that keep all URLs in one queue."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import ClassVar

from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import EVERYTHING, PageLink, PageSeen, Place, Turn
from harvester.ordering import OrderOptions

WINDOW = 24


class QueueOrder(ABC):
    """A base for orders that only differ in `place`: one queue, the smallest priority first."""

    name: ClassVar[str]
    lifo: ClassVar[bool] = False
    review_every: ClassVar[int] = 0

    def __init__(self, options: OrderOptions) -> None:
        self.options = options

    @property
    def window(self) -> int:
        """URLs of one host that may be claimed ahead."""
        return WINDOW

    def resume(self, first: int) -> None:
        """Priorities mean the same in every run."""
        del first

    def observe(self, seen: PageSeen) -> None:
        """Nothing is learned from visits."""
        del seen

    @abstractmethod
    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """A place for each fresh link of a page; the smaller priority goes first."""

    def turns(self, full: Collection[str] = (), *, hosts: int = 1, each: int = 4) -> list[Turn]:
        """Whatever comes first."""
        del full, hosts, each
        return [EVERYTHING]

    def claimed(self, turn: Turn, count: int) -> None:
        """Nothing depends on it."""
        del turn, count

    def best(self) -> float:
        """Nothing is known of it."""
        return 1.0

    def review(self, queued: Sequence[tuple[FrontierRef, str]]) -> list[Reprioritised]:
        """Priorities stay as they are."""
        del queued
        return []


class FixedOrder(QueueOrder):
    """A base for orders that give each URL its priority once, when it is found."""

    @abstractmethod
    def priority(self, seen: PageSeen, link: PageLink) -> float:
        """The priority of a fresh link; smaller goes first."""

    def place(self, seen: PageSeen, links: Sequence[PageLink]) -> list[Place]:
        """One priority each."""
        return [Place(self.priority(seen, link)) for link in links]
