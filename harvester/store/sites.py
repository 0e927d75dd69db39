"""Sites by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from harvester.errors import NotFound
from harvester.model.crawl import Site, SiteState
from harvester.store.engine import Database
from harvester.store.tables import site
from harvester.store.values import clean

_COLUMNS = (
    site.c.id,
    site.c.name,
    site.c.state,
    site.c.start,
    site.c.added_at,
    site.c.changed_at,
    site.c.reason,
)


def site_row(connection: Connection, name: str) -> Site:
    """The site of that name, inside a transaction; `NotFound`."""
    row = connection.execute(select(*_COLUMNS).where(site.c.name == clean(name))).one_or_none()
    if row is None:
        raise NotFound(f"there is no site {name}", hint="see `harvest sites list`")
    return _site(row)


class Sites:
    """The table of sites."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_site(self, name: str, *, start: str, now: float) -> Site:
        """See `harvester.ports.store.SiteStore`."""
        with self._database.write() as connection:
            found = connection.execute(
                select(site.c.state).where(site.c.name == clean(name))
            ).scalar_one_or_none()
            if found is None:
                values = {"name": clean(name), "state": "active", "start": clean(start), "reason": ""}
                connection.execute(insert(site).values(**values, added_at=now, changed_at=now))
            elif found == "removed":
                again = update(site).where(site.c.name == clean(name))
                connection.execute(
                    again.values(state="active", start=clean(start), reason="", changed_at=now)
                )
            return site_row(connection, clean(name))

    def site(self, name: str) -> Site:
        """See `harvester.ports.store.SiteStore`."""
        with self._database.read() as connection:
            return site_row(connection, name)

    def sites(self) -> list[Site]:
        """See `harvester.ports.store.SiteStore`."""
        statement = select(*_COLUMNS).where(site.c.state != "removed").order_by(site.c.name)
        with self._database.read() as connection:
            return [_site(row) for row in connection.execute(statement)]

    def set_site_state(self, name: str, state: SiteState, *, reason: str = "", now: float) -> Site:
        """See `harvester.ports.store.SiteStore`."""
        with self._database.write() as connection:
            site_row(connection, name)
            change = update(site).where(site.c.name == clean(name))
            connection.execute(change.values(state=state, reason=clean(reason), changed_at=now))
            return site_row(connection, name)


def _site(row: Sequence[Any]) -> Site:
    return Site(*row)
