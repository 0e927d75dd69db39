"""Marked secrets on other ways than a form: HTTP authentication, JSON, cookies, alerts, archives, workers."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from urllib.parse import quote_plus

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.crawl.options import CrawlOptions
from harvester.demo.forums import Forum, RunningForum, start_forum
from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from harvester.errors import SiteFileError
from harvester.fetch.sessions import AccountFiles
from harvester.model.http import Cookie
from harvester.model.site import Account, SiteFile
from harvester.patterns.sitefile import dump_site_file, parse_site_file, site_from_url
from harvester.settings import Settings
from tests.crawl.harvesting import SECONDS, crawl, store_in
from tests.crawl.leaking import PASSWORD, USER, found_in, told_by_the_store, written_in
from tests.crawl.other_forums import OTHERS, Digest
from tests.servers.redis import running_redis


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("MARKED_USER", USER)
    monkeypatch.setenv("MARKED_PASSWORD", PASSWORD)
    monkeypatch.setattr(Forum, "knows", lambda _self, user, password: (user, password) == (USER, PASSWORD))
    return {"user": USER, "password": PASSWORD}


def marked_site(url: str) -> SiteFile:
    return replace(site_from_url(url), site="marked", account=Account("MARKED_USER", "MARKED_PASSWORD"))


@pytest.mark.parametrize("name", ["basic", "flarum", "mail", "two-pages"])
@pytest.mark.parametrize("right", [True, False])
def test_nothing_that_is_written_holds_a_secret_archives_included(
    name: str,
    right: bool,
    tmp_path: Path,
    marked: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("tests.crawl.other_forums.MEMBER", (USER, PASSWORD))
    if not right:
        marked = marked | {"password": PASSWORD + "!"}
        monkeypatch.setenv("MARKED_PASSWORD", PASSWORD + "!")
    options = CrawlOptions(max_seconds=SECONDS, warc=tmp_path / "warc")
    with RunningForum(OTHERS[name], {}) as forum:
        crawl(tmp_path / "data", marked_site(forum.url), options=options)
        assert forum.state.logins == right
    written = written_in(tmp_path / "data", tmp_path / "warc")
    everything = written | told_by_the_store(tmp_path / "data") | {"log": caplog.text.encode()}
    assert any(place.endswith(".warc.gz") for place in written)
    assert found_in(everything, marked) == {}


def test_a_digests_parts_are_written_nowhere(
    tmp_path: Path, marked: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.crawl.other_forums.MEMBER", (USER, PASSWORD))
    sent: list[str] = []
    checked = Digest._authorised

    def seen(forum: Digest, visit) -> bool:  # type: ignore[no-untyped-def]  # as the forum's own
        sent.append(visit.request.headers.get("authorization", ""))
        return checked(forum, visit)

    monkeypatch.setattr(Digest, "_authorised", seen)
    options = CrawlOptions(max_seconds=SECONDS, warc=tmp_path / "warc")
    with RunningForum(Digest, {}) as forum:
        crawl(tmp_path / "data", marked_site(forum.url), options=options)
        assert (forum.state.logins, forum.refused) == (1, [])
    everything = written_in(tmp_path / "data", tmp_path / "warc") | told_by_the_store(tmp_path / "data")
    responses = {f"response {n}": one for n, one in enumerate(sent) if one}
    assert len(responses) > 3
    assert found_in(everything, marked | responses) == {}


def test_imported_cookies_are_in_the_account_file_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    cookie = {"cookie": "marked-cookie-qzxv-0123456789"}
    data = tmp_path / "data"
    with start_forum("smf") as forum:
        site = replace(site_from_url(forum.url), site="marked")
        kept = (Cookie("PHPSESSID", cookie["cookie"], "127.0.0.1"),)
        AccountFiles(data / "sessions").change(
            "marked", lambda state: replace(state, cookies=kept, imported=True)
        )
        crawl(data, site, options=CrawlOptions(max_seconds=SECONDS, warc=tmp_path / "warc"))
        assert forum.state.requests > 5
    everything = written_in(data, tmp_path / "warc") | told_by_the_store(data) | {"log": caplog.text.encode()}
    assert all("/sessions/marked.json" in place for place in found_in(everything, cookie))


@pytest.mark.parametrize(
    ("name", "kind", "step"),
    [
        ("xenforo", "bad_credentials", "correct the user name or password"),
        ("nexusphp", "captcha_required", "harvest captcha marked"),
    ],
)
def test_an_alert_says_what_happened_and_its_address_is_written_nowhere(
    name: str,
    kind: str,
    step: str,
    tmp_path: Path,
    marked: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("MARKED_PASSWORD", PASSWORD + "!")
    came: list[Request] = []

    async def hook(request: Request) -> Response:
        came.append(request)
        return Response(b"", 204)

    listener = loopback_socket()
    key = {"key": "marked-key-qzxv-42"}
    data = tmp_path / "data"
    with SiteThread([(hook, listener)]), start_forum(name) as forum:
        for port in (origin_of(listener), "http://127.0.0.1:9"):  # the second does not answer
            settings = Settings(data=data, alert_webhook=f"{port}/hook?k={key['key']}")  # type: ignore[arg-type]  # pydantic wraps it
            with store_in(data) as store:
                wiring.full_crawl(settings, store, marked_site(forum.url), CrawlOptions(max_seconds=SECONDS))
            for thread in threading.enumerate():
                if thread.name == "alert":
                    thread.join(10)
    said = json.loads(came[0].body)
    assert (said["site"], said["kind"]) == ("marked", kind)
    assert step in said["message"]
    assert step in caplog.text
    assert "could not be sent" in caplog.text
    told = {"alerts": b"".join(one.body for one in came), "log": caplog.text.encode()}
    everything = written_in(data) | told_by_the_store(data) | told
    assert found_in(everything, marked | {"password": PASSWORD + "!"} | key) == {}


def test_a_worker_and_its_queue_hold_no_secret(tmp_path: Path, marked: dict[str, str]) -> None:
    data = tmp_path / "data"
    with running_redis() as redis_url, start_forum("xenforo") as forum:
        site = marked_site(forum.url)
        settings = Settings(data=data)
        wiring.SiteFolder(settings).keep(site, dump_site_file(site))
        crawl(data, replace(site, account=Account()))
        environment = {**os.environ, "HARVEST_DATA": str(data), "HARVEST_REDIS_URL": redis_url}
        environment |= {"HARVEST_LOG_LEVEL": "debug"}
        shown = b""
        for words in (("schedule", "--once", "--interval", "0"), ("worker", "--burst")):
            done = subprocess.run(
                [sys.executable, "-m", "harvester", *words], capture_output=True, env=environment, timeout=120
            )
            shown += done.stdout + done.stderr
        assert forum.state.logins == 1
        queue = repr(_everything_in(redis_url)).encode()
        sessions = {"session": next(key for key, one in forum._sessions.items() if one.member)}
    assert len(queue) > 200
    assert found_in({"output": shown, "queue": queue} | told_by_the_store(data), marked | sessions) == {}
    assert found_in(written_in(data), marked) == {}


def _everything_in(redis_url: str) -> list[object]:
    from redis import Redis

    with Redis.from_url(redis_url) as connection:
        return [(key, connection.dump(key), connection.type(key)) for key in connection.keys("*")]


def test_a_secret_that_was_written_would_be_found() -> None:
    written = {"file": b"a " + quote_plus(PASSWORD).encode() + b" b", "other": b"nothing"}
    assert found_in(written, {"password": PASSWORD}) == {"file": ["password"]}


def test_a_proxy_with_a_password_is_refused_without_showing_it() -> None:
    text = "site: x\nstart: ['https://x.example/']\npoliteness: {proxy: 'http://me:marked-proxy-qzxv@127.0.0.1:3128'}\n"
    with pytest.raises(SiteFileError, match="name or a password") as refused:
        parse_site_file(text, "x.yaml")
    assert "marked-proxy-qzxv" not in repr(refused.value) + str(refused.value)
