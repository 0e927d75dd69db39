"""The claimed URLs in memory: one back queue a host, a heap of the times at which each may be asked."""

from __future__ import annotations

import heapq
from collections import deque

from harvester.model.crawl import FrontierItem


class Window:
    """Back queues over the claimed part of the frontier (Mercator, Heydon and Najork 1999).

    A host is in the heap exactly once while it has items and a free connection. Knows no politeness:
    the caller says when a host may be asked again.
    """

    def __init__(self, connections: int = 1) -> None:
        self.connections = connections
        """Requests to one host at a time."""
        self._queues: dict[str, deque[FrontierItem]] = {}
        self._heap: list[tuple[float, int, str]] = []
        self._waiting: set[str] = set()
        self._busy: dict[str, int] = {}
        self._order = 0
        self.size = 0

    def hosts(self, at_least: int = 1) -> list[str]:
        """Hosts of which `at_least` URLs wait here."""
        return [host for host, queue in self._queues.items() if len(queue) >= at_least]

    @property
    def waiting(self) -> int:
        """How many hosts have URLs here and a free connection."""
        return len(self._waiting)

    def push(self, item: FrontierItem, at: float) -> None:
        """Take in a claimed URL; its host may be asked at `at` if it is not waiting or busy already."""
        queue = self._queues.get(item.host)
        if queue is None:
            queue = self._queues[item.host] = deque()
        queue.append(item)
        self.size += 1
        self._schedule(item.host, at)

    def push_back(self, item: FrontierItem) -> None:
        """Put a URL that was taken and not asked for back to the front of its queue."""
        self._queues.setdefault(item.host, deque()).appendleft(item)
        self.size += 1

    def take(self, now: float) -> FrontierItem | None:
        """The next URL whose host may be asked now; the host is busy until `free` is called."""
        if not self._heap or self._heap[0][0] > now:
            return None
        _, _, host = heapq.heappop(self._heap)
        self._waiting.discard(host)
        queue = self._queues[host]
        item = queue.popleft()
        self.size -= 1
        if not queue:
            del self._queues[host]
        self._busy[host] = self._busy.get(host, 0) + 1
        return item

    def free(self, host: str, at: float) -> None:
        """One connection to `host` is free again; it may be asked next at `at`."""
        left = self._busy.get(host, 0) - 1
        if left > 0:
            self._busy[host] = left
        else:
            self._busy.pop(host, None)
        self._schedule(host, at)

    def remove(self, host: str) -> list[FrontierItem]:
        """Take out all that waits for a host."""
        items = self._queues.pop(host, deque())
        self.size -= len(items)
        if host in self._waiting:
            self._waiting.discard(host)
            self._heap = [entry for entry in self._heap if entry[2] != host]
            heapq.heapify(self._heap)
        return list(items)

    def next_at(self) -> float | None:
        """When the next host may be asked, None when none waits."""
        return self._heap[0][0] if self._heap else None

    def drain(self) -> list[FrontierItem]:
        """Take everything out."""
        items = [item for queue in self._queues.values() for item in queue]
        self._queues.clear()
        self._heap.clear()
        self._waiting.clear()
        self.size = 0
        return items

    def _schedule(self, host: str, at: float) -> None:
        free = self._busy.get(host, 0) < self.connections
        if free and host in self._queues and host not in self._waiting:
            self._order += 1
            heapq.heappush(self._heap, (at, self._order, host))
            self._waiting.add(host)
