"""Links of JSON documents: what a site's own scripts read to make its lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from harvester.errors import LinkRejected
from harvester.links.decode import decode_link
from harvester.links.keys import canonical_key
from harvester.links.payload import LINK_SCHEME
from harvester.links.resolve import kind_of
from harvester.links.text_scan import labelled_hashes, link_candidates
from harvester.links.urls import join
from harvester.model.link import Link, LinkKind, LinkSource, PageLinks, Row

MAX_BYTES: Final = 5_000_000
MAX_LINKS: Final = 20_000
MAX_DEPTH: Final = 50
MAX_TEXT: Final = 100_000
"""Characters of one value that are read for links."""
_ADDRESS_NAME: Final = re.compile(r"(?:ur[li]|href|link|torrent|download|file|page|path)s?$", re.I)
"""Names whose values are addresses, also where these have neither scheme nor slash in front."""
_HASH_NAME: Final = re.compile(r"(?:info_?hash|btih)(?:_?v1)?$", re.I)
_HASH: Final = re.compile(r"[0-9A-Fa-f]{40}")
_NAME: Final = re.compile(r"(?:title|name)$", re.I)
_NEXT: Final = frozenset({"next", "next_page", "next_url", "nextpage"})
_PLACE: Final = re.compile(r"[^\s\"'<>{}|\\^`]{2,2000}")


def extract_json_links(text: str, url: str) -> PageLinks | None:
    """The links of a JSON document fetched from `url`; None where it is none.

    Values that are addresses: with a scheme, from the root (`/x`), or of a name that says so (`url`,
    `download_link`); and the links written out in texts. One `Row` an entry of the outermost list; an
    entry's `title` or `name` is the anchor of its links. A value of the name `next` is the next page.
    """
    page = _Document(url.partition("#")[0])
    cut = len(text) > MAX_BYTES
    try:
        document = msgspec.json.decode(text[:MAX_BYTES].lstrip("\ufeff"))
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    page.read(document)
    return PageLinks(
        base=page.base,
        links=tuple(page.found.values()),
        next=page.next,
        truncated=cut or len(page.found) >= MAX_LINKS,
    )


class _Document:
    def __init__(self, base: str) -> None:
        self.base = base
        self.found: dict[str, Link] = {}
        self.next: str | None = None

    def read(self, document: object) -> None:
        for name, value, row, title in _strings(document, "", None, "", 0):
            if len(self.found) >= MAX_LINKS:
                return
            if _HASH.fullmatch(value):
                if _HASH_NAME.search(name):
                    self._add(f"magnet:?xt=urn:btih:{value.lower()}", row, title, LinkKind.INFOHASH)
            elif not _PLACE.fullmatch(value):
                self._read_text(value, row, title)
            elif LINK_SCHEME.match(value):
                self._add_written(value, row, title)
            elif value[0] == "/" or (_ADDRESS_NAME.search(name) and ("/" in value or "." in value)):
                self._add(join(self.base, value), row, title)
            if name.lower() in ("next", "next_page", "next_url", "nextpage") and (
                "/" in value or "?" in value
            ):
                self.next = self.next or join(self.base, value)

    def _read_text(self, text: str, row: Row | None, title: str) -> None:
        for _, candidate in link_candidates(text[:MAX_TEXT]):
            self._add_written(candidate, row, title)
        for _, infohash in labelled_hashes(text[:MAX_TEXT]):
            if len(infohash) == 40:
                self._add(f"magnet:?xt=urn:btih:{infohash}", row, title, LinkKind.INFOHASH)

    def _add_written(self, value: str, row: Row | None, title: str) -> None:
        if value[:4].lower() == "http":
            self._add(join(self.base, value), row, title)
            return
        try:
            decoded = decode_link(value)
        except LinkRejected:
            return
        self._add(decoded.url, row, title)

    def _add(self, url: str | None, row: Row | None, title: str, kind: LinkKind | None = None) -> None:
        if url is not None and url not in self.found:
            kind = kind or kind_of(url)
            self.found[url] = Link(url, canonical_key(url), kind, LinkSource.DATA, title, row)


def _strings(
    value: object, name: str, row: Row | None, title: str, depth: int
) -> Iterator[tuple[str, str, Row | None, str]]:
    """(name, value, row, title) of every string in a document."""
    if isinstance(value, str):
        yield name, value, row, title
    elif depth >= MAX_DEPTH:
        return
    elif isinstance(value, dict):
        own = next(
            (text for key, text in value.items() if isinstance(text, str) and _NAME.search(key)), title
        )
        for key, inner in value.items():
            yield from _strings(inner, key, row, " ".join(own.split())[:200], depth + 1)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _strings(inner, name, row or Row(0, index), title, depth + 1)
