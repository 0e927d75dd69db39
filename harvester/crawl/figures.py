"""What a crawl has done so far, as numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct, field


class Figures(Struct):
    """Counters of one crawl.

    `requests` counts every request sent, robots.txt and redirect hops included. `pages` counts documents
    whose links were read. `torrents_new` were never stored with their file before, `torrents_known` were
    stored before this crawl began, `duplicates` were already taken in this crawl from another place.
    `magnets` are torrents met as a magnet or labelled infohash, each counted once a crawl.
    `walls` counts items by the wall they are behind, `errors` failed visits by kind, `left` links and
    visits that were left on purpose, by reason.
    """

    requests: int = 0
    pages: int = 0
    torrents_new: int = 0
    torrents_known: int = 0
    duplicates: int = 0
    magnets: int = 0
    walls: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)

    def add(self, other: Figures) -> None:
        """Add the counters of `other` to these."""
        self.requests += other.requests
        self.pages += other.pages
        self.torrents_new += other.torrents_new
        self.torrents_known += other.torrents_known
        self.duplicates += other.duplicates
        self.magnets += other.magnets
        self.walls.update(other.walls)
        self.errors.update(other.errors)
        self.left.update(other.left)

    def to_json(self) -> dict[str, Any]:
        """The counters as JSON values, `left` included."""
        return {
            "requests": self.requests,
            "pages": self.pages,
            "torrents_new": self.torrents_new,
            "torrents_known": self.torrents_known,
            "duplicates": self.duplicates,
            "magnets": self.magnets,
            "walls": dict(sorted(self.walls.items())),
            "errors": dict(sorted(self.errors.items())),
            "left": dict(sorted(self.left.items())),
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Figures:
        """The inverse of `to_json`; missing keys count as nothing."""
        numbers = {
            name: int(stored.get(name, 0))
            for name in ("requests", "pages", "torrents_new", "torrents_known", "duplicates", "magnets")
        }
        counters = {name: Counter(stored.get(name, {})) for name in ("walls", "errors", "left")}
        return cls(**numbers, **counters)  # type: ignore[arg-type]  # two dicts of different value types
