"""What every request passes and every answer carries."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from harvester.web.gate import MAX_BODY, MAX_PATH, MAX_QUERY
from tests.web.collection import Served, hex_of, served

PATHS = ("/", "/sites", "/login", "/nowhere", "/api/v1/search", "/api/v1/nowhere", "/static/harvest.js")


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_a_strict_policy(web: Served, path: str) -> None:
    headers = web.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"


def test_refusals_carry_it_too(web: Served) -> None:
    refused = web.client.get("/", headers={"X-Api-Key": "hv_wrong"})
    assert refused.status_code == 401
    assert "content-security-policy" in refused.headers


def test_long_paths_queries_and_bodies_are_refused(web: Served) -> None:
    assert web.get("/" + "a" * MAX_PATH).status_code == 414
    assert web.client.get("/?q=" + "a" * MAX_QUERY).status_code == 414
    headers = web.header("admin")
    large = b"x" * (MAX_BODY + 1)
    assert web.client.post("/api/v1/blocks", content=large, headers=headers).status_code == 413
    for told in ("-1", "9" * 30, "x"):
        answer = web.client.get("/", headers={"Content-Length": told})
        assert answer.status_code == 413


def test_a_body_that_hides_its_length_is_cut_off(web: Served) -> None:
    sent = 0

    def stream():  # type: ignore[no-untyped-def]  # a generator of chunks
        nonlocal sent
        for _ in range(100):
            sent += 1
            yield b" " * 8192

    answer = web.client.post("/api/v1/blocks", content=stream(), headers=web.header("admin"))
    assert answer.status_code == 413


def test_who_asks_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    with served(tmp_path, web_rate_limit=8) as web:
        assert [web.get("/api/v1/sites").status_code for _ in range(3)] == [200, 200, 429]
        refused = web.get("/api/v1/sites")
        assert refused.headers["content-type"] == "application/problem+json"
        assert int(refused.headers["retry-after"]) >= 1
        assert web.get("/api/v1/sites", "read").status_code == 200
        assert web.get("/static/harvest.css").status_code == 200


def test_a_person_who_is_refused_gets_a_page(tmp_path: Path) -> None:
    with served(tmp_path, web_rate_limit=4, web_host="127.0.0.1") as web:
        page = {"Accept": "text/html", "Host": "127.0.0.1"}
        answers = [web.client.get("/sites", headers=page) for _ in range(2)]
        answers.append(web.client.get("/sites", headers=page | {"Host": "evil.example"}))
        assert [one.status_code for one in answers] == [200, 429, 421]
        assert all("<h1>" in one.text for one in answers)


def test_guessing_keys_is_slowed_down(web: Served) -> None:
    answers = [web.client.get("/api/v1/sites", headers={"X-Api-Key": f"hv_{n}"}) for n in range(60)]
    assert {one.status_code for one in answers} == {401, 429}


def test_a_server_on_loopback_does_not_answer_to_a_strangers_name(tmp_path: Path) -> None:
    with served(tmp_path, web_host="127.0.0.1", web_url="https://search.example.org/x") as web:

        def status(host: str) -> int:
            return web.client.get("/api/v1/sites", headers={"Host": host}).status_code

        assert status("evil.example") == status("127.0.0.1.evil.example") == status("") == 421
        assert status("127.0.0.1:8480") == status("LOCALHOST") == status("[::1]:1") == 200
        assert status("search.example.org") == 200


def test_only_named_origins_may_call_from_their_pages(tmp_path: Path) -> None:
    with served(tmp_path, web_cors="https://app.example, https://other.example") as web:

        def allowed(origin: str) -> str | None:
            answer = web.client.get("/api/v1/sites", headers={"Origin": origin})
            return answer.headers.get("access-control-allow-origin")

        assert allowed("https://app.example") == "https://app.example"
        assert allowed("https://evil.example") is None
        assert "access-control-allow-credentials" not in web.get("/api/v1/sites").headers


def test_no_origin_may_by_default(web: Served) -> None:
    answer = web.client.get("/api/v1/sites", headers={"Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in answer.headers


def test_a_fault_tells_a_stranger_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with served(tmp_path, raising=False) as web:
        web.client.app.state.services.store.sites = None  # type: ignore[attr-defined]  # breaks it on purpose
        answer = web.get("/api/v1/sites")
        assert answer.status_code == 500
        assert answer.json()["type"] == "urn:harvest:problem:server"
        assert "NoneType" not in answer.text
        assert "content-security-policy" in answer.headers
    assert "NoneType" in caplog.text


def test_reading_can_be_closed_to_those_without_a_key(tmp_path: Path) -> None:
    with served(tmp_path, web_public_read=False) as web:
        for path in ("/api/v1/search", "/api/v1/sites", "/api/v1/stats", "/", "/results", "/sites"):
            assert web.get(path).status_code == 401
            assert web.get(path, "read").status_code == 200
        assert web.get("/login").status_code == 200


def test_the_key_of_the_settings_reads_and_closes_reading_to_others(tmp_path: Path) -> None:
    with served(tmp_path, web_api_key="hv_told") as web:
        assert web.get("/api/v1/sites").status_code == 401
        for headers in ({"X-Api-Key": "hv_told"}, {"Authorization": "Bearer hv_told"}):
            assert web.client.get("/api/v1/sites", headers=headers).status_code == 200
            assert web.client.get("/api/v1/blocks", headers=headers).status_code == 403


def test_an_unknown_key_is_refused_even_where_none_is_needed(web: Served) -> None:
    client: TestClient = web.client
    for headers in ({"X-Api-Key": ""}, {"Authorization": "Bearer x"}, {"X-Api-Key": "\u00e9"}):
        answer = client.get("/api/v1/stats", headers={k: v.encode() for k, v in headers.items()})
        assert answer.status_code in (401, 429)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/sites",
        "/api/v1/search?q=ubuntu",
        f"/torrents/{hex_of('Ubuntu 24.04 desktop')}.torrent",
        f"/api/v1/torrents/{hex_of('Ubuntu 24.04 desktop')}.torrent",
        "/static/harvest.css",
        "/nowhere",
    ],
)
def test_what_can_be_got_can_be_asked_about(web: Served, path: str) -> None:
    got, asked = web.client.get(path), web.client.head(path)
    assert asked.status_code == got.status_code
    assert asked.headers.get("content-length") == got.headers.get("content-length")
    assert asked.headers.get("etag") == got.headers.get("etag")
