"""Bulk statements, built once from the tables and run on tuples.

The store's hot statements don't go through SQLAlchemy's compiler at run time: each is one prepared text,
handed to the driver in SQLAlchemy's transaction. SQLite runs it once a row in a tight C loop
(`executemany`); PostgreSQL gets one array a column and unnests them, one round trip for all rows.

Rows must not repeat a key within one call: PostgreSQL refuses to update a row twice in one statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from sqlalchemy import Connection, Table

Row = tuple[Any, ...]


class Bulk(Protocol):
    """One statement for many rows."""

    def __call__(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Run it on every row (none is allowed); how many rows of the table were touched."""
        ...


class LookUp(Protocol):
    """One query for many keys."""

    def __call__(self, connection: Connection, keys: Sequence[Any], *fixed: Any) -> list[Row]:
        """The rows whose key is among `keys`, in no order; `fixed` are the values of the fixed columns."""
        ...


class Dialect(Protocol):
    """How one database says it."""

    name: str

    def insert(self, table: Table, columns: Sequence[str], conflict: str = "") -> Bulk:
        """Insert rows of `columns`; `conflict` is an ON CONFLICT clause, the same for both databases."""
        ...

    def update(self, table: Table, values: Sequence[str], keys: Sequence[str], also: str = "") -> Bulk:
        """Set `values` where `keys` match (and `also` holds); a row is the values, then the keys."""
        ...

    def delete(self, table: Table, keys: Sequence[str]) -> Bulk:
        """Delete where `keys` match."""
        ...

    def look_up(self, table: Table, columns: Sequence[str], key: str, fixed: Sequence[str] = ()) -> LookUp:
        """Select `columns` where `key` is one of many and the `fixed` columns equal one value each."""
        ...

    def add_seen(self, connection: Connection, hashes: Sequence[int]) -> set[int]:
        """Put distinct hashes into the seen-set; those that were not in it."""
        ...

    def unseen(self, connection: Connection, hashes: Sequence[int]) -> set[int]:
        """Those of the hashes that are not in the seen-set."""
        ...

    def draw(self, connection: Connection, name: str, n: int) -> int:
        """The first of `n` consecutive numbers of counter `name` (from 1), locking it until the commit."""
        ...

    def draw_places(self, connection: Connection, n: int) -> Sequence[int]:
        """`n` ascending numbers for places in the frontier."""
        ...

    def claimable_queues(
        self, connection: Connection, crawl_id: int, now: float, host_now: float, limit: int
    ) -> list[Row]:
        """(queue id, host name) of queues where a claim may find something, longest unserved first."""
        ...

    def claimable_queues_of(
        self, connection: Connection, crawl_id: int, now: float, host_now: float, hosts: Sequence[str]
    ) -> list[Row]:
        """The same of the named hosts only, in no order."""
        ...

    def claimable_items(
        self,
        connection: Connection,
        queue_ids: Sequence[int],
        now: float,
        per_queue: int,
        band: tuple[float, float],
    ) -> list[Row]:
        """`CLAIM_COLUMNS` of up to `per_queue` URLs of each queue, in order within a queue."""
        ...

    def size(self, connection: Connection) -> int:
        """Bytes of the database."""
        ...

    def integrity(self, connection: Connection, *, deep: bool) -> list[str]:
        """What the database itself says is wrong with it."""
        ...


CLAIM_COLUMNS = (
    "queue_id",
    "priority",
    "sequence",
    "url",
    "key_hash",
    "page_hash",
    "depth",
    "role",
    "rule",
    "hint",
    "attempt",
    "tunnel",
)


def quoted(names: Iterable[str]) -> str:
    """Column names as a list in SQL. They are our own identifiers, never input."""
    return ", ".join(f'"{name}"' for name in names)
