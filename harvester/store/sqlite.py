"""The statements as SQLite says them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import Connection, Table

from harvester.store.bulk import CLAIM_COLUMNS, Bulk, LookUp, Row, quoted

# Keys a look-up binds at once: one statement text for all sizes, so that it stays prepared.
CHUNK = 128


class SqliteDialect:
    """SQLite 3.35 or newer (upserts, RETURNING), one writer at a time."""

    name = "sqlite"

    def insert(self, table: Table, columns: Sequence[str], conflict: str = "") -> Bulk:
        marks = ", ".join("?" * len(columns))
        return _many(f'INSERT INTO "{table.name}" ({quoted(columns)}) VALUES ({marks}) {conflict}')

    def update(self, table: Table, values: Sequence[str], keys: Sequence[str], also: str = "") -> Bulk:
        assignments = ", ".join(f'"{name}" = ?' for name in values)
        condition = f"{_equal(keys)} AND {also}" if also else _equal(keys)
        return _many(f'UPDATE "{table.name}" SET {assignments} WHERE {condition}')

    def delete(self, table: Table, keys: Sequence[str]) -> Bulk:
        return _many(f'DELETE FROM "{table.name}" WHERE {_equal(keys)}')

    def look_up(self, table: Table, columns: Sequence[str], key: str, fixed: Sequence[str] = ()) -> LookUp:
        also = f"{_equal(fixed)} AND " if fixed else ""
        marks = ", ".join("?" * CHUNK)
        statement = f'SELECT {quoted(columns)} FROM "{table.name}" WHERE {also}"{key}" IN ({marks})'

        def run(connection: Connection, keys: Sequence[Any], *fixed_values: Any) -> list[Row]:
            rows: list[Row] = []
            for start in range(0, len(keys), CHUNK):
                chunk = tuple(keys[start : start + CHUNK])
                padding = chunk[-1:] * (CHUNK - len(chunk))
                rows += _rows(connection, statement, fixed_values + chunk + padding)
            return rows

        return run

    def add_seen(self, connection: Connection, hashes: Sequence[int]) -> set[int]:
        fresh = self.unseen(connection, hashes)
        if fresh:
            # In order, so that neighbours in the b-tree are written together.
            _insert_seen(connection, [(key,) for key in sorted(fresh)])
        return fresh

    def unseen(self, connection: Connection, hashes: Sequence[int]) -> set[int]:
        rows = _rows(connection, _UNSEEN, (json.dumps(hashes),))
        return {row[0] for row in rows}

    def draw(self, connection: Connection, name: str, n: int) -> int:
        value = _rows(connection, _DRAW, (name, n))[0][0]
        return int(value) - n + 1

    def draw_places(self, connection: Connection, n: int) -> Sequence[int]:
        first = self.draw(connection, "place", n)
        return range(first, first + n)

    def claimable_queues(
        self, connection: Connection, crawl_id: int, now: float, host_now: float, limit: int
    ) -> list[Row]:
        return _rows(connection, _QUEUES, (crawl_id, now, host_now, limit))

    def claimable_queues_of(
        self, connection: Connection, crawl_id: int, now: float, host_now: float, hosts: Sequence[str]
    ) -> list[Row]:
        return _rows(connection, _QUEUES_OF, (json.dumps(hosts), crawl_id, now, host_now))

    def claimable_items(
        self,
        connection: Connection,
        queue_ids: Sequence[int],
        now: float,
        per_queue: int,
        band: tuple[float, float],
    ) -> list[Row]:
        rows: list[Row] = []
        for queue_id in queue_ids:
            rows += _rows(connection, _ITEMS, (queue_id, now, *band, per_queue))
        return rows

    def size(self, connection: Connection) -> int:
        """See `harvester.store.bulk.Dialect`."""
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        return int(pages) * int(connection.exec_driver_sql("PRAGMA page_size").scalar_one())

    def integrity(self, connection: Connection, *, deep: bool) -> list[str]:
        check = "PRAGMA integrity_check(20)" if deep else "PRAGMA quick_check(20)"
        return [row[0] for row in _rows(connection, check, ()) if row[0] != "ok"]


_UNSEEN = "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.hash = value)"
_DRAW = (
    "INSERT INTO counter (name, value) VALUES (?, ?)"
    " ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value RETURNING value"
)
_QUEUES = (
    "SELECT queue.id, host.name FROM queue JOIN host ON host.id = queue.host_id"
    " WHERE queue.crawl_id = ? AND queue.ready_at <= ? AND host.next_at <= ? ORDER BY queue.turn LIMIT ?"
)
_QUEUES_OF = (
    "SELECT queue.id, host.name FROM json_each(?) AS asked CROSS JOIN host ON host.name = asked.value"
    " CROSS JOIN queue ON queue.host_id = host.id"
    " WHERE queue.crawl_id = ? AND queue.ready_at <= ? AND host.next_at <= ?"
)
_ITEMS = (
    f"SELECT {quoted(CLAIM_COLUMNS)} FROM frontier"
    " WHERE queue_id = ? AND due <= ? AND priority >= ? AND priority < ? ORDER BY priority, sequence LIMIT ?"
)


def _equal(names: Sequence[str]) -> str:
    return " AND ".join(f'"{name}" = ?' for name in names)


def _driver(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection, in the transaction of SQLAlchemy's.

    SQLAlchemy's result objects cost 80 us a statement, more than most of these statements take.
    """
    return cast("sqlite3.Connection", connection.connection.dbapi_connection)


def _rows(connection: Connection, statement: str, parameters: tuple[Any, ...]) -> list[Row]:
    return _driver(connection).execute(statement, parameters).fetchall()


def _many(statement: str) -> Bulk:
    def run(connection: Connection, rows: Sequence[Row]) -> int:
        if not rows:
            return 0
        return _driver(connection).executemany(statement, rows).rowcount

    return run


_insert_seen = _many("INSERT INTO seen (hash) VALUES (?)")
