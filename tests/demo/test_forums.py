"""The demo forums check what the software they stand for checks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlencode

import httpx
import pytest

from harvester.demo.forums import FORUMS, MEMBER, Forum, start_forum
from harvester.demo.forums.base import PASSKEY

LOGIN_PAGES = {
    "phpbb": "/ucp.php?mode=login", "smf": "/index.php?action=login", "vbulletin": "/login.php?do=x",
    "xenforo": "/login/", "xenforo-two-step": "/login/", "nexusphp": "/login.php", "unit3d": "/login",
    "discuz7": "/logging.php?action=login", "discuz6": "/logging.php?action=login", "phpwind8": "/login.php",
    "phpwind": "/index.php?m=u&c=login",
}  # fmt: skip
USER_FIELDS = {
    "phpbb": ("username", "password"), "smf": ("user", "passwrd"),
    "vbulletin": ("vb_login_username", "vb_login_password"),
    "xenforo": ("login", "password"), "unit3d": ("username", "password"),
}  # fmt: skip


@pytest.fixture(params=sorted(USER_FIELDS))
def forum(request: pytest.FixtureRequest) -> Iterator[Forum]:
    with start_forum(request.param) as running:
        yield running


def form_of(forum: Forum, client: httpx.Client) -> tuple[str, dict[str, str]]:
    """The login form's action and fields, filled by a person who does everything right."""
    page = client.get(LOGIN_PAGES[forum.name]).text
    html = next(one for one in re.findall(r"<form.*?</form>", page, re.DOTALL) if 'type="password"' in one)
    action = unescape(re.findall(r'action="([^"]*)"', html)[0])
    fields = {}
    for tag in re.findall(r"<input[^>]*>", html):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and 'type="checkbox"' not in tag:
            fields[name[1]] = unescape(value[1]) if value else ""
    user, password = USER_FIELDS[forum.name]
    return str(client.base_url.join(action)), fields | {user: MEMBER[0], password: MEMBER[1]}


def test_every_kind_is_there_and_has_something_for_members() -> None:
    assert set(FORUMS) == set(LOGIN_PAGES)
    for name in FORUMS:
        with start_forum(name) as running:
            assert running.wanted("login")


def test_a_form_that_is_filled_right_logs_in_and_one_without_its_tokens_does_not(forum: Forum) -> None:
    forum.clock = lambda: 1_796_000_000.0
    with httpx.Client(base_url=forum.origin) as client:
        action, _ = form_of(forum, client)
        user, password = USER_FIELDS[forum.name]
        client.post(action, data={user: MEMBER[0], password: MEMBER[1]})
        assert (forum.state.logins, len(forum.refused)) == (0, 1)
        action, fields = form_of(forum, client)
        forum.clock = lambda: 1_796_000_002.0
        client.post(action, data=fields)
        assert forum.state.logins == 1


@pytest.mark.parametrize("name", ["phpbb", "smf", "xenforo", "unit3d"])
def test_a_session_is_bound_to_its_browser(name: str) -> None:
    with start_forum(name) as forum, httpx.Client(base_url=forum.origin) as client:
        forum.clock = lambda: 1_796_000_000.0
        action, fields = form_of(forum, client)
        forum.clock = lambda: 1_796_000_002.0
        client.post(action, data=fields, headers={"User-Agent": "another"})
        assert forum.state.logins == 0


def test_phpbb_takes_no_form_within_its_first_second_or_after_two_hours() -> None:
    for age in (0, 7201):
        with start_forum("phpbb") as forum, httpx.Client(base_url=forum.origin) as client:
            forum.clock = lambda: 1_796_000_000.0
            action, fields = form_of(forum, client)
            forum.clock = lambda age=age: 1_796_000_000.0 + age  # type: ignore[misc]  # bound
            client.post(action, data=fields)
            assert forum.refused == [f"form token, age {age}"]


@pytest.mark.parametrize(("field", "value"), [("_username", "filled"), ("_captcha", "x")])
def test_unit3d_refuses_who_falls_into_its_traps(field: str, value: str) -> None:
    with start_forum("unit3d") as forum, httpx.Client(base_url=forum.origin) as client:
        action, fields = form_of(forum, client)
        client.post(action, data=fields | {field: value})
        assert forum.refused == ["hidden captcha"]


def test_smf_says_404_for_a_file_that_guests_may_not_have() -> None:
    with start_forum("smf") as forum:
        item = next(one for one in forum.items if one.wall == "login")
        answer = httpx.get(
            f"{forum.origin}/index.php?action=dlattach;topic={item.number}.0;attach={item.file}"
        )
        assert answer.status_code == 404


def test_nexusphp_forgets_an_image_after_a_wrong_answer_and_its_torrents_hold_a_passkey() -> None:
    with start_forum("nexusphp") as forum, httpx.Client(base_url=forum.origin) as client:
        page = client.get("/login.php").text
        imagehash = re.findall(r'name="imagehash" value="(\w+)"', page)[0]
        for _ in range(2):
            client.post("/takelogin.php", data={"imagehash": imagehash, "imagestring": "x", "username": "a"})
        assert forum.refused == ["captcha", "captcha"]
        assert imagehash not in forum.codes  # type: ignore[attr-defined]  # of this kind of forum
        assert all(PASSKEY.encode() in item.seed.data for item in forum.items)


def post(client: httpx.Client, url: str, charset: str, fields: dict[str, str]) -> None:
    """Send a form in a charset."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    client.post(url, content=urlencode(fields, encoding=charset), headers=headers)


@pytest.mark.parametrize("name", ["discuz7", "discuz6", "phpwind", "phpwind8"])
def test_a_login_without_its_token_or_step_is_refused(name: str) -> None:
    with start_forum(name) as forum, httpx.Client(base_url=forum.origin) as client:
        page = client.get(LOGIN_PAGES[name])
        action = unescape(re.findall(r'<form[^>]*action="([^"]*)"', page.text)[0])
        names = dict.fromkeys(("username", "pwuser"), MEMBER[0])
        post(client, action, forum.charset, names | dict.fromkeys(("password", "pwpwd"), MEMBER[1]))
        assert (forum.state.logins, len(forum.refused)) == (0, 1)


def test_phpwind_8_takes_the_points_of_a_member_who_only_asks_for_the_link() -> None:
    with start_forum("phpwind8") as forum, httpx.Client(base_url=forum.origin) as client:
        post(
            client,
            "/login.php?",
            "gbk",
            {"pwuser": MEMBER[0], "pwpwd": MEMBER[1], "step": "2", "lgt": "0"},
        )
        item = next(one for one in forum.items if one.wall == "pay")
        asked = client.get(f"/job.php?action=download&aid={item.file}&check=1")
        assert (str(item.price) in asked.text, forum.bought) == (True, [])
        client.get(f"/job.php?action=download&aid={item.file}")
        assert forum.bought == [item.number]


def test_a_link_that_changes_something_is_counted(forum: Forum) -> None:
    httpx.get(f"{forum.origin}/logout.php?mode=logout")
    assert forum.state.violations
