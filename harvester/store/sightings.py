"""The sightings of a batch: which page and link showed which torrent, and what of it is new."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from harvester.model.crawl import Batch
from harvester.model.stored import TakenTorrent
from harvester.store.bulk import Dialect, Row
from harvester.store.rows import short_url
from harvester.store.tables import sighting, source_page
from harvester.store.values import clean

_SIGHTING = (
    "torrent_id",
    "page_hash",
    "download_hash",
    "site_id",
    "crawl_id",
    "variant_id",
    "first_seen",
    "last_seen",
    "times",
    "download_url",
    "anchor",
    "rule",
    "wall",
)


class _Page(NamedTuple):
    """A page as stored; `titled` is when its title changed last, None: never."""

    title: str
    titled: float | None


class _Seen(NamedTuple):
    """A sighting as stored."""

    wall: str
    last_seen: float


class Before(NamedTuple):
    """What the store knew of a batch's pages and sightings before it."""

    pages: dict[int, _Page]
    seen: dict[tuple[int, int, int], _Seen]


class SightingWriter:
    """Used inside the writing transaction, one at a time."""

    def __init__(self, dialect: Dialect) -> None:
        self._pages = dialect.look_up(source_page, ("hash", "title", "titled"), "hash")
        self._seen = dialect.look_up(
            sighting, ("torrent_id", "page_hash", "download_hash", "wall", "last_seen"), "torrent_id"
        )
        self._put_page = dialect.insert(
            source_page, ("hash", "url", "title"), "ON CONFLICT (hash) DO NOTHING"
        )
        self._retitle = dialect.update(source_page, ("title", "titled"), ("hash",))
        self._put = dialect.insert(
            sighting,
            _SIGHTING,
            "ON CONFLICT (torrent_id, page_hash, download_hash) DO UPDATE SET"
            " crawl_id = excluded.crawl_id, last_seen = excluded.last_seen,"
            " times = sighting.times + excluded.times, wall = excluded.wall,"
            " variant_id = coalesce(excluded.variant_id, sighting.variant_id)",
        )

    def before(self, connection: Connection, batch: Batch, known: Sequence[int]) -> Before:
        """What is stored of the batch's pages, and of the torrents `known`."""
        hashes = list({taken.source.page_hash for taken in batch.torrents})
        pages = {row[0]: _Page(row[1], row[2]) for row in self._pages(connection, hashes)}
        seen = {(row[0], row[1], row[2]): _Seen(row[3], row[4]) for row in self._seen(connection, known)}
        return Before(pages, seen)

    def write(
        self,
        connection: Connection,
        batch: Batch,
        ids: Sequence[int],
        variants: Sequence[int | None],
        before: Before,
    ) -> None:
        """Write the sightings: `ids` and `variants` are those of `batch.torrents`, one each."""
        pages: dict[int, tuple[str, str]] = {}
        rows: dict[tuple[int, int, int], Row] = {}
        for taken, torrent_id, variant_id in zip(batch.torrents, ids, variants, strict=True):
            source = taken.source
            title = clean(source.title) or pages.get(source.page_hash, ("", ""))[1]
            pages[source.page_hash] = (clean(source.page_url), title)
            key = _key(torrent_id, taken)
            earlier = rows.get(key)
            rows[key] = (
                *key,
                batch.crawl.site_id,
                batch.crawl.id,
                variant_id if variant_id is not None or earlier is None else earlier[5],
                batch.now,
                batch.now,
                1 if earlier is None else earlier[8] + 1,
                short_url(clean(source.download_url), pages[source.page_hash][0]),
                clean(source.anchor),
                clean(source.rule),
                clean(source.wall),
            )
        self._write_pages(connection, pages, before, batch.now)
        self._put(connection, [rows[key] for key in sorted(rows)])

    def _write_pages(
        self, connection: Connection, pages: dict[int, tuple[str, str]], before: Before, now: float
    ) -> None:
        fresh, retitled = [], []
        for key, (url, title) in sorted(pages.items()):
            known = before.pages.get(key)
            if known is None:
                fresh.append((key, url, title))
            elif title not in ("", known.title):
                retitled.append((title, now, key))
        self._put_page(connection, fresh)
        self._retitle(connection, retitled)


def is_news(torrent_id: int, taken: TakenTorrent, before: Before) -> bool:
    """Whether a sighting of a known torrent says what a search index does not know yet.

    A page or link that did not show it before, another title of the page, another wall. What a later batch
    brings from a page whose title has changed meanwhile is news as well.
    """
    seen = before.seen.get(_key(torrent_id, taken))
    if seen is None or seen.wall != clean(taken.source.wall):
        return True
    page = before.pages.get(taken.source.page_hash)
    if page is None:
        return True
    title = clean(taken.source.title)
    return title not in ("", page.title) or (page.titled is not None and page.titled > seen.last_seen)


def _key(torrent_id: int, taken: TakenTorrent) -> tuple[int, int, int]:
    return torrent_id, taken.source.page_hash, taken.source.download_hash
