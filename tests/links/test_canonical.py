"""Which canonical links are believed."""

from __future__ import annotations

import pytest

from harvester.links.canonical import is_alias


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://a.example/t?id=5&sort=asc", "http://a.example/t?id=5"),
        ("http://a.example/t?highlight=x&id=5&lang=de", "http://A.example/t?id=5"),
        ("http://a.example/list?utm_source=feed", "http://a.example/list"),
    ],
)
def test_a_canonical_link_without_what_only_says_how_to_show_it_is_the_same_page(
    url: str, canonical: str
) -> None:
    assert is_alias(url, canonical)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://a.example/t?id=5&page=2", "http://a.example/t?id=5"),
        ("http://a.example/t?id=5&start=50&sort=asc", "http://a.example/t?id=5"),
        ("http://a.example/forum.php?mod=viewthread&tid=5", "http://a.example/forum.php"),
        ("http://a.example/t?id=5", "http://a.example/t?id=5"),
        ("http://a.example/t?id=5&sort=asc", "http://a.example/t?id=6"),
        ("http://a.example/t?id=5&sort=asc", "http://a.example/"),
        ("http://a.example/t?id=5&sort=asc", "http://b.example/t?id=5"),
        ("http://a.example/t?id=5&sort=asc", "https://a.example/t?id=5"),
        ("http://a.example/t?id=5", "http://a.example/t?id=5&sort=asc"),
    ],
)
def test_a_canonical_link_that_names_another_page_is_not_believed(url: str, canonical: str) -> None:
    assert not is_alias(url, canonical)
