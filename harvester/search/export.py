"""Exports: everything harvested, as rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Protocol

from harvester.errors import UsageError
from harvester.model.redact import redact_url
from harvester.policy.blocking import Blocklist, Subject
from harvester.ports.store import ChangeFeed, NoteStore, TorrentStore
from harvester.search.blocked import unblocked
from harvester.search.records import Record, file_record, shareable, sighting_record, torrent_record

_RELATIVE = re.compile(r"(\d{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


class ExportStore(TorrentStore, ChangeFeed, NoteStore, Protocol):
    """What exports read."""


def export_torrents(store: ExportStore, since: float = 0.0) -> Iterator[Record]:
    """One record a torrent last seen at or after `since` (UTC seconds), with its sources; no private
    and no blocked ones."""
    for exported in unblocked(store, store.iter_torrents(since=since), lambda one: one.torrent.id):
        if shareable(exported.torrent):
            yield torrent_record(exported.torrent, exported.sightings, exported.md5)


def export_files(store: ExportStore, since: float = 0.0) -> Iterator[Record]:
    """One record a file."""
    for torrent, file in unblocked(store, store.iter_files(since=since), lambda one: one[0].id):
        if shareable(torrent):
            yield file_record(torrent, file)


def export_sightings(store: ExportStore, since: float = 0.0) -> Iterator[Record]:
    """One record a sighting."""
    for torrent, sighting in unblocked(store, store.iter_sightings(since=since), lambda one: one[0].id):
        if shareable(torrent):
            yield sighting_record(torrent, sighting)


def export_links(store: ExportStore, since: float = 0.0) -> Iterator[Record]:
    """One record a link that was decoded or only recorded (thunder, ed2k, ftp, …)."""
    del since  # recorded links carry no last sighting
    blocklist = Blocklist(store.blocks())
    for link in store.links_found(limit=10_000_000):
        if blocklist.match(Subject(texts=(link.anchor, link.link))):
            continue
        yield {
            "scheme": link.scheme,
            "url": redact_url(link.link),
            "page": redact_url(link.page_url),
            "anchor": link.anchor,
        }


EXPORTS: dict[str, Callable[[ExportStore, float], Iterator[Record]]] = {
    "torrents": export_torrents,
    "files": export_files,
    "sightings": export_sightings,
    "links": export_links,
}


def parse_since(text: str, now: float) -> float:
    """A moment as UTC seconds: `2026-11-30`, `2026-11-30T12:00`, `@1764500000`, or `7d` before `now`."""
    relative = _RELATIVE.fullmatch(text.strip())
    if relative:
        return now - int(relative[1]) * _SECONDS[relative[2]]
    if text.startswith("@") and text[1:].replace(".", "", 1).isdigit():
        return float(text[1:])
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"{text!r} is no time", hint="write 2026-11-30, 2026-11-30T12:00, @1764500000 or 7d"
        ) from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
