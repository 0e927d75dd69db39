"""The page of one torrent."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from harvester.model.redact import redact_text
from harvester.torrents.redaction import redact_tracker
from harvester.web.api.torrents import file_response
from harvester.web.keys import Scope
from harvester.web.pages.rendering import page, require
from harvester.web.pages.tree import MAX_FILES, file_tree
from harvester.web.problems import not_found
from harvester.web.services import services_of
from harvester.web.torrents import magnet_of, servable, shown_torrent

router = APIRouter()

MAX_SIGHTINGS = 200
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
    sightings = store.sightings(torrent.id)
    files = store.files(torrent.id)
    trackers = dict.fromkeys(redact_tracker(url) for variant in variants for url in variant.trackers)
    context = {
        "query": query,
        "torrent": torrent,
        "tree": file_tree(files),
        "files_left": max(0, len(files) - MAX_FILES),
        "trackers": list(trackers),
        "variants": variants,
        "sightings": [
            (one, redact_text(one.page_url), redact_text(one.download_url))
            for one in sightings[:MAX_SIGHTINGS]
        ],
        "sightings_left": max(0, len(sightings) - MAX_SIGHTINGS),
        "told": {
            name: redact_text(str(torrent.metadata[name])) for name in _TOLD if torrent.metadata.get(name)
        },
        "magnet": magnet_of(store, torrent),
        "servable": servable(store, torrent, principal) is not None,
    }
    return page(request, "torrent.html", context)


def _checked(digest: str) -> str:
    if len(digest) not in _LENGTHS or not _HEX.issuperset(digest):
        raise not_found("there is no such torrent")
    return digest.lower()
