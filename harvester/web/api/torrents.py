"""One torrent: everything about it, its files, where and when it was seen, its .torrent and magnet."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from harvester.search.records import sighting_record
from harvester.web.api.shapes import (
    Digest,
    History,
    HistoryEvent,
    MagnetLink,
    SightingRow,
    Sightings,
    TorrentDetail,
    TorrentFile,
    TorrentFiles,
)
from harvester.web.authentication import Principal, Reader
from harvester.web.etags import EtagRoute, is_known, unchanged
from harvester.web.problems import not_found
from harvester.web.services import Services, services_of
from harvester.web.torrents import (
    disposition,
    history_of,
    magnet_of,
    record_of,
    servable,
    short_magnet,
    shown_torrent,
)

router = APIRouter(tags=["torrents"], route_class=EtagRoute)


@router.get(
    "/torrents/{digest}.torrent",
    summary="The .torrent file",
    response_class=Response,
    responses={200: {"content": {"application/x-bittorrent": {}}}, 304: {"description": "Not changed."}},
)
def torrent_file(request: Request, principal: Reader, digest: Digest) -> Response:
    """The file as it was harvested, byte for byte."""
    return file_response(request, services_of(request), principal, digest)


def file_response(request: Request, services: Services, principal: Principal, digest: str) -> Response:
    """The .torrent file as an answer; an MD5 names one variant of several."""
    torrent = shown_torrent(services, principal, digest)
    variant = servable(services.store, torrent, principal, digest)
    if variant is None:
        raise not_found(
            "its file was not seen yet"
            if not torrent.has_file
            else "its file names a tracker with somebody's key, and is not handed out"
        )
    tag = f'"{variant.blob[:32]}"'
    if is_known(request, tag):
        return unchanged(tag)
    return Response(
        services.store.raw(variant),
        media_type="application/x-bittorrent",
        headers={"Content-Disposition": disposition(torrent.name), "ETag": tag},
    )


@router.get("/torrents/{digest}", summary="Everything about one torrent")
def torrent(request: Request, principal: Reader, digest: Digest) -> TorrentDetail:
    """Names, hashes, files, trackers, variants and sources."""
    services = services_of(request)
    return TorrentDetail(**record_of(services, shown_torrent(services, principal, digest)))


@router.get("/torrents/{digest}/files", summary="Its files")
def files(
    request: Request,
    principal: Reader,
    digest: Digest,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> TorrentFiles:
    """The file list, page by page; empty for a magnet without its file."""
    services = services_of(request)
    found = services.store.files(shown_torrent(services, principal, digest).id)
    page = [TorrentFile(path=file.path, size=file.size) for file in found[offset : offset + limit]]
    return TorrentFiles(total=len(found), files=page)


@router.get("/torrents/{digest}/sightings", summary="Where it was seen")
def sightings(request: Request, principal: Reader, digest: Digest) -> Sightings:
    """Every page that showed it, how often and when."""
    services = services_of(request)
    torrent = shown_torrent(services, principal, digest)
    rows = [SightingRow(**sighting_record(torrent, one)) for one in services.store.sightings(torrent.id)]
    return Sightings(sightings=rows)


@router.get("/torrents/{digest}/history", summary="What happened to it")
def history(request: Request, principal: Reader, digest: Digest) -> History:
    """First seen, its files, and each place where it was seen, in order of time."""
    services = services_of(request)
    torrent = shown_torrent(services, principal, digest)
    store = services.store
    events = history_of(torrent, store.variants(torrent.id), store.sightings(torrent.id))
    return History(history=[HistoryEvent(**event) for event in events])


@router.get("/torrents/{digest}/magnet", summary="Its magnet link")
def magnet(
    request: Request,
    principal: Reader,
    digest: Digest,
    trackers: Annotated[bool, Query(description="Name its trackers.")] = True,
) -> MagnetLink:
    """A magnet link with name and trackers; trackers with somebody's key in them are left out."""
    services = services_of(request)
    torrent = shown_torrent(services, principal, digest)
    return MagnetLink(magnet=magnet_of(services.store, torrent) if trackers else short_magnet(torrent))
