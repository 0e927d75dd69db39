"""What politeness remembers of hosts: their pace, and their robots.txt."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select

from harvester.model.crawl import Crawl, HostState, RobotsText
from harvester.store.engine import Database
from harvester.store.tables import host, queue, robots
from harvester.store.values import Packer, clean, unpack_text

_HOST_COLUMNS = tuple(column.name for column in host.columns if column.name != "id")
_HOST_SELECTED = tuple(host.c[name] for name in _HOST_COLUMNS)


def _update_all(columns: Iterable[str], key: str) -> str:
    assignments = ", ".join(f"{name} = excluded.{name}" for name in columns if name != key)
    return f"ON CONFLICT ({key}) DO UPDATE SET {assignments}"


class Hosts:
    """Reading it, and its part of a batch."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._packer = Packer()
        dialect = database.dialect
        self._put_hosts = dialect.insert(host, _HOST_COLUMNS, _update_all(_HOST_COLUMNS, "name"))
        self._put_robots = dialect.insert(
            robots,
            ("host", "status", "fetched_at", "text_zst"),
            _update_all(("status", "fetched_at", "text_zst"), "host"),
        )

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
