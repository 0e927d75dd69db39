"""The database connection: opening, pragmas, transactions.

SQLite runs in WAL mode with `synchronous=NORMAL`: a killed process loses nothing that was committed, a power
cut may lose the last commits but never damages the file. PostgreSQL runs with `synchronous_commit=off`, which
promises the same of a crash of the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url

from harvester.errors import NotFound, SettingsError, StoreBusy, StoreUnreachable
from harvester.store.bulk import Dialect
from harvester.store.failures import mapped
from harvester.store.postgres import PostgresDialect
from harvester.store.sqlite import SqliteDialect
from harvester.store.tables import make_indexes_partial_on_postgresql

# How long a write waits for another process before it is StoreBusy, in seconds.
BUSY_SECONDS = 10.0
# How often work is done that PostgreSQL breaks off.
ATTEMPTS = 3
# SQLite page cache of the writing connection and of each reading one, in KiB. The system caches the file as
# well: at 10 M URLs the seen-set is as fast with 8 MiB as with 48, so the memory is better left to the crawl.
WRITER_CACHE = 8 * 1024
READER_CACHE = 2 * 1024


Result = TypeVar("Result")


class Database:
    """Transactions on one database: one writer at a time in this process, any number of readers."""

    def __init__(self, url: URL, *, create: bool = True, busy_seconds: float = BUSY_SECONDS) -> None:
        self.where = _spoken(url)
        self.dialect: Dialect
        self._busy_seconds = busy_seconds
        self._lock = Lock()
        if url.get_backend_name() == "sqlite":
            self.dialect = SqliteDialect()
            _check_file(url, self.where, create=create)
            self._writer = _sqlite_engine(url, busy_seconds, WRITER_CACHE, "BEGIN IMMEDIATE", pool_size=1)
            self._reader = _sqlite_engine(url, busy_seconds, READER_CACHE, "BEGIN", pool_size=5)
        else:
            self.dialect = PostgresDialect()
            self._writer = self._reader = _postgres_engine(url, busy_seconds)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction that may change things; rolled back when the block raises."""
        if not self._lock.acquire(timeout=self._busy_seconds):
            raise StoreBusy(f"another thread is writing to {self.where}")
        try:
            with mapped(self.where), self._writer.begin() as connection:
                yield connection
        finally:
            self._lock.release()

    def transact(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` returns from within one `write`; done again when PostgreSQL broke it off.

        PostgreSQL ends one of two writers that wait for each other; the same work then goes through.
        """
        attempts = 1 if self.dialect.name == "sqlite" else ATTEMPTS
        for _ in range(attempts - 1):
            try:
                with self.write() as connection:
                    return work(connection)
            except StoreBusy:
                continue
        with self.write() as connection:
            return work(connection)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One transaction that only reads, and sees one state of the database throughout on SQLite."""
        with mapped(self.where), self._reader.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection."""
        self._writer.dispose()
        self._reader.dispose()


def parsed_url(url: str) -> URL:
    """The database URL; `SettingsError` when it is none that Harvest can use."""
    hint = "use sqlite:////folder/harvest.db or postgresql+psycopg://user@host/database"
    try:
        parsed = make_url(url)
    except exc.ArgumentError as error:
        raise SettingsError("the database URL cannot be read", hint=hint) from error
    if parsed.drivername in {"postgres", "postgresql"}:
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in {"sqlite", "sqlite+pysqlite", "postgresql+psycopg"}:
        raise SettingsError("the database URL is not supported", why=parsed.drivername, hint=hint)
    if parsed.get_backend_name() == "sqlite" and parsed.database in {None, "", ":memory:"}:
        raise SettingsError("the database URL names no file", why=url, hint=hint)
    return parsed


def _spoken(url: URL) -> str:
    """What messages call the database: a file name, or host and database; never a password."""
    if url.get_backend_name() == "sqlite":
        return f"the database {url.database}"
    host = url.host or url.query.get("host") or "localhost"
    return f"the database {url.database or ''} on {host}" + (f":{url.port}" if url.port else "")


def _check_file(url: URL, where: str, *, create: bool) -> None:
    path = Path(url.database or "")
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        elif not path.exists():
            raise NotFound(f"there is no database {path} yet", hint="harvest a site first")
    except OSError as error:
        hint = "check that the folder exists and that you may write to it"
        raise StoreUnreachable(f"cannot open {where}", why=error.strerror or "", hint=hint) from error


def _sqlite_engine(url: URL, busy_seconds: float, cache: int, begin: str, pool_size: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=0 if pool_size == 1 else 20,
        pool_timeout=busy_seconds,
        connect_args={"timeout": busy_seconds, "check_same_thread": False},
    )
    pragmas = (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = NORMAL",
        f"PRAGMA cache_size = -{cache}",
        "PRAGMA temp_store = MEMORY",
        # In pages: random keys dirty the same pages again and again, rarer checkpoints write each once.
        "PRAGMA wal_autocheckpoint = 10000",
        "PRAGMA journal_size_limit = 67108864",
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, record: object) -> None:
        del record
        # The driver would begin transactions by itself, and only before the first write.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _postgres_engine(url: URL, busy_seconds: float) -> Engine:
    make_indexes_partial_on_postgresql()
    settings = {"synchronous_commit": "off", "lock_timeout": int(busy_seconds * 1000), "timezone": "UTC"}
    return create_engine(
        url,
        pool_size=4,
        max_overflow=8,
        pool_timeout=busy_seconds,
        pool_pre_ping=True,
        connect_args={
            "connect_timeout": int(busy_seconds),
            "application_name": "harvest",
            "options": " ".join(f"-c {name}={value}" for name, value in settings.items()),
        },
    )
