"""HTML that makes a parser slow or large, made harmless before it is parsed.

Three things grow with the square of a page: elements nested without end (each start tag looks through
all open ones), unclosed formatting elements (each paragraph clones them all), and attributes of one tag
(each is compared with the others). None carries links.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

MAX_HTML: Final = 5_000_000
"""Characters that are read of one page."""
MAX_TAGS: Final = 200_000
"""Tags that are read of one page: each costs memory, however short it is."""
MAX_DEPTH: Final = 512
"""Open elements kept of a page that is large enough to matter; browsers stop there too."""
_TAGS_WITHOUT_RISK: Final = 6_000
_CLONES_WITHOUT_RISK: Final = 2_000_000
_LENGTH_WITHOUT_RISK: Final = 250_000
_MAX_ATTRIBUTES: Final = 1_000

FORMATTING: Final = frozenset(
    ["b", "i", "u", "s", "em", "tt", "big", "code", "font", "nobr", "small", "strike", "strong"]
)
"""Elements that the HTML standard clones into later paragraphs; they name no place in a page."""
_FORMATTING_TAG: Final = re.compile(r"</?(?:" + "|".join(sorted(FORMATTING)) + r")(?:[\s/][^>]*)?>", re.I)
_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9\-]{0,30})[^>]{0,4096}>?")
_START_TAG: Final = re.compile(
    r"<[A-Za-z][^\s/>]*+(?:[\s/]++|=?[^\s/>=]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>\"'][^\s>]*+)?)?|=)*+>?"
)
"""A start tag as the HTML standard reads it (13.2.5.6 and on)."""
_ATTRIBUTE: Final = re.compile(r"[\s/][^\s/>=]")
_FLAT: Final = frozenset(
    [
        "a",
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "p",
        "li",
        "dd",
        "dt",
        "option",
        "optgroup",
        "td",
        "th",
        "tr",
        "tbody",
        "thead",
        "tfoot",
        "path",
        "circle",
        "rect",
        "line",
        "use",
        "polygon",
        "polyline",
        "ellipse",
        "stop",
        "body",
        "html",
        "head",
        "script",
        "style",
        "title",
        "textarea",
        "iframe",
        "frame",
        "noscript",
    ]
)


def defused(html: str) -> tuple[str, bool]:
    """(`html` that parses in bounded time and memory, whether its end was cut off)."""
    cut = len(html) > MAX_HTML
    if cut:
        html = html[:MAX_HTML]
    tags = html.count("<")
    if tags > MAX_TAGS:
        html, cut = _first_tags(html), True
    if len(html) > _LENGTH_WITHOUT_RISK:
        html = _START_TAG.sub(_modest, html)
    if tags * tags > _CLONES_WITHOUT_RISK:
        clones = tags * len(_FORMATTING_TAG.findall(html))
        html = _FORMATTING_TAG.sub("", html) if clones > _CLONES_WITHOUT_RISK else html
    if tags > _TAGS_WITHOUT_RISK:
        html = _flattened(html)
    return html, cut


def _first_tags(html: str) -> str:
    position = -1
    for _ in range(MAX_TAGS + 1):
        position = html.find("<", position + 1)
    return html[:position]


def _modest(tag: re.Match[str]) -> str:
    text = tag[0]
    if len(text) < 2 * _MAX_ATTRIBUTES or len(_ATTRIBUTE.findall(text)) <= _MAX_ATTRIBUTES:
        return text
    return ""


def _flattened(html: str) -> str:
    """`html` without the tags that open more than `MAX_DEPTH` elements inside each other."""
    opened: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    depth = 0
    kept: list[str] = []
    position = 0
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _FLAT:
            continue
        if not tag[1] and depth < MAX_DEPTH:
            opened[name] += 1
            depth += 1
            continue
        if tag[1] and not dropped[name]:
            if opened[name]:
                opened[name] -= 1
                depth -= 1
            continue
        dropped[name] += -1 if tag[1] else 1
        kept.append(html[position : tag.start()])
        position = tag.end()
    if not kept:
        return html
    kept.append(html[position:])
    return "".join(kept)
