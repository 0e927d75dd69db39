"""Runs and their figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select, text, update

from harvester.errors import NotFound
from harvester.model.crawl import Crawl, CrawlKind, CrawlState
from harvester.store.bulk import Dialect
from harvester.store.engine import Database
from harvester.store.sites import site_row
from harvester.store.tables import crawl, figure, frontier, queue, seen, shown, site
from harvester.store.values import clean, signed

UNFINISHED = ("running", "stopped")
_COLUMNS = (
    crawl.c.id,
    crawl.c.site_id,
    site.c.name,
    crawl.c.kind,
    crawl.c.state,
    crawl.c.seed,
    crawl.c.started_at,
    crawl.c.updated_at,
    crawl.c.ended_at,
    crawl.c.reason,
)
_SELECTED = select(*_COLUMNS).join_from(crawl, site, site.c.id == crawl.c.site_id)


class FigureWriter:
    """The counters' part of a batch, inside the writing transaction; the last thing it writes."""

    def __init__(self, dialect: Dialect) -> None:
        self._add = dialect.insert(
            figure,
            ("crawl_id", "name", "n"),
            "ON CONFLICT (crawl_id, name) DO UPDATE SET n = figure.n + excluded.n",
        )
        self._touch = dialect.update(crawl, ("updated_at",), ("id",), also="state = 'running'")

    def apply(self, connection: Connection, running: Crawl, figures: Mapping[str, int], now: float) -> None:
        """Add the increments; `NotFound` when the run was ended meanwhile."""
        rows = [(running.id, clean(name), n) for name, n in sorted(figures.items()) if n]
        self._add(connection, rows)
        if self._touch(connection, [(now, running.id)]) == 0:
            hint = "start the crawl again: what it found is kept"
            raise NotFound(f"crawl {running.id} of {running.site} is not running any more", hint=hint)


class Crawls:
    """Beginning, ending and listing runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open_crawl(self, site: str, kind: CrawlKind, *, now: float) -> Crawl:
        """See `harvester.ports.store.CrawlStore`."""
        with self._database.write() as connection:
            self._alone(connection)
            found = site_row(connection, site)
            unfinished = (
                _SELECTED.where(crawl.c.site_id == found.id, crawl.c.kind == kind)
                .where(crawl.c.state.in_(UNFINISHED))
                .order_by(crawl.c.id.desc())
                .limit(1)
            )
            row = connection.execute(unfinished).one_or_none()
            if row is not None:
                going_on = update(crawl).where(crawl.c.id == row.id)
                going_on = going_on.values(state="running", updated_at=now, ended_at=None, reason="")
                connection.execute(going_on)
                return self._read(connection, row.id, resumed=True)
            beginning = insert(crawl).values(
                site_id=found.id,
                kind=kind,
                state="running",
                seed=signed(uuid4().int),
                started_at=now,
                updated_at=now,
                reason="",
            )
            key = connection.execute(beginning.returning(crawl.c.id)).scalar_one()
            return self._read(connection, key)

    def finish_crawl(self, running: Crawl, *, state: CrawlState, reason: str, now: float) -> Crawl:
        """See `harvester.ports.store.CrawlStore`."""
        ended_at = None if state == "running" else now
        with self._database.write() as connection:
            self._alone(connection)
            ending = update(crawl).where(crawl.c.id == running.id)
            ending = ending.values(state=state, reason=clean(reason), updated_at=now, ended_at=ended_at)
            connection.execute(ending)
            if state not in UNFINISHED:
                self._drop_queue(connection, running.id)
            return self._read(connection, running.id)

    def _drop_queue(self, connection: Connection, crawl_id: int) -> None:
        own = select(queue.c.id).where(queue.c.crawl_id == crawl_id)
        connection.execute(delete(frontier).where(frontier.c.queue_id.in_(own)))
        connection.execute(delete(queue).where(queue.c.crawl_id == crawl_id))
        connection.execute(delete(shown).where(shown.c.crawl_id == crawl_id))
        connection.execute(delete(figure).where(figure.c.crawl_id == crawl_id, figure.c.name == "queue"))
        others = connection.execute(select(crawl.c.id).where(crawl.c.state.in_(UNFINISHED)).limit(1)).first()
        if others is None:
            # DELETE without a condition is as fast as truncating on SQLite; on PostgreSQL it is not.
            postgres = self._database.dialect.name == "postgresql"
            connection.execute(text("TRUNCATE seen") if postgres else delete(seen))

    def _alone(self, connection: Connection) -> None:
        """Keep out others that open or end a crawl: they decide whether the seen-set is needed."""
        self._database.dialect.draw(connection, "crawls", 1)

    def crawl(self, crawl_id: int) -> Crawl:
        """See `harvester.ports.store.CrawlStore`."""
        with self._database.read() as connection:
            return self._read(connection, crawl_id)

    def crawls(self, name: str | None = None, *, limit: int = 50) -> list[Crawl]:
        """See `harvester.ports.store.CrawlStore`."""
        statement = _SELECTED.order_by(crawl.c.id.desc()).limit(limit)
        if name is not None:
            statement = statement.where(site.c.name == clean(name))
        with self._database.read() as connection:
            rows = connection.execute(statement).all()
            return [_crawl(row, _figures(connection, row.id)) for row in rows]

    def _read(self, connection: Connection, crawl_id: int, *, resumed: bool = False) -> Crawl:
        row = connection.execute(_SELECTED.where(crawl.c.id == crawl_id)).one_or_none()
        if row is None:
            raise NotFound(f"there is no crawl {crawl_id}", hint="see `harvest status`")
        return _crawl(row, _figures(connection, crawl_id), resumed=resumed)


def _figures(connection: Connection, crawl_id: int) -> dict[str, int]:
    rows = connection.execute(select(figure.c.name, figure.c.n).where(figure.c.crawl_id == crawl_id))
    return {row[0]: row[1] for row in rows}


def _crawl(row: Sequence[Any], figures: Mapping[str, int], *, resumed: bool = False) -> Crawl:
    key, site_id, name, kind, state, seed, started_at, updated_at, ended_at, reason = row
    return Crawl(
        id=key,
        site_id=site_id,
        site=name,
        kind=cast("CrawlKind", kind),
        state=cast("CrawlState", state),
        seed=seed,
        started_at=started_at,
        updated_at=updated_at,
        ended_at=ended_at,
        reason=reason,
        figures=figures,
        resumed=resumed,
    )
