"""The cookie jar."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.fetch.cookies import CookieJar, is_public_suffix, parse_set_cookie
from harvester.fetch.place import split_url
from harvester.model.http import Cookie

NOW = 1_800_000_000.0


def jar_of(url: str, *lines: str) -> CookieJar:
    jar = CookieJar()
    jar.store(*split_url(url), lines, NOW)
    return jar


def sent(jar: CookieJar, url: str, now: float = NOW) -> str:
    return jar.header(*split_url(url), now)


def test_a_cookie_without_domain_goes_to_its_host_only():
    jar = jar_of("http://forum.example.org/a/b", "sid=1")
    assert sent(jar, "http://forum.example.org/a/c") == "sid=1"
    for other in (
        "http://www.forum.example.org/a/c",
        "http://example.org/a/c",
        "http://evilforum.example.org/a/c",
    ):
        assert sent(jar, other) == ""


def test_a_cookie_with_domain_goes_to_the_hosts_below_it():
    jar = jar_of("http://forum.example.org/", "sid=1; Domain=.Example.ORG")
    for url in ("http://example.org/", "http://forum.example.org/", "http://a.b.example.org/"):
        assert sent(jar, url) == "sid=1"
    assert sent(jar, "http://badexample.org/") == ""


@pytest.mark.parametrize(
    ("url", "line"),
    [
        ("http://forum.example.org/", "a=1; Domain=other.org"),
        ("http://forum.example.org/", "a=1; Domain=sub.forum.example.org"),
        ("http://forum.example.org/", "a=1; Domain=org"),
        ("http://forum.example.co.uk/", "a=1; Domain=co.uk"),
        ("http://bbs.example.com.cn/", "a=1; Domain=com.cn"),
        ("http://bbs.example.bj.cn/", "a=1; Domain=bj.cn"),
        ("http://me.github.io/", "a=1; Domain=github.io"),
        ("http://10.0.0.1/", "a=1; Domain=0.0.1"),
        ("http://forum.example.org/", "a=1; Secure"),
        ("http://forum.example.org/", "__Secure-a=1"),
        ("https://forum.example.org/", "__Host-a=1; Secure; Domain=forum.example.org; Path=/"),
        ("http://forum.example.org/", "; Path=/"),
        ("http://forum.example.org/", "a=\x00b"),
        ("http://forum.example.org/", "a=1\r\nEvil: x"),
        ("http://forum.example.org/", "a=" + "x" * 9000),
    ],
)
def test_a_cookie_that_may_not_be_set_is_ignored(url, line):
    assert len(jar_of(url, line)) == 0


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://localhost/", "http://me.github.io/"])
def test_a_host_may_name_itself_as_domain(url):
    host = split_url(url)[0].host
    assert sent(jar_of(url, f"a=1; Domain={host}"), url) == "a=1"


def test_a_cookie_that_came_over_https_is_not_sent_in_clear():
    jar = jar_of("https://a.example.org/", "plain=1", "safe=2; Secure")
    assert sent(jar, "https://a.example.org/") == "plain=1; safe=2"
    assert sent(jar, "http://a.example.org/") == ""


@pytest.mark.parametrize(
    ("set_at", "path", "there", "not_there"),
    [
        ("/a/b/c", "", ["/a/b", "/a/b/", "/a/b/x?y"], ["/a", "/a/bc", "/"]),
        ("/a", "", ["/", "/x"], []),
        ("/", "/forum", ["/forum", "/forum/x"], ["/forums", "/"]),
        ("/", "/forum/", ["/forum/", "/forum/x"], ["/forum"]),
        ("/a/b", "relative", ["/a/x"], ["/b"]),
    ],
)
def test_a_cookie_goes_to_the_paths_below_its_own(set_at, path, there, not_there):
    jar = jar_of(f"http://a.example.org{set_at}", f"x=1; Path={path}" if path else "x=1")
    assert [target for target in there + not_there if sent(jar, f"http://a.example.org{target}")] == there


def test_longer_paths_come_first_and_values_stay_as_they_came():
    url = "http://a.example.org/forum/x"
    jar = jar_of(url, 'u=12%2C"a b"=; path=/', "xf_user=1%2Cabc; path=/forum", "=noname; path=/")
    assert sent(jar, url) == 'xf_user=1%2Cabc; u=12%2C"a b"=; noname'


@pytest.mark.parametrize(
    ("attributes", "lives"),
    [
        ("", True),
        ("; Max-Age=60", True),
        ("; Max-Age=0", False),
        ("; Max-Age=-1", False),
        ("; Max-Age=junk", True),
        ("; Expires=Thu, 01 Jan 1970 00:00:00 GMT", False),
        ("; Expires=Thu, 01-Jan-70 00:00:01 GMT", False),
        ("; Expires=Wed, 01 Jan 2098 00:00:00 GMT", True),
        ("; Expires=Wednesday, 01-Jan-38 00:00:00 GMT", True),
        ("; expires=never", True),
        ("; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", True),
        ("; Expires=Wed, 01 Jan 2098 00:00:00 GMT; Max-Age=0", False),
    ],
)
def test_a_cookie_lives_as_long_as_it_says(attributes, lives):
    assert bool(len(jar_of("http://a.example.org/", "a=1" + attributes))) is lives


def test_an_expired_cookie_is_not_sent():
    jar = jar_of("http://a.example.org/", "a=1; Max-Age=10")
    assert sent(jar, "http://a.example.org/", NOW + 9) == "a=1"
    assert sent(jar, "http://a.example.org/", NOW + 11) == ""


def test_a_past_expiry_deletes_the_cookie():
    jar = jar_of("http://a.example.org/", "a=1")
    assert jar.store(*split_url("http://a.example.org/"), ["a=deleted; Max-Age=0"], NOW)
    assert len(jar) == 0


def test_storing_says_whether_anything_changed():
    place = split_url("http://a.example.org/")
    jar = CookieJar()
    assert jar.store(*place, ["a=1"], NOW)
    assert not jar.store(*place, ["a=1"], NOW)
    assert not jar.store(*place, ["b=1; Domain=other.org"], NOW)
    assert jar.store(*place, ["a=2"], NOW)


def test_a_jar_survives_being_saved():
    jar = jar_of("https://a.example.org/x/", "a=1%2C; Max-Age=60; Domain=example.org", "b=2")
    again = CookieJar.from_dict(json.loads(json.dumps(jar.to_dict(NOW))))
    assert again.cookies(NOW) == jar.cookies(NOW)
    assert sent(again, "https://a.example.org/x/y") == sent(jar, "https://a.example.org/x/y") != ""


@pytest.mark.parametrize("stored", [{}, {"cookies": [{"name": "a"}]}, {"cookies": 3}])
def test_what_is_no_saved_jar_is_refused(stored):
    with pytest.raises(ValueError, match="saved"):
        CookieJar.from_dict(stored)


def test_a_jar_is_bounded():
    jar = CookieJar(Cookie(f"n{number}", "x", "a.example.org") for number in range(1000))
    assert len(jar) == 200
    assert "n999=x" in sent(jar, "http://a.example.org/")


def test_the_value_of_a_cookie_is_not_in_its_repr():
    assert "hidden" not in repr(Cookie("a", "hidden", "a.example"))


def suffix_cases() -> list[tuple[str, str]]:
    """(host, registrable domain or "") of the public suffix list's own test, hosts as URLs have them."""
    text = (Path(__file__).parents[2].parent / "shared/data/conformance/test_psl.txt").read_text("utf-8")
    found = re.findall(r"^checkPublicSuffix\('([^'.][^']*)', (?:null|'(.*)')\);", text, re.MULTILINE)
    return [tuple(split_url(f"http://{host}")[0].host if host else "" for host in case) for case in found]


def test_a_cookie_may_cover_a_registrable_domain_and_nothing_above_it():
    cases = suffix_cases()
    assert len(cases) > 70
    wrong = [
        (host, registrable)
        for host, registrable in cases
        if (is_public_suffix(registrable) or not is_public_suffix(registrable.partition(".")[2]))
        if registrable
    ]
    wrong += [(host, "") for host, registrable in cases if not registrable and not is_public_suffix(host)]
    assert wrong == []


@given(st.text(max_size=80))
def test_any_text_is_a_cookie_or_ignored_and_cannot_break_a_header(text):
    cookie = parse_set_cookie(text, *split_url("https://a.example.org/x"), NOW)
    if cookie is not None:
        assert not set(cookie.name + cookie.value) & set("\r\n\0;")
