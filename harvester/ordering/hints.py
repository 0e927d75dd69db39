"""What a row says of its link beyond its place: words, icons, what else it links to (a category, an author).

For each kind of URL a logistic regression over these hints and the list that a link stands in, learned visit
by visit (as online classifiers of anchor texts do in focused crawling): in which of three tiers a link
belongs, by what its hints say beyond its list. Counting how often a hint stood beside torrents would not do:
links that promise more are visited more often.
"""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from zlib import crc32

from harvester.model.order import PageLink

UNTOLD, LOW, MIDDLE, HIGH = range(4)
"""Tiers; nothing is told of a link of a kind that was hardly tried."""
TIERS = ("", "low", "middle", "high")
FACTORS = (1.0, 0.3, 1.0, 1.6)
"""What a tier's links may be worth, of what their kind is, before any of them was visited."""
LEAST_VISITS = 12
"""Visits of a kind before its links are told apart."""
_LEAST_MET = 3
"""Visits beside which a word or neighbour was met before it counts."""
_PRIOR = 1.0
"""Precision of the belief that a hint says nothing."""
_STEP = 2.0
_LESSONS = 500
"""Visits that are gone through again."""
_PASSES = 3
_LOW, _HIGH = -0.7, 0.7
"""Logits of a link's hints from which it belongs in the lowest, or the highest tier."""
_KIND, _LISTS = -1, -(1 << 40)
"""Hints that stand for the kind itself, and for its lists: those below the second, by their numbers."""
_MOST_LINKS = 20_000
_MOST_HINTS = 20_000
_MOST_WORDS = 6
_MOST_NEIGHBOURS = 5
_MOST_MARKS = 2_000
_COMMON = 3
"""Rows in which an icon was met before it counts: pictures of what the row is about stand in one."""
_WORD = re.compile(r"[^\W\d_]{2,20}")

Hints = tuple[int, ...]


@dataclass(slots=True)
class _Cell:
    """What a hint says of links of one kind: its weight, and how sure that is."""

    weight: float = 0.0
    certainty: float = 0.0
    visits: int = 0

    def join(self, other: _Cell) -> None:
        """Take in the same hint of a kind that turned out to be the same."""
        visits = self.visits + other.visits
        if visits:
            self.weight = (self.visits * self.weight + other.visits * other.weight) / visits
        self.certainty += other.certainty
        self.visits = visits


class RowHints:
    """Watches which hints came with pages that gave torrents; bounded memory."""

    def __init__(self) -> None:
        self._of_link: OrderedDict[int, Hints] = OrderedDict()
        self._keys: OrderedDict[int, int] = OrderedDict()
        self._cells: OrderedDict[tuple[int, int], _Cell] = OrderedDict()
        self._lessons: deque[tuple[int, Hints, bool]] = deque(maxlen=_LESSONS)
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
        """Each icon met often enough, and all of them as one: that there is none says something too."""
        for mark in marks:
            self._met[mark] = self._met.get(mark, 0) + 1
        while len(self._met) > _MOST_MARKS:
            self._met.popitem(last=False)
        common = tuple(mark for mark in marks if self._met.get(mark, 0) >= _COMMON)
        return (*common, crc32(repr(common).encode()))

    def remember(self, key_hash: int, hints: Hints, url: str) -> None:
        """A link with these hints waits."""
        if hints:
            self._keys[hash(url)] = key_hash
            if len(self._keys) > _MOST_LINKS:
                self._keys.popitem(last=False)
        self._of_link[key_hash] = hints
        if len(self._of_link) > _MOST_LINKS:
            self._of_link.popitem(last=False)

    def of_url(self, url: str) -> tuple[int, Hints]:
        """The key hash by which a URL waits, and its hints; keys may be made otherwise by now."""
        key = self._keys.get(hash(url), 0)
        return key, self._of_link.get(key, ())

    def of(self, key_hash: int) -> Hints:
        """The hints of a link that waits."""
        return self._of_link.get(key_hash, ())

    def visited(self, key_hash: int, kind: int, *, useful: bool, context: int) -> None:
        """A link was visited, whose kind is `kind`, and which stood in the list `context`."""
        hints = (_KIND, _LISTS - context, *self._of_link.pop(key_hash, ()))
        for hint in hints:
            self._cells.setdefault((kind, hint), _Cell()).visits += 1
        while len(self._cells) > _MOST_HINTS:
            self._cells.popitem(last=False)
        self._lessons.append((kind, hints, useful))
        self._learn(kind, hints, useful=useful, again=False)

    def _learn(self, kind: int, hints: Hints, *, useful: bool, again: bool) -> None:
        """A Newton step for each hint, shared among them."""
        known = (self._cells.get((kind, hint)) for hint in hints)
        cells = [cell for cell in known if cell is not None and cell.visits >= _LEAST_MET]
        chance = 1 / (1 + exp(-min(max(sum(cell.weight for cell in cells), -30.0), 30.0)))
        share = _STEP / (_STEP + len(cells))
        for cell in cells:
            error = useful - chance
            if again:
                error -= _PRIOR * cell.weight / cell.visits
            else:
                cell.certainty += chance * (1 - chance)
            cell.weight += share * error / (_PRIOR + cell.certainty)

    def learn_again(self) -> None:
        """Go through the last visits again: what one of them said depends on what the others did."""
        for _ in range(_PASSES):
            for kind, hints, useful in self._lessons:
                self._learn(kind, hints, useful=useful, again=True)

    def join(self, old: int, heir: int) -> None:
        """Two kinds turned out to be one."""
        for key in [key for key in self._cells if key[0] == old]:
            cell = self._cells.pop(key)
            self._cells.setdefault((heir, key[1]), _Cell()).join(cell)
        for place, (kind, hints, useful) in enumerate(self._lessons):
            if kind == old:
                self._lessons[place] = (heir, hints, useful)

    def tier(self, hints: Iterable[int], kind: int, visits: float, useful: float) -> int:
        """The tier of a link of a kind with so many visits, of which `useful` gave torrents."""
        if visits < LEAST_VISITS or not useful or visits - useful < max(2.0, 0.02 * visits):
            return UNTOLD
        known = (self._cells.get((kind, hint)) for hint in hints)
        told = sum(cell.weight for cell in known if cell is not None and cell.visits >= _LEAST_MET)
        return LOW if told < _LOW else HIGH if told > _HIGH else MIDDLE


def _hints(link: PageLink, row: Sequence[PageLink], icons: Hints) -> Hints:
    words = dict.fromkeys(_WORD.findall(link.anchor[:120].lower()))
    hints = [crc32(word.encode()) for word in list(words)[:_MOST_WORDS]]
    neighbours = [other.key_hash for other in row if other.key_hash != link.key_hash and not other.download]
    return (*hints, *icons, *neighbours[:_MOST_NEIGHBOURS])
