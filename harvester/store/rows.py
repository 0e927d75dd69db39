"""Rows of the torrent tables as values, and the columns to select for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement

from harvester.model.stored import Sighting, StoredFile, StoredTorrent, Variant
from harvester.store.file_lists import unpack_files
from harvester.store.tables import sighting, site, source_page, torrent, tracker_list, variant
from harvester.store.values import from_json, of_halves

# Everything but the file list, which is large and asked for on its own.
TORRENT: tuple[ColumnElement[Any], ...] = (
    torrent.c.id,
    torrent.c.infohash_v1,
    torrent.c.infohash_v2,
    torrent.c.name,
    torrent.c.size,
    torrent.c.n_files,
    torrent.c.has_file,
    torrent.c.private,
    torrent.c.created,
    torrent.c.category,
    torrent.c.metadata_json,
    torrent.c.first_seen,
    torrent.c.last_seen,
    torrent.c.sequence,
)

SIGHTING: tuple[ColumnElement[Any], ...] = (
    sighting.c.torrent_id,
    sighting.c.variant_id,
    site.c.name,
    source_page.c.url,
    sighting.c.download_url,
    source_page.c.title,
    sighting.c.anchor,
    sighting.c.rule,
    sighting.c.wall,
    sighting.c.crawl_id,
    sighting.c.first_seen,
    sighting.c.last_seen,
    sighting.c.times,
)

VARIANT: tuple[ColumnElement[Any], ...] = (
    variant.c.id,
    variant.c.torrent_id,
    variant.c.md5_head,
    variant.c.md5_tail,
    variant.c.sha256,
    variant.c.size,
    tracker_list.c.trackers_json,
    variant.c.flags_json,
    variant.c.first_seen,
)


def torrent_of(row: Sequence[Any]) -> StoredTorrent:
    """A torrent from a row of `TORRENT`."""
    key, v1, v2, name, size, n_files, has_file, private, created, category, metadata, *times = row
    return StoredTorrent(
        id=key,
        infohash_v1=None if v1 is None else bytes(v1),
        infohash_v2=None if v2 is None else bytes(v2),
        name=name,
        size=size,
        n_files=n_files,
        has_file=bool(has_file),
        private=bool(private),
        created=created,
        category=category,
        metadata=from_json(metadata, {}),
        first_seen=times[0],
        last_seen=times[1],
        sequence=times[2],
    )


def sighting_of(row: Sequence[Any]) -> Sighting:
    """A sighting from a row of `SIGHTING` (site and page joined from outside: they may be missing)."""
    torrent_id, variant_id, site_name, page_url, download_url, title, *rest = row
    page_url = page_url or ""
    download_url = whole_url(download_url, page_url)
    return Sighting(torrent_id, variant_id, site_name or "", page_url, download_url, title or "", *rest)


def variant_of(row: Sequence[Any]) -> Variant:
    """A variant from a row of `VARIANT` (its trackers joined from outside: there may be none)."""
    key, torrent_id, md5_head, md5_tail, sha256, size, trackers, flags, first_seen = row
    return Variant(
        id=key,
        torrent_id=torrent_id,
        md5=of_halves(md5_head, md5_tail),
        blob=bytes(sha256).hex(),
        size=size,
        trackers=tuple(from_json(trackers or "", [])),
        flags=tuple(from_json(flags, [])),
        first_seen=first_seen,
    )


def files_of(packed: bytes | None, name: str) -> tuple[StoredFile, ...]:
    """A file list from its column and the name of its torrent."""
    return () if not packed else tuple(StoredFile(*file) for file in unpack_files(bytes(packed), name))


def short_url(url: str, page_url: str) -> str:
    """A URL as it is stored beside that of its page: without scheme and host when they are the page's."""
    origin = _origin(page_url)
    return url[len(origin) :] if origin and url.startswith(f"{origin}/") else url


def whole_url(stored: str, page_url: str) -> str:
    """The URL that `short_url` made shorter."""
    return _origin(page_url) + stored if stored.startswith("/") else stored


def _origin(url: str) -> str:
    """Scheme and host, as they stand there; empty for what has none."""
    scheme, parting, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}" if parting and "/" in rest else ""
