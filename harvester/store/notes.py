"""The audit log, counts of queries, and blocks."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, select

from harvester.model.stored import Block, Event, QueryCount
from harvester.store.engine import Database
from harvester.store.tables import block, event, query_count
from harvester.store.values import clean, from_json, to_json


class Notes:
    """Small tables that no hot path touches."""

    def __init__(self, database: Database) -> None:
        self._database = database
        dialect = database.dialect
        self._add_event = dialect.insert(event, ("at", "kind", "site", "crawl_id", "detail_json"))
        self._count = dialect.insert(
            query_count,
            ("query", "asked", "opened", "last_at"),
            "ON CONFLICT (query) DO UPDATE SET asked = query_count.asked + excluded.asked,"
            " opened = query_count.opened + excluded.opened, last_at = excluded.last_at",
        )
        self._block = dialect.insert(
            block,
            ("kind", "value", "reason", "since"),
            "ON CONFLICT (kind, value) DO UPDATE SET reason = excluded.reason",
        )

    def apply(self, connection: Connection, events: Iterable[Event]) -> None:
        """The events' part of a batch, inside the writing transaction."""
        rows = [
            (one.at, clean(one.kind), clean(one.site), one.crawl_id, to_json(one.detail)) for one in events
        ]
        self._add_event(connection, rows)

    def record(self, event: Event) -> None:
        """See `harvester.ports.store.NoteStore`."""
        with self._database.write() as connection:
            self.apply(connection, [event])

    def events(self, *, site: str | None = None, kind: str | None = None, limit: int = 100) -> list[Event]:
        """See `harvester.ports.store.NoteStore`."""
        statement = select(event).order_by(event.c.id.desc()).limit(limit)
        if site is not None:
            statement = statement.where(event.c.site == clean(site))
        if kind is not None:
            statement = statement.where(event.c.kind == clean(kind))
        with self._database.read() as connection:
            return [
                Event(row.at, row.kind, row.site, from_json(row.detail_json, {}), row.crawl_id)
                for row in connection.execute(statement)
            ]

    def count_query(self, query: str, *, opened: bool, now: float, times: int = 1) -> None:
        """See `harvester.ports.store.NoteStore`."""
        with self._database.write() as connection:
            row = (clean(query), 0, times, now) if opened else (clean(query), times, 0, now)
            self._count(connection, [row])

    def query_counts(self, *, limit: int = 1000) -> list[QueryCount]:
        """See `harvester.ports.store.NoteStore`."""
        columns = (query_count.c.query, query_count.c.asked, query_count.c.opened, query_count.c.last_at)
        statement = select(*columns).order_by(query_count.c.asked.desc(), query_count.c.query).limit(limit)
        with self._database.read() as connection:
            return [QueryCount(*row) for row in connection.execute(statement)]

    def add_block(self, block: Block) -> None:
        """See `harvester.ports.store.NoteStore`."""
        with self._database.write() as connection:
            self._block(connection, [(block.kind, clean(block.value), clean(block.reason), block.since)])

    def remove_block(self, kind: str, value: str) -> bool:
        """See `harvester.ports.store.NoteStore`."""
        with self._database.write() as connection:
            chosen = delete(block).where(block.c.kind == clean(kind), block.c.value == clean(value))
            return connection.execute(chosen).rowcount > 0

    def blocks(self) -> list[Block]:
        """See `harvester.ports.store.NoteStore`."""
        statement = select(block).order_by(block.c.since, block.c.kind, block.c.value)
        with self._database.read() as connection:
            return [
                Block(row.kind, row.value, row.reason, row.since) for row in connection.execute(statement)
            ]
