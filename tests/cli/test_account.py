"""`harvest account`: a person is led through it, and nothing is sent that was not asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.demo.forums import MEMBER, Forum, start_forum
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import ProposedReply
from harvester.patterns.sitefile import dump_site_file, site_from_url
from tests.cli.running import Done, run_command


class Desk:
    """Commands over one data folder in which a forum is known as `forum`."""

    def __init__(self, folder: Path, forum: Forum) -> None:
        self.data = folder / "data"
        file = folder / "forum.yaml"
        file.write_text(dump_site_file(replace(site_from_url(forum.url), site="forum")), encoding="utf-8")
        assert self("sites", "add", str(file)).returncode == 0

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Done:
        return run_command(*arguments, "--data", str(self.data), stdin=stdin)

    @property
    def files(self) -> AccountFiles:
        return AccountFiles(self.data / "sessions")


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])


NAMED = ("--user-env", "FORUM_USER", "--password-env", "FORUM_PASSWORD")


def test_an_account_is_added_tried_listed_and_forgotten(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        without = desk("account", "test", "forum")
        assert (without.returncode, "harvest account add" in without.stderr) == (2, True)
        assert "harvest account test" in desk("account", "add", "forum", *NAMED).stdout
        assert "logged in" in desk("account", "test", "forum").stdout
        assert "logged in" in desk("account", "test", "forum").stdout
        assert forum.state.logins == 1
        (row,) = [json.loads(line) for line in desk("account", "list", "--json").stdout.splitlines()]
        assert row["state"].startswith("logged in")
        (line,) = [json.loads(line) for line in desk("account", "log", "--json").stdout.splitlines()]
        assert (line["kind"], line["verdict"]) == ("login", "ok")
        assert desk("account", "forget", "forum").returncode == 0
        assert desk.files.load("forum").cookies == ()
        assert len(desk.files.load("forum").attempts) == 1
        assert desk("account", "forget", "nobody").returncode != 0


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(tmp_path: Path) -> None:
    with start_forum("unit3d") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        done = desk("account", "test", "forum", "--dry-run")
        assert f"POST {forum.origin}/login" in done.stdout
        assert "username = ***" in done.stdout
        assert "password = ***" in done.stdout
        assert "  _username = \n" in done.stdout
        assert MEMBER[1] not in done.stdout
        assert forum.state.hits["/login"] <= 2
        assert (forum.state.logins, forum.refused) == (0, [])


def test_a_wrong_password_is_said_plainly_and_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORUM_PASSWORD", "wrong")
    with start_forum("xenforo") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        for _ in range(3):
            done = desk("account", "test", "forum")
            assert done.returncode == 1
            assert done.stderr.count("\n") == 1
            assert "correct the user name or password" in done.stderr
        assert forum.refused == ["password"]
        assert "frozen" in desk("account", "list").stdout
        monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])
        assert desk("account", "test", "forum").returncode == 0


def test_status_says_how_the_account_of_each_crawled_site_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(desk: Desk) -> tuple[str, str]:
        (site,) = json.loads(desk("status", "--json").stdout)["sites"]
        assert f"account: {site['account']['words']}" in desk("status").stdout
        return site["account"]["state"], site["account"]["next_step"]

    with start_forum("xenforo") as forum:
        desk = Desk(tmp_path, forum)
        desk("full", "--site", "forum", "--max-requests", "60")
        assert told(desk) == ("none", "harvest account add forum, if you have one")
        desk("account", "add", "forum", *NAMED)
        assert told(desk) == ("new", "harvest account test forum")
        monkeypatch.setenv("FORUM_PASSWORD", "wrong")
        desk("account", "test", "forum")
        assert told(desk)[0] == "frozen"
        assert "correct the user name or password" in told(desk)[1]
        monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])
        desk("account", "test", "forum")
        assert told(desk) == ("member", "")
        desk.files.path("forum").chmod(0o644)
        assert told(desk)[0] == "fault"
        assert "chmod 600" in told(desk)[1]


def test_status_says_that_an_imported_session_has_ended(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        desk("account", "test", "forum")
        (cookie,) = [one for one in desk.files.load("forum").cookies if one.name == "PHPSESSID"]
        (tmp_path / "other").mkdir()
        other = Desk(tmp_path / "other", forum)
        header = f"Cookie: PHPSESSID={cookie.value}\n".encode()
        other("account", "add", "forum", "--cookies", "-", stdin=header)
        assert other("account", "test", "forum").returncode == 0
        forum.end_sessions()
        other("full", "--site", "forum")
        (site,) = json.loads(other("status", "--json").stdout)["sites"]
        assert site["account"]["state"] == "expired"
        assert "harvest account add forum --cookies FILE" in site["account"]["next_step"]


def test_a_missing_variable_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORUM_PASSWORD")
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        done = desk("account", "test", "forum")
        assert (done.returncode, "FORUM_PASSWORD" in done.stderr) == (1, True)
        assert "POST" not in {request.split(" ")[0] for request in forum.state.hits}
        assert forum.state.logins == 0


def test_a_browsers_cookies_are_taken_and_used(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        desk("account", "test", "forum")
        (cookie,) = [one for one in desk.files.load("forum").cookies if one.name == "PHPSESSID"]
        (tmp_path / "other").mkdir()
        other = Desk(tmp_path / "other", forum)
        jar = tmp_path / "cookies.txt"
        jar.write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t0\tPHPSESSID\t{cookie.value}\n")
        jar.chmod(0o644)
        assert "chmod 600" in other("account", "add", "forum", "--cookies", str(jar)).stderr
        jar.chmod(0o600)
        assert "1 cookies" in other("account", "add", "forum", "--cookies", str(jar)).stdout
        assert other("full", "--site", "forum", "--json").returncode == 0
        assert forum.state.logins == 1
        with_header = other("account", "add", "forum", "--cookies", "-", stdin=b"Cookie: a=1; b=2\n")
        assert "2 cookies" in with_header.stdout


def test_replies_are_approved_or_dropped_one_by_one(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        assert "no reply waits" in desk("account", "approve", "forum").stdout
        waiting = tuple(ProposedReply(f"thread:{n}", f"{forum.url}?topic={n}", "Thanks", 1.0) for n in (1, 2))
        desk.files.change("forum", lambda state: replace(state, proposed=waiting))
        assert "1 approved, 1 dropped" in desk("account", "approve", "forum", stdin=b"y\nn\n").stdout
        state = desk.files.load("forum")
        assert (state.approved, state.proposed) == (("thread:1",), ())


def test_an_account_file_open_to_others_stops_the_crawl_before_anything_is_asked(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        desk("account", "test", "forum")
        before = forum.state.requests
        desk.files.path("forum").chmod(0o644)
        done = desk("full", "--site", "forum")
        assert (done.returncode, "chmod 600" in done.stderr) == (1, True)
        assert forum.state.requests == before


def test_cookies_of_a_site_that_is_new_are_tried_under_its_name(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        added = desk("account", "add", forum.url, "--cookies", "-", stdin=b"Cookie: PHPSESSID=nobodys\n")
        name = added.stdout.rpartition("harvest account test ")[2].strip()
        tried = desk("account", "test", name)
        assert (tried.returncode, "import fresh cookies" in tried.stderr) == (1, True)
        forum.end_sessions()
        assert forum.state.logins == 0


def test_a_person_without_an_account_is_told_how_to_begin(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        assert "harvest account add" in desk("account", "list").stderr
        assert desk("account", "log").returncode == 0
        added = desk(
            "account", "add", "forum", "--user-env", "NOT_SET_HERE", "--password-env", "FORUM_PASSWORD"
        )
        assert "NOT_SET_HERE is not set" in added.stderr
        assert "FORUM_PASSWORD is not set" not in added.stderr


def test_a_half_written_account_file_is_said_with_what_to_do(tmp_path: Path) -> None:
    with start_forum("smf") as forum:
        desk = Desk(tmp_path, forum)
        desk("account", "add", "forum", *NAMED)
        desk("account", "test", "forum")
        path = desk.files.path("forum")
        path.write_bytes(path.read_bytes()[:80])
        before = forum.state.requests
        for words in (
            ("account", "test", "forum"),
            ("full", "--site", "forum"),
            ("account", "forget", "forum"),
        ):
            done = desk(*words)
            assert (done.returncode, f"mv {path}" in done.stderr) == (1, True)
        assert "is damaged" in desk("account", "list").stdout
        assert forum.state.requests == before
