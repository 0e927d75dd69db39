"""Marked secrets and the real server: no page, no answer and no line of its log holds one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import urldefrag

import httpx
import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.demo.forums import Forum, RunningForum, start_forum
from harvester.model.site import Account, SiteFile
from harvester.patterns.sitefile import dump_site_file, site_from_url
from harvester.settings import Settings
from harvester.web.keys import KeyFile
from tests.crawl.harvesting import crawl
from tests.crawl.leaking import PASSWORD, USER, found_in, told_by_the_store, written_in
from tests.crawl.other_forums import TwoPages

MOST_PAGES = 150
SEEDS = (
    *("/", "/accounts", "/sites", "/sites/marked", "/sites/asks", "/blocks", "/metrics", "/openapi.json"),
    *("/api/v1/search?q=*", "/api/v1/sites", "/api/v1/sites/marked", "/api/v1/sites/marked/parked"),
    *("/api/v1/sites/marked/rules", "/api/v1/rules", "/api/v1/crawls", "/api/v1/stats", "/api/v1/facets"),
    *("/api/v1/blocks", "/api/v1/health"),
)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("MARKED_USER", USER)
    monkeypatch.setenv("MARKED_PASSWORD", PASSWORD)
    monkeypatch.setattr("tests.crawl.other_forums.MEMBER", (USER, PASSWORD))
    monkeypatch.setattr(Forum, "knows", lambda _self, user, password: (user, password) == (USER, PASSWORD))
    return {"user": USER, "password": PASSWORD}


def members_site(url: str, name: str) -> SiteFile:
    return replace(site_from_url(url), site=name, account=Account("MARKED_USER", "MARKED_PASSWORD"))


@contextmanager
def serving(data: Path, log: Path) -> Iterator[str]:
    """`harvest serve` as a process of its own, with its secrets in its environment; its address."""
    environment = {**os.environ, "HARVEST_DATA": str(data), "HARVEST_LOG_LEVEL": "debug"}
    command = [sys.executable, "-u", "-m", "harvester", "serve", "--port", "0"]
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, env=environment) as server,
    ):
        try:
            assert server.stdout is not None
            said = server.stdout.readline().decode()
            yield re.findall(r"http://[\d.:]+", said)[0]
        finally:
            server.terminate()
            with server.stdout or log.open("rb") as rest:
                errors.write(rest.read())
            server.wait(30)


def logged_in(client: httpx.Client, key: str) -> str:
    """The operator on the page; the token that forms carry."""
    token = re.findall(r'name="csrf" value="([^"]+)"', client.get("/login").text)
    client.post("/login", data={"key": key, "csrf": token[0] if token else ""})
    return re.findall(r'name="csrf" value="([^"]+)"', client.get("/accounts").text)[0]


def everything_served(client: httpx.Client) -> dict[str, bytes]:
    """Every page that links lead to, as far as there are not too many, with its headers."""
    waiting, seen = list(SEEDS), dict[str, bytes]()
    while waiting and len(seen) < MOST_PAGES:
        target = urldefrag(waiting.pop(0)).url
        if target in seen or not target.startswith("/") or target.startswith("/language"):
            continue
        answer = client.get(target)
        assert answer.status_code < 500, target
        seen[target] = repr(answer.headers.raw).encode() + answer.content
        if answer.headers.get("content-type", "").startswith("text/html"):
            waiting += [unescape(one) for one in re.findall(r'(?:href|src)="([^"]+)"', answer.text)]
    return seen


def test_no_page_no_answer_and_no_log_of_the_server_holds_a_secret(
    tmp_path: Path, marked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, log = tmp_path / "data", tmp_path / "serve.log"
    settings = Settings(data=data)
    _, key = KeyFile(data).add("operator", "operate", now=1.0)
    with RunningForum(TwoPages, {}) as forum, start_forum("nexusphp") as asking:
        sites = [members_site(forum.url, "marked"), members_site(asking.url, "asks")]
        for site in sites:
            wiring.SiteFolder(settings).keep(site, dump_site_file(site))
            crawl(data, site)
        assert forum.state.logins == 1
        with serving(data, log) as address, httpx.Client(base_url=address, timeout=30) as client:
            csrf = logged_in(client, key)
            forum.end_sessions()
            for name in ("marked", "asks"):
                client.post(f"/accounts/{name}/ask", data={"csrf": csrf})
                until = time.monotonic() + 60
                while "Under way" in client.get("/accounts").text:
                    assert time.monotonic() < until
                    time.sleep(0.1)
            served = everything_served(client)
        assert forum.state.logins == 2
        sessions = {"session": next(key for key, one in forum._sessions.items() if one.member)}
    assert b"captcha" in served["/accounts"]
    assert len([target for target in served if target.startswith("/torrents/")]) > 3
    told = told_by_the_store(data) | {"log": log.read_bytes()}
    assert found_in(served | told, marked | sessions | {"key": key}) == {}
    assert found_in(written_in(data), marked) == {}


def test_a_secret_that_the_server_showed_would_be_found(tmp_path: Path, marked: dict[str, str]) -> None:
    data = tmp_path / "data"
    with RunningForum(TwoPages, {}) as forum:
        site = members_site(forum.url, "marked")
        crawl(data, replace(site, start=(f"{forum.url}?q={USER}",)))
        with serving(data, tmp_path / "serve.log") as address, httpx.Client(base_url=address) as client:
            assert found_in({"page": client.get("/sites/marked").content}, {"user": USER}) != {}
