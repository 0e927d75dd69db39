"""What Discuz does besides: answers for scripts, robots as shipped, a captcha in the reply form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.crawl.options import CrawlOptions, Progress
from harvester.demo import DemoSites, start_demo
from harvester.demo.forum import DiscuzForum
from harvester.demo.sites import ACCOUNT, DemoOptions
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import Challenge, Verdict
from harvester.model.site import Politeness, RobotsDecision, SiteFile
from harvester.ports.store import Store
from harvester.wiring import accounts
from tests.crawl.harvesting import SECONDS, crawl, harvested, settings_in, store_in
from tests.crawl.test_demo_account import members_site, replies


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEMO_USER", ACCOUNT[0])
    monkeypatch.setenv("DEMO_PASSWORD", ACCOUNT[1])


@pytest.fixture
def demo_with() -> Iterator[Callable[..., DemoSites]]:
    """Starts the demo forum with options; it ends with the test."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(start_demo(["demo-forum"], DemoOptions(**options)))


def one_board(demo: DemoSites, board: int = 37) -> SiteFile:
    """A member's crawl of one board only, which is quick."""
    site = members_site(demo)
    start = f"{demo.forum_url.rpartition('/')[0]}/forum-{board}-1.html"
    return replace(site, start=(start,), engine="discuz", scope=replace(site.scope, depth=2))


def test_answers_for_scripts_are_understood(demo_with: Callable[..., DemoSites], tmp_path: Path) -> None:
    demo = demo_with(flood_seconds=0.0, ajax=True)
    crawl(tmp_path, replace(one_board(demo), reply=replies()))
    assert demo.forum.state.logins == 1
    with store_in(tmp_path) as store:
        assert [one.detail["verdict"] for one in store.events(kind="login")] == ["ok"]
        verdicts = {one.detail["verdict"] for one in store.events(kind="reply_result")}
        assert store.parked(kind="reply") == []
    assert verdicts == {"posted"}


def test_a_refusal_for_scripts_is_understood(
    demo_with: Callable[..., DemoSites], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEMO_PASSWORD", "wrong")
    demo = demo_with(ajax=True)
    for _ in range(2):
        crawl(tmp_path, one_board(demo))
    with store_in(tmp_path) as store:
        (login,) = store.events(kind="login")
    assert login.detail["verdict"] == "bad_credentials"
    assert "登录失败" in str(login.detail["why"])


def test_attachments_that_robots_forbid_wait_for_the_recorded_decision(
    demo_with: Callable[..., DemoSites], tmp_path: Path
) -> None:
    demo = demo_with(strict_robots=True)
    undecided = replace(one_board(demo), robots=RobotsDecision())
    crawl(tmp_path, undecided)
    assert not [target for target in demo.forum.state.hits if "mod=attachment" in target]
    assert (demo.forum.state.logins, demo.forum.state.robots_violations) == (0, [])
    with store_in(tmp_path) as store:
        waiting = store.parked(kind="robots", limit=100)
        assert {item.role for item in waiting} == {"download", "login"}
        assert all("robots: account_actions" in item.opens for item in waiting)
        before = harvested(store).files
    crawl(tmp_path, one_board(demo), run=wiring.refresh)
    with store_in(tmp_path) as store:
        assert store.parked(kind="robots") == []
        assert len(harvested(store).files - before) >= 4
    assert demo.forum.state.logins == 1


@pytest.mark.parametrize("ajax", [False, True])
def test_a_captcha_on_the_page_after_the_password_waits_for_the_operator(
    ajax: bool, demo_with: Callable[..., DemoSites], tmp_path: Path
) -> None:
    demo = demo_with(second_step=True, ajax=ajax)
    site = one_board(demo)
    crawl(tmp_path, site)
    challenges = wiring.Challenges(settings_in(tmp_path))
    waiting = challenges.current(site.site)
    assert waiting is not None
    assert waiting.image.startswith(b"\x89PNG")
    names = [field.name for field in waiting.form.fields]
    assert ("auth" in names, "password" in names, demo.forum.state.logins) == (True, False, 0)
    challenges.give(site.site, code_of(demo, waiting), asked=waiting)
    result = challenges.send(site)
    assert result is not None
    assert (result.verdict, demo.forum.state.logins) == (Verdict.OK, 1)


def walls_of(store: Store, hashes: set[str]) -> set[str]:
    """The walls of every sighting of these torrents."""
    return {
        one.wall
        for item in store.iter_torrents()
        for one in item.sightings
        if item.torrent.infohash_v1 is not None and item.torrent.infohash_v1.hex() in hashes
    }


def code_of(demo: DemoSites, challenge: Challenge) -> str:
    forum = demo.forum
    assert isinstance(forum, DiscuzForum)
    assert forum.captchas is not None
    return forum.captchas.codes[next(f.value for f in challenge.form.fields if f.name == "seccodehash")]


def test_a_captcha_in_the_reply_form_is_answered_while_the_crawl_goes_on(
    demo_with: Callable[..., DemoSites], tmp_path: Path
) -> None:
    demo = demo_with(flood_seconds=0.0, reply_captcha=True)
    files = AccountFiles(tmp_path / "sessions")
    site = replace(one_board(demo), reply=replies(per_day=1), politeness=Politeness(delay=0.15))

    def answer(_progress: Progress) -> None:
        challenge = files.load(site.site).challenge
        if challenge is not None and not challenge.answer:
            assert challenge.reply is not None
            said = replace(challenge, answer=code_of(demo, challenge))
            files.change(site.site, lambda state: replace(state, challenge=said))

    with store_in(tmp_path) as store:
        wiring.full_crawl(settings_in(tmp_path), store, site, CrawlOptions(max_seconds=SECONDS), answer)
        kinds = [one.kind for one in wiring.account_events(store, None, 50)]
        got = harvested(store).hashes
    assert demo.forum.state.replies == 1
    assert {"captcha", "reply", "reply_result", "login"} <= set(kinds)
    assert kinds.count("reply") == 1
    hidden = {row.infohash for row in demo.truth if "reply" in row.wall} & got
    assert len(hidden) >= 1
    with store_in(tmp_path) as store:
        assert walls_of(store, hidden) == {"reply"}


def test_a_reply_whose_captcha_waited_is_posted_from_the_desk(
    demo_with: Callable[..., DemoSites], tmp_path: Path
) -> None:
    demo = demo_with(flood_seconds=0.0, reply_captcha=True)
    site = replace(one_board(demo), reply=replies())
    crawl(tmp_path, site)
    challenges = wiring.Challenges(settings_in(tmp_path))
    waiting = challenges.current(site.site)
    assert waiting is not None
    with store_in(tmp_path) as store:
        assert all("harvest captcha" in item.opens for item in store.parked(kind="reply"))
        assert store.events(kind="reply") == []
    challenges.give(site.site, code_of(demo, waiting), asked=waiting)
    result = challenges.send(site)
    assert result is not None
    assert (result.verdict, demo.forum.state.replies) == (Verdict.OK, 1)
    assert challenges.files.load(site.site).proved_at
    crawl(tmp_path, replace(site, reply=replies(per_day=1)))
    with store_in(tmp_path) as store:
        hidden = {row.infohash for row in demo.truth if "reply" in row.wall} & harvested(store).hashes
        assert len(hidden) >= 1
        assert walls_of(store, hidden) == {"reply"}


def test_a_wrong_answer_to_a_replys_captcha_costs_the_thread_its_reply_and_nothing_more(
    demo_with: Callable[..., DemoSites], tmp_path: Path
) -> None:
    demo = demo_with(flood_seconds=0.0, reply_captcha=True)
    site = replace(one_board(demo), reply=replies())
    crawl(tmp_path, site)
    challenges = wiring.Challenges(settings_in(tmp_path))
    challenges.give(site.site, "WRONG")
    result = challenges.send(site)
    assert result is not None
    assert (result.verdict, demo.forum.state.replies) == (Verdict.CAPTCHA_WRONG, 0)
    state = challenges.files.load(site.site)
    assert (state.stopped_boards, bool(state.proved_at)) == ((), True)


def test_a_plugged_in_solver_answers_a_replys_captcha_too(
    demo_with: Callable[..., DemoSites], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo = demo_with(flood_seconds=0.0, reply_captcha=True)
    captchas = demo.forum.captchas  # type: ignore[attr-defined]  # of this forum
    monkeypatch.setattr(
        accounts, "captcha_solver", lambda name: lambda _kind, _image: list(captchas.codes.values())[-1]
    )
    site = one_board(demo)
    site = replace(site, reply=replies(per_day=1), account=replace(site.account, solver="mine"))
    crawl(tmp_path, site)
    assert demo.forum.state.replies == 1
