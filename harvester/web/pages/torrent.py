"""The page of one torrent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from harvester.model.redact import redact_text
from harvester.model.stored import Sighting
from harvester.search.records import category_in
from harvester.torrents.redaction import redact_tracker
from harvester.web.api.torrents import file_response
from harvester.web.keys import Scope
from harvester.web.pages.rendering import page, require
from harvester.web.pages.tree import MAX_FILES, file_tree
from harvester.web.problems import not_found
from harvester.web.services import services_of
from harvester.web.torrents import magnet_of, servable, shown_torrent

router = APIRouter()

MAX_PLACES = 200
_LENGTHS = (32, 40, 64)
_HEX = frozenset("0123456789abcdefABCDEF")
_TOLD = ("title", "comment", "created_by", "publisher", "publisher_url", "source")
"""What of a file's own words is shown."""


@router.get("/torrents/{digest}.torrent")
def torrent_file(request: Request, digest: str) -> Response:
    """The .torrent file at its short address."""
    principal = require(request, Scope.READ)
    return file_response(request, services_of(request), principal, _checked(digest))


@router.get("/torrents/{digest}", response_class=HTMLResponse)
def torrent_page(request: Request, digest: str) -> HTMLResponse:
    """Everything about one torrent; `q` is the search that led here, which is counted as opened."""
    principal = require(request, Scope.READ)
    services = services_of(request)
    store = services.store
    torrent = shown_torrent(services, principal, _checked(digest))
    query = request.query_params.get("q", "")[:500]
    services.queries.opened(query)
    variants = store.variants(torrent.id)
    places = places_of(store.sightings(torrent.id))
    files = store.files(torrent.id)
    trackers = dict.fromkeys(redact_tracker(url) for variant in variants for url in variant.trackers)
    context = {
        "query": query,
        "torrent": torrent,
        "category": category_in(torrent, files),
        "tree": file_tree(files),
        "files_left": max(0, len(files) - MAX_FILES),
        "trackers": list(trackers),
        "variants": [
            (one, servable(store, torrent, principal, one.md5.hex()) is not None) for one in variants[:100]
        ],
        "places": places[:MAX_PLACES],
        "places_left": max(0, len(places) - MAX_PLACES),
        "told": {
            name: redact_text(str(torrent.metadata[name])) for name in _TOLD if torrent.metadata.get(name)
        },
        "magnet": magnet_of(store, torrent),
        "servable": servable(store, torrent, principal) is not None,
    }
    return page(request, "torrent.html", context)


@dataclass(frozen=True, slots=True)
class Place:
    """A page that showed the torrent, with all its links to it taken together.

    `links` are `magnet` and `file`, `walls` what one of them stood behind, `last_seen` UTC seconds.
    """

    title: str
    url: str
    site: str
    links: tuple[str, ...]
    walls: tuple[str, ...]
    last_seen: float


def places_of(sightings: Sequence[Sighting]) -> list[Place]:
    """The sightings by page, in the order of the first of each."""
    by_page: dict[tuple[str, str], list[Sighting]] = {}
    for one in sightings:
        by_page.setdefault((one.site, one.page_url), []).append(one)
    return [
        Place(
            title=next((one.title for one in seen if one.title), seen[0].anchor),
            url=redact_text(url),
            site=site,
            links=tuple(
                sorted({"magnet" if one.download_url.startswith("magnet:") else "file" for one in seen})
            ),
            walls=tuple(dict.fromkeys(one.wall or "none" for one in seen)),
            last_seen=max(one.last_seen for one in seen),
        )
        for (site, url), seen in by_page.items()
    ]


def _checked(digest: str) -> str:
    if len(digest) not in _LENGTHS or not _HEX.issuperset(digest):
        raise not_found("there is no such torrent")
    return digest.lower()
