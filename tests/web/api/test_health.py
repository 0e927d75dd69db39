"""Whether the server works, told without a key."""

from __future__ import annotations

import shutil

import pytest

from tests.web.collection import Served


@pytest.mark.parametrize("path", ["/health", "/api/v1/health"])
def test_a_server_that_works_says_so_to_anybody(web: Served, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    told = answer.json()
    assert (told["status"], told["database"], told["index"]) == ("ok", "ok", "ok")
    assert told["index_behind"] == 0


def test_a_server_without_an_index_says_what_fails(own: Served) -> None:
    shutil.rmtree(own.settings.data / "index")
    answer = own.get("/health")
    assert answer.status_code == 503
    assert answer.json()["status"] == "failing"
    assert answer.json()["database"] == "ok"
    assert answer.json()["index"] == "NotFound"


def test_a_server_without_its_database_says_what_fails(own: Served) -> None:
    own.store.close()
    for path in own.settings.data.glob("*.sqlite*"):
        path.write_bytes(b"no database" * 1000)
    answer = own.get("/health")
    assert answer.status_code == 503
    assert answer.json()["database"] != "ok"
