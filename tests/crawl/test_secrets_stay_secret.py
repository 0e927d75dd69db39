"""Whole crawls with marked secrets: nothing that is written anywhere holds one, in any of their forms."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from msgspec.structs import replace

from harvester.demo.forums import MEMBER, Forum, start_forum
from harvester.model.site import Account
from harvester.patterns.sitefile import dump_site_file, site_from_url
from tests.cli.running import run_command
from tests.crawl.harvesting import crawl, store_in

USER, PASSWORD = "marked-user-qzxv", "marked pass/wörd-qzxv&=测"


def forms_of(secret: str) -> Iterator[bytes]:
    """The ways in which a secret might be written."""
    yield secret.encode()
    yield secret.encode("gbk", "replace")
    yield quote(secret).encode()
    yield quote_plus(secret).encode()
    yield json.dumps(secret).strip('"').encode()
    yield base64.b64encode(secret.encode()).rstrip(b"=")[:-1]
    for digest in ("md5", "sha1", "sha256"):
        yield hashlib.new(digest, secret.encode(), usedforsecurity=False).hexdigest().encode()


def leaks(content: bytes, secrets: dict[str, str]) -> list[str]:
    lower = content.lower()
    return [name for name, secret in secrets.items() for form in forms_of(secret) if form.lower() in lower]


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("MARKED_USER", USER)
    monkeypatch.setenv("MARKED_PASSWORD", PASSWORD)
    monkeypatch.setattr(Forum, "knows", lambda _self, user, password: (user, password) == (USER, PASSWORD))
    return {"user": USER, "password": PASSWORD}


def harvest(*arguments: str) -> bytes:
    """One command's whole output, whatever its exit code."""
    done = run_command(*arguments)
    return (done.stdout + done.stderr).encode()


@pytest.mark.parametrize("name", ["phpbb", "xenforo", "unit3d", "nexusphp", "vbulletin"])
@pytest.mark.parametrize("right", [True, False])
def test_nothing_that_a_crawl_writes_holds_a_secret(
    name: str,
    right: bool,
    tmp_path: Path,
    marked: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    if not right:
        marked = marked | {"password": PASSWORD + "!"}
        monkeypatch.setenv("MARKED_PASSWORD", PASSWORD + "!")
    with start_forum(name) as forum:
        site = replace(
            site_from_url(forum.url), site="marked", account=Account("MARKED_USER", "MARKED_PASSWORD")
        )
        crawl(tmp_path / "data", site)
        sessions = dict(_member_sessions(forum))
    with store_in(tmp_path / "data") as store:
        events = repr(store.events(limit=1000))
        exported = repr(list(store.iter_torrents())) + repr(store.parked(limit=1000))
    written = {path: path.read_bytes() for path in (tmp_path / "data").rglob("*") if path.is_file()}
    out, err = capfd.readouterr()
    texts = {"log": caplog.text, "stdout": out, "stderr": err, "events": events, "exported": exported}
    everything = {str(path): content for path, content in written.items()} | {
        place: text.encode() for place, text in texts.items()
    }
    assert len(written) >= 3
    assert {place: found for place, content in everything.items() if (found := leaks(content, marked))} == {}
    elsewhere = {place: content for place, content in everything.items() if "/sessions/" not in place}
    assert {place for place, content in elsewhere.items() if leaks(content, sessions)} == set()


def _member_sessions(forum: Forum) -> list[tuple[str, str]]:
    return [("session", key) for key, session in forum._sessions.items() if session.member]


def test_no_command_shows_a_secret(tmp_path: Path, marked: dict[str, str]) -> None:
    data = str(tmp_path / "data")
    with start_forum("xenforo") as forum:
        site = replace(
            site_from_url(forum.url), site="marked", account=Account("MARKED_USER", "MARKED_PASSWORD")
        )
        file = tmp_path / "marked.yaml"
        file.write_text(dump_site_file(site), encoding="utf-8")
        harvest("sites", "add", str(file), "--data", data)
        shown = b""
        for arguments in (
            ("account", "test", "marked", "--dry-run"),
            ("account", "test", "marked", "--dry-run", "--json"),
            ("account", "test", "marked"),
            ("full", "--site", "marked", "--json"),
            ("account", "list", "--json"),
            ("account", "log", "--json"),
            ("status", "--json"),
            ("export", "torrents"),
            ("captcha",),
        ):
            shown += harvest(*arguments, "--data", data)
        sessions = dict(_member_sessions(forum))
    assert b"***" in shown
    assert b"logged in" in shown
    assert leaks(shown, marked | sessions) == []


def test_the_forums_member_has_a_password_that_shows_charsets() -> None:
    assert not MEMBER[1].isascii()
