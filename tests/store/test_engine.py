"""Transactions: one writer at a time, readers that see one state, nothing left open."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from harvester.errors import StoreBusy
from harvester.store.engine import Database, parsed_url
from harvester.store.sqlite import SqliteDialect
from harvester.store.tables import seen
from tests.store.conftest import Place


@pytest.fixture
def database(sqlite_place: Place) -> Iterator[Database]:
    sqlite_place.open().close()
    opened = Database(parsed_url(sqlite_place.url), busy_seconds=0.2)
    yield opened
    opened.close()


def count_sites(connection: Connection) -> int:
    n: int = connection.execute(text("SELECT count(*) FROM site")).scalar_one()
    return n


def test_threads_that_write_wait_for_each_other(place: Place) -> None:
    store = place.open()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: store.add_site(f"s{n}", start="", now=n), range(20)))
    assert len(store.sites()) == 20
    store.close()


def test_a_thread_that_writes_too_long_makes_the_others_busy(database: Database) -> None:
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with database.write():
            holding.set()
            done.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait(10)
    with pytest.raises(StoreBusy, match="another thread is writing"), database.write():
        pass
    done.set()
    thread.join()


def test_a_reader_sees_one_state_whatever_is_written_meanwhile(database: Database) -> None:
    row = "INSERT INTO site (name, state, start, reason, added_at, changed_at) VALUES ('a', '', '', '', 0, 0)"
    with database.read() as reading:
        assert count_sites(reading) == 0
        with database.write() as writing:
            writing.execute(text(row))
        assert count_sites(reading) == 0
    with database.read() as reading:
        assert count_sites(reading) == 1


def test_what_raises_is_rolled_back(database: Database) -> None:
    def fail() -> None:
        with database.write() as connection:
            connection.execute(text("DROP TABLE site"))
            raise KeyError("something else")

    with pytest.raises(KeyError):
        fail()
    with database.read() as connection:
        assert count_sites(connection) == 0


def test_work_that_is_broken_off_is_done_again_on_postgresql_only(
    postgres_place: Place, database: Database
) -> None:
    postgres_place.open().close()
    for opened, expected in ((Database(parsed_url(postgres_place.url)), 3), (database, 1)):
        attempts: list[int] = []

        def work(connection: Connection, attempts: list[int] = attempts) -> None:
            attempts.append(count_sites(connection))
            raise StoreBusy("deadlock")

        with pytest.raises(StoreBusy):
            opened.transact(work)
        assert len(attempts) == expected
        opened.close()


def test_a_closed_store_leaves_one_file(sqlite_place: Place, tmp_path: Path) -> None:
    store = sqlite_place.open()
    store.add_site("a", start="", now=0)
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["harvest.db"]


def test_look_ups_of_any_length_find_everything(database: Database) -> None:
    with database.write() as connection:
        database.dialect.add_seen(connection, list(range(1000)))
        look_up = SqliteDialect().look_up(seen, ("hash",), "hash")
        for n in (0, 1, 127, 128, 129, 1000):
            assert sorted(row[0] for row in look_up(connection, list(range(n)))) == list(range(n))
