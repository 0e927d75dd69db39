"""The best arm of each host and the best hosts, kept in heaps: no look goes through all of them.

Entries are never changed in a heap. One that is out of date (another score, nothing waits) is dropped when it
comes to the top, and a heap with too many of them is built anew.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection

from harvester.ordering.arms import Arm

_SLACK = 64
"""Entries out of date that a heap may hold beyond those that count."""


class Ranking:
    """Arms with waiting URLs by score.

    `fresh` gives an arm's score of about this moment, and ranks the arm anew if it changed.
    """

    def __init__(self, arms: list[Arm], fresh: Callable[[Arm], float]) -> None:
        self._arms = arms
        self._fresh = fresh
        self._heaps: dict[str, list[tuple[float, int]]] = {}
        self._counts: dict[str, int] = {}
        self._hosts: list[tuple[float, str]] = []

    def add(self, arm: Arm) -> None:
        """Rank an arm by the score that it has now."""
        heap = self._heaps.setdefault(arm.host, [])
        heapq.heappush(heap, (-arm.score, arm.number))
        if heap[0][1] == arm.number:
            heapq.heappush(self._hosts, (-arm.score, arm.host))
            if len(self._hosts) > 4 * len(self._heaps) + _SLACK:
                self._hosts = [(heap[0][0], host) for host, heap in self._heaps.items() if heap]
                heapq.heapify(self._hosts)
        if len(heap) > 4 * self._counts.get(arm.host, 0) + _SLACK:
            self._rebuild(arm.host)

    def _rebuild(self, host: str) -> None:
        current = {number for score, number in self._heaps[host] if self._counts_still(-score, number)}
        heap = [(-self._arms[number].score, number) for number in current]
        heapq.heapify(heap)
        self._heaps[host] = heap
        self._counts[host] = len(heap)

    def _counts_still(self, score: float, number: int) -> bool:
        arm = self._arms[number]
        return arm.waiting > 0 and arm.score == score

    def best(self, host: str, most: int) -> list[Arm]:
        """Up to `most` arms of a host in which URLs wait, the best first."""
        heap = self._heaps.get(host)
        found: dict[int, Arm] = {}
        looked_at: set[int] = set()
        while heap and len(found) < most:
            entry = heapq.heappop(heap)
            score, number = -entry[0], entry[1]
            if number in found or not self._counts_still(score, number):
                continue
            arm = self._arms[number]
            if number not in looked_at:
                looked_at.add(number)
                if self._fresh(arm) != score:  # it is in the heap once more, with its new score
                    continue
            found[number] = arm
        for arm in found.values():
            heapq.heappush(self._heaps[host], (-arm.score, arm.number))
        return list(found.values())

    def hosts(self, most: int, full: Collection[str] = ()) -> list[str]:
        """Up to `most` hosts in which URLs wait, by their best arm, but for those in `full`."""
        found: list[str] = []
        kept: dict[str, float] = {}
        looked_at: set[str] = set()
        while self._hosts and len(found) < most:
            score, host = heapq.heappop(self._hosts)
            if host in kept:
                continue
            top = self.best(host, 1)
            if not top:
                continue
            if -top[0].score > score and host not in looked_at:  # less than it was
                looked_at.add(host)
                heapq.heappush(self._hosts, (-top[0].score, host))
                continue
            kept[host] = -top[0].score
            if host not in full:
                found.append(host)
        for host, score in kept.items():
            heapq.heappush(self._hosts, (score, host))
        return found
