"""A torrent index in the manner of nyaa: a paged list, a page a torrent, a file each, categories, a feed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import unquote, urlencode

from harvester.demo.index_listing import CATEGORIES, USERS, Listing, listings
from harvester.demo.server import Request, Response, SiteState
from harvester.demo.templating import render
from harvester.demo.truth import TruthRow

PER_PAGE = 30
FEED_ITEMS = 30
ROBOTS = "User-agent: *\nDisallow: /login\nDisallow: /search\n"

_STATE_CHANGING = re.compile(r"/view/\d{1,9}/(delete|report|vote)\b")
_ORDERS: dict[str, Callable[[Listing], int]] = {
    "id": lambda listing: listing.number,
    "size": lambda listing: listing.seed.size,
    "seeders": lambda listing: listing.seeders,
    "downloads": lambda listing: listing.downloads,
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
        """Every torrent: those with a file as downloads, the others as the magnets that they are.

        The one whose file is an error page counts as a magnet: its infohash stands in the magnet link.
        """
        return [self._truth_of(listing) for listing in self._listings.values()]

    def _truth_of(self, listing: Listing) -> TruthRow:
        page_url = f"{self._origin}/view/{listing.number}"
        if listing.magnet_only or listing.oddity == "error":
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
            return self._user(unquote(found[1], errors="replace"))
        if request.path in ("/rules", "/help", "/login"):
            return self._page("base", request.path[1:].title(), text="Be kind, keep seeding.")
        return self._missing()

    def _page(
        self, template: str, title: str, *, status: int = 200, onward: str = "", **values: object
    ) -> Response:
        text = render(f"index/{template}.html", title=title, onward=onward, categories=CATEGORIES, **values)
        return Response(text.encode(), status)

    def _missing(self) -> Response:
        return self._page("base", "404 Not Found", status=404, text="There is nothing here.")

    def _front(self, request: Request) -> Response:
        query = request.params()
        shown = [
            listing for listing in self._listings.values() if query.get("c") in (None, "", listing.category)
        ]
        shown.sort(key=_ORDERS.get(query.get("s", "id"), _ORDERS["id"]), reverse=query.get("o") != "asc")
        if query.get("page") == "rss":
            text = render("index/feed.xml", origin=self._origin, listings=_with_files(shown)[:FEED_ITEMS])
            return Response(text.encode(), content_type="application/xml")
        pages = max(1, -(-len(shown) // PER_PAGE))
        text = query.get("p", "1")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1
        if not 1 <= number <= pages:
            return self._missing()
        kept = {name: value for name, value in query.items() if name in ("c", "s", "o")}
        addresses = [f"/?{urlencode({'p': place, **kept})}" for place in range(1, pages + 1)]
        return self._list(CATEGORIES.get(query.get("c", ""), "Browse"), shown, number, addresses)

    def _list(self, title: str, shown: Sequence[Listing], number: int, addresses: Sequence[str]) -> Response:
        return self._page(
            "list",
            title,
            onward=addresses[number] if number < len(addresses) else "",
            listings=shown[(number - 1) * PER_PAGE : number * PER_PAGE],
            number=number,
            addresses=addresses,
        )

    def _view(self, number: int) -> Response:
        listing = self._listings.get(number)
        if listing is None:
            return self._missing()
        return self._page("view", listing.title, listing=listing, category=CATEGORIES[listing.category])

    def _download(self, number: int) -> Response:
        listing = self._listings.get(number)
        if listing is None or listing.magnet_only:
            return self._missing()
        if listing.oddity == "error":
            page = self._page("base", "Something went wrong", text="The file could not be read.")
            return Response(page.body, content_type="application/x-bittorrent")
        return Response(
            listing.seed.data,
            content_type="text/plain" if listing.oddity == "text" else "application/x-bittorrent",
            headers=[("Content-Disposition", f'attachment; filename="{number}.torrent"')],
        )

    def _user(self, name: str) -> Response:
        if name not in USERS:
            return self._missing()
        own = [listing for listing in reversed(self._listings.values()) if listing.user == name]
        return self._list(f"{name}'s torrents", own[:PER_PAGE], 1, [])


def _with_files(shown: Sequence[Listing]) -> list[Listing]:
    return [listing for listing in shown if not listing.magnet_only]
