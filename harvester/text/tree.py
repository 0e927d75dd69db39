"""Parse HTML within bounds.

Every HTML5 parser walks its stack of open elements at each tag, so a page that only opens elements takes
quadratic time: two megabytes of `<dl><dd><strong>` keep lexbor busy for a minute. A large page is therefore
cut where its elements are nested deeper than any real page's.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

MAX_HTML = 5_000_000
"""Characters of a page that are parsed at most."""
MAX_OPEN = 2_000
"""Elements open at once; what lies deeper is cut off."""
_SMALL = 100_000
"""Characters below which the worst page takes a fraction of a second."""

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]{0,20})")
# Elements that are closed by the next of their kind, or never hold any.
_NEVER_NESTED = frozenset(
    (
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
        "dt",
        "dd",
        "tr",
        "td",
        "th",
        "thead",
        "tbody",
        "tfoot",
        "option",
        "optgroup",
        "colgroup",
        "html",
        "head",
        "body",
        "rp",
        "rt",
    )
)


def parse_tree(html: str) -> LexborHTMLParser:
    """The tree of a page; time is bounded, whatever the page holds."""
    return LexborHTMLParser(html if len(html) <= _SMALL else html[: _safe_length(html)])


def _safe_length(html: str) -> int:
    opened: dict[str, int] = {}
    depth = 0
    for match in _TAG.finditer(html, 0, MAX_HTML):
        name = match.group(2).lower()
        if name in _NEVER_NESTED:
            continue
        if not match.group(1):
            opened[name] = opened.get(name, 0) + 1
            depth += 1
            if depth > MAX_OPEN:
                return match.start()
        elif opened.get(name, 0):
            opened[name] -= 1
            depth -= 1
    return min(len(html), MAX_HTML)
