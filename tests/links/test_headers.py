from __future__ import annotations

import pytest

from harvester.links.headers import refresh_target, with_header_links
from harvester.model.link import PageLinks

URL = "https://t.example.com/a/list"


@pytest.mark.parametrize(
    ("content", "target", "seconds"),
    [
        ("0; url=/f/1.torrent", "/f/1.torrent", 0.0),
        ("3;URL='/x y'", "/x y", 3.0),
        ("5, https://t.example.com/", "https://t.example.com/", 5.0),
        ("30", "", 0.0),
        ("soon", "", 0.0),
        ("", "", 0.0),
    ],
)
def test_a_refresh_says_where_it_goes_and_when(content: str, target: str, seconds: float) -> None:
    assert refresh_target(content) == (target, seconds)


@pytest.mark.parametrize(
    ("value", "following"),
    [
        ('<?page=2>; rel="next"', "https://t.example.com/a/list?page=2"),
        (
            '<?page=1>; rel=prev, <?page=3>; title="a, b"; rel="last next"',
            "https://t.example.com/a/list?page=3",
        ),
        ('</style.css>; rel="preload"', None),
        ("javascript", None),
    ],
)
def test_the_next_page_of_a_link_header_is_the_pages_next(value: str, following: str | None) -> None:
    assert with_header_links(PageLinks(URL), [("link", value)], URL).next == following


def test_what_the_page_says_of_itself_wins_over_its_headers() -> None:
    page = PageLinks(URL, next="https://t.example.com/2", refresh="https://t.example.com/3")
    assert with_header_links(page, [("link", "</9>; rel=next"), ("refresh", "0; url=/9")], URL) == page


def test_a_header_of_many_brackets_is_read_at_once() -> None:
    value = '<a>;"' * 100_000
    assert with_header_links(PageLinks(URL), [("link", value)], URL).next is None
