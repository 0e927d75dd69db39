"""The shape of an endless URL is seen, and that of a real one is left alone."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.policy.traps import CHECKS, url_trap

SITES = Path(__file__).resolve().parents[3] / "shared" / "data" / "sites"

TRAPS = [
    ("path_depth", "/" + "/".join(f"d{n}" for n in range(17))),
    ("repeated_segments", "/a/b/a/b/"),
    ("repeated_segments", "/x/img/css/img/css/img"),
    ("repeated_segments", "/forum/forum/forum/index.php"),
    ("repeated_segments", "/2024/05/2024/05/2024/05/"),
    ("dot_segments", "/././index.php?sid=1"),
    ("repeated_parameters", "/x?a=1&a=2&a=3&a=4"),
    ("repeated_parameters", "/x?lang=en&lang=en&lang=en"),
    ("repeated_parameters", "/x?" + "&".join(f"p{n}=1" for n in range(41))),
    ("several_sessions", "/x;jsessionid=ABC;jsessionid=DEF"),
    ("several_sessions", "/x?sid=1&PHPSESSID=2"),
    ("escaped_again", "/x?a=1&amp;amp;b=2"),
    ("escaped_again", "/x?r=%252525"),
    ("nested_urls", "/go?u=http%3A%2F%2Fa.example%2Fgo%3Fu%3Dhttp%253A%252F%252Fb.example%252F"),
    ("huge_page_number", "/list?page=99999999"),
    ("huge_page_number", "/viewforum.php?f=2&start=99999999"),
    ("calendar", "/calendar.php?action=dayview&year=2026&month=11&day=30"),
    ("calendar", "/events/2031-07"),
    ("calendar", "/calendar/2031/07/"),
    ("impossible_year", "/archive?year=2999"),
]
REAL = [
    "/",
    "/forum.php?mod=viewthread&tid=5&extra=page%3D1",
    "/forum.php?mod=forumdisplay&fid=2&filter=author&orderby=dateline&dateline=86400&page=2",
    "/viewtopic.php?f=2&t=12&sid=5c2dd1ab8104509042b8add3b9049aa7",
    "/viewforum.php?f=2&start=2500",
    "/2024/05/05/slug/",
    "/2024/05/",
    "/pub/linux/debian/dists/stable/main/installer-amd64/current/images/netboot/",
    "/a/a/",
    "/torrents.php?cat[]=1&cat[]=2&cat[]=3&cat[]=4",
    "/torrents.php?cat=1&cat=2&cat=3",
    "/calendar/",
    "/events/linux-day/",
    "/go?u=https%3A%2F%2Fa.example%2F",
    "/web/2020/https://a.example/x",
    "/x;jsessionid=ABC",
    "/wiki/100%25_real",
    "/archive?year=2024",
]


@pytest.mark.parametrize(("name", "path"), TRAPS)
def test_a_trap_is_named(name: str, path: str) -> None:
    assert url_trap("https://x.example" + path) == name


@pytest.mark.parametrize("path", REAL)
def test_a_real_url_is_no_trap(path: str) -> None:
    assert url_trap("https://x.example" + path) is None


@pytest.mark.parametrize("site", ["discuz35", "phpbb", "mybb", "machina"])
def test_no_page_of_a_recorded_forum_is_a_trap(site: str) -> None:
    with (SITES / site / "truth.tsv").open(encoding="utf-8") as file:
        urls = {
            line[column] for line in csv.DictReader(file, delimiter="\t") for column in ("url", "page_url")
        }
    assert {url for url in urls if url_trap(url)} == set()


@given(st.text(max_size=500))
def test_what_is_said_of_any_text_is_the_name_of_a_check(url: str) -> None:
    names = {check.__name__ for check in CHECKS}
    assert {url_trap(url), url_trap(f"https://x.example/{url}")} <= names | {None}
