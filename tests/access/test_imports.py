"""Cookies from a browser are taken for the site's hosts and for no others."""

from __future__ import annotations

import pytest

from harvester.access.imports import read_cookies
from harvester.errors import AccessError

FILE = """# Netscape HTTP Cookie File
#HttpOnly_forum.example.org\tFALSE\t/\tTRUE\t1900000000\tsid\tabc%20def
.example.org\tTRUE\t/\tFALSE\t0\twide\t1
other.example\tFALSE\t/\tFALSE\t0\tsid\tnot ours
"""


def test_a_netscape_file_gives_the_cookies_of_the_site() -> None:
    sid, wide = read_cookies(FILE, ("forum.example.org",))
    assert (sid.name, sid.value, sid.domain, sid.secure, sid.host_only) == (
        "sid",
        "abc%20def",
        "forum.example.org",
        True,
        True,
    )
    assert sid.expires == 1_900_000_000
    assert (wide.domain, wide.host_only, wide.expires) == ("example.org", False, None)


def test_a_pasted_header_is_bound_to_the_site() -> None:
    found = read_cookies("Cookie: a=1; b=x=y; broken", ("forum.example.org:8443",))
    assert [(cookie.name, cookie.value, cookie.domain) for cookie in found] == [
        ("a", "1", "forum.example.org"),
        ("b", "x=y", "forum.example.org"),
    ]


@pytest.mark.parametrize(
    "text", ["", "nothing here", "other.example\tFALSE\t/\tFALSE\t0\ta\tb\n", "x" * 2_000_000]
)
def test_what_holds_no_cookie_of_the_site_is_refused(text: str) -> None:
    with pytest.raises(AccessError):
        read_cookies(text, ("forum.example.org",))
