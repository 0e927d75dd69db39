"""The accounts page: what sites ask is shown to the operator alone, and answered before its deadline."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from parsel import Selector

from harvester import wiring
from harvester.demo.forums import MEMBER, start_forum
from harvester.demo.forums.nexusphp import NexusForum
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import ProposedReply
from harvester.model.site import Account
from harvester.patterns.sitefile import dump_site_file, site_from_url
from tests.web.collection import Served, served
from tests.web.pages.test_operator import login, token_of


class Desk:
    """The application, and a forum that it has an account on."""

    def __init__(self, web: Served, forum: NexusForum) -> None:
        self.web, self.forum = web, forum
        self.files = AccountFiles(web.settings.data / "sessions")

    def post(self, action: str, **fields: str) -> int:
        answer = self.web.client.post(
            f"/accounts/forum/{action}", data={"csrf": token_of(self.web), **fields}, follow_redirects=False
        )
        return int(answer.status_code)

    def card(self) -> Selector:
        return Selector(self.web.get("/accounts").text).css("section#forum")

    def text(self) -> str:
        return " ".join(self.card().css("*::text").getall())

    def settled(self) -> str:
        """The card's text once nothing is under way."""
        jobs = self.web.client.app.state.services.accounts  # type: ignore[attr-defined]  # the application's
        end = time.monotonic() + 20
        while jobs.is_running("forum"):
            assert time.monotonic() < end
            time.sleep(0.02)
        return self.text()

    def code(self) -> str:
        challenge = self.files.load("forum").challenge
        assert challenge is not None
        return self.forum.codes[next(f.value for f in challenge.form.fields if f.name == "imagehash")]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])
    with start_forum("nexusphp") as forum, served(tmp_path, web_rate_limit=0) as web:
        assert isinstance(forum, NexusForum)
        site = replace(
            site_from_url(forum.url), site="forum", account=Account("FORUM_USER", "FORUM_PASSWORD")
        )
        wiring.SiteFolder(web.settings).keep(site, dump_site_file(site))
        yield Desk(web, forum)


def test_a_captcha_is_asked_for_shown_and_answered_on_the_page(desk: Desk) -> None:
    login(desk.web)
    assert "never logged in" in desk.text()
    assert desk.post("ask") == 303
    assert "The site asks for the characters in a picture" in desk.settled()
    shown = desk.card().css("img.captcha::attr(src)").get("")
    image = desk.web.client.get(shown)
    assert (image.headers["content-type"], image.headers["cache-control"]) == ("image/png", "no-store")
    assert image.content == desk.files.load("forum").challenge.image  # type: ignore[union-attr]  # it waits
    token = desk.card().css("input[name=token]::attr(value)").get("")
    assert desk.post("answer", token=token, answer=desk.code()) == 303
    assert "Logged in" in desk.settled()
    assert (desk.forum.state.logins, desk.forum.refused) == (1, [])
    assert desk.web.client.get(shown).status_code == 404


def test_what_a_site_asks_is_kept_in_no_cache_and_shown_to_no_stranger(desk: Desk) -> None:
    login(desk.web)
    desk.post("ask")
    desk.settled()
    page = desk.web.get("/accounts")
    assert page.headers["cache-control"] == "no-store"
    image = desk.card().css("img.captcha::attr(src)").get("")
    desk.web.client.cookies.clear()
    assert desk.web.client.get(image).status_code == 401
    sent_away = desk.web.client.get("/accounts", follow_redirects=False)
    assert (sent_away.status_code, sent_away.headers["location"]) == (303, "/login?back=/accounts")
    assert desk.web.get("/accounts", "read").status_code == 403
    assert desk.web.client.get(image, headers=desk.web.header("read")).status_code == 403


@pytest.mark.parametrize("action", ["answer", "ask", "reply"])
def test_a_form_from_elsewhere_does_nothing(desk: Desk, action: str) -> None:
    login(desk.web)
    before = desk.forum.state.requests
    for headers in ({}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        data = {"csrf": "guess" if not headers else token_of(desk.web), "answer": "x", "thread": "*"}
        assert (
            desk.web.client.post(f"/accounts/forum/{action}", data=data, headers=headers).status_code == 403
        )
    bare = desk.web.client.post(f"/accounts/forum/{action}", headers=desk.web.header("operate"))
    assert bare.status_code == 403
    assert desk.forum.state.requests == before


def test_an_answer_goes_to_no_other_question_and_to_none_that_is_too_late(desk: Desk) -> None:
    login(desk.web)
    desk.post("ask")
    desk.settled()
    token = desk.card().css("input[name=token]::attr(value)").get("")
    assert desk.post("answer", token="0" * 24, answer="ABC") == 303
    assert "answer the one that is shown now" in desk.text()
    waiting = desk.files.load("forum").challenge
    assert waiting is not None
    desk.files.change("forum", lambda state: replace(state, challenge=replace(waiting, deadline=1.0)))
    assert desk.post("answer", token=token, answer="ABC") == 303
    assert "after the deadline" in desk.text()
    assert desk.card().css("img") == []
    assert desk.forum.refused == []


def test_a_wrong_answer_is_said_with_the_next_step(desk: Desk) -> None:
    login(desk.web)
    desk.post("ask")
    desk.settled()
    token = desk.card().css("input[name=token]::attr(value)").get("")
    desk.post("answer", token=token, answer="WRONG")
    assert "not logged in" in desk.settled()
    assert "Next step: answer a new one" in desk.text()
    assert desk.forum.refused == ["captcha"]


def test_replies_are_approved_and_declined_one_by_one(desk: Desk) -> None:
    waiting = tuple(
        ProposedReply(
            f"thread:{n}", f"{desk.forum.url}t?id={n}&passkey=0123456789abcdef", f"<b>Thanks {n}</b>", 1.0
        )
        for n in (1, 2, 3)
    )
    desk.files.change("forum", lambda state: replace(state, proposed=waiting))
    login(desk.web)
    assert "<b>Thanks 1</b>" in desk.text()
    assert "0123456789abcdef" not in desk.web.get("/accounts").text
    assert desk.post("reply", thread="thread:1", say="post") == 303
    assert desk.post("reply", thread="thread:2", say="leave") == 303
    assert desk.post("reply", thread="thread:9", say="post") == 303
    state = desk.files.load("forum")
    assert (state.approved, state.declined) == (("thread:1",), ("thread:2",))
    assert [one.thread for one in state.proposed] == ["thread:3"]
    assert desk.post("reply", thread="*", say="post") == 303
    assert desk.files.load("forum").approved == ("thread:1", "thread:3")


def test_a_file_that_others_can_read_is_said_and_not_read(desk: Desk) -> None:
    desk.files.change("forum", lambda state: state)
    desk.files.path("forum").chmod(0o644)
    login(desk.web)
    assert "chmod 600" in desk.text()
    desk.files.path("forum").write_text("{half")
    desk.files.path("forum").chmod(0o600)
    assert "is damaged" in desk.text()


def test_every_page_tells_the_operator_and_nobody_else_that_something_waits(desk: Desk) -> None:
    login(desk.web)
    badge = "nav .badge::text"
    assert Selector(desk.web.get("/").text).css(badge).get() is None
    desk.files.change(
        "forum", lambda state: replace(state, frozen="the site refused the user name or password")
    )
    assert Selector(desk.web.get("/").text).css(badge).get() == "1"
    desk.web.client.cookies.clear()
    assert Selector(desk.web.get("/").text).css(badge).get() is None


@pytest.mark.parametrize("path", ["/accounts/nobody/ask", "/accounts/nobody/answer", "/accounts/..%2f/ask"])
def test_accounts_that_are_not_there_are_not_found(desk: Desk, path: str) -> None:
    login(desk.web)
    assert desk.web.client.post(path, data={"csrf": token_of(desk.web)}).status_code == 404
