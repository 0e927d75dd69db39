"""When a page's canonical link names the same page under a shorter address, and can be believed.

Canonical links are often wrong: a whole site that names its front page, a thread that names its first page.
So one is believed only when it leaves out nothing but how the page is shown.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

PRESENTATION: Final = frozenset(
    {
        "sort", "sortby", "sort_by", "order", "orderby", "order_by", "ascdesc", "asc", "desc", "dir",
        "direction", "sk", "sd", "highlight", "hl", "hilit", "print", "printable", "lang", "language",
        "locale", "style", "styleid", "theme", "skin", "display", "layout", "mobile", "ref", "referer",
        "referrer", "src", "share", "sid", "phpsessid", "jsessionid", "session", "s", "fbclid", "gclid",
    }
)  # fmt: skip
"""Parameters that say how a page is shown, to whom, or where the reader came from."""


def is_alias(url: str, canonical: str) -> bool:
    """Whether `canonical` is the page at `url` without parameters of presentation.

    True only for the same scheme, host and path, a query that is a proper subset, and nothing left out
    but `PRESENTATION` and `utm_…`: an id, a mode or a page number is never left out.
    """
    try:
        ours, theirs = urlsplit(url), urlsplit(canonical)
    except ValueError:  # a host in broken brackets
        return False
    if (ours.scheme, ours.netloc.lower(), ours.path) != (theirs.scheme, theirs.netloc.lower(), theirs.path):
        return False
    have, kept = _parameters(ours.query), _parameters(theirs.query)
    if not kept < have:
        return False
    names = (pair.partition("=")[0].lower() for pair in have - kept)
    return all(name in PRESENTATION or name.startswith("utm_") for name in names)


def _parameters(query: str) -> frozenset[str]:
    return frozenset(pair for pair in query.replace("&amp;", "&").split("&") if pair)
