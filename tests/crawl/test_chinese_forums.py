"""Discuz 6 and 7, phpwind 8 and 9: what the operator's rules allow is taken, the rest says why it waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.demo.forums import MEMBER, Forum, start_forum
from harvester.demo.forums.base import POINTS
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import ChallengeKind, Verdict
from harvester.model.site import Account, PointsPolicy, RobotsDecision, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import REPLIES as ANYWHERE
from tests.crawl.harvesting import crawl, harvested, settings_in, store_in

ALL = ("discuz7", "discuz6", "phpwind", "phpwind8")
ALLOWED = RobotsDecision(True, "2026-11-30", "https://forum.example.org/terms")
REPLIES = replace(
    ANYWHERE,
    templates=tuple(f"感谢楼主分享，收下了，这是第 {number} 次。" for number in range(5)),
    rule_text="回复可见。",
)


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])


def members_site(forum: Forum) -> SiteFile:
    return replace(
        site_from_url(forum.url),
        site="forum",
        account=Account("FORUM_USER", "FORUM_PASSWORD"),
        robots=ALLOWED,
    )


@pytest.mark.parametrize("name", ALL)
def test_with_replies_allowed_everything_but_what_is_sold_is_taken(name: str, tmp_path: Path) -> None:
    with start_forum(name) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, replace(members_site(forum), reply=REPLIES))
        got = harvested(store).files
        assert (forum.wanted("none", "login", "reply") - got, forum.wanted("pay") & got) == (set(), set())
        assert (forum.state.logins, forum.state.replies) == (1, len(forum.wanted("reply")))
        assert (forum.refused, forum.state.violations) == ([], [])
        assert (forum.points, forum.bought) == (POINTS, [])
        waiting = store.parked(kind="pay")
        assert len(waiting) >= len(forum.wanted("pay"))
        assert all("points: max_per_item" in item.opens for item in waiting)


@pytest.mark.parametrize("name", ALL)
def test_what_is_hidden_waits_for_a_reply_that_the_site_file_does_not_allow(
    name: str, tmp_path: Path
) -> None:
    with start_forum(name) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, members_site(forum))
        assert forum.wanted("none", "login") - harvested(store).files == set()
        waiting = store.parked(kind="reply")
        assert len(waiting) == len(forum.wanted("reply"))
        assert all("replying is not allowed in the site file" in item.opens for item in waiting)
        assert (forum.state.replies, forum.state.violations) == (0, [])


@pytest.mark.parametrize("name", ALL)
def test_as_it_ships_nobody_logs_in_without_the_recorded_decision(name: str, tmp_path: Path) -> None:
    with start_forum(name) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, replace(members_site(forum), robots=RobotsDecision()))
        assert (forum.state.logins, forum.refused) == (0, [])
        assert any("robots: account_actions" in item.opens for item in store.parked(kind="robots"))
        crawl(tmp_path, members_site(forum), run=wiring.refresh)
        assert forum.wanted("none", "login") - harvested(store).files == set()


@pytest.mark.parametrize("name", ALL)
def test_a_wrong_password_is_sent_once(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_PASSWORD", "wrong")
    with start_forum(name) as forum:
        for _ in range(2):
            crawl(tmp_path, members_site(forum))
        assert forum.refused == ["password"]


@pytest.mark.parametrize("name", ["discuz7", "discuz6"])
def test_points_are_spent_within_the_limits_where_a_form_asks_first(name: str, tmp_path: Path) -> None:
    limits = PointsPolicy(max_per_item=5, max_per_day=20)
    with start_forum(name) as forum, store_in(tmp_path) as store:
        for _ in range(2):
            crawl(tmp_path, replace(members_site(forum), points=limits))
        cheap, dear = [item for item in forum.items if item.wall == "pay"]
        assert (forum.bought, forum.points, forum.refused) == ([cheap.number], POINTS - cheap.price, [])
        assert cheap.seed.infohash in harvested(store).files
        assert dear.seed.infohash not in harvested(store).files
        assert any("it costs 40 points, the limit is 5" in item.opens for item in store.parked(kind="pay"))
        assert forum.state.violations == []


@pytest.mark.parametrize("name", ["phpwind", "phpwind8"])
def test_a_link_that_would_take_points_is_not_followed_whatever_the_limits(name: str, tmp_path: Path) -> None:
    limits = PointsPolicy(max_per_item=50, max_per_day=200)
    with start_forum(name) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, replace(members_site(forum), points=limits))
        assert (forum.bought, forum.points) == ([], POINTS)
        assert forum.wanted("none", "login") - harvested(store).files == set()
        waiting = store.parked(kind="pay")
        assert all("nothing is bought by a link" in item.opens for item in waiting)
        assert len(waiting) >= 2


@pytest.mark.parametrize("name", ALL)
def test_a_session_that_ends_is_taken_up_once_and_old_tokens_are_fetched_anew(
    name: str, tmp_path: Path
) -> None:
    with start_forum(name, lapse_after=7) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, members_site(forum))
        assert forum.wanted("none", "login") - harvested(store).files == set()
        assert (forum.state.logins, forum.refused) == (2, [])


def test_a_security_question_on_the_page_after_the_password_waits_for_the_operator(tmp_path: Path) -> None:
    with start_forum("discuz6", question=True) as forum:
        site = members_site(forum)
        crawl(tmp_path, site)
        files = AccountFiles(tmp_path / "sessions")
        challenge = files.load("forum").challenge
        assert challenge is not None
        assert challenge.kind is ChallengeKind.SECURITY_QUESTION
        assert ("1", "母亲的名字") in challenge.choices
        files.change("forum", lambda state: replace(state, challenge=replace(challenge, answer="1\t青岛")))
        with store_in(tmp_path) as store:
            result = wiring.at_the_desk(settings_in(tmp_path), store, site, lambda desk: desk.answer())
            assert (result.verdict, forum.refused, forum.state.logins) == (Verdict.OK, [], 1)
            crawl(tmp_path, site)
            assert forum.wanted("none", "login") - harvested(store).files == set()
            assert forum.state.logins == 1
