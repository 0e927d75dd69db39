from __future__ import annotations

import csv
import json
import re

import ada_url
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.links.urls import join, parse_url
from tests.links.vectors import SHARED

CASES = [
    case
    for case in json.loads((SHARED / "conformance/urltestdata.json").read_text(encoding="utf-8"))
    if isinstance(case, dict)
]
BASE = "http://bbs.example.com/forum/thread-12-1-1.html?page=2#post3"
HREF_CHARACTERS = "abAZ09/.?#%&=:;@!$'()*+,-_~|[]{}^`\\\"<> \t\n\u7535\u5f71é\ud800\x00"


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def test_parsing_follows_the_whatwg_cases() -> None:
    wrong = []
    for case in CASES:
        parsed = parse_url(case["input"], case["base"])
        if case.get("failure"):
            right = parsed is None
        else:
            right = parsed is not None and (parsed.href, parsed.host, parsed.path, parsed.query) == (
                case["href"],
                case["hostname"],
                case["pathname"],
                case["search"][1:],
            )
        if not right:
            wrong.append(case["input"])
    assert len(CASES) == 891
    assert wrong == []


def test_joining_gives_the_same_url_as_whatwg_in_every_case() -> None:
    wrong = []
    for case in CASES:
        expected = None if case.get("failure") else _without_fragment(case["href"])
        if expected is not None and expected.split(":")[0] not in ("http", "https", "ftp"):
            expected = None
        joined = join(case["base"] or "about:blank", case["input"])
        parsed = parse_url(joined) if joined is not None else None
        if (parsed.href if parsed else None) != expected:
            wrong.append((case["input"], case["base"], joined, expected))
    assert wrong == []


def test_resolving_follows_the_published_cases() -> None:
    text = (SHARED / "conformance/url-resolve.csv").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    differing = []
    for href, base, expected in csv.reader(lines, skipinitialspace=True):
        joined = join(base, href)
        if joined != _without_fragment(expected):
            differing.append((href, joined))
    # file: is never fetched; docs/links.md says so
    assert differing == [("//server/file", None)]


def test_hosts_become_ascii_by_the_published_cases() -> None:
    cases = json.loads((SHARED / "conformance/toascii.json").read_text(encoding="utf-8"))
    wrong = []
    for case in cases:
        if isinstance(case, str):
            continue
        parsed = parse_url(f"https://{case['input']}/x")
        if (parsed.host if parsed else None) != case["output"]:
            wrong.append(case["input"])
    assert wrong == []


@pytest.mark.parametrize(
    "href",
    [
        "http://Example.com/a/../b/%7Euser/%e7%94?q=%2e%2e/%u7535&b=1&a=2",
        "https://dl.example.com:443/files/demo.torrent",
        "http://dl.example.com:80/a;jsessionid=1?x=[1]&y='z'",
        "http://example.com?x=1",
        "ftp://user:pw@ftp.example.com/pub/file.torrent",
    ],
)
def test_an_absolute_ascii_href_is_sent_as_written(href: str) -> None:
    assert join(BASE, href) == href
    assert join(BASE, href + "#fragment") == href


@pytest.mark.parametrize(
    ("href", "joined"),
    [
        ("%7Euser/?q=%2e&r=%u7535", "http://bbs.example.com/forum/%7Euser/?q=%2e&r=%u7535"),
        ("../x/./y/..?a=/../b", "http://bbs.example.com/x/?a=/../b"),
        ("?page=3", "http://bbs.example.com/forum/thread-12-1-1.html?page=3"),
        ("", "http://bbs.example.com/forum/thread-12-1-1.html?page=2"),
        ("//dl.example.com/a", "http://dl.example.com/a"),
        ("/a%2fb", "http://bbs.example.com/a%2fb"),
        ("  a b.torrent ", "http://bbs.example.com/forum/a%20b.torrent"),
        ("a\nb\t.html", "http://bbs.example.com/forum/ab.html"),
        ("..\\up.html", "http://bbs.example.com/up.html"),
        ("HTTP://Example.com/A", "http://Example.com/A"),
        ("http:relative.html", "http://bbs.example.com/forum/relative.html"),
        ("电影.torrent", "http://bbs.example.com/forum/%E7%94%B5%E5%BD%B1.torrent"),
        ("http://bücher.example/ü?q", "http://xn--bcher-kva.example/%C3%BC?q"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
    ],
)
def test_a_relative_href_is_resolved_and_nothing_else_rewritten(href: str, joined: str) -> None:
    assert join(BASE, href) == joined


@pytest.mark.parametrize(
    "href", ["javascript:void(0)", "mailto:a@example.com", "data:,x", "http://", "http://a b/", "x" * 70_000]
)
def test_what_is_no_address_joins_to_nothing(href: str) -> None:
    assert join(BASE, href) is None


def test_a_query_beyond_ascii_is_written_in_the_charset_of_the_page() -> None:
    assert join(BASE, "s.php?q=电影", "gbk") == "http://bbs.example.com/forum/s.php?q=%B5%E7%D3%B0"
    assert join(BASE, "s.php?q=电影") == "http://bbs.example.com/forum/s.php?q=%E7%94%B5%E5%BD%B1"
    assert join(BASE, "电.php?q=😀", "gbk") == (
        "http://bbs.example.com/forum/%E7%94%B5.php?q=%26%23128512%3B"
    )
    assert join(BASE, "s.php?q=é", "utf-16") == join(BASE, "s.php?q=é", "no-such-charset")


@settings(max_examples=600, deadline=None)
@given(
    st.text(HREF_CHARACTERS, max_size=30) | st.text(max_size=20),
    st.sampled_from([BASE, "", "x", "file:///a"]),
)
def test_joining_never_raises(href: str, base: str) -> None:
    joined = join(base, href)
    assert joined is None or (joined.isascii() and re.match(r"(https?|ftp)://[^/]", joined))


@settings(max_examples=600, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["..", ".", "/", "a", "%2e", "%2E.", "?", "#", "\\", ":", "//", "http:", " ", "@", "[", "é", "'"]
        )
        | st.text(HREF_CHARACTERS.replace("\ud800", ""), max_size=4),
        max_size=8,
    ).map("".join)
)
def test_joining_is_whatwg_joining_in_other_words(href: str) -> None:
    try:
        expected: str | None = _without_fragment(ada_url.URL(href, BASE).href)
    except ValueError:
        expected = None
    if expected is not None and not expected.startswith(("http:", "https:", "ftp:")):
        expected = None
    joined = join(BASE, href)
    assert (ada_url.URL(joined).href if joined is not None else None) == expected
