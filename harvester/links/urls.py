"""URLs: parsing and joining, by the WHATWG URL standard (ada-url)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    """The parts of a URL after WHATWG parsing; `port` is 0 where it is the scheme's own."""

    href: str
    scheme: str
    host: str
    port: int
    path: str
    query: str
    fragment: str


def parse_url(url: str, base: str | None = None) -> ParsedUrl | None:
    """Parse by WHATWG rules; None where the standard says failure. Never raises."""
    raise NotImplementedError


def join(base: str, href: str, page_encoding: str = "utf-8") -> str | None:
    """The absolute fetch URL of `href` found on `base`, without its fragment.

    None where it is no http, https or ftp URL. Never raises. What is promised about bytes stands in
    `docs/links.md`: an absolute ASCII href stays as written; of a relative one only the path is
    resolved; text beyond ASCII is UTF-8 in the path and `page_encoding` in the query, as browsers do.
    """
    raise NotImplementedError
