"""Every error of the libraries comes out as one of Harvest's, made for real."""

from __future__ import annotations

import errno
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import errors as pg
from sqlalchemy import create_engine, text

from harvester.errors import (
    NotFound,
    SettingsError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreUnreachable,
)
from harvester.model.crawl import Crawl
from harvester.ports.store import Store
from harvester.store import open_store
from harvester.store.failures import database_error, file_error
from tests.store.builders import begin, found, torrent, write
from tests.store.conftest import Place
from tests.store.postgres import PostgresServer

HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(sqlite_place: Place) -> Iterator[subprocess.Popen[str]]:
    """Another process in the middle of a transaction."""
    sqlite_place.open().close()
    file = sqlite_place.url.removeprefix("sqlite:///")
    command = [sys.executable, "-c", HOLD, file]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.communicate()


def test_a_locked_database_is_busy_and_nothing_is_written(
    sqlite_place: Place, holder: subprocess.Popen[str]
) -> None:
    store = sqlite_place.open(busy_seconds=0.2)
    with pytest.raises(StoreBusy, match="another process is using the database"):
        store.add_site("forum", start="", now=0)
    assert store.sites() == []
    holder.communicate()
    store.add_site("forum", start="", now=0)
    assert len(store.sites()) == 1
    store.close()


def fill(store: Store, crawl: Crawl) -> None:
    for number in range(1000):
        write(store, crawl, found=[found(f"{number}-{path}-{'x' * 200}") for path in range(100)])


def test_a_full_database_says_so_and_keeps_what_was_committed(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")], figures={"requests": 1})
    used = Path(sqlite_place.url.removeprefix("sqlite:///")).stat().st_size
    limit, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    # The file system refuses whatever makes a file longer than this: what a quota or a full disk does.
    resource.setrlimit(resource.RLIMIT_FSIZE, (used + 100_000, hard))
    try:
        with pytest.raises(StoreFull, match="no space left for the database"):
            fill(store, crawl)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert store.count_torrents() == (1, 1)
    assert write(store, crawl, torrents=[torrent("b")], figures={"requests": 1}).outcomes == ("new",)
    assert store.crawl(crawl.id).figures["requests"] == 2
    store.close()
    again = sqlite_place.open()
    assert again.check(now=0, deep=True) == []
    again.close()


def test_a_full_blob_folder_says_so_and_leaves_no_half_file(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    crawl = begin(store)
    limit, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, hard))
    try:
        with pytest.raises(StoreFull, match="no space left in the folder"):
            write(store, crawl, torrents=[torrent("a", raw=b"x" * 2_000_000)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert store.count_torrents() == (0, 0)
    assert [path for path in Path(sqlite_place.blobs).rglob("*") if path.is_file()] == []
    store.close()


def test_a_database_full_by_its_own_limit_says_so(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    crawl = begin(store)
    database = store._database  # type: ignore[attr-defined]  # to set the limit on the very connection
    with database._writer.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(StoreFull, match="database or disk is full"):
        write(store, crawl, found=[found(f"{path}-{'x' * 200}") for path in range(1000)])
    assert store.next_due(crawl) is None
    store.close()


def test_a_file_that_is_no_database_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "harvest.db"
    file.write_bytes(b"this is not a database, whatever its name says" * 100)
    with pytest.raises(StoreDamaged, match="file is not a database"):
        open_store(f"sqlite:///{file}", str(tmp_path))


def test_torn_pages_are_damaged(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    write(store, begin(store), torrents=[torrent(str(n)) for n in range(300)])
    store.close()
    file = Path(sqlite_place.url.removeprefix("sqlite:///"))
    data = bytearray(file.read_bytes())
    data[8192:] = b"\xff" * (len(data) - 8192)
    file.write_bytes(data)
    with pytest.raises(StoreDamaged, match="is damaged"):
        sqlite_place.open()


def test_a_missing_table_is_damaged(sqlite_place: Place) -> None:
    sqlite_place.open().close()
    engine = create_engine(sqlite_place.url)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE torrent"))
    engine.dispose()
    store = sqlite_place.open()
    with pytest.raises(StoreDamaged, match="has not the tables it should have"):
        store.count_torrents()
    store.close()


def test_a_folder_that_cannot_be_made_is_unreachable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnreachable, match="cannot open the database"):
        open_store(f"sqlite:///{tmp_path}/file/harvest.db", str(tmp_path))
    with pytest.raises(StoreUnreachable, match="cannot open the database"):
        open_store(f"sqlite:///{tmp_path}", str(tmp_path))
    store = open_store(f"sqlite:///{tmp_path}/harvest.db", str(tmp_path / "file"))
    with pytest.raises(StoreUnreachable, match="cannot use the folder"):
        write(store, begin(store), torrents=[torrent("a")])
    store.close()


def test_a_server_that_does_not_answer_is_named_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreachable) as caught:
        open_store("postgresql+psycopg://me:hunter2@127.0.0.1:1/harvest", str(tmp_path))
    assert "cannot connect to the database harvest on 127.0.0.1:1" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_server_that_goes_away_is_unreachable_and_then_comes_back(postgres_place: Place) -> None:
    store = postgres_place.open()
    kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'harvest'"
    engine = create_engine(postgres_place.url)

    def be_cut_off() -> None:
        with store._database.write() as ours:  # type: ignore[attr-defined]  # in the middle of a transaction
            with engine.connect() as connection:
                connection.execute(text(kill))
            ours.execute(text("SELECT 1"))

    with pytest.raises(StoreUnreachable, match="does not answer"):
        be_cut_off()
    engine.dispose()
    assert store.sites() == []
    store.close()


@pytest.mark.parametrize(
    ("user", "database", "why"),
    [
        ("postgres", "nowhere", 'database "nowhere" does not exist'),
        ("nobody:hunter2", "postgres", 'role "nobody" does not exist'),
    ],
)
def test_a_server_that_refuses_says_why(
    user: str, database: str, why: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    url = postgres_server.url(database).replace("postgres@", f"{user}@")
    with pytest.raises(StoreUnreachable, match="cannot connect to the database") as caught:
        open_store(url, str(tmp_path))
    assert why in caught.value.why
    assert "hunter2" not in str(caught.value)


def test_a_lock_held_too_long_is_busy(postgres_place: Place) -> None:
    store = postgres_place.open(busy_seconds=1)
    engine = create_engine(postgres_place.url)
    with engine.begin() as connection:
        connection.execute(text("LOCK TABLE site"))
        with pytest.raises(StoreBusy, match="is busy"):
            store.add_site("forum", start="", now=0)
    engine.dispose()
    store.close()


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "mysql://host/db", "sqlite://", "sqlite:///:memory:", "sqlite+aiosqlite:///a.db"],
)
def test_a_url_that_nobody_can_serve_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        open_store(url, str(tmp_path))


def test_a_blob_url_that_nobody_can_serve_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the blob URL cannot be used"):
        open_store(f"sqlite:///{tmp_path}/a.db", "nosuchscheme://bucket")


SQLITE: dict[str, type[StoreError] | None] = {
    "SQLITE_BUSY": StoreBusy,
    "SQLITE_BUSY_SNAPSHOT": StoreBusy,
    "SQLITE_LOCKED": StoreBusy,
    "SQLITE_FULL": StoreFull,
    "SQLITE_IOERR_WRITE": StoreFull,
    "SQLITE_IOERR_SHMSIZE": StoreFull,
    "SQLITE_IOERR_READ": StoreDamaged,
    "SQLITE_CORRUPT": StoreDamaged,
    "SQLITE_CORRUPT_INDEX": StoreDamaged,
    "SQLITE_NOTADB": StoreDamaged,
    "SQLITE_CANTOPEN": StoreUnreachable,
    "SQLITE_READONLY_DBMOVED": StoreUnreachable,
    "SQLITE_PERM": StoreUnreachable,
    "SQLITE_CONSTRAINT_UNIQUE": None,
    "SQLITE_MISUSE": None,
}


@pytest.mark.parametrize(("name", "expected"), SQLITE.items())
def test_each_code_of_sqlite_has_its_class(name: str, expected: type[StoreError] | None) -> None:
    error = sqlite3.OperationalError("why")
    error.sqlite_errorname = name
    mapped = database_error(error, "the database x")
    assert type(mapped) is (expected or type(None))


POSTGRES: list[tuple[type[psycopg.Error], type[StoreError] | None]] = [
    (pg.SerializationFailure, StoreBusy),
    (pg.DeadlockDetected, StoreBusy),
    (pg.LockNotAvailable, StoreBusy),
    (pg.QueryCanceled, StoreBusy),
    (pg.TooManyConnections, StoreBusy),
    (pg.OutOfMemory, StoreBusy),
    (pg.DiskFull, StoreFull),
    (pg.InvalidPassword, StoreUnreachable),
    (pg.InsufficientPrivilege, StoreUnreachable),
    (pg.ConnectionFailure, StoreUnreachable),
    (pg.AdminShutdown, StoreUnreachable),
    (pg.CrashShutdown, StoreUnreachable),
    (pg.IoError, StoreUnreachable),
    (psycopg.OperationalError, StoreUnreachable),
    (pg.InvalidCatalogName, NotFound),
    (pg.DataCorrupted, StoreDamaged),
    (pg.IndexCorrupted, StoreDamaged),
    (pg.UndefinedTable, StoreDamaged),
    (pg.UniqueViolation, None),
    (pg.SyntaxError, None),
    (psycopg.ProgrammingError, None),
]


@pytest.mark.parametrize(("kind", "expected"), POSTGRES)
def test_each_class_of_postgresql_has_its_class(
    kind: type[psycopg.Error], expected: type[StoreError] | None
) -> None:
    mapped = database_error(kind("why\nand the statement"), "the database x")
    assert type(mapped) is (expected or type(None))
    assert "statement" not in str(mapped)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EFBIG, StoreFull),
        (errno.EACCES, StoreUnreachable),
        (errno.EIO, StoreUnreachable),
    ],
)
def test_each_failure_of_a_file_has_its_class(number: int, expected: type[StoreError]) -> None:
    assert type(file_error(OSError(number, os.strerror(number)), "the folder x")) is expected
