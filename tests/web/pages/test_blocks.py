"""The admin takes torrents out on the page, with a reason, and puts them back."""

from __future__ import annotations

import pytest

from tests.web.collection import HOSTILE, Served, hex_of
from tests.web.pages.test_operator import login, token_of

UBUNTU = hex_of("Ubuntu 24.04 desktop")


def block(web: Served, **fields: str) -> int:
    """Fill in the form of the page."""
    form = {"csrf": token_of(web, "/blocks"), "kind": "infohash", "value": UBUNTU, "reason": "a notice"}
    status: int = web.client.post("/blocks", data=form | fields, follow_redirects=False).status_code
    return status


def test_what_is_taken_out_is_gone_at_once_and_comes_back(own: Served) -> None:
    login(own, "admin")
    assert "Take this torrent out" in own.get(f"/torrents/{UBUNTU}").text
    assert block(own) == 303
    assert own.get(f"/torrents/{UBUNTU}").status_code == 404
    assert own.get("/api/v1/search", q="ubuntu desktop").json()["total"] == 0
    listed = own.get("/blocks").text
    assert UBUNTU in listed
    assert "a notice" in listed
    form = {"csrf": token_of(own, "/blocks"), "kind": "infohash", "value": UBUNTU}
    assert own.client.post("/blocks/lift", data=form, follow_redirects=False).status_code == 303
    own.reindex()
    assert own.get(f"/torrents/{UBUNTU}").status_code == 200
    assert own.get("/api/v1/search", q="ubuntu desktop").json()["total"] == 1


@pytest.mark.parametrize("path", ["/blocks", "/blocks/lift"])
@pytest.mark.parametrize("token", ["", "guess"])
def test_a_form_without_the_sessions_token_takes_nothing_out(own: Served, path: str, token: str) -> None:
    login(own, "admin")
    form = {"csrf": token, "kind": "word", "value": "ubuntu", "reason": "x"}
    assert own.client.post(path, data=form).status_code == 403
    assert own.store.blocks() == []


@pytest.mark.parametrize("scope", ["", "operate"])
def test_only_the_admin_takes_out(own: Served, scope: str) -> None:
    if scope:
        login(own, scope)
    form = {"csrf": token_of(own, "/"), "kind": "word", "value": "ubuntu", "reason": "x"}
    assert own.get("/blocks").status_code == (403 if scope else 401)
    assert own.client.post("/blocks", data=form).status_code == (403 if scope else 401)
    assert own.store.blocks() == []
    assert "Take this torrent out" not in own.get(f"/torrents/{UBUNTU}").text


def test_a_form_from_elsewhere_takes_nothing_out(own: Served) -> None:
    login(own, "admin")
    form = {"csrf": token_of(own, "/blocks"), "kind": "word", "value": "ubuntu", "reason": "x"}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert own.client.post("/blocks", data=form, headers=headers).status_code == 403
    assert own.store.blocks() == []


@pytest.mark.parametrize(
    "fields",
    [{"reason": " "}, {"kind": "word", "value": " "}, {"kind": "pattern", "value": "("}, {"kind": "x"}],
)
def test_a_block_that_makes_no_sense_is_explained(own: Served, fields: dict[str, str]) -> None:
    login(own, "admin")
    assert block(own, **fields) == 400
    assert own.store.blocks() == []


def test_hostile_values_and_reasons_are_escaped(own: Served) -> None:
    login(own, "admin")
    assert block(own, kind="word", value=HOSTILE, reason=HOSTILE) == 303
    text = own.get("/blocks").text
    assert "<script>alert" not in text
    assert "<img" not in text
