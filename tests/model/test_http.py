"""Requests and responses as values."""

from __future__ import annotations

import pytest

from harvester.model.http import Headers, Request, Response


def response(**fields: str) -> Response:
    return Response("http://a.example/", 200, Headers.of(**fields))


def test_headers_are_found_in_any_case_and_keep_their_bytes_and_order():
    headers = Headers([(b"Set-Cookie", b"a=1"), (b"X", b"\xb2\xe2"), (b"set-cookie", b"b=2")])
    assert headers.get("SET-COOKIE") == "a=1"
    assert headers.get_all("set-cookie") == ("a=1", "b=2")
    assert headers.get_bytes("x") == b"\xb2\xe2"
    assert list(headers) == [("Set-Cookie", "a=1"), ("X", "\xb2\xe2"), ("set-cookie", "b=2")]
    assert "x" in headers
    assert "y" not in headers
    assert headers.get("y", "none") == "none"
    assert len(headers) == 3


def test_values_of_headers_are_not_in_their_repr():
    assert "hidden" not in repr(response(set_cookie="hidden"))
    assert "hidden" not in repr(Request("http://a/", headers=(("Cookie", "hidden"),), body=b"hidden"))


@pytest.mark.parametrize(
    ("value", "media", "charset"),
    [
        ("text/html; charset=GBK", "text/html", "gbk"),
        ('Text/HTML ;x=y; Charset="UTF-8"', "text/html", "utf-8"),
        ("text/html;charset='gb2312'", "text/html", "gb2312"),
        ("application/x-bittorrent", "application/x-bittorrent", ""),
        ("text/html; charset", "text/html", ""),
        ("", "", ""),
    ],
)
def test_the_content_type_is_taken_apart(value, media, charset):
    answer = response(content_type=value)
    assert (answer.content_type, answer.charset) == (media, charset)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("Fri, 15 Jan 2027 08:01:00 GMT", 60.0),
        ("Friday, 15-Jan-27 08:01:00 GMT", 60.0),
        ("Fri, 15 Jan 2027 08:01:00 -0000", 60.0),
        ("Fri, 15 Jan 2027 07:00:00 GMT", 0.0),
        ("99999999999999999999", 999999999.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("\u0663", None),
        ("Fri, 99 Foo 2027", None),
        ("x" * 1000, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value, seconds):
    headers = Headers([(b"Retry-After", value.encode("utf-8"))])
    assert Response("http://a/", 503, headers).retry_after(1_800_000_000.0) == seconds
