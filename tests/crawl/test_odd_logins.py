"""Forums of no known software, in many languages and with many oddities, are logged in to all the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.demo.forums import MEMBER, RunningForum
from harvester.model.site import Account, RobotsDecision, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, store_in
from tests.crawl.odd_forum import OddForum


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])


def members_site(url: str) -> SiteFile:
    return replace(site_from_url(url), site="odd", account=Account("FORUM_USER", "FORUM_PASSWORD"))


CASES = [
    ("en", "utf-8", ""),
    ("en", "utf-8", "strict referer button"),
    ("en", "utf-8", "sidebar strict"),
    ("en", "utf-8", "greets"),
    ("en", "utf-8", "silent"),
    ("en", "utf-8", "multipart"),
    ("en", "utf-8", "refresh"),
    ("en", "utf-8", "dark strict"),
    ("en", "utf-8", "table strict button"),
    ("ru", "windows-1251", "strict"),
    ("zh", "gbk", "strict table"),
    ("zh", "big5", ""),
    ("de", "iso-8859-1", "multipart"),
    ("ja", "shift_jis", ""),
    ("ja", "euc-jp", "sidebar"),
]


@pytest.mark.parametrize(("language", "encoding", "odd"), CASES)
def test_one_login_opens_all_that_members_may_have(
    language: str, encoding: str, odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if encoding in ("windows-1251", "iso-8859-1", "big5", "shift_jis", "euc-jp"):
        # A password that the charset can spell, and that is not ASCII where it can be.
        password = {"windows-1251": "пароль 7", "iso-8859-1": "schlüssel", "big5": "密碼 7"}.get(
            encoding, "鍵 7"
        )
        monkeypatch.setenv("FORUM_PASSWORD", password)
        monkeypatch.setattr(
            OddForum, "knows", lambda _self, user, given: (user, given) == (MEMBER[0], password)
        )
    with RunningForum(OddForum, {"language": language, "encoding": encoding, "odd": odd}) as forum:
        crawl(tmp_path, members_site(forum.url))
        with store_in(tmp_path) as store:
            got = harvested(store).files
        assert forum.refused == []
        assert forum.state.logins == 1
        assert forum.wanted("none", "login") - got == set()
        assert forum.state.violations == []


@pytest.mark.parametrize("odd", ["", "sidebar strict", "silent", "table"])
def test_a_session_that_ends_again_and_again_is_not_run_after(odd: str, tmp_path: Path) -> None:
    class Forgetful(OddForum):
        def _visit(self, request):  # type: ignore[no-untyped-def]  # as its base
            if self.state.requests % 6 == 5:
                self.end_sessions()
            return super()._visit(request)

    with RunningForum(Forgetful, {"odd": odd}) as forum:
        for _ in range(3):
            crawl(tmp_path, members_site(forum.url))
        assert forum.state.logins <= 3


@pytest.mark.parametrize("odd", ["", "sidebar", "silent", "multipart", "refresh", "table"])
def test_a_wrong_password_is_sent_once(odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_PASSWORD", "wrong")
    with RunningForum(OddForum, {"odd": odd}) as forum:
        for _ in range(2):
            crawl(tmp_path, members_site(forum.url))
        assert forum.refused == ["password"]
        assert forum.state.logins == 0


def test_an_address_that_is_good_for_one_session_is_fetched_anew(tmp_path: Path) -> None:
    with RunningForum(OddForum, {"odd": "tokens", "lapse_after": 7}) as forum:
        crawl(tmp_path, members_site(forum.url))
        with store_in(tmp_path) as store:
            assert forum.wanted("none", "login") - harvested(store).files == set()
        assert forum.state.logins == 2


def test_what_robots_forbid_waits_for_the_decision_and_is_taken_after_it(tmp_path: Path) -> None:
    with RunningForum(OddForum, {"odd": "robots"}) as forum:
        site = members_site(forum.url)
        crawl(tmp_path, site)
        with store_in(tmp_path) as store:
            assert harvested(store).files == set()
            assert set(store.walls()) == {"robots"}
        decided = replace(site, robots=RobotsDecision(True, "2026-11-30", "https://forum.example.org/terms"))
        crawl(tmp_path, decided, run=wiring.refresh)
        with store_in(tmp_path) as store:
            assert forum.wanted("none", "login") - harvested(store).files == set()
            assert store.walls() == {}


def test_a_file_that_would_spend_points_is_parked_and_never_bought(tmp_path: Path) -> None:
    with RunningForum(OddForum, {"odd": "points"}) as forum:
        crawl(tmp_path, members_site(forum.url))
        assert forum.state.violations == []
        with store_in(tmp_path) as store:
            assert harvested(store).files == set()
            assert set(store.walls()) == {"pay"}
            assert all("max_per_item" in item.opens for item in store.parked(kind="pay"))


def test_a_file_that_wants_a_referer_gets_one(tmp_path: Path) -> None:
    with RunningForum(OddForum, {"odd": "hotlink"}) as forum:
        crawl(tmp_path, members_site(forum.url))
        with store_in(tmp_path) as store:
            assert forum.wanted("none", "login") - harvested(store).files == set()
