"""A frontier in memory, for rehearsals, simulators and tests: the same turns as over a table."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field

from harvester.model.crawl import FrontierRef, Reprioritised
from harvester.model.order import PageLink, Place, Turn


@dataclass(frozen=True, slots=True)
class Waiting:
    """A URL in the frontier."""

    link: PageLink
    place: Place
    page: int


@dataclass(slots=True)
class MemoryFrontier:
    """URLs by priority, then by the time they came (the newest first with `lifo`)."""

    lifo: bool = False
    _order: list[tuple[float, int]] = field(default_factory=list)
    _items: dict[int, Waiting] = field(default_factory=dict)
    _next: int = 0

    def __len__(self) -> int:
        return len(self._items)

    def add(self, link: PageLink, place: Place, page: int = 0) -> None:
        """Queue a URL, found on the page with key hash `page`."""
        self._next += 1
        number = -self._next if self.lifo else self._next
        self._items[number] = Waiting(link, place, page)
        insort(self._order, (place.priority, number))

    def take(self, turn: Turn, room: int = 1) -> list[Waiting]:
        """Up to `room` URLs of a turn, removed from the frontier."""
        wanted = min(room, turn.limit)
        begin = bisect_left(self._order, (turn.low, -(1 << 62)))
        taken: list[tuple[float, int]] = []
        for entry in self._order[begin:]:
            if len(taken) >= wanted or entry[0] >= turn.high:
                break
            if not turn.hosts or self._items[entry[1]].link.host in turn.hosts:
                taken.append(entry)
        for entry in taken:
            del self._order[bisect_left(self._order, entry)]
        return [self._items.pop(number) for _, number in taken]

    def queued(self, limit: int = 1000) -> list[tuple[FrontierRef, str]]:
        """The head of the queue."""
        return [
            (FrontierRef(0, priority, number), self._items[number].link.url)
            for priority, number in self._order[:limit]
        ]

    def reprioritise(self, updates: list[Reprioritised]) -> None:
        """Move URLs to other priorities."""
        for update in updates:
            item = self._items.get(update.ref.sequence)
            if item is None:
                continue
            del self._order[bisect_left(self._order, (update.ref.priority, update.ref.sequence))]
            insort(self._order, (update.priority, update.ref.sequence))
            self._items[update.ref.sequence] = Waiting(
                item.link, item.place._replace(priority=update.priority), item.page
            )
