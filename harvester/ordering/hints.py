"""What a row says of its link beyond its place: words, icons, and what else it links to (a category, an author).

A naive Bayes estimate for each kind of URL, learned from the pages that were visited: in which of three tiers
a link belongs, when its words, icons and neighbours were met before beside pages that gave torrents more, or less,
often than others of the kind. (As online classifiers of anchor texts do in focused crawling.)
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log
from zlib import crc32

from harvester.model.order import PageLink

UNTOLD, LOW, MIDDLE, HIGH = range(4)
"""Tiers; nothing is told of a link of a kind that was hardly tried."""
TIERS = ("", "low", "middle", "high")
FACTORS = (1.0, 0.3, 1.0, 1.6)
"""What a tier's links may be worth, of what their kind is, before any of them was visited."""
LEAST_VISITS = 12
"""Visits of a kind before its links are told apart."""
_LEAST_MET = 4
"""Visits beside which a word or neighbour was met before it counts."""
_WEIGHT = 3.0
"""Visits that the kind's share counts for in that of a word."""
_MOST_SHARE = 0.25
"""As much of that share counts: it rises as links that promise more go first."""
_LOW, _HIGH = -0.8, 0.45
_LOUDEST = 3
"""Hints that count: those that say most. They often come together, and then say one thing."""
_MOST_LINKS = 20_000
_MOST_HINTS = 20_000
_MOST_WORDS = 6
_MOST_NEIGHBOURS = 5
_MOST_MARKS = 2_000
_COMMON = 3
"""Rows in which an icon was met before it counts: pictures of what the row is about stand in one."""
_WORD = re.compile(r"[^\W\d_]{2,20}")

Hints = tuple[int, ...]


class RowHints:
    """Watches which hints came with pages that gave torrents; bounded memory."""

    def __init__(self) -> None:
        self._of_link: OrderedDict[int, Hints] = OrderedDict()
        self._counts: OrderedDict[tuple[int, int], list[float]] = OrderedDict()
        self._met: OrderedDict[int, int] = OrderedDict()
        """Rows in which an icon was met."""

    def read(
        self,
        links: Sequence[PageLink],
        wanted: Collection[int],
        marks: Mapping[tuple[int, int], Hints] | None = None,
    ) -> dict[int, Hints]:
        """The hints of each link of a page that stands in a row and is `wanted`, by key hash.

        `marks` are the icons of rows; None where nobody looked.
        """
        rows: dict[tuple[int, int], list[PageLink]] = {}
        for link in links:
            if link.row is not None:
                rows.setdefault(link.row, []).append(link)
        icons = {place: self._icons(marks.get(place, ())) for place in rows} if marks is not None else {}
        return {
            link.key_hash: _hints(link, row, icons.get(place, ()))
            for place, row in rows.items()
            for link in row
            if link.key_hash in wanted
        }

    def _icons(self, marks: Hints) -> Hints:
        """Each icon that was met often enough, and all of them as one: that a row has none says something too."""
        for mark in marks:
            self._met[mark] = self._met.get(mark, 0) + 1
        while len(self._met) > _MOST_MARKS:
            self._met.popitem(last=False)
        common = tuple(mark for mark in marks if self._met.get(mark, 0) >= _COMMON)
        return (*common, crc32(repr(common).encode()))

    def remember(self, key_hash: int, hints: Hints) -> None:
        """A link with these hints waits."""
        self._of_link[key_hash] = hints
        if len(self._of_link) > _MOST_LINKS:
            self._of_link.popitem(last=False)

    def of(self, key_hash: int) -> Hints:
        """The hints of a link that waits."""
        return self._of_link.get(key_hash, ())

    def visited(self, key_hash: int, kind: int, *, useful: bool, expected: float) -> None:
        """A link was visited, whose kind is `kind`; `expected` is the useful share of its list."""
        for hint in self._of_link.pop(key_hash, ()):
            counts = self._counts.setdefault((kind, hint), [0.0, 0.0, 0.0])
            counts[0] += 1
            counts[1] += useful
            counts[2] += expected
        while len(self._counts) > _MOST_HINTS:
            self._counts.popitem(last=False)

    def join(self, old: int, heir: int) -> None:
        """Two kinds turned out to be one."""
        for key in [key for key in self._counts if key[0] == old]:
            counts = self._counts.setdefault((heir, key[1]), [0.0, 0.0, 0.0])
            for place, count in enumerate(self._counts.pop(key)):
                counts[place] += count

    def tier(self, hints: Iterable[int], kind: int, visits: float, useful: float) -> int:
        """The tier of a link of a kind with so many visits, of which `useful` gave torrents."""
        if visits < LEAST_VISITS or not 0 < useful < 0.95 * visits:
            return UNTOLD
        weight = _WEIGHT * min(useful / visits, _MOST_SHARE)
        lifts = []
        for hint in hints:
            counts = self._counts.get((kind, hint))
            if counts is not None and counts[0] >= _LEAST_MET:
                lifts.append(log((counts[1] + weight) / (counts[2] + weight)))
        lifts.sort(key=abs, reverse=True)
        lift = sum(lifts[:_LOUDEST])
        return LOW if lift < _LOW else HIGH if lift > _HIGH else MIDDLE


def _hints(link: PageLink, row: Sequence[PageLink], icons: Hints) -> Hints:
    words = dict.fromkeys(_WORD.findall(link.anchor[:120].lower()))
    hints = [crc32(word.encode()) for word in list(words)[:_MOST_WORDS]]
    neighbours = [other.key_hash for other in row if other.key_hash != link.key_hash and not other.download]
    return (*hints, *icons, *neighbours[:_MOST_NEIGHBOURS])
