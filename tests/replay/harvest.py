"""What a store holds, in the plain sets that truth is compared with."""

from __future__ import annotations

from harvester.ports.store import Store
from tests.replay.truth import Harvested

_EVERYTHING = 1_000_000


def harvested(store: Store, site: str | None = None) -> Harvested:
    """Everything stored; `site` limits the walls to one site's."""
    files: set[str] = set()
    hashes: set[str] = set()
    links: set[str] = set()
    for exported in store.iter_torrents(since=0.0):
        torrent = exported.torrent
        names = {name.hex() for name in (torrent.infohash_v1, torrent.infohash_v2) if name}
        hashes |= names
        if torrent.has_file:
            files.add((torrent.infohash_v1 or torrent.infohash_v2 or b"").hex())
        links.update(sighting.download_url for sighting in exported.sightings)
    links.update(link.link for link in store.links_found(limit=_EVERYTHING))
    walls: set[tuple[str, str]] = set()
    for parked in store.parked(site, limit=_EVERYTHING):
        walls.add((parked.kind, parked.url))
        if parked.page_url:
            walls.add((parked.kind, parked.page_url))
    return Harvested(frozenset(files), frozenset(hashes), frozenset(links), frozenset(walls))
