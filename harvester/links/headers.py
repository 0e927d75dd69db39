"""Links in the headers of an answer: `Refresh`, as old as the web, and `Link` (RFC 8288)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from harvester.links.urls import join
from harvester.model.link import PageLinks

_REFRESH: Final = re.compile(r"\s*(\d{0,9}(?:\.\d{0,9})?)[\s;,]+(?:url\s{0,9}=\s{0,9})?(.*)", re.I | re.S)
_LINK: Final = re.compile(r"<([^<>]{1,4000})>((?:[^,\"]|\"[^\"]{0,1000}\")*+)")
_RELATION: Final = re.compile(r";\s{0,9}rel\s{0,9}=\s{0,9}\"?([^\";]{1,200})", re.I)
MAX_HEADER: Final = 20_000


def refresh_target(content: str) -> tuple[str, float]:
    """(target, seconds) of a refresh, as a meta element or a header says it; "" for a mere reload."""
    match = _REFRESH.match(content)
    if match is None:
        return "", 0.0
    seconds = float(match[1]) if match[1].strip(".") else 0.0
    return match[2].strip().strip("\"'").strip(), seconds


def with_header_links(links: PageLinks, headers: Iterable[tuple[str, str]], url: str) -> PageLinks:
    """The links of the page at `url`, with what its headers (lower-case names) say of refresh and next."""
    for name, value in headers:
        if name == "refresh" and links.refresh is None:
            target, seconds = refresh_target(value)
            found = join(url, target) if target else None
            links = replace(links, refresh=found, refresh_delay=seconds if found else 0.0)
        elif name == "link" and links.next is None:
            links = replace(links, next=_next_of(value[:MAX_HEADER], url))
    return links


def _next_of(value: str, url: str) -> str | None:
    for match in _LINK.finditer(value):
        relation = _RELATION.search(match[2])
        if relation is not None and "next" in relation[1].lower().split():
            return join(url, match[1])
    return None
