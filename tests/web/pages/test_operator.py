"""Logging in, and forms that somebody else made up."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from parsel import Selector

from harvester.web.keys import KeyFile
from tests.web.collection import Served, hex_of


def login(web: Served, scope: str = "operate", **more: str) -> object:
    """Fill in the form as a browser does."""
    form = Selector(web.get("/login").text).css("form.stack")
    fields = {one.attrib["name"]: one.attrib.get("value", "") for one in form.css("input[name]")}
    fields |= {"key": web.keys.get(scope, scope)} | more
    return web.client.post("/login", data=fields, follow_redirects=False)


def token_of(web: Served, path: str = "/") -> str:
    return Selector(web.get(path).text).css("input[name=csrf]::attr(value)").get("")


def test_an_operator_logs_in_sees_private_torrents_and_logs_out(own: Served) -> None:
    address = f"/torrents/{hex_of('Secret holiday')}"
    assert own.get(address).status_code == 404
    answer = login(own, back="/sites")
    assert (answer.status_code, answer.headers["location"]) == (303, "/sites")  # type: ignore[attr-defined]
    assert own.get(address).status_code == 200
    assert own.get("/api/v1/search", q="holiday").json()["total"] == 1
    gone = own.client.post("/logout", data={"csrf": token_of(own)}, follow_redirects=False)
    assert gone.status_code == 303
    assert own.get(address).status_code == 404


@pytest.mark.parametrize(
    "back",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "/\t/evil.example",
        "javascript:alert(1)",
        "http:evil.example",
        "/\r\nLocation: https://evil.example/",
        "\\\\evil.example",
        "",
    ],
)
def test_logging_in_leads_to_no_other_server(own: Served, back: str) -> None:
    page = own.get("/login", back=back).text
    assert Selector(page).css("form.stack input[name=back]::attr(value)").get() == "/"
    answer = login(own, back=back)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")  # type: ignore[attr-defined]


def test_the_cookie_is_for_this_site_and_for_no_script(own: Served) -> None:
    cookie = login(own).headers["set-cookie"].lower()  # type: ignore[attr-defined]
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert own.keys["operate"].lower() not in cookie


@pytest.mark.parametrize("key", ["", "hv_wrong", "read"])
def test_other_keys_do_not_log_in(own: Served, key: str) -> None:
    assert login(own, key).status_code == 403  # type: ignore[attr-defined]
    assert own.get(f"/torrents/{hex_of('Secret holiday')}").status_code == 404


def test_nobody_is_logged_in_by_a_form_from_elsewhere(own: Served) -> None:
    key = {"key": own.keys["operate"]}
    assert own.client.post("/login", data=key).status_code == 403
    own.get("/login")
    assert own.client.post("/login", data=key | {"csrf": "guess"}).status_code == 403
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}):
        token = token_of(own, "/login")
        answer = own.client.post("/login", data=key | {"csrf": token}, headers=headers)
        assert answer.status_code == 403
    assert own.get(f"/torrents/{hex_of('Secret holiday')}").status_code == 404


def test_the_operator_pauses_and_resumes_a_site(own: Served) -> None:
    login(own)
    token = token_of(own, "/sites/forum")
    own.client.post("/sites/forum/pause", data={"csrf": token, "reason": "<b>tired</b>"})
    assert (own.store.site("forum").state, own.store.site("forum").reason) == ("paused", "<b>tired</b>")
    assert "<b>tired" not in own.get("/sites/forum").text
    own.client.post("/sites/forum/resume", data={"csrf": token})
    assert own.store.site("forum").state == "active"


@pytest.mark.parametrize("path", ["/sites/forum/pause", "/logout"])
@pytest.mark.parametrize("token", ["", "guess", "é"])
def test_a_form_without_the_sessions_token_does_nothing(own: Served, path: str, token: str) -> None:
    login(own)
    assert own.client.post(path, data={"csrf": token}).status_code == 403
    assert own.store.site("forum").state == "active"
    assert own.get(f"/torrents/{hex_of('Secret holiday')}").status_code == 200


def test_the_cookie_alone_changes_nothing_through_the_api(own: Served) -> None:
    login(own, "admin")
    assert own.client.post("/api/v1/sites/forum/pause").status_code == 401
    body = {"kind": "word", "value": "ubuntu", "reason": "x"}
    assert own.client.post("/api/v1/blocks", json=body).status_code == 401
    assert own.store.site("forum").state == "active"


def test_strangers_pause_nothing(own: Served) -> None:
    assert own.client.post("/sites/forum/pause", data={"csrf": ""}).status_code == 401
    assert own.client.post("/sites/forum/explode", data={"csrf": ""}).status_code == 401


def test_revoking_a_key_ends_its_sessions(own: Served) -> None:
    login(own)
    KeyFile(own.settings.data).revoke("operate")
    assert own.get(f"/torrents/{hex_of('Secret holiday')}").status_code == 404


def test_forms_are_bounded(own: Served) -> None:
    client: TestClient = own.client
    many = "&".join(f"a{n}=1" for n in range(1000))
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post("/login", content=many, headers=headers).status_code == 400
    assert client.post("/login", content=b"\xff\xfe=\x00", headers=headers).status_code == 403
