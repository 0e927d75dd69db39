"""What of a page has to be read, told by a cheap search before it is parsed."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

_ENCODED: Final = (
    "magnet", "thunder", "flashget", "qqdl", "fs2you", "ed2k", "btih", "btmh", "info_hash", "infohash",
    "info hash", "info-hash", "特征", "特徵", "特征", "哈希", "散列", "ftp:", "fromcharcode",
    "\\x6d", "\\u006d", "%u006d", "\\x68", "\\u0068", "%u0068", "\\155", "\\150", "tengam", "//:ptth",
    "//:sptth", "6d61676e6574", "687474703a2f2f", "68747470733a2f2f", "ｍ", "ｈ", "：//", ":／／", "：／／",
)  # fmt: skip
"""Signs (in lower case) of a download written otherwise than as a plain href: everything is read."""
_HTTP: Final = ("http:/", "https:/", "http%3a", "https%3a")
_BASE64: Final = ("bwfnbmv0", "ahr0cdov", "ahr0chm6", "dgh1bmrlcjov", "zwqyazov")
"""Signs that are common in hrefs, where they mean nothing: what counts is where they stand."""
_GOING: Final = ("location", "window.open", ".href")
"""Signs of a script that goes somewhere."""
_ELEMENTS: Final = (
    "<iframe", "<frame", "<area", "<embed", "<object", "data-href", "data-url", "data-link", "data-clipboard",
)  # fmt: skip
_ORDINARY: Final = re.compile(
    r"(?:href|src|action|content|xmlns(?::[a-z]+)?|file|zoomfile|cite|itemtype|srcset)"
    r"\s{0,8}=\s{0,8}(?:\"[^\"]{0,4096}|'[^']{0,4096}|[^\s\"']{0,4096})$"
)
_MAX_LOOKS: Final = 200
_SCRIPT: Final = re.compile(r"<(script|style)[\s>/]")


@dataclass(frozen=True, slots=True)
class Signs:
    """Whether attributes beyond `<a href>`, running text and scripts may hold links."""

    attributes: bool
    text: bool
    scripts: bool

    @property
    def anything(self) -> bool:
        return self.attributes or self.text or self.scripts


EVERYTHING: Final = Signs(attributes=True, text=True, scripts=True)


def signs_of(lower: str) -> Signs:
    """What of a page, given in lower case, has to be read. Errs towards reading."""
    if any(sign in lower for sign in _ENCODED):
        return EVERYTHING
    places = _Places(lower)
    for sign in _HTTP:
        places.look_for(sign, frozenset({"attribute", "text"}))
    for sign in _BASE64:
        places.look_for(sign, frozenset({"attribute", "text", "script"}))
    for sign in _GOING:
        places.look_for(sign, frozenset({"attribute", "script"}))
    places.look_for(".torrent", frozenset({"script"}))
    if any(sign in lower for sign in _ELEMENTS):
        places.seen.add("attribute")
    return Signs("attribute" in places.seen, "text" in places.seen, "script" in places.seen)


class _Places:
    """Where in a page signs stand."""

    def __init__(self, lower: str) -> None:
        self.lower = lower
        self.seen: set[str] = set()
        self._looks = _MAX_LOOKS
        self._starts: list[int] | None = None
        self._ends: list[int] = []

    def look_for(self, sign: str, wanted: frozenset[str]) -> None:
        """Note in which of the wanted places a sign stands."""
        position = self.lower.find(sign)
        while position >= 0 and not wanted <= self.seen:
            self._looks -= 1
            if self._looks < 0:
                self.seen |= {"attribute", "text", "script"}
                return
            place = self._place_of(position)
            if place in wanted:
                self.seen.add(place)
            position = self.lower.find(sign, position + len(sign))

    def _place_of(self, position: int) -> str:
        if self._in_script(position):
            return "script"
        lower = self.lower
        opened = lower.rfind("<", 0, position)
        if lower.rfind(">", max(opened, 0), position) >= 0 or opened < 0:
            return "text"
        if lower.startswith("<!", opened):
            return "ordinary"
        return "ordinary" if _ORDINARY.search(lower, opened, position) else "attribute"

    def _in_script(self, position: int) -> bool:
        if self._starts is None:
            self._starts = []
            for match in _SCRIPT.finditer(self.lower):
                end = self.lower.find(f"</{match[1]}", match.end())
                self._starts.append(match.end())
                self._ends.append(end if end >= 0 else len(self.lower))
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._ends[index]
