"""What the next request of a chain is."""

from __future__ import annotations

import pytest

from harvester.errors import Refused
from harvester.fetch.place import split_url
from harvester.fetch.redirects import is_redirect, next_request, referer_for, resolve_location
from harvester.model.http import Request

BASE = "http://a.example/dir/page?x=1"


@pytest.mark.parametrize(
    ("location", "target"),
    [
        (b"/b", "http://a.example/b"),
        (b"c?d=e", "http://a.example/dir/c?d=e"),
        (b"?y=2", "http://a.example/dir/page?y=2"),
        (b"//b.example/x", "http://b.example/x"),
        (b"https://b.example/%7Ex#frag", "https://b.example/%7Ex"),
        ("/测试".encode(), "http://a.example/%E6%B5%8B%E8%AF%95"),
        ("/测试".encode("gbk"), "http://a.example/%B2%E2%CA%D4"),
        (b"/a b", "http://a.example/a%20b"),
        (b"  /b\t ", "http://a.example/b"),
        (b"/a\r\nX: y", "http://a.example/aX:%20y"),
        (b"magnet:?xt=urn:btih:00&dn=a%20b", "magnet:?xt=urn:btih:00&dn=a%20b"),
        (b"thunder://QUFodHRwOi8vYS9iWlo=", "thunder://QUFodHRwOi8vYS9iWlo="),
        (b"ed2k://|file|a.iso|12|ABCDEF|/", "ed2k://|file|a.iso|12|ABCDEF|/"),
        (b"../../../etc", "http://a.example/etc"),
    ],
)
def test_a_location_is_joined_and_its_raw_bytes_are_escaped(location, target):
    assert resolve_location(BASE, location) == target


@pytest.mark.parametrize("location", [b"http://[bad", b"http://", b"/" + b"x" * 20_000])
def test_a_location_that_is_no_url_is_refused(location):
    with pytest.raises(Refused) as caught:
        resolve_location(BASE, location)
    assert caught.value.reason == "bad_url"


@pytest.mark.parametrize(
    ("status", "method", "then"),
    [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
        (307, "POST", "POST"), (308, "POST", "POST"),
        (301, "HEAD", "HEAD"), (303, "HEAD", "HEAD"), (302, "GET", "GET"),
    ],
)  # fmt: skip
def test_the_method_changes_as_browsers_change_it(status, method, then):
    body = b"x" if method in {"POST", "PUT"} else None
    request = Request(BASE, method, (("Content-Type", "t"),), body)
    following = next_request(request, status, split_url(BASE)[0], "http://a.example/b")
    assert (following.method, following.body) == (then, body if then == method else None)
    assert (("Content-Type", "t") in following.headers) is (following.body is not None)


def test_on_another_origin_only_harmless_headers_go_along():
    headers = (("Authorization", "x"), ("Cookie", "y"), ("X-Api-Key", "z"), ("Accept", "text/html"))
    for target in ("http://b.example/", "http://a.example:8080/", "https://b.example/"):
        request = next_request(Request(BASE, headers=headers), 302, split_url(BASE)[0], target)
        assert request.headers == (("Accept", "text/html"),)


def test_on_the_same_origin_and_its_upgrade_to_https_headers_stay():
    headers = (("Authorization", "x"),)
    for target in ("http://a.example/b", "https://a.example/b"):
        assert (
            next_request(Request(BASE, headers=headers), 302, split_url(BASE)[0], target).headers == headers
        )


def test_validators_stay_with_the_url_that_was_left():
    request = Request(BASE, headers=(("If-None-Match", '"a"'), ("If-Modified-Since", "x")))
    assert next_request(request, 302, split_url(BASE)[0], "http://a.example/b").headers == ()


@pytest.mark.parametrize(
    ("referer", "url", "shown"),
    [
        ("http://u:p@a.example/x?y#z", "http://a.example/b", "http://a.example/x?y"),
        ("http://a.example/x?sid=1", "http://b.example/", "http://a.example/"),
        ("https://a.example/x", "http://a.example/", ""),
        ("http://a.example/\u4e2d", "http://a.example/", "http://a.example/%E4%B8%AD"),
        ("about:blank", "http://a.example/", ""),
    ],
)
def test_a_referer_shows_no_more_than_browsers_show(referer, url, shown):
    assert referer_for(referer, split_url(url)[0]) == shown


@pytest.mark.parametrize(
    ("status", "location"), [(200, b"/x"), (304, b"/x"), (300, b"/x"), (302, None), (302, b" ")]
)
def test_an_answer_without_a_target_is_no_redirect(status, location):
    assert not is_redirect(status, location)
