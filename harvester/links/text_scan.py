"""Links written out in running text, and infohashes beside a label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_INVISIBLE: Final = dict.fromkeys([0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF])
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys(
    map(ord, "，；（）！"), " "
)
_STOP: Final = r"\s<>\"'\u2018-\u201f\u2026\u3000-\u3003\u3008-\u3011\u3014-\u301b\uff5f-\uff65。、"
_LINK: Final = re.compile(
    r"ed2k://\|file\|[^\n<>\"|]{1,1024}+\|[0-9]{1,20}\|[0-9a-f]{32}(?:\|(?:[hp]=[^|\s<>\"']{1,8192}+\|){0,2}/?)?"
    rf"|(?:https?|ftp|thunder|flashgetx?|qqdl|fs2you|ed2k)://[^{_STOP}]{{1,16384}}"
    rf"|magnet:[^{_STOP}]{{1,16384}}"
    rf"|(?:magnet|https?|ftp|thunder)%3a(?:%[0-9a-f]{{2}}|[^{_STOP}%]){{1,16384}}",
    re.IGNORECASE,
)
_ANOTHER: Final = re.compile(
    r"[,;|](?=(?:https?|ftp|thunder|flashgetx?|qqdl|fs2you|ed2k)://|magnet:\?)", re.IGNORECASE
)
"""Where a list of links goes on with the next."""
_AFTER_WORD: Final = re.compile(r"[A-Za-z0-9]")
_GLUED: Final = re.compile(r"(\.torrent)[^\x00-\x7f].*", re.IGNORECASE | re.DOTALL)
"""A file name with the sentence that goes on behind it."""
_TRAILING: Final = ".,;:!?*'·"
_BRACKETS: Final = {")": "(", "]": "[", "}": "{"}
_LABEL: Final = re.compile(
    r"(?:特[征徵][码碼值]|哈希|[雜杂]湊|散列|info[ _\-]{0,2}hash|btih|btmh)"
    r"[^0-9A-Za-z]{0,12}(?:(?:v[12]|sha-?(?:1|256)|hex|is)[^0-9A-Za-z]{1,8}){0,2}$",
    re.IGNORECASE,
)
_HASH: Final = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9A-Za-z])", re.IGNORECASE)
LABEL_REACH: Final = 48
"""Characters before an infohash in which its label is looked for."""


def visible(text: str) -> str:
    """Text without zero-width characters and soft hyphens."""
    return text.translate(_INVISIBLE)


def link_candidates(text: str) -> Iterator[tuple[int, str]]:
    """(position, candidate) of everything in `text` that is written like a link, in order.

    Full-width letters and signs count as ASCII; a candidate ends at a blank, `<>"'` and CJK punctuation,
    and sheds trailing marks and brackets that were opened outside of it.
    """
    folded = text if text.isascii() else text.translate(_FULL_WIDTH)
    position = 0
    while match := _LINK.search(folded, position):
        start, position = match.span()
        if start and folded[start - 1].isascii() and _AFTER_WORD.match(folded[start - 1]):
            continue
        candidate = match[0]
        if candidate[:12].lower().startswith("ed2k://|file"):
            candidate = text[start:position]
        elif another := _ANOTHER.search(candidate):
            candidate = candidate[: another.start()]
            position = start + another.end()
        yield start, _trimmed(_GLUED.sub(r"\1", candidate))


def _trimmed(candidate: str) -> str:
    candidate = candidate.partition("[/")[0]  # [url=…]…[/url]
    closing = candidate.find("]")
    if closing >= 0 and "[" not in candidate[:closing]:
        candidate = candidate[:closing]
    end = len(candidate)
    excess = {close: candidate.count(close) - candidate.count(_BRACKETS[close]) for close in _BRACKETS}
    while end:
        last = candidate[end - 1]
        if excess.get(last, 0) > 0:
            excess[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return candidate[:end]


def shorter_readings(candidate: str) -> list[str]:
    """What a candidate may be when text was glued to its end: cut at the first sign beyond ASCII."""
    for position, character in enumerate(candidate):
        if not character.isascii():
            return [_trimmed(candidate[:position])]
    return []


def labelled_hashes(text: str, before: str = "") -> Iterator[tuple[int, str]]:
    """(position, lower-case hex) of every infohash in `text` right after a label.

    40 digits (v1) or 64 (v2), no part of a longer word. `before` is the text that came before, for a
    label in the cell above.
    """
    for match in _HASH.finditer(text):
        context = (before + "\n" + text[max(0, match.start() - LABEL_REACH) : match.start()])[-LABEL_REACH:]
        if _LABEL.search(context):
            yield match.start(), match[0].lower()
