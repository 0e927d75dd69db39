"""The frontier: one back queue a host and crawl, ordered by priority and place.

A claimed URL stays where it is, with `due` set to the end of its lease: whatever happens to its owner, it
becomes claimable by itself. A queue's `ready_at` says from when on looking into it may be worth while; it
is lowered by everything that makes a URL claimable earlier, and raised only by a claim that found nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, bindparam, func, select

from harvester.model.crawl import Batch, Crawl, FoundUrl, FrontierRef, Reprioritised, Retry
from harvester.store import tables
from harvester.store.bulk import CLAIM_COLUMNS, Row
from harvester.store.claiming import KEY
from harvester.store.engine import Database
from harvester.store.tables import frontier, host, queue
from harvester.store.values import clean, signed

_COLUMNS = (*CLAIM_COLUMNS, "due")
# Queue ids remembered between batches; more hosts than this are looked up again.
_REMEMBERED = 50_000


class Frontier:
    """Looks into it, and its part of a batch."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queues: dict[tuple[int, str], int] = {}
        dialect = self._dialect = database.dialect
        self._insert = dialect.insert(frontier, _COLUMNS)
        self._delete = dialect.delete(frontier, KEY)
        self._postpone = dialect.update(frontier, ("due", "owner", "attempt"), KEY)
        self._free = dialect.update(frontier, ("due", "owner"), KEY)
        self._move = dialect.update(frontier, ("priority",), KEY, also="owner IS NULL")
        self._set_ready = dialect.update(queue, ("ready_at",), ("id",))
        self._ready_of = dialect.look_up(queue, ("id", "ready_at"), "id")
        self._add_hosts = dialect.insert(host, ("name",), "ON CONFLICT (name) DO NOTHING")
        self._host_ids = dialect.look_up(host, ("name", "id"), "name")
        self._add_queues = dialect.insert(queue, ("crawl_id", "host_id"), "ON CONFLICT DO NOTHING")
        self._queue_ids = dialect.look_up(queue, ("host_id", "id"), "host_id", fixed=("crawl_id",))
        self._visited = dialect.look_up(tables.url, ("key_hash",), "key_hash", fixed=("site_id",))

    def release(self, owner: str) -> int:
        """See `harvester.ports.store.FrontierStore`."""
        with self._database.write() as connection:
            held = connection.execute(select(*_KEY_COLUMNS).where(frontier.c.owner == clean(owner))).all()
            freed = self._free(connection, [(0.0, None, *row) for row in held])
            self._lower_ready(connection, {row[0]: 0.0 for row in held})
        return freed

    def next_due(self, crawl: Crawl) -> float | None:
        """See `harvester.ports.store.FrontierStore`."""
        later = func.max if self._dialect.name == "sqlite" else func.greatest
        waiting = (
            select(func.min(later(queue.c.ready_at, host.c.next_at)))
            .join_from(queue, host, host.c.id == queue.c.host_id)
            .where(queue.c.crawl_id == crawl.id, queue.c.ready_at.is_not(None))
            .where(select(frontier.c.queue_id).where(frontier.c.queue_id == queue.c.id).exists())
        )
        with self._database.read() as connection:
            due: float | None = connection.execute(waiting).scalar_one_or_none()
        return due

    def unseen(self, crawl: Crawl, key_hashes: Sequence[int]) -> set[int]:
        """See `harvester.ports.store.FrontierStore`."""
        mixed = {_mixed(crawl, key): key for key in key_hashes}
        with self._database.read() as connection:
            return {mixed[key] for key in self._dialect.unseen(connection, list(mixed))}

    def queued(self, crawl: Crawl, limit: int = 1000) -> list[tuple[FrontierRef, str]]:
        """See `harvester.ports.store.FrontierStore`."""
        statement = (
            select(*_KEY_COLUMNS, frontier.c.url)
            .join_from(frontier, queue, queue.c.id == frontier.c.queue_id)
            .where(queue.c.crawl_id == crawl.id)
            .order_by(frontier.c.priority, frontier.c.sequence)
            .limit(limit)
        )
        with self._database.read() as connection:
            rows = connection.execute(statement).all()
        return [(FrontierRef(row[0], row[1], row[2]), row[3]) for row in rows]

    def reprioritise(self, crawl: Crawl, updates: Sequence[Reprioritised]) -> int:
        """See `harvester.ports.store.FrontierStore`."""
        del crawl
        with self._database.write() as connection:
            return self._reprioritise(connection, updates)

    def _reprioritise(self, connection: Connection, updates: Sequence[Reprioritised]) -> int:
        last = {update.ref: update for update in updates if update.priority != update.ref.priority}
        return self._move(connection, [(update.priority, *update.ref) for update in last.values()])

    # --- a batch's part -------------------------------------------------------------------------

    def apply(self, connection: Connection, batch: Batch) -> tuple[int, int]:
        """Change the frontier as the batch says: (URLs queued, change of the queue's length)."""
        removed = self._delete(connection, sorted(set(batch.done)))
        self._postpone(
            connection,
            [(retry.due, None, retry.attempt, *ref) for ref, retry in _last_by_ref(batch).items()],
        )
        self._free(connection, [(0.0, None, *ref) for ref in sorted(set(batch.returned))])
        sooner: dict[int, float] = {}
        for retry in batch.retries:
            _lower(sooner, retry.ref.queue, retry.due)
        for ref in batch.returned:
            _lower(sooner, ref.queue, 0.0)
        self._reprioritise(connection, batch.reprioritised)
        queued = self._add(connection, batch, sooner)
        self._lower_ready(connection, sooner)
        return queued, queued - removed

    def _add(self, connection: Connection, batch: Batch, sooner: dict[int, float]) -> int:
        if batch.met:
            self._dialect.add_seen(connection, [_mixed(batch.crawl, key) for key in batch.met])
        asked: dict[int, FoundUrl] = {}
        for found in batch.found:
            key = _mixed(batch.crawl, found.key_hash)
            if key not in asked or (asked[key].seen and not found.seen):
                asked[key] = found
        if batch.only_unknown and asked:
            keys = [found.key_hash for found in asked.values() if found.seen]
            visited = {row[0] for row in self._visited(connection, keys, batch.crawl.site_id)}
            asked = {
                key: found for key, found in asked.items() if not found.seen or found.key_hash not in visited
            }
        fresh = self._dialect.add_seen(connection, list(asked)) if asked else set()
        added = [found for key, found in asked.items() if key in fresh or not found.seen]
        if not added:
            return 0
        queues = self._queues_of(connection, batch.crawl, sorted({clean(found.host) for found in added}))
        places = self._dialect.draw_places(connection, len(added))
        sign = -1 if batch.lifo else 1
        rows = []
        for found, place in zip(added, places, strict=True):
            queue_id = queues[clean(found.host)]
            _lower(sooner, queue_id, found.due)
            rows.append(_row(found, queue_id, sign * place))
        rows.sort(key=_place_of)
        self._insert(connection, rows)
        return len(rows)

    def _queues_of(self, connection: Connection, crawl: Crawl, hosts: Sequence[str]) -> dict[str, int]:
        """The ids of the hosts' queues, made where there are none."""
        queues = {name: self._queues[crawl.id, name] for name in hosts if (crawl.id, name) in self._queues}
        unknown = [name for name in hosts if name not in queues]
        if not unknown:
            return queues
        there = self._find_queues(connection, crawl, unknown)
        # Only what was there before this transaction is remembered: it may yet be rolled back.
        if len(self._queues) > _REMEMBERED:
            self._queues.clear()
        self._queues.update({(crawl.id, name): key for name, key in there.items()})
        missing = [name for name in unknown if name not in there]
        if missing:
            self._add_hosts(connection, [(name,) for name in missing])
            ids = sorted(row[1] for row in self._host_ids(connection, missing))
            self._add_queues(connection, [(crawl.id, host_id) for host_id in ids])
            there |= self._find_queues(connection, crawl, missing)
        return queues | there

    def _find_queues(self, connection: Connection, crawl: Crawl, hosts: Sequence[str]) -> dict[str, int]:
        names = {host_id: name for name, host_id in self._host_ids(connection, hosts)}
        found = self._queue_ids(connection, list(names), crawl.id)
        return {names[host_id]: queue_id for host_id, queue_id in found}

    def _lower_ready(self, connection: Connection, times: Mapping[int, float]) -> None:
        if not times:
            return
        # A claim that finds a queue empty raises `ready_at`: without the lock maybe after it was read here.
        connection.execute(_LOCK_QUEUES, {"queues": sorted(times)})
        ready = self._ready_of(connection, sorted(times))
        rows = [(times[key], key) for key, old in ready if old is None or old > times[key]]
        self._set_ready(connection, sorted(rows, key=lambda row: row[1]))


_KEY_COLUMNS = tuple(frontier.c[name] for name in KEY)
_LOCK_QUEUES = (
    select(queue.c.id)
    .where(queue.c.id.in_(bindparam("queues", expanding=True)))
    .order_by(queue.c.id)
    .with_for_update()
)
"""Only PostgreSQL has several writers; SQLite leaves the locking out."""


def _mixed(crawl: Crawl, key_hash: int) -> int:
    """The key's entry in the seen-set: distinct keys stay distinct, and each crawl has its own."""
    return signed(key_hash ^ crawl.seed)


def _lower(times: dict[int, float], queue_id: int, due: float) -> None:
    if due < times.get(queue_id, float("inf")):
        times[queue_id] = due


def _last_by_ref(batch: Batch) -> dict[FrontierRef, Retry]:
    return {retry.ref: retry for retry in sorted(batch.retries, key=lambda retry: retry.ref)}


def _place_of(row: Row) -> Row:
    return row[:3]


def _row(found: FoundUrl, queue_id: int, place: int) -> Row:
    return (
        queue_id,
        found.priority,
        place,
        clean(found.url),
        found.key_hash,
        found.page_hash,
        found.depth,
        clean(found.role),
        clean(found.rule),
        clean(found.hint),
        found.attempt,
        found.tunnel,
        found.due,
    )
