"""The statements as PostgreSQL says them: one array a column, unnested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import BigInteger, Boolean, Connection, Float, Integer, LargeBinary, SmallInteger, Table

from harvester.store.bulk import CLAIM_COLUMNS, Bulk, LookUp, Row, quoted

if TYPE_CHECKING:
    import psycopg


class PostgresDialect:
    """PostgreSQL 12 or newer through psycopg 3, any number of writers."""

    name = "postgresql"

    def insert(self, table: Table, columns: Sequence[str], conflict: str = "") -> Bulk:
        return _arrays(
            f'INSERT INTO "{table.name}" ({quoted(columns)})'
            f" SELECT * FROM unnest({_casts(table, columns)}) {conflict}",
            _floats(table, columns),
        )

    def update(self, table: Table, values: Sequence[str], keys: Sequence[str], also: str = "") -> Bulk:
        assignments = ", ".join(f'"{name}" = new."new_{name}"' for name in values)
        columns = [*values, *keys]
        given = [*(f"new_{name}" for name in values), *keys]
        condition = f"{_joined(keys)} AND {also}" if also else _joined(keys)
        return _arrays(
            f'UPDATE "{table.name}" AS old SET {assignments}'
            f" FROM unnest({_casts(table, columns)}) AS new ({quoted(given)}) WHERE {condition}",
            _floats(table, columns),
        )

    def delete(self, table: Table, keys: Sequence[str]) -> Bulk:
        return _arrays(
            f'DELETE FROM "{table.name}" AS old'
            f" USING unnest({_casts(table, keys)}) AS new ({quoted(keys)}) WHERE {_joined(keys)}",
            _floats(table, keys),
        )

    def look_up(self, table: Table, columns: Sequence[str], key: str, fixed: Sequence[str] = ()) -> LookUp:
        also = "".join(f'"{name}" = %s AND ' for name in fixed)
        statement = (
            f'SELECT {quoted(columns)} FROM "{table.name}"'
            f' WHERE {also}"{key}" = ANY(%s::{_type(table, key)}[])'
        )

        def run(connection: Connection, keys: Sequence[Any], *fixed_values: Any) -> list[Row]:
            return _rows(connection, statement, (*fixed_values, list(keys))) if keys else []

        return run

    def add_seen(self, connection: Connection, hashes: Sequence[int]) -> set[int]:
        # In order, so that two writers never wait for each other's rows crosswise.
        return {row[0] for row in _rows(connection, _ADD_SEEN, (sorted(hashes),))}

    def unseen(self, connection: Connection, hashes: Sequence[int]) -> set[int]:
        return {row[0] for row in _rows(connection, _UNSEEN, (list(hashes),))}

    def draw(self, connection: Connection, name: str, n: int) -> int:
        value = _rows(connection, _DRAW, (name, n))[0][0]
        return int(value) - n + 1

    def draw_places(self, connection: Connection, n: int) -> Sequence[int]:
        # A sequence, not the counter's row: writers of one crawl need not wait for each other here.
        return sorted(row[0] for row in _rows(connection, _PLACES, (n,)))

    def claimable_queues(
        self, connection: Connection, crawl_id: int, now: float, host_now: float, limit: int
    ) -> list[Row]:
        return _rows(connection, _QUEUES, (crawl_id, now, host_now, limit))

    def claimable_queues_of(
        self, connection: Connection, crawl_id: int, now: float, host_now: float, hosts: Sequence[str]
    ) -> list[Row]:
        return _rows(connection, _QUEUES_OF, (crawl_id, now, host_now, list(hosts)))

    def claimable_items(
        self,
        connection: Connection,
        queue_ids: Sequence[int],
        now: float,
        per_queue: int,
        band: tuple[float, float],
    ) -> list[Row]:
        return _rows(connection, _ITEMS, (list(queue_ids), now, *band, per_queue)) if queue_ids else []

    def size(self, connection: Connection) -> int:
        """See `harvester.store.bulk.Dialect`."""
        return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())

    def integrity(self, connection: Connection, *, deep: bool) -> list[str]:
        # It has no check that an ordinary user may run; reading every row finds torn pages.
        if deep:
            for table in ("torrent", "variant", "sighting", "url", "page", "frontier"):
                _rows(connection, f'SELECT count(*) FROM "{table}"', ())
        return []


_ADD_SEEN = (
    "INSERT INTO seen (hash) SELECT * FROM unnest(%s::bigint[]) ON CONFLICT (hash) DO NOTHING RETURNING hash"
)
_UNSEEN = (
    "SELECT key FROM unnest(%s::bigint[]) AS asked (key)"
    " WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.hash = key)"
)
_DRAW = (
    "INSERT INTO counter (name, value) VALUES (%s, %s)"
    " ON CONFLICT (name) DO UPDATE SET value = counter.value + excluded.value RETURNING value"
)
_PLACES = "SELECT nextval('frontier_place') FROM generate_series(1, %s)"
_QUEUES = (
    "SELECT queue.id, host.name FROM queue JOIN host ON host.id = queue.host_id"
    " WHERE queue.crawl_id = %s AND queue.ready_at <= %s AND host.next_at <= %s"
    " ORDER BY queue.turn LIMIT %s FOR UPDATE OF queue SKIP LOCKED"
)
_QUEUES_OF = (
    "SELECT queue.id, host.name FROM queue JOIN host ON host.id = queue.host_id"
    " WHERE queue.crawl_id = %s AND queue.ready_at <= %s AND host.next_at <= %s"
    " AND host.name = ANY(%s::text[]) FOR UPDATE OF queue SKIP LOCKED"
)
_ITEMS = (
    f"SELECT item.* FROM unnest(%s::bigint[]) WITH ORDINALITY AS asked (id, place)"
    f" CROSS JOIN LATERAL (SELECT {quoted(CLAIM_COLUMNS)} FROM frontier"
    " WHERE queue_id = asked.id AND due <= %s AND priority >= %s AND priority < %s"
    " ORDER BY priority, sequence LIMIT %s) AS item"
    " ORDER BY asked.place, item.priority, item.sequence"
)


def _type(table: Table, column: str) -> str:
    kind = table.c[column].type
    for known, name in (
        (Boolean, "boolean"),
        (BigInteger, "bigint"),
        (SmallInteger, "smallint"),
        (Integer, "integer"),
        (Float, "double precision"),
        (LargeBinary, "bytea"),
    ):
        if isinstance(kind, known):
            return name
    return "text"


def _casts(table: Table, columns: Sequence[str]) -> str:
    return ", ".join(f"%s::{_type(table, name)}[]" for name in columns)


def _joined(keys: Sequence[str]) -> str:
    return " AND ".join(f'old."{name}" = new."{name}"' for name in keys)


def _rows(connection: Connection, statement: str, parameters: tuple[Any, ...]) -> list[Row]:
    return _driver(connection).execute(statement.encode(), parameters).fetchall()


def _driver(connection: Connection) -> psycopg.Connection[Row]:
    """The driver's own connection, in the transaction of SQLAlchemy's, whose result objects cost time."""
    return cast("psycopg.Connection[Row]", connection.connection.dbapi_connection)


def _floats(table: Table, columns: Sequence[str]) -> tuple[int, ...]:
    return tuple(place for place, name in enumerate(columns) if isinstance(table.c[name].type, Float))


def _arrays(statement: str, floats: tuple[int, ...]) -> Bulk:
    def run(connection: Connection, rows: Sequence[Row]) -> int:
        if not rows:
            return 0
        columns = [list(column) for column in zip(*rows, strict=True)]
        for place in floats:
            # The driver refuses an array that mixes integers and floats.
            columns[place] = [None if value is None else float(value) for value in columns[place]]
        return _driver(connection).execute(statement.encode(), columns).rowcount

    return run
