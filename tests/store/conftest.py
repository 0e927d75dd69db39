"""The databases that the contract suite runs on: SQLite, and a real PostgreSQL from the PyPI wheel."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import psycopg
import pytest

from harvester.ports.store import Store
from harvester.store import open_store
from harvester.store.tables import metadata
from tests.store.postgres import PostgresServer

_NAMES = count()


@dataclass(frozen=True)
class Place:
    """Where a store can be opened, again and again."""

    url: str
    blobs: str

    def open(self, **options: bool | float) -> Store:
        return open_store(self.url, self.blobs, **options)  # type: ignore[arg-type]  # names are checked at run time


# Emptied by DELETE, which is far faster than a database a test. Ids go on from test to test.
_EMPTY = "; ".join(f'DELETE FROM "{table.name}"' for table in metadata.sorted_tables)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server a test process, ended with it."""
    folder = Path(tempfile.mkdtemp(prefix="harvest-pg-"))
    server = PostgresServer(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def sqlite_place(tmp_path: Path) -> Place:
    return Place(f"sqlite:///{tmp_path / 'harvest.db'}", str(tmp_path / "torrents"))


@pytest.fixture
def empty_postgres(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a new database with nothing in it."""
    name = f"harvest_{next(_NAMES)}"
    with psycopg.connect(postgres_server.dsn("postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield postgres_server.url(name)
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def postgres_database(postgres_server: PostgresServer) -> str:
    """The name of a migrated database that the tests share, one after the other."""
    with psycopg.connect(postgres_server.dsn("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE shared")
    open_store(postgres_server.url("shared"), str(postgres_server.folder / "torrents")).close()
    return "shared"


@pytest.fixture
def postgres_place(tmp_path: Path, postgres_server: PostgresServer, postgres_database: str) -> Place:
    """The shared database, emptied."""
    with psycopg.connect(postgres_server.dsn(postgres_database)) as connection:
        connection.execute(_EMPTY)
    return Place(postgres_server.url(postgres_database), str(tmp_path / "torrents"))


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> Place:
    """Each database in turn: what uses it holds on both."""
    fixture = {"sqlite": "sqlite_place", "postgresql": "postgres_place"}[request.param]
    found: Place = request.getfixturevalue(fixture)
    return found


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """An open store on each database."""
    opened = place.open()
    yield opened
    opened.close()
