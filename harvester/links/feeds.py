"""Links of RSS, Atom and RDF feeds, and of sitemaps (sitemaps.org 0.90)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from harvester.errors import LinkRejected
from harvester.links.decode import decode_link
from harvester.links.hints import looks_like_download
from harvester.links.keys import canonical_key
from harvester.links.resolve import kind_of
from harvester.links.urls import join
from harvester.model.link import Link, LinkKind, LinkSource, PageLinks, RejectedLink, Row

if TYPE_CHECKING:
    from lxml import etree

MAX_BYTES: Final = 10_000_000
MAX_ITEMS: Final = 10_000
MAX_TITLE: Final = 200
MAX_LOCATIONS: Final = 50_000
"""Pages of one sitemap (the protocol's own limit)."""
MAX_SITEMAPS: Final = 1_000
"""Sitemaps that one index names."""
_TORRENT_TYPES: Final = frozenset({"application/x-bittorrent", "application/x-torrent"})
_NO_TYPE: Final = frozenset(
    {"application/octet-stream", "application/force-download", "application/download"}
)
_PAGE_LINK: Final = "alternate"
_HASH: Final = re.compile(r"[0-9A-Fa-f]{40}|[A-Za-z2-7]{32}")
_ADDRESS_NAMES: Final = frozenset({"url", "uri", "href", "link", "loc", "src", "torrent", "download"})
_DOCTYPE: Final = re.compile(rb"<!DOCTYPE[^>\[]*(?:\[[^\]]*\][^>]*)?>", re.IGNORECASE)


def extract_feed(xml: str | bytes, url: str) -> PageLinks:
    """The links of a feed or sitemap fetched from `url`, source `FEED`.

    A sitemap's pages are in no row; the sitemaps that an index names are in `feeds`. Of a feed one `Row` an
    item. Per item: enclosures, then torrent:magnetURI, then torrent:infoHash, then the
    item's page (kind PAGE). Broken XML gives what can be read; entities are never expanded, nothing is
    loaded from elsewhere; at most 10 MB and 10,000 items, 50,000 pages of a sitemap.
    """
    from lxml import etree  # heavy, and most sites have no feed

    data = xml.encode("utf-8", "replace") if isinstance(xml, str) else xml
    cut = len(data) > MAX_BYTES
    # Without its DOCTYPE a document has no entities of its own to expand.
    data = _DOCTYPE.sub(b"", data[:MAX_BYTES].lstrip(), count=1)
    if isinstance(xml, str):
        data = re.sub(rb"^<\?xml[^>]{0,200}\?>", b"", data)
    feed = _Feed(url)
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is not None:
        feed.read(root)
    return feed.result(cut)


class _Addresses(Struct):
    """What one item points to, by its kind."""

    enclosures: list[str] = field(default_factory=list)
    magnets: list[str] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)

    def take_link(self, element: etree._Element, text: str) -> None:
        """RSS writes the address as text, Atom as an attribute with a relation."""
        href = element.get("href")
        if href is None:
            if text:
                (self.enclosures if _is_encoded(text) or looks_like_download(text) else self.pages).append(
                    text
                )
            return
        relation = (element.get("rel") or _PAGE_LINK).lower()
        if relation == "enclosure" and _is_download(element, href):
            self.enclosures.append(href)
        elif relation == _PAGE_LINK:
            (self.enclosures if _is_torrent(element) else self.pages).append(href)

    def take(self, name: str, element: etree._Element, text: str) -> None:
        """Enclosures, the torrent elements, Torznab attributes, a magnet as guid."""
        if name == "enclosure":
            href = element.get("url") or element.get("resource") or ""
            if _is_download(element, href):
                self.enclosures.append(href)
        elif name == "content" and element.get("url") and _is_torrent(element):
            self.enclosures.append(element.get("url") or "")
        elif name in ("magneturi", "magnet", "guid") and text.lower().startswith("magnet:"):
            self.magnets.append(text)
        elif name == "infohash" and _HASH.fullmatch(text):
            self.hashes.append(text)
        elif name == "attr" and (element.get("name") or "").lower() in ("magneturl", "infohash"):
            value = (element.get("value") or "").strip()
            if _HASH.fullmatch(value):
                self.hashes.append(value)
            elif value.lower().startswith("magnet:"):
                self.magnets.append(value)


class _Feed:
    def __init__(self, url: str) -> None:
        self.base = url.partition("#")[0]
        self.found: dict[str, Link] = {}
        self.rejected: list[RejectedLink] = []
        self.next: str | None = None
        self.truncated = False
        self._sitemaps: dict[str, None] = {}
        self._rows = 0

    def read(self, root: etree._Element) -> None:
        match _name(root):
            case "urlset":
                for location in self.locations(root, MAX_LOCATIONS):
                    self.add(location, LinkKind.PAGE, "", in_row=False)
            case "sitemapindex":
                named = (join(self.base, location) for location in self.locations(root, MAX_SITEMAPS))
                self._sitemaps = dict.fromkeys(url for url in named if url is not None)
            case _:
                self.read_items(root)
                if not self._rows:
                    self.read_addresses(root)

    def locations(self, root: etree._Element, most: int) -> Iterator[str]:
        """The addresses that a sitemap or an index of sitemaps names."""
        for count, entry in enumerate(root.iterchildren()):
            if count >= most:
                self.truncated = True
                return
            for element in entry.iterchildren():
                if _name(element) == "loc" and (text := (element.text or "").strip()):
                    yield text
                    break

    def read_addresses(self, root: etree._Element) -> None:
        """XML of no format that is known: what is called an address, and what is written like one."""
        for count, element in enumerate(root.iter()):
            if count >= MAX_LOCATIONS:
                self.truncated = True
                return
            named = [(_name(element), (element.text or "").strip())]
            named += [(str(name).rpartition("}")[2].lower(), value) for name, value in element.items()]
            for name, value in named:
                if not value or any(character.isspace() for character in value) or name == "xmlns":
                    continue
                if (
                    _is_encoded(value)
                    or value.startswith(("http://", "https://"))
                    or (name in _ADDRESS_NAMES and ("/" in value or "." in value))
                ):
                    self.add(value, LinkKind.PAGE, "", in_row=False)

    def read_items(self, root: etree._Element) -> None:
        for element in root.iter():
            name = _name(element)
            if name in ("item", "entry"):
                if self._rows >= MAX_ITEMS:
                    self.truncated = True
                    return
                self.read_item(element)
                self._rows += 1
            elif name == "link" and element.get("rel") == "next" and self.next is None:
                self.next = join(self.base, element.get("href", ""))

    def read_item(self, item: etree._Element) -> None:
        addresses = _Addresses()
        title = ""
        for element in item.iter():
            name = _name(element)
            text = (element.text or "").strip()
            if name == "title":
                if not title and element.getparent() is item:
                    title = " ".join(text.split())[:MAX_TITLE]
            elif name == "link":
                addresses.take_link(element, text)
            elif name:
                addresses.take(name, element, text)
        for href in addresses.enclosures:
            self.add(href, LinkKind.DOWNLOAD, title)
        for href in addresses.magnets:
            self.add(href, LinkKind.MAGNET, title)
        for infohash in addresses.hashes:
            self.add_hash(infohash, title)
        for href in addresses.pages:
            self.add(href, LinkKind.PAGE, title)

    def add_hash(self, infohash: str, title: str) -> None:
        magnet = f"magnet:?xt=urn:btih:{infohash.lower()}"
        key = canonical_key(magnet)
        if not any(link.key == key for link in self.item_links()):
            self.add(magnet, LinkKind.INFOHASH, title)

    def item_links(self) -> list[Link]:
        """The links of the item being read, which are the last ones."""
        links: list[Link] = []
        for link in reversed(self.found.values()):
            if link.row is None or link.row.index != self._rows:
                break
            links.append(link)
        return links

    def add(self, href: str, kind: LinkKind, title: str, *, in_row: bool = True) -> None:
        if _is_encoded(href):
            try:
                decoded = decode_link(href)
            except LinkRejected as error:
                if len(self.rejected) < 100:
                    self.rejected.append(RejectedLink(href[:MAX_TITLE], error.reason))
                return
            url: str | None = decoded.url
            chain = decoded.chain[:-1] if decoded.chain[-1] in ("magnet", "ed2k") else decoded.chain
        else:
            url, chain = join(self.base, href), ()
        if url is None or url in self.found:
            return
        if url.startswith("magnet:"):
            kind = kind if kind is LinkKind.INFOHASH else LinkKind.MAGNET
        elif url.startswith(("ed2k:", "ftp:")):
            kind = LinkKind.ED2K if url.startswith("ed2k:") else LinkKind.FTP
        elif kind is LinkKind.PAGE:
            kind = kind_of(url)
        self.found[url] = Link(
            url=url,
            key=canonical_key(url),
            kind=kind,
            source=LinkSource.FEED,
            anchor=title,
            row=Row(0, self._rows) if in_row else None,
            chain=("infohash",) if kind is LinkKind.INFOHASH else chain,
            title=title,
        )

    def result(self, cut: bool) -> PageLinks:
        return PageLinks(
            base=self.base,
            links=tuple(self.found.values()),
            next=self.next,
            feeds=tuple(self._sitemaps),
            rejected=tuple(self.rejected),
            truncated=cut or self.truncated,
        )


def _name(element: etree._Element) -> str:
    """The local name in lower case; "" for comments and instructions."""
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def _is_torrent(element: etree._Element) -> bool:
    return (element.get("type") or "").partition(";")[0].strip().lower() in _TORRENT_TYPES


def _is_download(element: etree._Element, href: str) -> bool:
    """Whether an enclosure is a torrent: its type decides; where the type says nothing, its shape."""
    if _is_torrent(element):
        return True
    kind = (element.get("type") or "").partition(";")[0].strip().lower()
    if kind and kind not in (
        "application/octet-stream",
        "application/force-download",
        "application/download",
    ):
        return _is_encoded(href)
    return bool(kind) or _is_encoded(href) or looks_like_download(href)


def _is_encoded(href: str) -> bool:
    scheme = href.strip().partition(":")[0].lower()
    return scheme in ("magnet", "thunder", "flashget", "flashgetx", "qqdl", "fs2you", "ed2k")
