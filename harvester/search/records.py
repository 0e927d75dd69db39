"""Stored torrents as the plain records that people and programs are given.

Keys are a public contract (exports, API). Trackers and links go through redaction; private torrents are
marked, and `shareable` says whether a record may leave the machine at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from harvester.model.redact import redact_url
from harvester.model.stored import Sighting, StoredFile, StoredTorrent, Variant
from harvester.torrents.category import category_of
from harvester.torrents.redaction import redact_tracker

Record = dict[str, Any]


def shareable(torrent: StoredTorrent) -> bool:
    """Whether others than the operator may be given this torrent: BEP 27 private ones never are."""
    return not torrent.private


def timestamp(seconds: float | None) -> str | None:
    """UTC seconds as ISO 8601 with `Z`, None for None or for what no calendar holds."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return None


def torrent_record(torrent: StoredTorrent, sightings: Iterable[Sighting], md5: bytes | None) -> Record:
    """One torrent: hashes, name, size, number of files, dates, and where it was seen."""
    return {
        "infohash_v1": _hex(torrent.infohash_v1),
        "infohash_v2": _hex(torrent.infohash_v2),
        "md5": _hex(md5),
        "name": torrent.name,
        "size": torrent.size,
        "files": torrent.n_files,
        "private": torrent.private,
        "created": timestamp(torrent.created),
        "first_seen": timestamp(torrent.first_seen),
        "last_seen": timestamp(torrent.last_seen),
        "sources": [source_record(sighting) for sighting in sightings],
    }


def source_record(sighting: Sighting) -> Record:
    """One sighting as a source: the link, the page that showed it, the site, the wall it was behind."""
    return {
        "url": redact_url(sighting.download_url),
        "page": redact_url(sighting.page_url),
        "site": sighting.site,
        "wall": sighting.wall or "none",
    }


def sighting_record(torrent: StoredTorrent, sighting: Sighting) -> Record:
    """One sighting as a row of its own."""
    return {
        "infohash_v1": _hex(torrent.infohash_v1),
        "infohash_v2": _hex(torrent.infohash_v2),
        **source_record(sighting),
        "title": sighting.title,
        "anchor": sighting.anchor,
        "rule": sighting.rule,
        "crawl": sighting.crawl_id,
        "first_seen": timestamp(sighting.first_seen),
        "last_seen": timestamp(sighting.last_seen),
        "times": sighting.times,
    }


def file_record(torrent: StoredTorrent, file: StoredFile) -> Record:
    """One file of a torrent as a row of its own."""
    return {
        "infohash_v1": _hex(torrent.infohash_v1),
        "infohash_v2": _hex(torrent.infohash_v2),
        "path": file.path,
        "size": file.size,
    }


def detailed_record(
    torrent: StoredTorrent,
    variants: Sequence[Variant],
    sightings: Sequence[Sighting],
    files: Sequence[StoredFile],
) -> Record:
    """Everything about one torrent, for `harvest show` and the API."""
    trackers = dict.fromkeys(tracker for variant in variants for tracker in variant.trackers)
    record = torrent_record(torrent, sightings, variants[0].md5 if variants else None)
    return record | {
        "category": category_in(torrent, files),
        "has_file": torrent.has_file,
        "file_list": [{"path": file.path, "size": file.size} for file in files],
        "trackers": [redact_tracker(tracker) for tracker in trackers],
        "metadata": dict(torrent.metadata),
        "variants": [
            {
                "md5": _hex(variant.md5),
                "size": variant.size,
                "trackers": [redact_tracker(tracker) for tracker in variant.trackers],
                "flags": list(variant.flags),
                "first_seen": timestamp(variant.first_seen),
            }
            for variant in variants
        ],
    }


def category_in(torrent: StoredTorrent, files: Sequence[StoredFile]) -> str:
    """What the site says that it is, else what its name and files say."""
    largest = max(files, key=lambda file: file.size).path if files else ""
    return torrent.category or category_of(torrent.name, largest, (file.path for file in files))


def _hex(value: bytes | None) -> str | None:
    return value.hex() if value is not None else None
