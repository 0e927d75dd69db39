"""Past the end of capped lists: numeric ids that no list showed.

Some sites list only their newest pages. Where the files (or the pages about them) are numbered without many
gaps, the numbers that are missing among those seen are tried, within a budget, and only as long as they give
something.
"""

from __future__ import annotations

import re

from harvester.links import canonical_key

LEAST_SEEN = 50
LEAST_DENSITY = 0.5
"""Numbers seen, and their share of the range that they span, from which gaps are worth a try."""
BUDGET = 300
PATIENCE = 5
"""Tries in a row that gave nothing after which a kind is left."""
_MOST_SEEN = 200_000
_MOST_KINDS = 50
_NUMBER = re.compile(r"\d{1,12}")


class IdGaps:
    """Watches the numbers in the URLs of what gave torrents; bounded memory."""

    def __init__(self) -> None:
        self._seen: dict[str, set[int]] = {}
        self._tried: dict[str, str] = {}
        self._failures: dict[str, int] = {}
        self._spent = 0

    def observe(self, url: str, *, gave: bool) -> bool:
        """A URL was visited; `gave`: it was a torrent. Whether it was one of those proposed."""
        template = self._tried.pop(url, "")
        if template:
            self._failures[template] = 0 if gave else self._failures.get(template, 0) + 1
        if gave:
            self._remember(canonical_key(url))
        return bool(template)

    def _remember(self, key: str) -> None:
        numbers = list(_NUMBER.finditer(key.partition("://")[2].partition("/")[2]))
        if len(numbers) != 1:
            return
        offset = len(key) - len(key.partition("://")[2].partition("/")[2])
        start, end = numbers[0].start() + offset, numbers[0].end() + offset
        template = f"{key[:start]}\0{key[end:]}"
        if template not in self._seen and len(self._seen) >= _MOST_KINDS:
            return
        seen = self._seen.setdefault(template, set())
        if len(seen) < _MOST_SEEN:
            seen.add(int(numbers[0][0]))

    def propose(self, count: int = 5) -> list[str]:
        """Up to `count` URLs worth a try, the highest numbers first; none where there is no hope."""
        for template, seen in self._seen.items():
            low, high = min(seen), max(seen)
            dense = len(seen) >= LEAST_SEEN and len(seen) >= LEAST_DENSITY * (high - low + 1)
            if not dense or self._failures.get(template, 0) >= PATIENCE or self._spent >= BUDGET:
                continue
            found: list[str] = []
            for number in range(high, max(0, low - len(seen)), -1):
                if len(found) >= count:
                    break
                if number not in seen:
                    seen.add(number)
                    found.append(template.replace("\0", str(number)))
            if found:
                self._spent += len(found)
                self._tried.update(dict.fromkeys(found, template))
                return found
        return []
