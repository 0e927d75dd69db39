"""Numbers in paths that change nothing: `thread-12-1-1` and `thread-12-1-4` show the same page.

What `parameters` does for queries, for the numbers of a path: a visit is compared with a visit whose path
differs in one number only.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict

from harvester.patterns.learner.parameters import EQUAL_CONTENTS, EQUAL_PAIRS

_NUMBER = re.compile(r"\d{1,12}")
_MOST_NUMBERS = 5
_MOST_SLOTS = 500
_CAPACITY = 20_000
_LONGEST = 300

Slot = tuple[str, int]
"""A path with `#` for its numbers, and which of them is meant."""


class Slots:
    """Votes on the numbers in the paths of one site, in bounded memory. Works on canonical keys."""

    def __init__(self) -> None:
        self.irrelevant: set[Slot] = set()
        """Those that were found to change nothing."""
        self._seen: OrderedDict[tuple[Slot, str], tuple[str, bytes]] = OrderedDict()
        self._equal: dict[Slot, list[bytes]] = {}
        self._pairs: Counter[Slot] = Counter()
        self._unequal: set[Slot] = set()

    def observe(self, key: str, content: bytes) -> None:
        """A page with identity `key` was fetched; `content` identifies what it showed."""
        template, numbers = _split(key) if content else ("", [])
        if len(numbers) < 2:
            return
        for place in range(len(numbers)):
            slot = (template, place)
            if slot in self._unequal:
                continue
            rest = (slot, "-".join(numbers[:place] + numbers[place + 1 :]))
            known = self._seen.get(rest)
            if known is not None and known[0] != key:
                self._vote(slot, content, equal=known[1] == content)
            self._seen[rest] = (key, content)
            if len(self._seen) > _CAPACITY:
                self._seen.popitem(last=False)

    def _vote(self, slot: Slot, content: bytes, *, equal: bool) -> None:
        if not equal:
            if len(self._unequal) < _MOST_SLOTS:
                self._unequal.add(slot)
            self.irrelevant.discard(slot)
            return
        if slot not in self._equal and len(self._equal) >= _MOST_SLOTS:
            return
        contents = self._equal.setdefault(slot, [])
        if content not in contents and len(contents) < EQUAL_CONTENTS:
            contents.append(content)
        self._pairs[slot] += 1
        if self._pairs[slot] >= EQUAL_PAIRS and len(contents) >= EQUAL_CONTENTS:
            self.irrelevant.add(slot)

    def plain(self, key: str) -> str:
        """The key without the numbers that change nothing; it is none that could be asked for."""
        if not self.irrelevant:
            return key
        template, numbers = _split(key)
        left = [
            "" if (template, place) in self.irrelevant else number for place, number in enumerate(numbers)
        ]
        return f"{template} {'-'.join(left)}" if "" in left else key


def _split(key: str) -> tuple[str, list[str]]:
    """The key with `#` for the numbers of its path, and those; none where there are too many."""
    if len(key) > _LONGEST:
        return key, []
    origin, slash, rest = key.partition("://")[2].partition("/")
    path, mark, query = rest.partition("?")
    numbers = _NUMBER.findall(path)
    if not 2 <= len(numbers) <= _MOST_NUMBERS:
        return key, []
    return f"{origin}{slash}{_NUMBER.sub('#', path)}{mark}{query}", numbers
