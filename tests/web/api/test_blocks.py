"""Blocking through the API."""

from __future__ import annotations

import pytest

from tests.web.collection import Served, hex_of

BLOCK = {"kind": "word", "value": "ubuntu", "reason": "a notice"}
SERVER = hex_of("Ubuntu 24.04 server")


@pytest.mark.parametrize("scope", ["", "read", "operate"])
def test_only_an_admin_blocks(own: Served, scope: str) -> None:
    refused = 403 if scope else 401
    assert own.get("/api/v1/blocks", scope).status_code == refused
    assert own.client.post("/api/v1/blocks", json=BLOCK, headers=own.header(scope)).status_code == refused
    path = "/api/v1/blocks/word?value=ubuntu"
    assert own.client.delete(path, headers=own.header(scope)).status_code == refused
    assert own.store.blocks() == []


def test_what_is_blocked_is_gone_at_once_for_everyone_and_comes_back(own: Served) -> None:
    made = own.client.post("/api/v1/blocks", json=BLOCK, headers=own.header("admin"))
    assert made.status_code == 201
    for scope in ("", "admin"):
        assert own.get("/api/v1/search", scope, q="24.04").json()["total"] == 0
        for part in ("", ".torrent", "/magnet"):
            assert own.get(f"/api/v1/torrents/{SERVER}{part}", scope).status_code == 404
        assert own.get(f"/torrents/{SERVER}", scope).status_code == 404
    assert [one["reason"] for one in own.get("/api/v1/blocks", "admin").json()["blocks"]] == ["a notice"]
    lifted = own.client.delete("/api/v1/blocks/word?value=ubuntu", headers=own.header("admin"))
    assert lifted.status_code == 204
    assert own.get(f"/api/v1/torrents/{SERVER}").status_code == 200


def test_a_block_that_makes_no_sense_is_refused(own: Served) -> None:
    for body in ({"kind": "nonsense"}, {"kind": "pattern", "value": "("}, {"kind": "infohash"}):
        answer = own.client.post("/api/v1/blocks", json=BLOCK | body, headers=own.header("admin"))
        assert answer.status_code in (400, 422)
    missing = own.client.post("/api/v1/blocks", json={"kind": "word"}, headers=own.header("admin"))
    assert missing.status_code == 422
    lifted = own.client.delete("/api/v1/blocks/word?value=none", headers=own.header("admin"))
    assert lifted.status_code == 404
