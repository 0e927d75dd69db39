"""Full crawls of the Chinese demo forum with its member's account: login, reply walls, what is forbidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.crawl.options import CrawlOptions, Progress
from harvester.demo import DemoSites, start_demo
from harvester.demo.forum import DiscuzForum
from harvester.demo.sites import ACCOUNT, DemoOptions
from harvester.fetch.sessions import AccountFiles
from harvester.model.site import Account, Politeness, ReplyPolicy, RobotsDecision, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import SECONDS, crawl, harvested, settings_in, store_in

FILES = ("attachment", "download", "thunder")


@pytest.fixture
def demo() -> Iterator[DemoSites]:
    with start_demo(["demo-forum"], DemoOptions(flood_seconds=0.0)) as sites:
        yield sites


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_USER", ACCOUNT[0])
    monkeypatch.setenv("DEMO_PASSWORD", ACCOUNT[1])


ALLOWED = RobotsDecision(True, "2026-11-30", "https://forum.example.org/terms")


def members_site(demo: DemoSites) -> SiteFile:
    return replace(
        site_from_url(demo.forum_url), account=Account("DEMO_USER", "DEMO_PASSWORD"), robots=ALLOWED
    )


def replies(**changes: object) -> ReplyPolicy:
    policy = ReplyPolicy(
        allowed=True,
        templates=tuple(f"感谢楼主分享，第 {number} 份收藏了。" for number in range(30)),
        per_day=30,
        min_gap=0.0,
        approve_first=0,
        boards=("/",),
        rule_text="回复后可见的内容请回复。",
    )
    return replace(policy, **changes)  # type: ignore[arg-type]  # values of the fields' own types


def test_without_the_operators_decision_robots_keep_the_account_out(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, replace(members_site(demo), robots=RobotsDecision()))
    assert demo.forum.state.logins == 0
    assert demo.forum.state.robots_violations == []
    with store_in(tmp_path) as store:
        assert [item.url for item in store.parked(kind="robots") if item.role == "login"]
        assert all("robots" in item.opens for item in store.parked(kind="login"))


def test_a_member_takes_all_that_needs_no_reply_with_one_login(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, members_site(demo))
    with store_in(tmp_path) as store:
        got = harvested(store)
        walls = store.walls()
    wanted = {row.infohash for row in demo.truth if row.wall in ("none", "login") and row.form in FILES}
    assert wanted - got.files == set()
    assert (demo.forum.state.logins, demo.forum.state.replies) == (1, 0)
    assert demo.forum.state.violations == []
    assert set(walls) == {"reply"}


def test_one_reply_opens_each_thread_that_hides_something(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, replace(members_site(demo), reply=replies()))
    with store_in(tmp_path) as store:
        got = harvested(store)
        assert store.walls() == {}
    truth = demo.truth
    assert {row.infohash for row in truth if row.form in FILES} - got.files == set()
    assert {row.infohash for row in truth} - got.hashes == set()
    threads = {row.page_url for row in truth if "reply" in row.wall}
    assert demo.forum.state.replies == len(threads)
    assert demo.forum.state.logins == 1
    assert demo.forum.state.violations == []


def test_the_daily_cap_holds_and_what_is_left_says_so(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, replace(members_site(demo), reply=replies(per_day=2)))
    assert demo.forum.state.replies == 2
    crawl(tmp_path, replace(members_site(demo), reply=replies(per_day=2)))
    assert demo.forum.state.replies == 2
    with store_in(tmp_path) as store:
        assert {"cap" in item.opens for item in store.parked(kind="reply")} == {True}


def test_the_first_replies_wait_for_a_persons_word(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, replace(members_site(demo), reply=replies(approve_first=1)))
    assert demo.forum.state.replies == 0
    with store_in(tmp_path) as store:
        assert {"approve" in item.opens for item in store.parked(kind="reply")} == {True}


def test_a_board_that_is_not_named_gets_no_reply(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, replace(members_site(demo), reply=replies(boards=("/forum-36-",))))
    rows = [row for row in demo.truth if "reply" in row.wall]
    assert 0 < demo.forum.state.replies < len({row.page_url for row in rows})


def test_a_captcha_that_is_answered_while_the_crawl_runs_makes_it_a_members_crawl(tmp_path: Path) -> None:
    with start_demo(["demo-forum"], DemoOptions(flood_seconds=0.0, captcha=True)) as demo:
        forum = demo.forum
        assert isinstance(forum, DiscuzForum)
        assert forum.captchas is not None
        files = AccountFiles(tmp_path / "sessions")
        site = replace(members_site(demo), politeness=Politeness(delay=0.03))

        def answer(_progress: Progress) -> None:
            challenge = files.load(site.site).challenge
            if challenge is None or challenge.answer or not challenge.image:
                return
            (shown,) = [one.value for one in challenge.form.fields if one.name == "seccodehash"]
            said = replace(challenge, answer=forum.captchas.codes[shown].lower())  # type: ignore[union-attr]
            files.change(site.site, lambda state: replace(state, challenge=said))

        with store_in(tmp_path) as store:
            wiring.full_crawl(settings_in(tmp_path), store, site, CrawlOptions(max_seconds=SECONDS), answer)
            got = harvested(store)
            kinds = {event.kind for event in store.events()}
        wanted = {row.infohash for row in demo.truth if row.wall in ("none", "login") and row.form in FILES}
        assert wanted - got.files == set()
        assert demo.forum.state.logins == 1
        assert {"captcha", "login"} <= kinds
