"""What people search and open, as counts: no persons, no times but the last."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Protocol

from harvester.errors import StoreError

MAX_WAITING = 10_000
"""Distinct queries that wait to be written; more than these are not counted until the next `flush`."""
_MAX_QUERY = 200


class QueryCounts(Protocol):
    """Where the counts go."""

    def count_query(self, query: str, *, opened: bool, now: float, times: int = 1) -> None:
        """See `harvester.ports.store.NoteStore`."""
        ...


class QueryLog:
    """Counts in memory, so that no search waits for the database; `flush` now and then, and at the end.

    May be used by several threads. `enabled` false: counts nothing.
    """

    def __init__(self, store: QueryCounts, *, enabled: bool = True) -> None:
        self._store = store
        self._enabled = enabled
        self._waiting: Counter[tuple[str, bool]] = Counter()
        self._lock = threading.Lock()

    def asked(self, query: str) -> None:
        """A person asked this."""
        self._count(query, opened=False)

    def opened(self, query: str) -> None:
        """A person opened a torrent that this query found."""
        self._count(query, opened=True)

    def flush(self, now: float) -> None:
        """Write what was counted; what the database does not take now waits for the next time."""
        with self._lock:
            waiting, self._waiting = self._waiting, Counter()
        while waiting:
            (query, opened), times = waiting.popitem()
            try:
                self._store.count_query(query, opened=opened, now=now, times=times)
            except StoreError:
                waiting[query, opened] = times
                with self._lock:
                    self._waiting.update(waiting)
                return

    def _count(self, query: str, *, opened: bool) -> None:
        key = (" ".join(query.lower().split())[:_MAX_QUERY], opened)
        if not self._enabled or not key[0]:
            return
        with self._lock:
            if key in self._waiting or len(self._waiting) < MAX_WAITING:
                self._waiting[key] += 1
