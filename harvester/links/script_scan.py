"""String literals of scripts and event handlers; nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from harvester.links.codecs.js_escape import undo

MAX_SCRIPT: Final = 500_000
MAX_LITERALS: Final = 20_000
_LITERAL: Final = re.compile(
    r"\"([^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+)\"?+|'([^'\\\n]*+(?:\\.[^'\\\n]*+)*+)'?+|`([^`\\]*+(?:\\.[^`\\]*+)*+)`?+"
    r"|fromCharCode\s{0,8}\(([\s0-9a-fxA-FX,]{1,65536}+)\)",
    re.DOTALL,
)
"""An unclosed literal ends with its line: every character is read once."""
_PLUS: Final = re.compile(r"\s{0,64}\+\s{0,64}")
_GOES_TO: Final = re.compile(
    r"(?:location(?:\.href)?\s{0,8}=|location\.(?:assign|replace)\s{0,8}\(|window\.open\s{0,8}\("
    r"|\.open\s{0,8}\(|\.href\s{0,8}=)\s{0,8}(?:(?:decodeURIComponent|decodeURI|unescape|atob)\s{0,4}\(\s{0,8})?$"
)


def literals(script: str) -> Iterator[tuple[str, bool]]:
    """(value, whether the script goes there) of every string literal, escapes undone.

    Literals joined by `+` are one; `String.fromCharCode(…)` is a literal. "Goes there" means that the
    literal stands right behind `location =`, `window.open(` and the like.
    """
    script = script[:MAX_SCRIPT]
    pending, goes, end = "", False, -1
    for count, match in enumerate(_LITERAL.finditer(script)):
        if count >= MAX_LITERALS:
            break
        value = _value(match)
        start = match.start()
        if match[4] is not None:
            start = script.rfind("String", max(0, start - 16), start) if script[start - 1] == "." else start
        if end >= 0 and _PLUS.fullmatch(script, end, start):
            pending += value
        else:
            if pending:
                yield pending, goes
            pending = value
            goes = _GOES_TO.search(script, max(0, start - 80), start) is not None
        end = match.end()
    if pending:
        yield pending, goes


def _value(match: re.Match[str]) -> str:
    if match[4] is not None:
        return _from_codes(match[4])
    raw = next((group for group in match.groups()[:3] if group is not None), "")
    return undo(raw) if "\\" in raw else raw


def _from_codes(text: str) -> str:
    characters: list[str] = []
    for number in text.split(","):
        try:
            code = int(number.strip(), 0)
        except ValueError:
            return ""
        if not 0 <= code < 0x110000 or 0xD800 <= code < 0xE000:
            return ""
        characters.append(chr(code))
    return "".join(characters)
