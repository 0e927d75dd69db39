"""Sites of software that Harvest has no knowledge of are logged in to, or it says plainly why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.demo.forums import MEMBER, RunningForum
from harvester.model.account import Verdict
from harvester.model.site import Account, RobotsDecision, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, settings_in, store_in
from tests.crawl.other_forums import OTHERS, ScriptOnly

ALLOWED = RobotsDecision(True, "2026-11-30", "https://forum.example.org/terms")


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])


def members_site(url: str) -> SiteFile:
    return replace(
        site_from_url(url), site="other", account=Account("FORUM_USER", "FORUM_PASSWORD"), robots=ALLOWED
    )


@pytest.mark.parametrize("name", OTHERS)
def test_one_login_opens_all_that_members_may_have(name: str, tmp_path: Path) -> None:
    with RunningForum(OTHERS[name], {}) as forum:
        crawl(tmp_path, members_site(forum.url))
        with store_in(tmp_path) as store:
            got = harvested(store).files
            said = [one.detail for kind in ("login", "login_refused") for one in store.events(kind=kind)]
        assert (forum.refused, forum.state.logins) == ([], 1), said
        assert forum.wanted("none", "login") - got == set()
        assert forum.state.violations == []


@pytest.mark.parametrize("name", ["wordpress", "two-pages", "flarum", "tracker"])
def test_a_session_that_ends_in_the_middle_is_taken_up_once(name: str, tmp_path: Path) -> None:
    with RunningForum(OTHERS[name], {"lapse_after": 6}) as forum:
        crawl(tmp_path, members_site(forum.url))
        with store_in(tmp_path) as store:
            got = harvested(store).files
            said = [one.detail for kind in ("login", "login_refused") for one in store.events(kind=kind)]
        assert (forum.refused, forum.state.logins) == ([], 2), said
        assert forum.wanted("none", "login") - got == set()


@pytest.mark.parametrize("name", OTHERS)
def test_a_wrong_password_is_sent_once_and_said_plainly(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORUM_PASSWORD", "wrong")
    with RunningForum(OTHERS[name], {}) as forum:
        for _ in range(2):
            crawl(tmp_path, members_site(forum.url))
        assert (forum.refused, forum.state.logins) == (["password"], 0)
        with store_in(tmp_path) as store:
            assert [one.detail["verdict"] for one in store.events(kind="login")] == ["bad_credentials"]


def test_a_password_that_only_a_script_could_send_is_not_sent_and_cookies_are_advised(tmp_path: Path) -> None:
    with RunningForum(ScriptOnly, {}) as forum:
        crawl(tmp_path, members_site(forum.url))
        assert forum.state.logins == 0
        with store_in(tmp_path) as store:
            refused = store.events(kind="login_refused")
            assert store.events(kind="login") == []
            assert all("--cookies FILE" in item.opens for item in store.parked(kind="login"))
    assert {one.detail["verdict"] for one in refused} == {"no_form"}
    assert "a script asks for the password" in str(refused[-1].detail["why"])


@pytest.mark.parametrize("name", ["basic", "digest", "partly-basic"])
def test_credentials_that_were_good_go_out_again_in_the_next_run_until_they_are_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunningForum(OTHERS[name], {}) as forum, store_in(tmp_path) as store:
        site = members_site(forum.url)
        desk = (
            [wiring.at_the_desk(settings_in(tmp_path), store, site, lambda one: one.test()) for _ in range(2)]
            if name != "partly-basic"
            else []
        )
        assert [(one.verdict, one.sent) for one in desk] in ([], [(Verdict.OK, True), (Verdict.OK, False)])
        for _ in range(2):
            crawl(tmp_path, site)
        assert len(store.events(kind="login")) == 1
        assert forum.wanted("none", "login") - harvested(store).files == set()
        monkeypatch.setattr(OTHERS[name], "knows", lambda *_: False)
        for _ in range(2):
            crawl(tmp_path, site)
        refused = [one.detail["verdict"] for one in store.events(kind="login")]
        assert refused == ["bad_credentials", "ok"]
        # Where pages are for everybody, that they came does not tell a good password from one not looked at.
        assert len(forum.refused) == (2 if name == "partly-basic" else 1)


@pytest.mark.parametrize("name", ["basic", "digest"])
def test_a_password_that_is_changed_while_a_crawl_runs_goes_out_twice_at_most(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunningForum(OTHERS[name], {}) as forum, store_in(tmp_path) as store:
        monkeypatch.setattr(forum, "knows", lambda *given: given == MEMBER and forum.state.requests < 8)
        crawl(tmp_path, members_site(forum.url))
        assert (forum.state.requests > 8, len(forum.refused) <= 2) == (True, True)
        assert [one.detail["verdict"] for one in store.events(kind="login")] == ["bad_credentials", "ok"]
