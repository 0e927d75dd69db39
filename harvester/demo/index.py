"""A torrent index in the manner of nyaa: a paged list, a page a torrent, a file each, categories, a feed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from urllib.parse import unquote

from harvester.demo.index_listing import CATEGORIES, USERS, Listing, listings
from harvester.demo.index_pages import list_body, page, rss, view_body
from harvester.demo.server import Request, Response, SiteState
from harvester.demo.truth import TruthRow

PER_PAGE = 30
FEED_ITEMS = 30
ROBOTS = "User-agent: *\nDisallow: /login\nDisallow: /search\n"

_STATE_CHANGING = re.compile(r"/view/\d{1,9}/(delete|report|vote)\b|/logout\b")
_ORDERS = {
    "size": lambda listing: listing.seed.size,
    "seeders": lambda listing: listing.number * 7 % 240,
    "downloads": lambda listing: listing.number * 31 % 4000,
    "id": lambda listing: listing.number,
}


class TorrentIndex:
    """The index at `origin` (no slash at the end)."""

    name = "demo-index"

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._state = SiteState()
        self._listings = {listing.number: listing for listing in listings()}

    @property
    def url(self) -> str:
        """The start page."""
        return f"{self._origin}/"

    @property
    def state(self) -> SiteState:
        """What the index has seen."""
        return self._state

    def truth(self) -> Sequence[TruthRow]:
        """Every torrent file, and the magnets that have no file.

        The entry whose file was lost is a magnet: its infohash stands in the magnet link.
        """
        return [self._truth_of(listing) for listing in self._listings.values()]

    def _truth_of(self, listing: Listing) -> TruthRow:
        page_url = f"{self._origin}/view/{listing.number}"
        if listing.oddity in ("magnet", "error"):
            return TruthRow(listing.seed.infohash, page_url, "none", page_url, "magnet", "-")
        url = f"{self._origin}/download/{listing.number}.torrent"
        return TruthRow(listing.seed.infohash, url, "none", page_url, "download", "anon")

    async def answer(self, request: Request) -> Response:
        """Answer one request."""
        self._state.record(request)
        if _STATE_CHANGING.match(request.path):
            self._state.violations.append(request.target)
        if request.path.startswith(("/login", "/search")):
            self._state.robots_violations.append(request.target)
        if request.path == "/robots.txt":
            return Response(ROBOTS.encode(), content_type="text/plain")
        if request.path == "/":
            return self._front(request)
        if found := re.fullmatch(r"/view/(\d{1,9})", request.path):
            return self._view(int(found[1]))
        if found := re.fullmatch(r"/download/(\d{1,9})\.torrent", request.path):
            return self._download(int(found[1]))
        if found := re.fullmatch(r"/user/([^/]{1,80})", request.path):
            return self._user(request, found[1])
        if request.path in ("/rules", "/help", "/login"):
            return self._html(
                request.path[1:].title(), "<div class='panel'><p>Be kind, keep seeding.</p></div>"
            )
        return self._missing()

    def _html(self, title: str, body: str, status: int = 200) -> Response:
        return Response(page(title, body).encode(), status)

    def _missing(self) -> Response:
        return self._html("404 Not Found", "<h2>404 Not Found</h2><p>There is nothing here.</p>", 404)

    def _front(self, request: Request) -> Response:
        query = request.params()
        shown = [
            listing for listing in self._listings.values() if query.get("c") in (None, "", listing.category)
        ]
        order = _ORDERS.get(query.get("s", "id"), _ORDERS["id"])
        shown.sort(key=order, reverse=query.get("o") != "asc")
        if query.get("page") == "rss":
            return Response(rss(self._origin, shown[:FEED_ITEMS]).encode(), content_type="application/xml")
        pages = max(1, -(-len(shown) // PER_PAGE))
        text = query.get("p", "1")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
        if not 1 <= number <= pages:
            return self._missing()
        shown = shown[(number - 1) * PER_PAGE : number * PER_PAGE]
        title = CATEGORIES.get(query.get("c", ""), "Browse")
        return self._html(title, list_body(shown, query, number, pages))

    def _view(self, number: int) -> Response:
        listing = self._listings.get(number)
        return self._html(listing.title, view_body(listing)) if listing else self._missing()

    def _download(self, number: int) -> Response:
        listing = self._listings.get(number)
        if listing is None or listing.magnet_only:
            return self._missing()
        if listing.oddity == "error":
            body = page("Error", "<h2>Something went wrong</h2><p>The file could not be read.</p>").encode()
            return Response(body, content_type="application/x-bittorrent")
        kind = "text/plain" if listing.oddity == "text" else "application/x-bittorrent"
        name = f"{listing.number}.torrent"
        return Response(
            listing.seed.data,
            content_type=kind,
            headers=[("Content-Disposition", f'attachment; filename="{name}"')],
        )

    def _user(self, request: Request, name: str) -> Response:
        name = unquote(name, errors="replace")
        if name not in USERS:
            return self._missing()
        own = [listing for listing in self._listings.values() if listing.user == name]
        return self._html(f"{escape(name)}'s torrents", list_body(own[-PER_PAGE:], {}, 1, 1))
