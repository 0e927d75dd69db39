"""Claiming URLs from the back queues under leases.

A claimed URL stays where it is, with `due` set to the end of its lease: whatever happens to its owner, it
becomes claimable by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

from sqlalchemy import Connection, bindparam, func, select, update

from harvester.model.crawl import Crawl, FrontierItem, FrontierRef
from harvester.model.order import Turn
from harvester.store import tables
from harvester.store.bulk import Row
from harvester.store.engine import Database
from harvester.store.tables import frontier, queue
from harvester.store.values import clean

KEY = ("queue_id", "priority", "sequence")
"""The columns that identify a place in the frontier."""
_ANY_PRIORITY = (-1e300, 1e300)


class Claiming:
    """Takes URLs whose hosts may be asked."""

    def __init__(self, database: Database) -> None:
        self._database = database
        dialect = self._dialect = database.dialect
        self._lease_until = dialect.update(frontier, ("due", "owner"), KEY)
        self._set_turn = dialect.update(queue, ("turn",), ("id",))
        self._urls = dialect.look_up(
            tables.url,
            ("key_hash", "url", "etag", "last_modified", "digest", "last_visit"),
            "key_hash",
            fixed=("site_id",),
        )

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
        self._lease_until(connection, [(until, clean(owner), *row[:3]) for row in taken])
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


_LAST_TURN = select(func.max(queue.c.turn)).where(
    queue.c.crawl_id == bindparam("crawl_id"), queue.c.ready_at.is_not(None)
)
_RAISE_READY = (
    update(queue)
    .where(queue.c.id == bindparam("queue"))
    .values(
        ready_at=select(func.min(frontier.c.due)).where(frontier.c.queue_id == queue.c.id).scalar_subquery()
    )
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
