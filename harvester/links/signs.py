"""What of a page has to be read, told by one fast search (RE2) before it is looked at closely."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

import re2
from msgspec import Struct

_ENCODED: Final = (
    "magnet", "thunder", "flashget", "qqdl", "fs2you", "ed2k", "btih", "btmh", "info_hash", "infohash",
    "info hash", "info-hash", "特征", "特徵", "特征", "哈希", "散列", "ftp:", "fromcharcode",
    "\\x6d", "\\u006d", "%u006d", "\\x68", "\\u0068", "%u0068", "\\155", "\\150", "tengam", "//:ptth",
    "//:sptth", "6d61676e6574", "687474703a2f2f", "68747470733a2f2f", "ｍ", "ｈ", "：//", ":／／", "：／／",
    "&#109;", "&#x6d;", "&#104;", "&#x68;",
    "%6d%61%67", "%68%74%74%70", "%74%68%75",
)  # fmt: skip
"""Signs of a download written otherwise than as a plain href: everything is read."""
_ELEMENTS: Final = (
    "<iframe", "<frame", "<area", "<embed", "<object", "data-href", "data-url", "data-link", "data-clipboard",
    "data-next", "data-more", "data-load", "data-scroll", "hx-get",
)  # fmt: skip
_HTTP: Final = ("http:/", "https:/", "http%3a", "https%3a")
_BASE64: Final = ("bwfnbmv0", "ahr0cdov", "ahr0chm6", "dgh1bmrlcjov", "zwqyazov")
"""Common in hrefs, where they mean nothing: what counts is where they stand."""
_GOING: Final = ("location", "window.open", ".href")
"""A script that goes somewhere."""
_WANTED: Final = {
    **{key: {"attribute"} for key in _ELEMENTS},
    **{key: {"attribute", "text"} for key in _HTTP},
    **{key: {"attribute", "text", "script"} for key in _BASE64},
    **{key: {"attribute", "script"} for key in _GOING},
    ".torrent": {"script"},
    ".json": {"script"},
}
"""Where each sign tells of a link."""
_ORDINARY_START: Final = r"(?:href|src|action|content|xmlns|file)=[\"']?https?:/"
_ODD_HREF: Final = r"<(?:div|span|button|li|td|tr|p|b|i|em|strong|label|input|img|h[1-6])(?:\s[^<>]*)?\shref="
"""A href on an element that has none in HTML."""
_LOOK_BACK: Final = 4096


def _insensitive() -> re2.Options:
    options = re2.Options()
    options.case_sensitive = False
    return options


def _any_of(signs: tuple[str, ...]) -> str:
    return "|".join(re.escape(sign) for sign in signs)


_SIGN: Final = re2.compile(
    f"({_any_of(_ENCODED)})|({_any_of(tuple(_WANTED))})|({_ODD_HREF})|{_ORDINARY_START}".encode(),
    _insensitive(),
)
_SCRIPT_EDGE: Final = re2.compile(rb"<(/?)(?:script|style)(?:[\s>/])", _insensitive())
_ORDINARY: Final = re2.compile(
    rb"(?:href|src|action|content|xmlns(?::[a-z]+)?|file|zoomfile|cite|itemtype|srcset)"
    rb"\s*=\s*(?:\"[^\"]*|'[^']*|[^\s\"']*)$",
    _insensitive(),
)


class Signs(Struct, frozen=True):
    """Whether attributes beyond `<a href>`, running text and scripts may hold links."""

    attributes: bool
    text: bool
    scripts: bool


EVERYTHING: Final = Signs(attributes=True, text=True, scripts=True)


def signs_of(html: str) -> Signs:
    """What of a page has to be read. Errs towards reading."""
    page = _Places(html.encode("utf-8", "replace"))
    seen: set[str] = set()
    for match in _SIGN.finditer(page.html):
        if match[1] is not None:
            return EVERYTHING
        if match[3] is not None:
            seen.add("attribute")
        if match[2] is None:
            continue
        wanted = _WANTED[match[2].decode().lower()]
        if not wanted <= seen:
            seen |= wanted & {page.place_of(match.start())}
    return Signs("attribute" in seen, "text" in seen, "script" in seen)


class _Places:
    """Where in a page a sign stands: attribute, text, script, or an ordinary attribute such as href."""

    def __init__(self, html: bytes) -> None:
        self.html = html
        self._edges: list[int] | None = None
        self._inside: list[bool] = []

    def place_of(self, position: int) -> str:
        if self._in_script(position):
            return "script"
        html = self.html
        if html[position : position + 1] == b"<":
            return "attribute"
        opened = html.rfind(b"<", max(0, position - _LOOK_BACK), position)
        if opened < 0 or html.rfind(b">", opened, position) >= 0:
            return "text"
        if html.startswith(b"<!", opened) or _ORDINARY.search(html[opened:position]):
            return "ordinary"
        return "attribute"

    def _in_script(self, position: int) -> bool:
        if self._edges is None:
            self._edges = []
            for edge in _SCRIPT_EDGE.finditer(self.html):
                self._edges.append(edge.end())
                self._inside.append(not edge[1])
        index = bisect_right(self._edges, position) - 1
        return index >= 0 and self._inside[index]
