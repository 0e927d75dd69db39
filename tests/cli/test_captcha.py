"""`harvest captcha`: the question is fetched, shown, answered in time, and never guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.demo.forums import MEMBER, start_forum
from harvester.demo.forums.nexusphp import NexusForum
from harvester.demo.forums.xenforo import CODE
from harvester.model.account import Challenge
from tests.cli.test_account import NAMED, Desk


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])


def code_of(forum: NexusForum, challenge: Challenge | None) -> str:
    assert challenge is not None
    return forum.codes[next(one.value for one in challenge.form.fields if one.name == "imagehash")]


def test_a_captcha_that_waits_is_shown_and_its_answer_logs_in(tmp_path: Path) -> None:
    with start_forum("nexusphp") as forum:
        assert isinstance(forum, NexusForum)
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        assert "harvest captcha" in desk("account", "test", "forum").stderr
        (line,) = [json.loads(one) for one in desk("captcha", "--json").stdout.splitlines()]
        assert (line["site"], line["kind"]) == ("forum", "image")
        code = code_of(forum, desk.files.load("forum").challenge)
        image = tmp_path / "captcha.png"
        done = desk("captcha", "forum", "--image", str(image), stdin=code.encode() + b"\n")
        assert done.returncode == 0
        assert "█" in done.stderr or "▀" in done.stderr
        assert image.read_bytes().startswith(b"\x89PNG")
        assert (forum.state.logins, forum.refused) == (1, [])


def test_a_wrong_answer_is_said_plainly_and_waits_for_the_person(tmp_path: Path) -> None:
    with start_forum("nexusphp") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        done = desk("captcha", "forum", "--answer", "WRONG")
        assert (done.returncode, "answer a new one" in done.stderr) == (1, True)
        assert forum.refused == ["captcha"]
        desk("full", "--site", "forum")
        assert forum.refused == ["captcha"]


def test_an_answer_after_the_deadline_is_not_sent(tmp_path: Path) -> None:
    with start_forum("nexusphp") as forum:
        assert isinstance(forum, NexusForum)
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        desk("account", "test", "forum")
        old = desk.files.load("forum").challenge
        assert old is not None
        desk.files.change("forum", lambda state: replace(state, challenge=replace(old, deadline=1.0)))
        assert desk("captcha").stdout == ""
        desk("captcha", "forum", "--answer", "")
        fresh = desk.files.load("forum").challenge
        assert fresh is not None
        assert fresh.form != old.form
        assert forum.refused == []
        assert desk("captcha", "forum", "--answer", code_of(forum, fresh)).returncode == 0


def test_a_code_of_a_second_factor_is_taken(tmp_path: Path) -> None:
    with start_forum("xenforo-two-step") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        assert "harvest captcha" in desk("account", "test", "forum").stderr
        assert desk("captcha", "forum", "--answer", CODE).returncode == 0
        assert (forum.state.logins, forum.refused) == (1, [])
