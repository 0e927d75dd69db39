"""Sites through the API."""

from __future__ import annotations

import pytest

from tests.web.collection import Served


def test_sites_are_listed_with_state_walls_and_last_crawl(web: Served) -> None:
    sites = {one["site"]: one for one in web.get("/api/v1/sites").json()["sites"]}
    assert sites["forum"]["state"] == "active"
    assert sites["forum"]["walls"] == {"login": 1}
    assert sites["forum"]["last_crawl"]["figures"]["requests"] == 70


def test_what_waits_is_shown_to_the_operator_with_its_secrets_masked(web: Served) -> None:
    assert web.get("/api/v1/sites/forum/parked").status_code == 401
    assert web.get("/api/v1/sites/forum/parked", "read").status_code == 403
    waiting = web.get("/api/v1/sites/forum/parked", "operate").json()["parked"]
    assert [(one["url"], one["opens"]) for one in waiting] == [
        ("https://forum.example/w1?token=***", "an account")
    ]


def test_rules_of_a_site_file_and_of_its_engine_are_listed(own: Served) -> None:
    folder = own.settings.data / "rules"
    folder.mkdir()
    (folder / "mine.yaml").write_text(
        "site: mine\nstart: [https://mine.example/]\nengine: discuz\n"
        "rules:\n  - {id: t, role: detail, match: '/t/\\d{1,9}'}\n"
    )
    rules = own.get("/api/v1/sites/mine/rules").json()
    assert rules["engine"] == "discuz"
    assert rules["rules"][0] == {
        "id": "t", "role": "detail", "match": "/t/\\d{1,9}", "key": "", "locked": False,
        "source": "operator", "state": "active", "support": None, "bound": None,
    }  # fmt: skip
    assert {one["source"] for one in rules["rules"][1:]} == {"engine"}
    assert own.get("/api/v1/rules", site="mine").json() == rules


def test_pausing_and_resuming_need_an_operator_and_are_noted(own: Served) -> None:
    assert own.client.post("/api/v1/sites/forum/pause").status_code == 401
    assert own.client.post("/api/v1/sites/forum/pause", headers=own.header("read")).status_code == 403
    paused = own.client.post(
        "/api/v1/sites/forum/pause", json={"reason": "too slow"}, headers=own.header("operate")
    ).json()
    assert (paused["state"], paused["reason"]) == ("paused", "too slow")
    assert own.store.site("forum").state == "paused"
    resumed = own.client.post("/api/v1/sites/forum/resume", headers=own.header("operate"))
    assert resumed.json()["state"] == "active"
    assert [one.kind for one in own.store.events(site="forum")][:2] == ["site_resumed", "site_paused"]


@pytest.mark.parametrize("name", ["nowhere", "..", "%2e%2e", "a%2fb", "..%5c.."])
@pytest.mark.parametrize("part", ["", "/rules"])
def test_a_site_that_is_not_there_is_not_found(web: Served, name: str, part: str) -> None:
    assert web.get(f"/api/v1/sites/{name}{part}").status_code in (404, 422)
