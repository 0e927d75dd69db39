"""URLs taken apart."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import Refused
from harvester.fetch.place import Origin, split_url


@pytest.mark.parametrize(
    ("url", "origin", "target"),
    [
        ("http://a.example", "http://a.example", "/"),
        ("http://a.example?x=1", "http://a.example", "/?x=1"),
        ("http://a.example/?", "http://a.example", "/?"),
        ("http://a.example#f", "http://a.example", "/"),
        ("HTTP://A.Example:80/P#f?x", "http://a.example", "/P"),
        ("https://a.example:443/", "https://a.example", "/"),
        ("https://a.example:8443/x", "https://a.example:8443", "/x"),
        ("http://u:p@a.example/x@y", "http://a.example", "/x@y"),
        ("http://2130706433/", "http://127.0.0.1", "/"),
        ("http://0x7f.1/", "http://127.0.0.1", "/"),
        ("http://0177.0.0.01/", "http://127.0.0.1", "/"),
        ("http://[::FFFF:127.0.0.1]:81/", "http://[::ffff:7f00:1]:81", "/"),
        ("http://\uff11\uff12\uff17.0.0.1/", "http://127.0.0.1", "/"),
        ("http://\u4f8b\u3048.jp/\u4e2d", "http://xn--r8jz45g.jp", "/%E4%B8%AD"),
        ("http://a.example\\@127.0.0.1/", "http://a.example", "/@127.0.0.1/"),
        ("http://a_b.example/a b\tc", "http://a_b.example", "/a%20b%09c"),
        ("http://a.example/x\r\nHost: evil", "http://a.example", "/x%0D%0AHost:%20evil"),
    ],
)
def test_a_url_gives_its_origin_and_its_target_unchanged(url, origin, target):
    found, rest = split_url(url)
    assert (str(found), rest) == (origin, target)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://a.example/x", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("gopher://a.example/", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("magnet:?xt=urn:btih:00", "scheme"),
        ("/relative", "bad_url"),
        ("", "bad_url"),
        ("http:/a.example/", "bad_url"),
        ("http:///x", "bad_url"),
        ("http://a.example:99999/", "bad_url"),
        ("http://[::1/", "bad_url"),
        ("http://a b/", "bad_url"),
        ("http://1.2.3.4.5.6.256/", "bad_url"),
        ("http://a.example/" + "x" * 70_000, "bad_url"),
    ],
)
def test_what_cannot_be_fetched_is_refused_with_its_reason(url, reason):
    with pytest.raises(Refused) as caught:
        split_url(url)
    assert caught.value.reason == reason


@given(st.text(max_size=60))
def test_any_text_is_split_or_refused_and_a_target_can_stand_in_a_request_line(text):
    for url in (text, f"http://{text}", f"http://a.example/{text}"):
        try:
            origin, target = split_url(url)
        except Refused:
            continue
        assert isinstance(origin, Origin)
        assert target.startswith("/")
        assert all("!" <= character <= "~" for character in target)


@pytest.mark.parametrize("url", ["http://\udcff/", "http://a.example/\udcff", "http://a.example\x00/"])
def test_half_characters_are_no_crash(url):
    with suppress(Refused):
        assert split_url(url)[1].isascii()
