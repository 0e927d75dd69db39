"""`/api/v1`: what was harvested, for programs."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from pydantic import BaseModel, Field

from harvester.model.stored import StoredTorrent
from harvester.ports.store import TorrentStore
from harvester.search.records import detailed_record, shareable, torrent_record

router = APIRouter(prefix="/api/v1", tags=["torrents"])

Digest = Annotated[
    str,
    Path(
        pattern=r"^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$",
        description="Infohash v1 (40 hex), v2 (64 hex, or its first 40), or the MD5 of the file (32 hex).",
    ),
]
_UNSAFE = re.compile(r"[^\w .()\[\]-]+")


class Source(BaseModel):
    """Where a torrent was seen."""

    url: str
    page: str
    site: str
    wall: str


class TorrentRow(BaseModel):
    """One torrent of a result."""

    infohash_v1: str | None
    infohash_v2: str | None
    md5: str | None
    name: str
    size: int | None
    files: int
    private: bool
    created: str | None
    first_seen: str | None
    last_seen: str | None
    sources: list[Source]


class SearchResult(BaseModel):
    """The torrents that match, newest first."""

    query: str
    count: int = Field(description="How many are in `torrents`.")
    torrents: list[TorrentRow]


def store_of(request: Request) -> TorrentStore:
    """The store that this server reads."""
    store: TorrentStore = request.app.state.store
    return store


@router.get("/search", summary="Search by words of the name")
def search(
    request: Request,
    q: Annotated[str, Query(max_length=500, description="Words that the name has to contain.")] = "",
    site: Annotated[str | None, Query(max_length=100, description="Only of this site.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> SearchResult:
    """Torrents whose name contains every word."""
    found = find_public(store_of(request), q, site, limit)
    return SearchResult(query=q, count=len(found), torrents=[TorrentRow(**record) for record in found])


@router.get("/torrents/{digest}.torrent", summary="The .torrent file", response_class=Response)
def torrent_file(request: Request, digest: Digest) -> Response:
    """The file as it was harvested, byte for byte."""
    store = store_of(request)
    torrent = _public_torrent(store, digest)
    variants = store.variants(torrent.id)
    if not variants:
        raise HTTPException(404, "this torrent is known by its magnet only; its file was not seen yet")
    name = (
        _UNSAFE.sub("_", torrent.name)[:100].encode("ascii", "replace").decode().replace("?", "_")
        or "torrent"
    )
    return Response(
        store.raw(variants[0]),
        media_type="application/x-bittorrent",
        headers={"Content-Disposition": f'attachment; filename="{name}.torrent"'},
    )


@router.get("/torrents/{digest}", summary="Everything about one torrent")
def torrent(request: Request, digest: Digest) -> dict[str, Any]:
    """Names, hashes, files, trackers, variants and sightings."""
    store = store_of(request)
    found = _public_torrent(store, digest)
    return detailed_record(found, store.variants(found.id), store.sightings(found.id), store.files(found.id))


def find_public(store: TorrentStore, query: str, site: str | None, limit: int) -> list[dict[str, Any]]:
    """Records of torrents that may be shown to anyone."""
    records = []
    for found in store.search_names(query.split()[:20], site=site, limit=limit):
        if shareable(found):
            variants = store.variants(found.id)
            md5 = variants[0].md5 if variants else None
            records.append(torrent_record(found, store.sightings(found.id), md5))
    return records


def _public_torrent(store: TorrentStore, digest: str) -> StoredTorrent:
    found = store.find_torrent(digest.lower())
    if found is None or not shareable(found):
        raise HTTPException(404, "no such torrent")
    return found
