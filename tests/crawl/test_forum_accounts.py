"""Full crawls of forums of many kinds with their member's account."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.demo.forums import MEMBER, Forum, start_forum
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import ChallengeKind, Verdict
from harvester.model.site import Account, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import REPLIES, crawl, harvested, settings_in, store_in

ORDINARY = ("phpbb", "smf", "vbulletin", "xenforo", "unit3d")
HIDING = ("vbulletin", "xenforo")


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])


def members_site(forum: Forum) -> SiteFile:
    return replace(site_from_url(forum.url), site="forum", account=Account("FORUM_USER", "FORUM_PASSWORD"))


@pytest.mark.parametrize("name", ORDINARY)
def test_one_login_opens_everything_that_members_may_have(name: str, tmp_path: Path) -> None:
    with start_forum(name) as forum:
        crawl(tmp_path, members_site(forum))
        with store_in(tmp_path) as store:
            got = harvested(store).files
        assert forum.wanted("none", "login") - got == set()
        assert forum.wanted("reply") & got == set()
        assert (forum.state.logins, forum.state.replies, forum.refused) == (1, 0, [])
        assert forum.state.violations == []


@pytest.mark.parametrize("name", ORDINARY)
def test_a_wrong_password_is_sent_once(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_PASSWORD", "wrong")
    with start_forum(name) as forum:
        for _ in range(2):
            crawl(tmp_path, members_site(forum))
        assert forum.refused == ["password"]
        with store_in(tmp_path) as store:
            assert [one.detail["verdict"] for one in store.events(kind="login")] == ["bad_credentials"]
            assert all("password" in item.opens for item in store.parked(kind="login"))


@pytest.mark.parametrize("name", HIDING)
def test_one_reply_opens_each_hidden_torrent(name: str, tmp_path: Path) -> None:
    with start_forum(name) as forum:
        crawl(tmp_path, replace(members_site(forum), reply=REPLIES))
        with store_in(tmp_path) as store:
            assert forum.wanted("none", "login", "reply") - harvested(store).files == set()
            walls = {one.wall for item in store.iter_torrents() for one in item.sightings}
        assert forum.state.replies == len(forum.wanted("reply"))
        assert (forum.state.violations, forum.refused) == ([], [])
        assert "reply" in walls


@pytest.mark.parametrize("name", ORDINARY)
def test_a_session_that_ends_is_taken_up_once_and_the_one_request_sent_again(
    name: str, tmp_path: Path
) -> None:
    with start_forum(name, lapse_after=5) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, members_site(forum))
        assert forum.wanted("none", "login") - harvested(store).files == set()
        assert forum.state.logins == 2
        hits = {target: times for target, times in forum.state.hits.items() if times > 1}
    again = [target for target in hits if not re.search(r"log[_-]?in|ucp|^/(?:index\.php)?$", target)]
    assert [hits[target] for target in again] in ([], [2])


@pytest.mark.parametrize("name", HIDING)
def test_what_the_rules_forbid_is_parked_with_its_reason(name: str, tmp_path: Path) -> None:
    with start_forum(name) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, members_site(forum))
        waiting = store.parked(kind="reply")
        assert len(waiting) == len(forum.wanted("reply"))
        assert all("replying is not allowed in the site file" in item.opens for item in waiting)
        assert (forum.state.replies, forum.state.violations) == (0, [])


def test_a_captcha_waits_for_the_operator_and_opens_everything(tmp_path: Path) -> None:
    with start_forum("nexusphp") as forum:
        site = members_site(forum)
        crawl(tmp_path, site)
        files = AccountFiles(tmp_path / "sessions")
        challenge = files.load("forum").challenge
        assert challenge is not None
        assert challenge.kind is ChallengeKind.IMAGE
        assert challenge.image.startswith(b"\x89PNG")
        assert forum.refused == []
        (shown,) = [one.value for one in challenge.form.fields if one.name == "imagehash"]
        code = forum.codes[shown]  # type: ignore[attr-defined]  # of this kind of forum
        files.change("forum", lambda state: replace(state, challenge=replace(challenge, answer=code)))
        with store_in(tmp_path) as store:
            result = wiring.at_the_desk(settings_in(tmp_path), store, site, lambda desk: desk.answer())
        assert result.verdict is Verdict.OK
        crawl(tmp_path, site)
        with store_in(tmp_path) as store:
            assert harvested(store).files == forum.wanted("login")
            assert all(item.torrent.private for item in store.iter_torrents())
        assert forum.state.logins == 1


SOLVER = """
asked = []
codes = {}

def solve(kind, content):
    assert content.startswith(b"\\x89PNG")
    asked.append(kind)
    return list(codes.values())[-1]
"""


@pytest.fixture
def solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package that offers a captcha solver under the name `mine`, installed for one test."""
    folder = tmp_path / "installed"
    (folder / "mine-1.0.dist-info").mkdir(parents=True)
    (folder / "mine-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n"
    )
    (folder / "mine-1.0.dist-info" / "entry_points.txt").write_text(
        "[harvest.captcha_solvers]\nmine = captcha_solver_of_mine:solve\n"
    )
    (folder / "captcha_solver_of_mine.py").write_text(SOLVER)
    monkeypatch.syspath_prepend(folder)
    yield importlib.import_module("captcha_solver_of_mine")
    del sys.modules["captcha_solver_of_mine"]


def test_a_plugged_in_solver_answers_where_the_site_file_asks_for_it(
    tmp_path: Path, solver: ModuleType
) -> None:
    with start_forum("nexusphp") as forum:
        solver.codes = forum.codes  # type: ignore[attr-defined]  # of this kind of forum
        site = members_site(forum)
        crawl(tmp_path / "without", site)
        assert (solver.asked, forum.state.logins) == ([], 0)
        crawl(tmp_path / "with", replace(site, account=replace(site.account, solver="mine")))
        assert (solver.asked, forum.state.logins, forum.refused) == (["image"], 1, [])


def test_a_solver_that_is_not_installed_leaves_the_captcha_to_the_operator(tmp_path: Path) -> None:
    with start_forum("nexusphp") as forum:
        site = members_site(forum)
        crawl(tmp_path, replace(site, account=replace(site.account, solver="nobodys")))
        assert (forum.state.logins, forum.refused) == (0, [])
        assert AccountFiles(tmp_path / "sessions").load("forum").challenge is not None


def test_a_second_step_waits_for_the_operators_code(tmp_path: Path) -> None:
    with start_forum("xenforo-two-step") as forum:
        site = members_site(forum)
        crawl(tmp_path, site)
        files = AccountFiles(tmp_path / "sessions")
        challenge = files.load("forum").challenge
        assert challenge is not None
        assert challenge.kind is ChallengeKind.SECOND_FACTOR
        assert forum.state.logins == 0
        files.change("forum", lambda state: replace(state, challenge=replace(challenge, answer="246810")))
        with store_in(tmp_path) as store:
            result = wiring.at_the_desk(settings_in(tmp_path), store, site, lambda desk: desk.answer())
        assert (result.verdict, forum.refused) == (Verdict.OK, [])
