"""Download links that pages showed before their file was fetched, and what a crawl knows of its downloads.

What a running crawl remembers in memory, a killed one finds here again.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, select

from harvester.model.crawl import Batch, Crawl, DownloadsMet
from harvester.model.stored import Source
from harvester.store.bulk import Dialect
from harvester.store.engine import Database
from harvester.store.tables import frontier, queue, shown, sighting, source_page, torrent, url
from harvester.store.values import clean

MOST_PAGES = 5_000
"""Pages with torrents that a run that goes on is told of."""
MOST_READ = 20_000
"""Pages it read."""
_COLUMNS = tuple(column.name for column in shown.columns)


class ShownWriter:
    """The part of a batch about downloads whose file is still to come."""

    def __init__(self, dialect: Dialect) -> None:
        self._insert = dialect.insert(shown, _COLUMNS, "ON CONFLICT DO NOTHING")

    def apply(self, connection: Connection, batch: Batch) -> None:
        """Write down which pages showed them."""
        rows = {
            (one.download_hash, one.page_hash): (
                batch.crawl.id,
                one.download_hash,
                one.page_hash,
                clean(one.page_url),
                clean(one.download_url),
                clean(one.title),
                clean(one.anchor),
                clean(one.rule),
            )
            for one in batch.shown
        }
        self._insert(connection, [rows[key] for key in sorted(rows)])


class Shown:
    """Reading it back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def downloads_met(self, crawl: Crawl, *, limit: int = 100_000) -> DownloadsMet:
        """See `harvester.ports.store.CrawlStore`."""
        queued = _in_frontier(crawl, limit)
        downloads = queued.where(frontier.c.role == "download")
        with self._database.read() as connection:
            known = {
                row[0]: (_bytes(row[1]), _bytes(row[2])) for row in connection.execute(_taken(crawl, limit))
            }
            waiting = select(*shown.columns).where(shown.c.crawl_id == crawl.id).limit(limit)
            sources = tuple(
                Source(
                    page_url=row.page_url,
                    page_hash=row.page_hash,
                    download_url=row.download_url,
                    download_hash=row.download_hash,
                    title=row.title,
                    anchor=row.anchor,
                    rule=row.rule,
                )
                for row in connection.execute(waiting)
                if row.download_hash not in known
            )
            met = [
                *connection.execute(queued).scalars(),
                *connection.execute(_visited(crawl, limit)).scalars(),
            ]
            read = reversed(connection.execute(_read(crawl)).all())
            return DownloadsMet(
                known,
                sources,
                frozenset(connection.execute(downloads).scalars()),
                tuple(connection.execute(_with_torrents(crawl)).scalars()),
                frozenset(met),
                tuple((address, bytes(digest)) for address, digest in read),
            )


def _taken(crawl: Crawl, limit: int) -> Select[Any]:
    """Download hashes and the infohashes of the files behind them."""
    return (
        select(sighting.c.download_hash, torrent.c.infohash_v1, torrent.c.infohash_v2)
        .join_from(sighting, torrent, torrent.c.id == sighting.c.torrent_id)
        .where(sighting.c.crawl_id == crawl.id, sighting.c.variant_id.is_not(None))
        .limit(limit)
    )


def _in_frontier(crawl: Crawl, limit: int) -> Select[Any]:
    """The key hashes of what is queued."""
    return (
        select(frontier.c.key_hash)
        .join_from(frontier, queue, queue.c.id == frontier.c.queue_id)
        .where(queue.c.crawl_id == crawl.id)
        .limit(limit)
    )


def _visited(crawl: Crawl, limit: int) -> Select[Any]:
    """The key hashes of what was visited."""
    return (
        select(url.c.key_hash)
        .where(url.c.site_id == crawl.site_id, url.c.last_visit >= crawl.started_at)
        .limit(limit)
    )


def _with_torrents(crawl: Crawl) -> Select[Any]:
    """Pages that showed a torrent."""
    hashes = select(sighting.c.page_hash).where(sighting.c.crawl_id == crawl.id)
    return select(source_page.c.url).where(source_page.c.hash.in_(hashes)).limit(MOST_PAGES)


def _read(crawl: Crawl) -> Select[Any]:
    """Pages that were read, with the digests of what they said; the last first."""
    return (
        select(url.c.url, url.c.digest)
        .where(
            url.c.site_id == crawl.site_id,
            url.c.last_visit >= crawl.started_at,
            url.c.state == "done",
            url.c.role != "download",
        )
        .order_by(url.c.last_visit.desc())
        .limit(MOST_READ)
    )


def _bytes(value: bytes | None) -> bytes | None:
    return None if value is None else bytes(value)
