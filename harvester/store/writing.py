"""One batch, one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy import Connection, select

from harvester.model.crawl import Batch, BatchResult, Outcome, SiteState
from harvester.store.blobs import Blobs
from harvester.store.crawls import FigureWriter
from harvester.store.engine import Database
from harvester.store.frontier import Frontier
from harvester.store.history import HistoryWriter
from harvester.store.hosts import Hosts
from harvester.store.notes import Notes
from harvester.store.pages import PageWriter
from harvester.store.shown import ShownWriter
from harvester.store.tables import site
from harvester.store.taking import Digests, TorrentWriter, digests_of, store_blobs

_FIGURE_OF = {"new": "torrents_new", "known": "torrents_known", "duplicate": "duplicates"}


class BatchWriter:
    """Writes batches: blobs first, then everything else at once."""

    def __init__(
        self, database: Database, blobs: Blobs, frontier: Frontier, hosts: Hosts, notes: Notes
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._frontier = frontier
        self._hosts = hosts
        self._notes = notes
        dialect = database.dialect
        self._history = HistoryWriter(dialect)
        self._pages = PageWriter(dialect)
        self._shown = ShownWriter(dialect)
        self._torrents = TorrentWriter(dialect)
        self._figures = FigureWriter(dialect)

    def write(self, batch: Batch) -> BatchResult:
        """See `harvester.ports.store.BatchWriter`."""
        digests = [digests_of(taken) for taken in batch.torrents]
        store_blobs(self._blobs, batch.torrents, digests)
        return self._database.transact(lambda connection: self._apply(connection, batch, digests))

    def _apply(self, connection: Connection, batch: Batch, digests: Sequence[Digests | None]) -> BatchResult:
        figures: Counter[str] = Counter(dict(batch.figures))
        figures.update(self._history.apply(connection, batch))
        self._pages.apply(connection, batch)
        self._shown.apply(connection, batch)
        outcomes, ids = self._torrents.apply(connection, batch, digests)
        figures.update(_counted(batch, outcomes))
        queued, change = self._frontier.apply(connection, batch)
        figures["queue"] += change
        self._hosts.put_hosts(connection, batch.hosts)
        self._hosts.put_robots(connection, batch.robots)
        self._notes.apply(connection, batch.events)
        state = connection.execute(select(site.c.state).where(site.c.id == batch.crawl.site_id)).scalar_one()
        # Last, because its rows are those that every worker of one crawl wants.
        self._figures.apply(connection, batch.crawl, figures, batch.now)
        return BatchResult(tuple(outcomes), tuple(ids), queued, cast("SiteState", state))


def _counted(batch: Batch, outcomes: Sequence[Outcome]) -> Mapping[str, int]:
    """Torrents by outcome; a magnet counts once a crawl, as a magnet."""
    figures: Counter[str] = Counter()
    for taken, outcome in zip(batch.torrents, outcomes, strict=True):
        if taken.raw is not None:
            figures[_FIGURE_OF[outcome]] += 1
        elif outcome != "duplicate":
            figures["magnets"] += 1
    return figures
