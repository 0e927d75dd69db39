"""Addresses say what they lead to, and what they return to does not matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.access import wall_urls


@pytest.mark.parametrize(
    "url",
    [
        "/login",
        "/login/",
        "https://example.org/login.php?returnto=x",
        "member.php?mod=logging&action=login",
        "logging.php?action=login",
        "ucp.php?mode=login&redirect=index.php",
        "index.php?action=login2",
        "/index.php?m=u&c=login",
        "/accounts/login/?next=/a",
        "/wp-login.php",
        "/users/sign_in",
        "/auth/signin",
    ],
)
def test_login_addresses(url: str) -> None:
    assert wall_urls.is_login(url)


@pytest.mark.parametrize(
    "url",
    [
        "/logout",
        "/t/12?next=/login",
        "/topic/cant-login/",
        "/topic/log-in-problems-solved.html",
        "viewtopic.php?t=3&redirect=ucp.php?mode=login",
        "/blogging/1",
        "http://[broken",
        "",
    ],
)
def test_other_addresses_are_no_login(url: str) -> None:
    assert not wall_urls.is_login(url)


def test_second_factor_ban_rules_and_download_addresses() -> None:
    assert wall_urls.is_second_factor("/login/two-step?provider=totp")
    assert wall_urls.is_second_factor("/two-factor-challenge")
    assert wall_urls.is_second_factor("index.php?action=logintfa")
    assert not wall_urls.is_second_factor("/topic/12")
    assert not wall_urls.is_second_factor("/topic/two-factor-explained")
    assert wall_urls.is_banned("/banned.php")
    assert not wall_urls.is_banned("/topic/who-was-banned-and-why")
    assert wall_urls.is_rules_page("downloadnotice.php?torrentid=1")
    assert wall_urls.is_download("/attachment.php?aid=1")
    assert not wall_urls.is_download("/topic/1")


def test_a_link_to_log_out_is_found_where_the_word_alone_is_not() -> None:
    assert wall_urls.offers_logout('<a class=x href="./ucp.php?mode=logout&sid=1">bye</a>')
    assert wall_urls.offers_logout("<a href=logout.php>")
    assert not wall_urls.offers_logout("<p>How do I log out? No logout button.</p><a href=/x>logout</a>")


@given(st.text())
def test_a_login_page_is_an_account_page_whatever_else_is_in_its_address(url: str) -> None:
    assert wall_urls.is_account_page(url) >= wall_urls.is_login(url)
    assert wall_urls.is_account_page(f"/login.php?{url}")
