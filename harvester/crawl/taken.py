"""Parsed torrents and magnets as the values that the store takes."""

from __future__ import annotations

from harvester.model.magnet import Magnet
from harvester.model.stored import Source, StoredFile, TakenTorrent
from harvester.model.torrent import Torrent


def take_torrent(torrent: Torrent, raw: bytes, source: Source) -> TakenTorrent:
    """A torrent that was fetched from `source`, with the file's bytes."""
    metadata = {
        "comment": torrent.comment,
        "created_by": torrent.created_by,
        "publisher": torrent.publisher,
        "publisher_url": torrent.publisher_url,
        "source": torrent.source,
        "title": torrent.title,
        "encoding": torrent.encoding,
        "piece_length": torrent.piece_length,
        "piece_count": torrent.piece_count,
        "webseeds": list(torrent.webseeds),
        "nodes": list(torrent.nodes),
    }
    return TakenTorrent(
        source=source,
        infohash_v1=bytes.fromhex(torrent.infohash_v1) if torrent.infohash_v1 else None,
        infohash_v2=bytes.fromhex(torrent.infohash_v2) if torrent.infohash_v2 else None,
        raw=raw,
        name=torrent.name or torrent.display_name,
        size=torrent.size,
        files=[StoredFile("/".join(file.path), file.size) for file in torrent.files],
        private=torrent.private,
        created=torrent.created,
        metadata={key: value for key, value in metadata.items() if value},
        trackers=[tracker for tier in torrent.trackers for tracker in tier],
        flags=torrent.flags,
    )


def take_magnet(magnet: Magnet, source: Source) -> TakenTorrent:
    """A torrent that is known by its magnet or infohash only."""
    return TakenTorrent(
        source=source,
        infohash_v1=bytes.fromhex(magnet.infohash_v1) if magnet.infohash_v1 else None,
        infohash_v2=bytes.fromhex(magnet.infohash_v2) if magnet.infohash_v2 else None,
        name=magnet.display_name or "",
        size=magnet.size,
        trackers=magnet.trackers,
    )
