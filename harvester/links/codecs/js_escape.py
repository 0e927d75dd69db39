r"""JavaScript escapes: `\x6d`, `\u006d`, `\u{6d}`, `\155`, and `unescape`'s `%u006d`."""

from __future__ import annotations

import re

from harvester.links.payload import FormCodec

_ESCAPE = re.compile(
    r"\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\u\{([0-9a-fA-F]{1,6})\}|%u([0-9a-fA-F]{4})"
    r"|\\([0-3]?[0-7]{1,2})|\\([^xu0-7])",
    re.DOTALL,
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r": ""}


def undo(text: str) -> str:
    """The string that a JavaScript literal's inside stands for; surrogate pairs are joined."""
    undone = _ESCAPE.sub(_character, text)
    if any("\ud800" <= character <= "\udfff" for character in undone):
        undone = undone.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return undone


def _character(match: re.Match[str]) -> str:
    code = next((group for group in match.groups()[:4] if group), None)
    if code:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else "\ufffd"
    if match[5]:
        return chr(int(match[5], 8))
    return _SIMPLE.get(match[6], match[6])


def attempt(text: str) -> str | None:
    """The undone text where there was an escape."""
    if "\\" not in text and "%u" not in text.lower():
        return None
    undone = undo(text)
    return None if undone == text else undone


CODEC = FormCodec("js_escape", 20, attempt)
