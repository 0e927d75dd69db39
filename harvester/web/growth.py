"""How many torrents were known over time, counted by the index."""

from __future__ import annotations

from typing import NamedTuple

from harvester.model.query import And, Everything, IndexQuery, Is, Node, Range
from harvester.ports.index import SearchIndex
from harvester.ports.store import TorrentStore

STEPS = 48


class Point(NamedTuple):
    """How many torrents were known at `at` (UTC seconds)."""

    at: float
    torrents: int


def growth(
    index: SearchIndex, store: TorrentStore, *, site: str | None = None, private: bool, steps: int = STEPS
) -> list[Point]:
    """Points in order of time from just before the first torrent to the newest; [] when there is none.

    `site`: only those that this site showed. One small search a point.
    """
    within: list[Node] = [Is("site", site.lower())] if site else []
    if not private:
        within.append(Is("private", "no"))
    first, last = _end(index, store, within, oldest=True), _end(index, store, within)
    if first is None or last is None:
        return []
    steps = max(1, min(steps, last - first))
    moments = sorted({first + round((last - first) * step / steps) for step in range(steps + 1)})
    moments.insert(0, first - max(1, (last - first) // steps))
    return [Point(float(at), _count(index, [*within, Range("date", high=at)])) for at in moments]


def totals(index: SearchIndex, *, private: bool) -> tuple[int, int]:
    """How many torrents can be found, and how many of them with their file."""
    within: list[Node] = [] if private else [Is("private", "no")]
    return _count(index, within), _count(index, [*within, Range("files", low=0)])


def _end(index: SearchIndex, store: TorrentStore, within: list[Node], *, oldest: bool = False) -> int | None:
    ids = index.search(IndexQuery(_all(within), sort="date", ascending=oldest, limit=1)).ids
    found = store.torrents(ids) if ids else []
    return int(found[0].first_seen) if found else None


def _count(index: SearchIndex, within: list[Node]) -> int:
    return index.search(IndexQuery(_all(within), sort="date", limit=0)).total


def _all(within: list[Node]) -> Node:
    if not within:
        return Everything()
    return within[0] if len(within) == 1 else And(tuple(within))
