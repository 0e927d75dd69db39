"""Bringing a database to this version's schema, with Alembic.

`HEAD` is the newest revision, kept here so that opening an up-to-date or a new database needs no Alembic at
all (its import costs more than everything else of a short command).
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    inspect,
    text,
)

from harvester.errors import StoreDamaged
from harvester.store.tables import metadata

HEAD = "0002"

_VERSION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Alembic's own table, as it makes it."""


def revision_of(connection: Connection) -> str | None:
    """The database's revision; None for an empty one. `StoreDamaged` when its tables are not ours."""
    tables = set(inspect(connection).get_table_names())
    if "alembic_version" not in tables:
        if tables:
            hint = "give Harvest a database of its own"
            why = f"it holds other tables ({', '.join(sorted(tables)[:3])})"
            raise StoreDamaged("this is no database of Harvest", why=why, hint=hint)
        return None
    revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return None if revision is None else str(revision)


def refuse_newer(revision: str | None) -> None:
    """`StoreDamaged` when the revision is none that this version knows, so one of a newer version."""
    if revision is None or revision in known_revisions():
        return
    hint = "upgrade Harvest, or use another data folder"
    raise StoreDamaged(
        "the database was written by a newer version of Harvest", why=f"revision {revision}", hint=hint
    )


def known_revisions() -> list[str]:
    """All revisions, the oldest first."""
    names = sorted(path.stem for path in (Path(__file__).parent / "versions").glob("v[0-9]*.py"))
    return [name[1:].partition("_")[0] for name in names]


def create(connection: Connection) -> None:
    """Make the tables in an empty database, as `upgrade` would, without the time and memory of Alembic."""
    metadata.create_all(connection, checkfirst=False)
    _VERSION.create(connection)
    connection.execute(_VERSION.insert().values(version_num=HEAD))


def upgrade(connection: Connection, to: str = "head") -> None:
    """Apply what is missing up to a revision, inside the caller's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, to)
