"""The torrents of a batch: which are new, which are the same as one stored, and what to write.

A torrent is one row whose infohash v1 or v2 equals. A file proves both hashes of a hybrid, so a file may
join two rows; a magnet only claims them, so it never does, and never overrules what a file said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import md5, sha256
from typing import NamedTuple

from msgspec import Struct, field
from sqlalchemy import Connection, delete, insert, select, update

from harvester.model.crawl import Batch, Outcome
from harvester.model.stored import TakenTorrent
from harvester.store.blobs import Blobs
from harvester.store.bulk import Dialect, Row
from harvester.store.tables import sighting, source_page, torrent, torrent_gone, torrent_site, variant
from harvester.store.values import Packer, bounded, bounded_or_none, clean, finite_or_none, to_json

_HEAD = ("id", "infohash_v1", "infohash_v2", "has_file", "name")
_MAX_FILES = 2**31 - 1
_COLUMNS = tuple(column.name for column in torrent.columns)
_CHANGED = tuple(name for name in _COLUMNS if name not in {"id", "first_seen"})
_SIGHTING = tuple(column.name for column in sighting.columns)


class Digests(NamedTuple):
    """What identifies a file's bytes."""

    md5: bytes
    sha256: bytes


def digests_of(taken: TakenTorrent) -> Digests | None:
    """The digests of the raw file; None for a magnet."""
    if taken.raw is None:
        return None
    return Digests(md5(taken.raw, usedforsecurity=False).digest(), sha256(taken.raw).digest())


def store_blobs(blobs: Blobs, taken: Sequence[TakenTorrent], digests: Sequence[Digests | None]) -> None:
    """Write the raw files. Before the transaction: a row never speaks of a file that is not there."""
    for one, digest in zip(taken, digests, strict=True):
        if digest is not None and one.raw is not None:
            blobs.put(digest.sha256.hex(), one.raw)


class _Known(Struct):
    """A torrent while the batch is being worked out. `fresh`: not in the database yet."""

    id: int
    v1: bytes | None
    v2: bytes | None
    has_file: bool
    name: str
    fresh: bool = False
    crawl_id: int = 0
    file_crawl_id: int = 0
    on_site: bool = False
    changed: bool = False
    rehashed: bool = False
    content: TakenTorrent | None = None
    absorbed: list[int] = field(default_factory=list)


class TorrentWriter:
    """The torrents' part of a batch. Used inside the writing transaction, one at a time."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._packer = Packer()
        self._by_v1 = dialect.look_up(torrent, _HEAD, "infohash_v1")
        self._by_v2 = dialect.look_up(torrent, _HEAD, "infohash_v2")
        self._on_site = dialect.look_up(
            torrent_site, ("torrent_id", "crawl_id", "file_crawl_id"), "torrent_id", fixed=("site_id",)
        )
        self._variants = dialect.look_up(variant, ("sha256", "id"), "sha256")
        self._insert = dialect.insert(torrent, _COLUMNS)
        self._rewrite = dialect.update(torrent, _CHANGED, ("id",))
        self._mark = dialect.update(
            torrent, ("infohash_v1", "infohash_v2", "name", "sequence", "last_seen"), ("id",)
        )
        self._unhash = dialect.update(torrent, ("infohash_v1", "infohash_v2"), ("id",))
        self._touch = dialect.update(torrent, ("last_seen",), ("id",))
        self._insert_variant = dialect.insert(variant, tuple(column.name for column in variant.columns))
        self._put_site = dialect.insert(
            torrent_site,
            ("torrent_id", "site_id", "crawl_id", "file_crawl_id"),
            "ON CONFLICT (torrent_id, site_id) DO UPDATE SET crawl_id = excluded.crawl_id,"
            " file_crawl_id = excluded.file_crawl_id",
        )
        self._put_page = dialect.insert(
            source_page,
            ("hash", "url", "title"),
            "ON CONFLICT (hash) DO UPDATE SET title = excluded.title"
            " WHERE excluded.title <> '' AND excluded.title <> source_page.title",
        )
        self._put_sighting = dialect.insert(
            sighting,
            _SIGHTING,
            "ON CONFLICT (torrent_id, page_hash, download_hash) DO UPDATE SET"
            " crawl_id = excluded.crawl_id, last_seen = excluded.last_seen,"
            " times = sighting.times + excluded.times, wall = excluded.wall,"
            " variant_id = coalesce(excluded.variant_id, sighting.variant_id)",
        )

    def apply(
        self, connection: Connection, batch: Batch, digests: Sequence[Digests | None]
    ) -> tuple[list[Outcome], list[int]]:
        """Write the batch's torrents: (outcomes, torrent ids), in the order of `batch.torrents`."""
        if not batch.torrents:
            return [], []
        # Three numbers each at most: its id or sequence, its variant's id, the end of one it is joined with.
        # Drawing them locks out every other writer of torrents until the commit.
        first = self._dialect.draw(connection, "change", 3 * len(batch.torrents))
        numbers = iter(range(first, first + 3 * len(batch.torrents)))
        register = self._load(connection, batch)
        outcomes: list[Outcome] = []
        matched: list[_Known] = []
        for taken in batch.torrents:
            known = register.match(taken, numbers)
            outcomes.append(_outcome(known, taken, batch.crawl.id))
            _learn(known, taken, batch.crawl.id)
            matched.append(known)
        for known in register.joined:
            self._join(connection, known, numbers)
        self._write(connection, batch, register, numbers)
        variants = self._write_variants(connection, batch, matched, digests, numbers)
        self._write_sightings(connection, batch, matched, variants)
        return outcomes, [known.id for known in matched]

    def _load(self, connection: Connection, batch: Batch) -> _Register:
        v1 = {taken.infohash_v1 for taken in batch.torrents if taken.infohash_v1 is not None}
        v2 = {taken.infohash_v2 for taken in batch.torrents if taken.infohash_v2 is not None}
        rows = [*self._by_v1(connection, list(v1)), *self._by_v2(connection, list(v2))]
        register = _Register()
        for key, infohash_v1, infohash_v2, has_file, name in rows:
            if key not in register.by_id:
                register.add(_Known(key, _bytes(infohash_v1), _bytes(infohash_v2), bool(has_file), name))
        found = self._on_site(connection, list(register.by_id), batch.crawl.site_id)
        for key, crawl_id, file_crawl_id in found:
            known = register.by_id[key]
            known.on_site, known.crawl_id, known.file_crawl_id = True, crawl_id, file_crawl_id
        return register

    def _write(
        self, connection: Connection, batch: Batch, register: _Register, numbers: Iterator[int]
    ) -> None:
        fresh, rewritten, marked, touched = [], [], [], []
        # Hashes change hands only through NULL: two rows never hold one hash, whatever the order.
        rehashed = [known for known in register.by_id.values() if known.rehashed and not known.fresh]
        self._unhash(connection, [(None, None, known.id) for known in rehashed])
        for known in register.by_id.values():
            if known.fresh:
                fresh.append(self._row(known, known.id, batch.now))
            elif known.content is not None:
                row = self._row(known, next(numbers), batch.now)
                rewritten.append((*_without_first_seen(row), known.id))
            elif known.changed or not known.on_site:
                marked.append((known.v1, known.v2, known.name, next(numbers), batch.now, known.id))
            else:
                touched.append((batch.now, known.id))
        self._rewrite(connection, rewritten)
        self._mark(connection, marked)
        self._insert(connection, fresh)
        self._touch(connection, touched)
        self._put_site(
            connection,
            [
                (known.id, batch.crawl.site_id, known.crawl_id, known.file_crawl_id)
                for known in register.by_id.values()
            ],
        )

    def _row(self, known: _Known, sequence: int, now: float) -> Row:
        taken = known.content
        assert taken is not None
        files = [(clean(path), bounded(size)) for path, size in taken.files]
        return (
            known.id,
            known.v1,
            known.v2,
            sequence,
            known.has_file,
            taken.private,
            now,
            now,
            finite_or_none(taken.created),
            bounded_or_none(taken.size),
            min(len(files), _MAX_FILES),
            known.name,
            clean(taken.category),
            to_json(taken.metadata),
            self._packer.pack(files) if files else None,
        )

    def _write_variants(
        self,
        connection: Connection,
        batch: Batch,
        matched: Sequence[_Known],
        digests: Sequence[Digests | None],
        numbers: Iterator[int],
    ) -> list[int | None]:
        wanted = {digest.sha256 for digest in digests if digest is not None}
        ids = {bytes(row[0]): int(row[1]) for row in self._variants(connection, list(wanted))}
        rows = []
        for taken, known, digest in zip(batch.torrents, matched, digests, strict=True):
            if digest is None or digest.sha256 in ids:
                continue
            ids[digest.sha256] = next(numbers)
            rows.append(
                (
                    ids[digest.sha256],
                    known.id,
                    *digest,
                    len(taken.raw or b""),
                    batch.now,
                    to_json(tuple(taken.trackers)),
                    to_json(tuple(taken.flags)),
                )
            )
        self._insert_variant(connection, rows)
        return [None if digest is None else ids[digest.sha256] for digest in digests]

    def _write_sightings(
        self,
        connection: Connection,
        batch: Batch,
        matched: Sequence[_Known],
        variants: Sequence[int | None],
    ) -> None:
        pages: dict[int, tuple[str, str]] = {}
        rows: dict[tuple[int, int, int], Row] = {}
        for taken, known, variant_id in zip(batch.torrents, matched, variants, strict=True):
            source = taken.source
            title = clean(source.title) or pages.get(source.page_hash, ("", ""))[1]
            pages[source.page_hash] = (clean(source.page_url), title)
            key = (known.id, source.page_hash, source.download_hash)
            before = rows.get(key)
            rows[key] = (
                *key,
                batch.crawl.site_id,
                batch.crawl.id,
                variant_id if variant_id is not None or before is None else before[5],
                batch.now,
                batch.now,
                1 if before is None else before[8] + 1,
                clean(source.download_url),
                clean(source.anchor),
                clean(source.rule),
                clean(source.wall),
            )
        self._put_page(connection, [(key, *page) for key, page in sorted(pages.items())])
        self._put_sighting(connection, [rows[key] for key in sorted(rows)])

    def _join(self, connection: Connection, known: _Known, numbers: Iterator[int]) -> None:
        """Let a hybrid take over the rows of its other hash, with all that belongs to them."""
        for gone in known.absorbed:
            connection.execute(
                update(variant).where(variant.c.torrent_id == gone).values(torrent_id=known.id)
            )
            for table, keys in ((sighting, ("page_hash", "download_hash")), (torrent_site, ("site_id",))):
                twin = table.alias()
                same = [twin.c[name] == table.c[name] for name in keys]
                twice = select(twin.c.torrent_id).where(twin.c.torrent_id == known.id, *same)
                connection.execute(delete(table).where(table.c.torrent_id == gone, twice.exists()))
                connection.execute(
                    update(table).where(table.c.torrent_id == gone).values(torrent_id=known.id)
                )
            older = select(torrent.c.first_seen).where(torrent.c.id == gone).scalar_subquery()
            connection.execute(
                update(torrent)
                .where(torrent.c.id == known.id, torrent.c.first_seen > older)
                .values(first_seen=older)
            )
            connection.execute(delete(torrent).where(torrent.c.id == gone))
            connection.execute(insert(torrent_gone).values(sequence=next(numbers), torrent_id=gone))


class _Register:
    """The torrents of a batch by id and by hash."""

    def __init__(self) -> None:
        self.by_id: dict[int, _Known] = {}
        self.by_hash: dict[bytes, _Known] = {}
        self.joined: list[_Known] = []

    def add(self, known: _Known) -> None:
        self.by_id[known.id] = known
        for infohash in (known.v1, known.v2):
            if infohash is not None:
                self.by_hash[infohash] = known

    def match(self, taken: TakenTorrent, numbers: Iterator[int]) -> _Known:
        """The torrent that this is; made when there is none, two joined when a file says they are one."""
        one = self.by_hash.get(taken.infohash_v1) if taken.infohash_v1 is not None else None
        other = self.by_hash.get(taken.infohash_v2) if taken.infohash_v2 is not None else None
        known = one or other
        if known is None:
            known = _Known(
                next(numbers), taken.infohash_v1, taken.infohash_v2, False, clean(taken.name), fresh=True
            )
            known.content = taken
            self.add(known)
        elif one is not None and other is not None and one is not other:
            if taken.raw is not None:
                known = self._join(one, other)
            elif other.has_file and not one.has_file:
                known = other
        if taken.raw is not None and (known.v1, known.v2) != (taken.infohash_v1, taken.infohash_v2):
            self._set_hashes(known, taken.infohash_v1, taken.infohash_v2)
        elif taken.raw is None and not known.has_file:
            # What a magnet claims is taken only where nothing else claims that hash.
            self._set_hashes(
                known,
                known.v1 or (taken.infohash_v1 if one is None else None),
                known.v2 or (taken.infohash_v2 if other is None else None),
            )
        return known

    def _set_hashes(self, known: _Known, v1: bytes | None, v2: bytes | None) -> None:
        if (known.v1, known.v2) == (v1, v2):
            return
        self._forget_hashes(known)
        known.v1, known.v2 = v1, v2
        known.changed = known.rehashed = True
        self.add(known)

    def _forget_hashes(self, known: _Known) -> None:
        for infohash in (known.v1, known.v2):
            if infohash is not None and self.by_hash.get(infohash) is known:
                del self.by_hash[infohash]

    def _join(self, one: _Known, other: _Known) -> _Known:
        """Keep the one with a file, else the older; the other goes."""
        keep, gone = sorted((one, other), key=lambda known: (known.fresh, not known.has_file, known.id))
        del self.by_id[gone.id]
        self._forget_hashes(gone)
        keep.absorbed += gone.absorbed
        if not gone.fresh:
            keep.absorbed.append(gone.id)
        keep.crawl_id = max(keep.crawl_id, gone.crawl_id)
        keep.file_crawl_id = max(keep.file_crawl_id, gone.file_crawl_id)
        keep.changed = True
        if keep not in self.joined:
            self.joined.append(keep)
        return keep


def _outcome(known: _Known, taken: TakenTorrent, crawl_id: int) -> Outcome:
    if taken.raw is not None:
        if not known.has_file:
            return "new"
        return "duplicate" if known.file_crawl_id == crawl_id else "known"
    if known.fresh and known.crawl_id == 0:
        return "new"
    return "duplicate" if known.crawl_id == crawl_id else "known"


def _learn(known: _Known, taken: TakenTorrent, crawl_id: int) -> None:
    """Take over what this sighting says: a file's word goes before a magnet's, the first file's is kept."""
    known.crawl_id = crawl_id
    if taken.raw is not None:
        known.file_crawl_id = crawl_id
        if not known.has_file:
            known.has_file = True
            known.content = taken
            known.name = clean(taken.name) or known.name
    elif not known.has_file and not known.name and taken.name:
        known.name = clean(taken.name)
        known.changed = True


def _without_first_seen(row: Row) -> Row:
    at = _COLUMNS.index("first_seen")
    return row[1:at] + row[at + 1 :]


def _bytes(value: bytes | None) -> bytes | None:
    return None if value is None else bytes(value)
