"""From a body to what the crawl needs to know of it: pure, and picklable both ways.

Runs in the event loop for ordinary pages and in a worker process for large ones; it gives the same value
in both.
"""

from __future__ import annotations

import re
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from harvester.access.walls import recognise_wall
from harvester.errors import HarvestError, LimitExceeded
from harvester.links import (
    LinkMemo,
    defused,
    extract_feed,
    extract_json_links,
    extract_links,
    extract_text_links,
)
from harvester.links.headers import with_header_links
from harvester.model.link import PageLinks
from harvester.model.text import PageText
from harvester.model.torrent import Torrent
from harvester.model.wall import Wall
from harvester.text.charset import decode_page
from harvester.text.page import analyse
from harvester.text.soft404 import is_soft_404
from harvester.torrents import parse_torrent, recognise
from harvester.torrents.recognition import unwrap

_HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_TEXT_TYPES = frozenset(
    {"text/plain", "text/csv", "text/markdown", "text/tab-separated-values"}
    | {"application/json", "text/javascript", "application/javascript"}
)
_SAYS_NOTHING = frozenset({"", "application/octet-stream", "binary/octet-stream", "unknown/unknown"})
_FEEDS = frozenset({b"rss", b"feed", b"rdf", b"urlset", b"sitemapindex"})
_ROOT = re.compile(
    rb"(?:[\s\xef\xbb\xbf]++|<\?.*?\?>|<!--.*?-->|<!doctype[^>\[]*+(?:\[[^\]]*+\])?+[^>]*+>)*+<(?:\w{1,20}:)?(\w{1,20})",
    re.IGNORECASE | re.DOTALL,
)
"""The first element of a document, behind its declarations and comments."""
_HEAD = 65_536
_BLANKS = b"\xef\xbb\xbf \t\r\n"
_GZIP = b"\x1f\x8b"


class Body(Struct, frozen=True):
    """What came over the wire, and what is known about where it came from.

    `url` answered, `asked` is the URL the crawl wanted. `headers` are those that walls and engines are
    recognised by, lower-case names. `encoding` overrules detection where it is not empty. `engine` is a
    hint for walls, `ignore` the query parameters found irrelevant on this site.
    """

    content: bytes
    url: str
    asked: str
    status: int
    content_type: str
    headers: tuple[tuple[str, str], ...] = ()
    encoding: str = ""
    engine: str = ""
    ignore: frozenset[str] = frozenset()


class Page(Struct, frozen=True):
    """A document: its links, its text, and the walls it shows; `headers` are those of its `Body`."""

    kind: str
    encoding: str
    html: str
    links: PageLinks
    text: PageText | None = None
    walls: tuple[Wall, ...] = ()
    soft_404: str = ""
    headers: tuple[tuple[str, str], ...] = ()


class TorrentBody(Struct, frozen=True):
    """A torrent file: what it says, and its bytes as they are to be stored."""

    torrent: Torrent
    content: bytes


class OtherBody(Struct, frozen=True):
    """Neither a document nor a torrent: `kind` is a stable word (`empty`, `image`), `reason` in words."""

    kind: str
    reason: str


Analysis = Page | TorrentBody | OtherBody


def analyse_body(body: Body, memo: LinkMemo | None = None) -> Analysis:
    """Say what a body is and read it; never raises for anything that a site may send.

    `memo` saves work over the pages of one site, as in `extract_links`.
    """
    recognised = recognise(body.content, body.content_type)
    if recognised.is_torrent:
        try:
            return TorrentBody(parse_torrent(recognised.content), recognised.content)
        except HarvestError as error:
            return OtherBody("broken_torrent", str(error))
    if not body.content.strip():
        return OtherBody("empty", "an empty body")
    if body.content.startswith(_GZIP):
        with suppress(LimitExceeded):
            body = replace(body, content=unwrap(body.content)[0], content_type="")
    return _document(body, memo, recognised.kind) or OtherBody(recognised.kind, recognised.reason)


def _document(body: Body, memo: LinkMemo | None, kind: str) -> Page | None:
    """The body as a page, feed or text; None when it is none of them. `kind` is what its bytes look like."""
    media_type = body.content_type.partition(";")[0].strip().lower()
    head = body.content[:_HEAD]
    found = _ROOT.match(head)
    root = found[1].lower() if found is not None else b""
    if root in _FEEDS or (root != b"html" and head[:64].lstrip(_BLANKS).startswith(b"<?xml")):
        return Page("feed", "", "", extract_feed(body.content, body.url))
    if kind == "json":
        text = decode_page(body.content, body.content_type, body.encoding or None)
        data = extract_json_links(text.text, body.url)
        if data is not None:  # whatever its type says: scripts of old call it HTML
            return _text_page(body, text.encoding, data)
    is_text = media_type in _TEXT_TYPES or (kind == "text" and media_type in _SAYS_NOTHING)
    if media_type in _HTML_TYPES or (kind == "html" and (found is not None or not is_text)):
        return _html_page(body, memo)
    if is_text or kind == "json":
        text = decode_page(body.content, body.content_type, body.encoding or None)
        return _text_page(body, text.encoding, extract_text_links(text.text, body.url))
    return None


def _text_page(body: Body, encoding: str, links: PageLinks) -> Page:
    walls = recognise_wall(body.asked, body.status, dict(body.headers), "", engine=body.engine)
    links = with_header_links(links, body.headers, body.url)
    return Page("text", encoding, "", links, walls=tuple(walls))


def _html_page(body: Body, memo: LinkMemo | None) -> Page:
    decoded = decode_page(body.content, body.content_type, body.encoding or None)
    html, cut = defused(decoded.text)
    tree = LexborHTMLParser(html)
    links = extract_links(html, body.url, encoding=decoded.encoding, ignore=body.ignore, memo=memo, tree=tree)
    links = with_header_links(links, body.headers, body.url)
    text = analyse(html, tree=tree, url=body.url)
    walls = recognise_wall(
        body.asked,
        body.status,
        dict(body.headers),
        html,
        engine=body.engine,
        final_url=body.url if body.url != body.asked else "",
        tree=tree,
    )
    return Page(
        kind="html",
        encoding=decoded.encoding,
        html=html,
        links=replace(links, truncated=True) if cut else links,
        text=text,
        walls=tuple(walls),
        soft_404=is_soft_404(text),
        headers=body.headers,
    )
