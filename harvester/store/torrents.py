"""Reading what was harvested."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, func, literal, select, union_all

from harvester.model.stored import (
    ExportedTorrent,
    Sighting,
    StoredFile,
    StoredTorrent,
    TorrentChange,
    Variant,
)
from harvester.store.blobs import Blobs
from harvester.store.engine import Database
from harvester.store.rows import (
    SIGHTING,
    TORRENT,
    VARIANT,
    files_of,
    sighting_of,
    torrent_of,
    variant_of,
)
from harvester.store.tables import (
    sighting,
    site,
    source_page,
    torrent,
    torrent_gone,
    torrent_site,
    tracker_list,
    variant,
)
from harvester.store.values import clean, halves, of_halves

# Torrents read at once by the iterators: a page is in memory, no transaction stays open between pages.
PAGE = 500
# Ids bound to one statement.
CHUNK = 500

_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){1,64}")
_SIGHTINGS = (
    select(*SIGHTING)
    .join_from(sighting, site, site.c.id == sighting.c.site_id, isouter=True)
    .join(source_page, source_page.c.hash == sighting.c.page_hash, isouter=True)
)


class Torrents:
    """Torrents, their files, variants and sightings."""

    def __init__(self, database: Database, blobs: Blobs) -> None:
        self._database = database
        self._blobs = blobs
        self._by_id = database.dialect.look_up(torrent, tuple(column.name for column in TORRENT), "id")

    def find_torrent(self, digest: str) -> StoredTorrent | None:
        """See `harvester.ports.store.TorrentStore`."""
        if not _HEX.fullmatch(digest):
            return None
        value = bytes.fromhex(digest)
        if len(value) == 16:
            head, tail = halves(value)
            of_file = (
                select(variant.c.torrent_id)
                .where(variant.c.md5_head == head, variant.c.md5_tail == tail)
                .limit(1)
            )
            return self._one(torrent.c.id == of_file.scalar_subquery())
        if len(value) == 32:
            return self._one(torrent.c.infohash_v2 == value)
        if len(value) == 20:
            # All v2 hashes that begin so lie between these two.
            truncated = torrent.c.infohash_v2.between(value + b"\x00" * 12, value + b"\xff" * 12)
            return self._one(torrent.c.infohash_v1 == value) or self._one(truncated)
        return None

    def _one(self, condition: ColumnElement[bool]) -> StoredTorrent | None:
        with self._database.read() as connection:
            row = connection.execute(select(*TORRENT).where(condition).limit(1)).one_or_none()
        return None if row is None else torrent_of(row)

    def torrents(self, ids: Sequence[int]) -> list[StoredTorrent]:
        """See `harvester.ports.store.TorrentStore`."""
        with self._database.read() as connection:
            found = {row[0]: torrent_of(row) for row in self._by_id(connection, ids)}
        return [found[key] for key in ids if key in found]

    def exported(self, ids: Sequence[int]) -> list[ExportedTorrent]:
        """See `harvester.ports.store.TorrentStore`."""
        return [one for chunk in _chunks(ids) for one in self._exported(self.torrents(chunk))]

    def _exported(self, torrents: Sequence[StoredTorrent]) -> list[ExportedTorrent]:
        """These torrents with their sightings and the MD5 of their first file."""
        ids = [one.id for one in torrents]
        seen: dict[int, list[Sighting]] = {key: [] for key in ids}
        md5s: dict[int, bytes] = {}
        with self._database.read() as connection:
            for row in connection.execute(_SIGHTINGS.where(sighting.c.torrent_id.in_(ids))):
                seen[row[0]].append(sighting_of(row))
            first = select(variant.c.torrent_id, variant.c.md5_head, variant.c.md5_tail)
            first = first.where(variant.c.torrent_id.in_(ids)).order_by(variant.c.id)
            for key, head, tail in connection.execute(first):
                md5s.setdefault(key, of_halves(head, tail))
        for sightings in seen.values():
            sightings.sort(key=lambda one: (one.first_seen, one.download_url))
        return [ExportedTorrent(one, md5s.get(one.id), tuple(seen[one.id])) for one in torrents]

    def files(self, torrent_id: int) -> tuple[StoredFile, ...]:
        """See `harvester.ports.store.TorrentStore`."""
        return self.files_of([torrent_id]).get(torrent_id, ())

    def files_of(self, ids: Sequence[int]) -> dict[int, tuple[StoredFile, ...]]:
        """See `harvester.ports.store.TorrentStore`."""
        found: dict[int, tuple[StoredFile, ...]] = {}
        with self._database.read() as connection:
            for chunk in _chunks(ids):
                columns = (torrent.c.id, torrent.c.name, torrent.c.files_zst)
                statement = select(*columns).where(torrent.c.id.in_(chunk))
                for key, name, packed in connection.execute(statement):
                    found[key] = files_of(packed, name)
        return found

    def variants(self, torrent_id: int) -> list[Variant]:
        """See `harvester.ports.store.TorrentStore`."""
        statement = (
            select(*VARIANT)
            .join_from(variant, tracker_list, tracker_list.c.hash == variant.c.trackers_hash, isouter=True)
            .where(variant.c.torrent_id == torrent_id)
        )
        with self._database.read() as connection:
            rows = connection.execute(statement.order_by(variant.c.first_seen, variant.c.id))
            return [variant_of(row) for row in rows]

    def sightings(self, torrent_id: int) -> list[Sighting]:
        """See `harvester.ports.store.TorrentStore`."""
        statement = _SIGHTINGS.where(sighting.c.torrent_id == torrent_id).order_by(
            sighting.c.first_seen, sighting.c.page_hash, sighting.c.download_hash
        )
        with self._database.read() as connection:
            return [sighting_of(row) for row in connection.execute(statement)]

    def raw(self, variant: Variant) -> bytes:
        """See `harvester.ports.store.TorrentStore`."""
        return self._blobs.get(variant.blob)

    def search_names(
        self, words: Sequence[str], *, site: str | None = None, limit: int = 20
    ) -> list[StoredTorrent]:
        """See `harvester.ports.store.TorrentStore`."""
        statement = select(*TORRENT).order_by(torrent.c.first_seen.desc(), torrent.c.id.desc()).limit(limit)
        for word in words:
            statement = statement.where(torrent.c.name.icontains(clean(word), autoescape=True))
        if site is not None:
            statement = _on_site(statement, site)
        with self._database.read() as connection:
            return [torrent_of(row) for row in connection.execute(statement)]

    def count_torrents(self) -> tuple[int, int]:
        """See `harvester.ports.store.TorrentStore`."""
        with self._database.read() as connection:
            total = connection.execute(select(func.count()).select_from(torrent)).scalar_one()
            with_file = select(func.count()).select_from(torrent).where(torrent.c.has_file.is_(True))
            return total, connection.execute(with_file).scalar_one()

    # --- everything, page by page ---------------------------------------------------------------

    def iter_torrents(self, *, since: float = 0.0) -> Iterator[ExportedTorrent]:
        """See `harvester.ports.store.TorrentStore`."""
        for rows in self._pages(since, TORRENT):
            yield from self._exported([torrent_of(row) for row in rows])

    def iter_files(self, *, since: float = 0.0) -> Iterator[tuple[StoredTorrent, StoredFile]]:
        """See `harvester.ports.store.TorrentStore`."""
        for rows in self._pages(since, (*TORRENT, torrent.c.files_zst)):
            for row in rows:
                *head, packed = row
                one = torrent_of(head)
                for file in files_of(packed, one.name):
                    yield one, file

    def iter_sightings(self, *, since: float = 0.0) -> Iterator[tuple[StoredTorrent, Sighting]]:
        """See `harvester.ports.store.TorrentStore`."""
        for exported in self.iter_torrents(since=since):
            for one in exported.sightings:
                if one.last_seen >= since:
                    yield exported.torrent, one

    def _pages(self, since: float, columns: Sequence[ColumnElement[Any]]) -> Iterator[Sequence[Any]]:
        after = 0
        while True:
            statement = select(*columns).where(torrent.c.id > after).order_by(torrent.c.id).limit(PAGE)
            if since > 0:
                statement = statement.where(torrent.c.last_seen >= since)
            with self._database.read() as connection:
                rows = connection.execute(statement).all()
            if not rows:
                return
            yield rows
            after = rows[-1].id

    # --- the change feed ------------------------------------------------------------------------

    def changes_since(self, sequence: int, limit: int = 1000) -> list[TorrentChange]:
        """See `harvester.ports.store.ChangeFeed`."""
        both = union_all(
            select(torrent.c.sequence, torrent.c.id, literal(0).label("gone"))
            .where(torrent.c.sequence > sequence)
            .order_by(torrent.c.sequence)
            .limit(limit)
            .subquery()
            .select(),
            select(torrent_gone.c.sequence, torrent_gone.c.torrent_id, literal(1))
            .where(torrent_gone.c.sequence > sequence)
            .order_by(torrent_gone.c.sequence)
            .limit(limit)
            .subquery()
            .select(),
        ).subquery()
        statement = select(both).order_by(both.c.sequence).limit(limit)
        with self._database.read() as connection:
            return [TorrentChange(row[0], row[1], bool(row[2])) for row in connection.execute(statement)]

    def last_sequence(self) -> int:
        """See `harvester.ports.store.ChangeFeed`."""
        with self._database.read() as connection:
            last = connection.execute(select(func.max(torrent.c.sequence))).scalar_one_or_none() or 0
            gone = connection.execute(select(func.max(torrent_gone.c.sequence))).scalar_one_or_none() or 0
        return max(last, gone)


def _on_site(statement: Select[Any], name: str) -> Select[Any]:
    there = (
        select(torrent_site.c.torrent_id)
        .join_from(torrent_site, site, site.c.id == torrent_site.c.site_id)
        .where(torrent_site.c.torrent_id == torrent.c.id, site.c.name == clean(name))
    )
    return statement.where(there.exists())


def _chunks(ids: Sequence[int]) -> Iterator[list[int]]:
    for start in range(0, len(ids), CHUNK):
        yield list(ids[start : start + CHUNK])
