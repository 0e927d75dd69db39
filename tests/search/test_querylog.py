"""Queries are counted, persons are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harvester.errors import StoreBusy
from harvester.model.stored import QueryCount
from harvester.search.querylog import QueryLog
from harvester.store import open_store

NOW = 1_800_000_000.0


class Busy:
    """A database that another process holds."""

    def count_query(self, query: str, *, opened: bool, now: float, times: int = 1) -> None:
        raise StoreBusy("busy")


def test_queries_and_openings_are_counted_when_flushed(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}", str(tmp_path / "blobs"))
    log = QueryLog(store)
    for query in ("Ubuntu  LTS", "ubuntu lts", "other", " "):
        log.asked(query)
    log.opened("ubuntu lts")
    assert store.query_counts() == []
    log.flush(NOW)
    log.asked("other")
    log.flush(NOW + 1)
    log.flush(NOW + 2)
    assert sorted(store.query_counts(), key=lambda one: one.query) == [
        QueryCount("other", 2, 0, NOW + 1),
        QueryCount("ubuntu lts", 2, 1, NOW),
    ]
    store.close()


@pytest.mark.parametrize("enabled", [True, False])
def test_switched_off_it_counts_nothing(tmp_path: Path, enabled: bool) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}", str(tmp_path / "blobs"))
    log = QueryLog(store, enabled=enabled)
    log.asked("a")
    log.flush(NOW)
    assert len(store.query_counts()) == enabled
    store.close()


def test_counts_wait_while_the_database_is_busy(tmp_path: Path) -> None:
    log = QueryLog(Busy())
    log.asked("a")
    log.asked("b")
    log.flush(NOW)
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}", str(tmp_path / "blobs"))
    log._store = store
    log.flush(NOW)
    assert {one.query for one in store.query_counts()} == {"a", "b"}
    store.close()
