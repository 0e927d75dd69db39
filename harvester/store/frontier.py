"""The frontier: one back queue a host and crawl, ordered by priority and place.

A claimed URL stays where it is, with `due` set to the end of its lease: whatever happens to its owner, it
becomes claimable by itself. A queue's `ready_at` says from when on looking into it may be worth while; it
is lowered by everything that makes a URL claimable earlier, and raised only by a claim that found nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

from sqlalchemy import Connection, bindparam, func, select, update

from harvester.model.crawl import (
    Batch,
    Crawl,
    FoundUrl,
    FrontierItem,
    FrontierRef,
    HostState,
    Reprioritised,
    Retry,
    RobotsText,
)
from harvester.model.order import Turn
from harvester.store import tables
from harvester.store.bulk import CLAIM_COLUMNS, Row
from harvester.store.engine import Database
from harvester.store.tables import frontier, host, queue, robots
from harvester.store.values import Packer, clean, signed, unpack_text

_KEY = ("queue_id", "priority", "sequence")
_COLUMNS = (*CLAIM_COLUMNS, "due")
_HOST_COLUMNS = tuple(column.name for column in host.columns if column.name != "id")
# Queue ids remembered between batches; more hosts than this are looked up again.
_REMEMBERED = 50_000
_ANY_PRIORITY = (-1e300, 1e300)


def _update_all(columns: Iterable[str], key: str) -> str:
    assignments = ", ".join(f"{name} = excluded.{name}" for name in columns if name != key)
    return f"ON CONFLICT ({key}) DO UPDATE SET {assignments}"


class Frontier:
    """Claims, and the frontier's part of a batch."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queues: dict[tuple[int, str], int] = {}
        self._packer = Packer()
        dialect = self._dialect = database.dialect
        self._insert = dialect.insert(frontier, _COLUMNS)
        self._delete = dialect.delete(frontier, _KEY)
        self._postpone = dialect.update(frontier, ("due", "owner", "attempt"), _KEY)
        self._free = dialect.update(frontier, ("due", "owner"), _KEY)
        self._move = dialect.update(frontier, ("priority",), _KEY, also="owner IS NULL")
        self._set_ready = dialect.update(queue, ("ready_at",), ("id",))
        self._set_turn = dialect.update(queue, ("turn",), ("id",))
        self._ready_of = dialect.look_up(queue, ("id", "ready_at"), "id")
        self._add_hosts = dialect.insert(host, ("name",), "ON CONFLICT (name) DO NOTHING")
        self._host_ids = dialect.look_up(host, ("name", "id"), "name")
        self._add_queues = dialect.insert(queue, ("crawl_id", "host_id"), "ON CONFLICT DO NOTHING")
        self._queue_ids = dialect.look_up(queue, ("host_id", "id"), "host_id", fixed=("crawl_id",))
        self._put_hosts = dialect.insert(host, _HOST_COLUMNS, _update_all(_HOST_COLUMNS, "name"))
        self._put_robots = dialect.insert(
            robots,
            ("host", "status", "fetched_at", "text_zst"),
            _update_all(("status", "fetched_at", "text_zst"), "host"),
        )
        self._urls = dialect.look_up(
            tables.url,
            ("key_hash", "url", "etag", "last_modified", "digest", "last_visit"),
            "key_hash",
            fixed=("site_id",),
        )

    # --- claims ---------------------------------------------------------------------------------

    def claim(
        self,
        crawl: Crawl,
        *,
        now: float,
        limit: int,
        owner: str,
        lease_seconds: float,
        per_host: int = 1,
        skip_hosts: Collection[str] = (),
        horizon: float = 0.0,
        band: tuple[float, float] | None = None,
    ) -> list[FrontierItem]:
        """See `harvester.ports.store.FrontierStore`."""
        if limit <= 0:
            return []
        until = now + lease_seconds

        def take(connection: Connection) -> list[FrontierItem]:
            found = self._dialect.claimable_queues(
                connection, crawl.id, now, now + horizon, limit + len(skip_hosts)
            )
            skipped = set(skip_hosts)
            hosts = {row[0]: row[1] for row in found if row[1] not in skipped}
            by_queue = self._candidates(
                connection, list(hosts)[:limit], now, limit, per_host, band or _ANY_PRIORITY
            )
            turns = zip_longest(*by_queue.values())
            taken = [row for turn in turns for row in turn if row is not None][:limit]
            if band is None:
                self._raise_ready(connection, [key for key, got in by_queue.items() if not got])
            return self._lease(connection, crawl, taken, hosts, owner, until)

        return self._database.transact(take)

    def claim_turns(
        self,
        crawl: Crawl,
        turns: Sequence[Turn],
        *,
        now: float,
        limit: int,
        owner: str,
        lease_seconds: float,
        enough: int = 1,
        horizon: float = 0.0,
    ) -> dict[int, list[FrontierItem]]:
        """See `harvester.ports.store.FrontierStore`."""
        until = now + lease_seconds
        named = sorted({clean(name) for turn in turns for name in turn.hosts})

        def take(connection: Connection) -> dict[int, list[FrontierItem]]:
            found = self._dialect.claimable_queues_of(connection, crawl.id, now, now + horizon, named)
            hosts = {row[0]: row[1] for row in found}
            by_turn = self._by_turns(connection, turns, {row[1]: row[0] for row in found}, now, limit, enough)
            taken = [row for rows in by_turn.values() for row in rows]
            items = iter(self._lease(connection, crawl, taken, hosts, owner, until))
            return {place: [next(items) for _ in rows] for place, rows in by_turn.items()}

        return self._database.transact(take)

    def _by_turns(
        self,
        connection: Connection,
        turns: Sequence[Turn],
        queues: Mapping[str, int],
        now: float,
        limit: int,
        enough: int,
    ) -> dict[int, list[Row]]:
        """What each turn brings that is asked at all, by its place in `turns`."""
        by_turn: dict[int, list[Row]] = {}
        brought: dict[int, int] = {}
        asked: set[tuple[int, float]] = set()
        for place, turn in enumerate(turns):
            for name in turn.hosts:
                queue_id = queues.get(clean(name))
                if queue_id is None or limit <= 0 or brought.get(queue_id, 0) >= enough:
                    continue
                if (queue_id, turn.low) in asked:  # what this very claim takes is not leased yet
                    continue
                asked.add((queue_id, turn.low))
                rows = self._dialect.claimable_items(
                    connection, [queue_id], now, min(limit, turn.limit), (turn.low, turn.high)
                )
                by_turn.setdefault(place, []).extend(rows)
                brought[queue_id] = brought.get(queue_id, 0) + len(rows)
                limit -= len(rows)
        return by_turn

    def _lease(
        self,
        connection: Connection,
        crawl: Crawl,
        taken: Sequence[Row],
        hosts: Mapping[int, str],
        owner: str,
        until: float,
    ) -> list[FrontierItem]:
        self._free(connection, [(until, clean(owner), *row[:3]) for row in taken])
        self._take_turns(connection, crawl, list(dict.fromkeys(row[0] for row in taken)))
        known = self._known(connection, crawl, taken)
        return [_item(row, hosts[row[0]], until, known) for row in taken]

    def _candidates(
        self,
        connection: Connection,
        queue_ids: Sequence[int],
        now: float,
        limit: int,
        per_host: int,
        band: tuple[float, float],
    ) -> dict[int, list[Row]]:
        """What each queue offers: an equal share of `limit`, more only where others offer less."""
        by_queue: dict[int, list[Row]] = {queue_id: [] for queue_id in queue_ids}
        share = min(per_host, -(-limit // max(1, len(queue_ids))))
        asked: Sequence[int] = queue_ids
        while asked:
            for queue_id in asked:
                by_queue[queue_id] = []
            for row in self._dialect.claimable_items(connection, asked, now, share, band):
                by_queue[row[0]].append(row)
            if share == per_host or sum(map(len, by_queue.values())) >= limit:
                break
            asked = [queue_id for queue_id in asked if len(by_queue[queue_id]) == share]
            share = per_host
        return by_queue

    def _take_turns(self, connection: Connection, crawl: Crawl, queue_ids: Sequence[int]) -> None:
        if not queue_ids:
            return
        last = connection.execute(_LAST_TURN, {"crawl_id": crawl.id}).scalar_one_or_none() or 0
        self._set_turn(connection, [(last + 1 + place, key) for place, key in enumerate(queue_ids)])

    def _raise_ready(self, connection: Connection, queue_ids: Sequence[int]) -> None:
        """Set `ready_at` of queues with nothing more to claim to when that changes by itself."""
        if queue_ids:
            connection.execute(_RAISE_READY, [{"queue": queue_id} for queue_id in queue_ids])

    def _known(self, connection: Connection, crawl: Crawl, rows: Sequence[Row]) -> Mapping[int, Row]:
        keys = {row[4] for row in rows} | {row[5] for row in rows if row[5] is not None}
        return {row[0]: row for row in self._urls(connection, list(keys), crawl.site_id)}

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
            visited = {row[0] for row in self._urls(connection, keys, batch.crawl.site_id)}
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

    # --- hosts ----------------------------------------------------------------------------------

    def put_hosts(self, connection: Connection, states: Iterable[HostState]) -> None:
        """Write what politeness remembers."""
        last = {state.name: state for state in states}
        last = {clean(name): state for name, state in last.items()}
        rows = [
            (name, *(getattr(last[name], column) for column in _HOST_COLUMNS[1:])) for name in sorted(last)
        ]
        self._put_hosts(connection, rows)

    def put_robots(self, connection: Connection, texts: Iterable[RobotsText]) -> None:
        """Write robots.txt texts."""
        last = {text.host: text for text in texts}
        rows = [
            (clean(text.host), text.status, text.fetched_at, self._packer.pack_text(text.text))
            for _, text in sorted(last.items())
        ]
        self._put_robots(connection, rows)

    def host(self, name: str) -> HostState | None:
        """See `harvester.ports.store.CrawlStore`."""
        with self._database.read() as connection:
            row = connection.execute(select(*_HOST_SELECTED).where(host.c.name == clean(name))).one_or_none()
        return None if row is None else HostState(*row)

    def hosts(self, crawl: Crawl) -> list[HostState]:
        """See `harvester.ports.store.CrawlStore`."""
        statement = (
            select(*_HOST_SELECTED)
            .join_from(host, queue, queue.c.host_id == host.c.id)
            .where(queue.c.crawl_id == crawl.id)
            .order_by(host.c.name)
        )
        with self._database.read() as connection:
            return [HostState(*row) for row in connection.execute(statement)]

    def robots(self, host: str) -> RobotsText | None:
        """See `harvester.ports.store.CrawlStore`."""
        with self._database.read() as connection:
            row = connection.execute(select(robots).where(robots.c.host == clean(host))).one_or_none()
        if row is None:
            return None
        return RobotsText(row.host, unpack_text(row.text_zst), row.status, row.fetched_at)


_KEY_COLUMNS = tuple(frontier.c[name] for name in _KEY)
_HOST_SELECTED = tuple(host.c[name] for name in _HOST_COLUMNS)
_LAST_TURN = select(func.max(queue.c.turn)).where(
    queue.c.crawl_id == bindparam("crawl_id"), queue.c.ready_at.is_not(None)
)
_LOCK_QUEUES = (
    select(queue.c.id)
    .where(queue.c.id.in_(bindparam("queues", expanding=True)))
    .order_by(queue.c.id)
    .with_for_update()
)
"""Only PostgreSQL has several writers; SQLite leaves the locking out."""
_RAISE_READY = (
    update(queue)
    .where(queue.c.id == bindparam("queue"))
    .values(
        ready_at=select(func.min(frontier.c.due)).where(frontier.c.queue_id == queue.c.id).scalar_subquery()
    )
)


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


def _item(row: Row, host_name: str, until: float, known: Mapping[int, Row]) -> FrontierItem:
    queue_id, priority, sequence, url, key_hash, page_hash, depth, role, rule, hint, attempt, tunnel = row
    page = known.get(page_hash)
    _, _, etag, last_modified, digest, visited = known.get(key_hash) or (0, "", "", "", b"", 0.0)
    return FrontierItem(
        ref=FrontierRef(queue_id, priority, sequence),
        url=url,
        host=host_name,
        key_hash=key_hash,
        depth=depth,
        role=role,
        rule=rule,
        hint=hint,
        referrer=page[1] if page else "",
        attempt=attempt,
        tunnel=tunnel,
        lease_until=until,
        etag=etag or "",
        last_modified=last_modified or "",
        digest=bytes(digest),
        last_visit=visited or 0.0,
    )
