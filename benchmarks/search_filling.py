"""The corpus as the rows that a crawl would have left in the store, without a million of blobs.

One sighting and one .torrent file a torrent: on a page of its own in forums, on a page of fifty elsewhere.
"""

from __future__ import annotations

from typing import Any

import xxhash
from sqlalchemy import Connection

from benchmarks.search_corpus import LISTED, SITES, Corpus, Torrent, file_digest
from harvester.store.engine import Database
from harvester.store.file_lists import FileListPacker
from harvester.store.rows import short_url
from harvester.store.tables import (
    counter,
    sighting,
    site,
    source_page,
    torrent,
    torrent_site,
    tracker_list,
    variant,
)
from harvester.store.values import halves, signed, tracker_key

BATCH = 10_000
_TRACKERS = '["https://tracker.example/announce"]'


class Filler:
    """Writes torrents of the corpus into a migrated database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._packer = FileListPacker()
        insert = database.dialect.insert
        self._tables = [
            (insert(table, tuple(column.name for column in table.columns), conflict), make)
            for table, make, conflict in (
                (torrent, self._torrent, ""),
                (variant, _variant, ""),
                (torrent_site, _torrent_site, ""),
                (source_page, _source_page, "ON CONFLICT (hash) DO NOTHING"),
                (sighting, _sighting, ""),
            )
        ]

    def add_sites(self) -> None:
        """The sites that the torrents were seen on, and the trackers of all of them."""
        with self._database.write() as connection:
            insert = self._database.dialect.insert(site, tuple(column.name for column in site.columns))
            rows = [
                (at + 1, name, "active", f"https://{name}.example/", "", 0.0, 0.0)
                for at, name in enumerate(SITES)
            ]
            insert(connection, rows)
            connection.execute(
                tracker_list.insert().values(hash=tracker_key(_TRACKERS), trackers_json=_TRACKERS)
            )

    def add(self, corpus: Corpus, first: int, last: int, batch: int = BATCH) -> None:
        """Torrents `first` to `last`, the last one left out."""
        for start in range(first, last, batch):
            some = list(corpus.torrents(start, min(start + batch, last)))
            with self._database.write() as connection:
                for insert, make in self._tables:
                    rows = [make(one) for one in some]
                    # Listing pages are written once.
                    insert(
                        connection,
                        list({row[0]: row for row in rows}.values()) if make is _source_page else rows,
                    )
                self._count_on(connection, some[-1].id)

    def _count_on(self, connection: Connection, last: int) -> None:
        connection.execute(counter.delete().where(counter.c.name == "change"))
        connection.execute(counter.insert().values(name="change", value=last))

    def _torrent(self, one: Torrent) -> tuple[Any, ...]:
        added = float(one.added)
        values = {
            "id": one.id,
            "infohash_v1": one.infohash,
            "infohash_v2": None,
            "sequence": one.id,
            "has_file": True,
            "private": one.id % 50 == 0,
            "first_seen": added,
            "last_seen": added,
            "created": added - 86_400,
            "size": one.size,
            "n_files": len(one.files),
            "name": one.name,
            "category": "",
            "metadata_json": "",
            "files_zst": self._packer.pack(one.files, one.name),
        }
        return tuple(values[column.name] for column in torrent.columns)


def _variant(one: Torrent) -> tuple[Any, ...]:
    md5, sha256 = file_digest(one)
    head, tail = halves(md5)
    values = {
        "id": one.id,
        "torrent_id": one.id,
        "md5_head": head,
        "md5_tail": tail,
        "sha256": sha256,
        "size": 20_000,
        "first_seen": float(one.added),
        "trackers_hash": tracker_key(_TRACKERS),
        "flags_json": "",
    }
    return tuple(values[column.name] for column in variant.columns)


def _torrent_site(one: Torrent) -> tuple[Any, ...]:
    values = {"torrent_id": one.id, "site_id": one.site + 1, "crawl_id": 1, "file_crawl_id": 1}
    return tuple(values[column.name] for column in torrent_site.columns)


def _source_page(one: Torrent) -> tuple[Any, ...]:
    title = one.title if _in_forum(one) else f"Torrents, page {one.id // LISTED}"
    values = {"hash": _hash(one), "titled": None, "url": _page(one), "title": title}
    return tuple(values[column.name] for column in source_page.columns)


def _sighting(one: Torrent) -> tuple[Any, ...]:
    values = {
        "torrent_id": one.id,
        "page_hash": _hash(one),
        "download_hash": signed(one.id * 0x9E3779B97F4A7C15),
        "site_id": one.site + 1,
        "crawl_id": 1,
        "variant_id": one.id,
        "first_seen": float(one.added),
        "last_seen": float(one.added),
        "times": 1,
        "download_url": short_url(f"https://{SITES[one.site]}.example/file/{one.id}", _page(one)),
        "anchor": "download",
        "rule": "thread",
        "wall": "login" if one.id % 40 == 0 else "",
    }
    return tuple(values[column.name] for column in sighting.columns)


def _in_forum(one: Torrent) -> bool:
    return SITES[one.site].startswith("forum")


def _page(one: Torrent) -> str:
    if _in_forum(one):
        return f"https://{SITES[one.site]}.example/thread-{one.id}-1-1.html"
    return f"https://{SITES[one.site]}.example/list?page={one.id // LISTED}"


def _hash(one: Torrent) -> int:
    return signed(xxhash.xxh3_64_intdigest(_page(one).encode()))
