"""What a href of a page is: its fetch URL, its key, its kind; remembered over the pages of a site."""

from __future__ import annotations

import re
from typing import Final

from harvester.errors import LinkRejected
from harvester.links.decode import decode_link
from harvester.links.hints import looks_like_asset, looks_like_download
from harvester.links.keys import canonical_key
from harvester.links.payload import LINK_SCHEME
from harvester.links.urls import join
from harvester.model.link import LinkKind, RejectedLink

MAX_QUOTED: Final = 200
"""Characters that are kept of a rejected link."""
_REDIRECTOR: Final = re.compile(
    r"[?&](?:url|u|target|to|link|goto|go|redirect|r|q|dest)=(?:[a-z0-9]{3,10}(?::|%3a|%253a)|[a-z0-9+/\-_%]{16})",
    re.IGNORECASE,
)
_LINE_BREAKS: Final = str.maketrans("", "", "\t\r\n")
"""Dropped from hrefs, as the WHATWG URL standard does."""
_TOKEN: Final = re.compile(r"[A-Za-z0-9+/=_\-%\\{}:.?&]{16,65536}")
_PLAIN_CHAINS: Final = (("http",), ("ftp",), ("magnet",), ("ed2k",))
_ABSOLUTE: Final = ("http://", "https://")
"""How a href begins that means the same wherever it stands."""

Resolved = tuple[str, str, LinkKind, tuple[str, ...], str]
"""(fetch URL, key, kind, chain, the file's name or "")."""
Outcome = Resolved | RejectedLink | None
"""None: no link at all (a script, a mail address)."""


class LinkMemo:
    """What hrefs were resolved to, by the place they stood in; for the pages of one site.

    Keys are kept in it, so one memo belongs to one set of ignored parameters. Bounded in hrefs (200 to
    400 bytes each); to drop them loses nothing but time.
    """

    def __init__(self, max_links: int = 30_000) -> None:
        self._places: dict[tuple[str, str], dict[str, Outcome]] = {}
        self._room = self._max_links = max_links

    def place(self, name: str, encoding: str) -> dict[str, Outcome]:
        """The resolved hrefs of a place (an origin or a folder), to read and to fill with `put`."""
        found = self._places.get((name, encoding))
        if found is None:
            found = self._places[name, encoding] = {}
            self._room -= 1
        return found

    def put(self, place: dict[str, Outcome], href: str, outcome: Outcome) -> None:
        """Remember an outcome; when there is no more room, all of them are forgotten first."""
        if self._room <= 0:
            self._room = self._max_links
            for known in self._places.values():
                known.clear()
            self._places.clear()
        self._room -= 1
        place[href] = outcome


class Resolver:
    """Resolves the hrefs of one page."""

    def __init__(self, base: str, encoding: str, ignore: frozenset[str], memo: LinkMemo) -> None:
        self._encoding = encoding
        self._ignore = ignore
        self._memo = memo
        self.rebase(base)

    def rebase(self, base: str) -> None:
        """Resolve against another base from now on."""
        self.base = base
        path = base.partition("?")[0]
        start = path.find("://") + 3
        end = path.find("/", start) if start > 2 else -1
        origin = path[:end] if end > 0 else path
        self._anywhere = self._memo.place("", self._encoding)
        self._of_origin = self._memo.place(origin, self._encoding)
        self._of_folder = self._memo.place(path[: path.rfind("/") + 1], self._encoding)

    def outcome(self, href: str) -> Outcome:
        """What a href (its entities undone by the parser) leads to."""
        if not href or href[0] == "?":  # depends on the page, not on its folder
            return self._resolve(href)
        if href[0] == "/":
            place = self._of_origin
        else:
            place = self._anywhere if href.startswith(_ABSOLUTE) else self._of_folder
        try:
            return place[href]
        except KeyError:
            outcome = self._resolve(href)
            self._memo.put(place, href, outcome)
            return outcome

    def _resolve(self, href: str) -> Outcome:
        stripped = href.strip().translate(_LINE_BREAKS)
        scheme = LINK_SCHEME.match(stripped)
        if scheme and scheme[0][:4].lower() not in ("http", "ftp:"):
            return self.decode(stripped)
        url = join(self.base, href, self._encoding)
        if url is None:
            return self.decode(stripped) if looks_encoded(stripped) else None
        if "?" in url and _REDIRECTOR.search(url):
            inner = self.decode(url)
            if isinstance(inner, tuple) and inner[3] and _leaves(url, inner[0]):
                return inner
        key = canonical_key(url, self._ignore)
        return url, url if key == url else key, kind_of(url), (), ""

    def decode(self, text: str) -> Resolved | RejectedLink:
        """The link inside a candidate, through the codecs."""
        try:
            decoded = decode_link(text)
        except LinkRejected as error:
            return RejectedLink(text[:MAX_QUOTED], error.reason)
        chain = () if decoded.chain in _PLAIN_CHAINS else decoded.chain
        key = canonical_key(decoded.url, self._ignore)
        return decoded.url, key, kind_of(decoded.url), chain, decoded.file_name or ""


def kind_of(url: str) -> LinkKind:
    """The kind of a fetch URL by its spelling."""
    if url.startswith("http"):
        if looks_like_download(url):
            return LinkKind.DOWNLOAD
        return LinkKind.ASSET if looks_like_asset(url) else LinkKind.PAGE
    if url.startswith("magnet:"):
        return LinkKind.MAGNET
    return LinkKind.ED2K if url.startswith("ed2k:") else LinkKind.FTP


def looks_encoded(text: str) -> bool:
    """Whether a token may be a disguised link, so that decoding it is worth the try."""
    return _TOKEN.fullmatch(text) is not None


def _leaves(outer: str, inner: str) -> bool:
    """Whether a redirector's target is elsewhere: a login page that names its way back stays itself."""
    return not inner.startswith("http") or _host(outer) != _host(inner)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].partition("?")[0].lower()
