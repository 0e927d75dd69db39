"""Members' pages are told from guests'."""

from __future__ import annotations

import pytest

from harvester.access.membership import Seen, members_links, seen_as
from harvester.text.tree import parse_tree
from tests.access.recordings import answers


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("<script>var discuz_uid = '7';</script>", Seen.MEMBER),
        ("<script>var discuz_uid = '0';</script><a href=/logout>x</a>", Seen.GUEST),
        ('<html id="XF" data-logged-in="true">', Seen.MEMBER),
        ('<html id="XF" data-logged-in="false">', Seen.GUEST),
        ('<script>var SECURITYTOKEN = "1700000000-abc";</script>', Seen.MEMBER),
        ('<script>var SECURITYTOKEN = "guest";</script>', Seen.GUEST),
        ('<a href="ucp.php?mode=logout&sid=1">Logout</a><a href=/login>x</a>', Seen.MEMBER),
        ('<form method="post" action="/accounts/logout/"><button>x</button></form>', Seen.MEMBER),
        ("<a href='/x'>Abmelden</a>", Seen.MEMBER),
        ("<button>Log out (alice)</button>", Seen.MEMBER),
        ("<a href='/login'>Log in</a>", Seen.GUEST),
        ("<form><input type=password name=p></form>", Seen.GUEST),
        ("<nav><a href='/u/1'>Alice</a></nav>", Seen.MEMBER),
        ("<p>How to log out: press the button. Design outline, signout words.</p>", Seen.UNKNOWN),
        ("", Seen.UNKNOWN),
    ],
)
def test_a_page_says_for_whom_it_was_made(html: str, seen: Seen) -> None:
    assert seen_as(html, user="alice")[0] is seen


def test_a_link_that_members_are_shown_speaks_for_them() -> None:
    assert seen_as("<a href='/member/subscriptions/'>x</a>", link="/member/subscriptions/")[0] is Seen.MEMBER


def test_new_links_after_a_login_are_found_the_telling_ones_first() -> None:
    before = parse_tree("<a href=/a>a</a><a href=/login>in</a>")
    after = parse_tree("<a href=/a>a</a><a href=/board-7>b</a><a href=/inbox?x=1>i</a><a href=/forgot>f</a>")
    assert members_links(before, after) == ["/inbox", "/board-7"]


@pytest.mark.parametrize("site", ["discuz35", "phpbb", "mybb"])
def test_recorded_pages_are_told_apart(site: str) -> None:
    def counted(recording: str) -> dict[Seen, int]:
        pages = [one for one in answers(site, recording) if one.status == 200 and "<body" in one.html]
        seen = [seen_as(page.html)[0] for page in pages]
        return {kind: seen.count(kind) for kind in Seen}

    guests, members = counted("focus_anon"), counted("focus_login")
    assert guests[Seen.MEMBER] == 0
    assert members[Seen.GUEST] == 0
    assert guests[Seen.GUEST] > 10
    assert members[Seen.MEMBER] > 10
