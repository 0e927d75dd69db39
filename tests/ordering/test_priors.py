"""What a link is worth before anything like it was fetched."""

from __future__ import annotations

import pytest

from harvester.model.order import PageLink
from harvester.ordering.priors import is_variant, prior


def link(url: str, anchor: str = "", *, download: bool = False) -> PageLink:
    return PageLink(url, "h", 1, depth=2, anchor=anchor, download=download)


def test_downloads_come_before_titles_and_titles_before_help() -> None:
    download = prior(link("http://h/x", download=True), names_row=False)
    title = prior(link("http://h/view/7", "A film"), names_row=True)
    helping = prior(link("http://h/help", "Help"), names_row=False)
    assert download > title > helping


def test_words_for_torrents_count_in_other_languages() -> None:
    assert prior(link("http://h/f/3", "种子下载"), names_row=False) > prior(
        link("http://h/f/3"), names_row=False
    )


def test_another_view_of_the_same_page_is_a_variant() -> None:
    assert is_variant("http://h/list?f=2", "http://h/list?f=2&show=old")
    assert not is_variant("http://h/list?f=2", "http://h/list?f=3")


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("http://a.example/list.php?f=2", "http://a.example/list.php?f=2&sk=t"),
        ("http://a.example/list", "http://a.example/list?sort=size"),
    ],
)
def test_the_same_page_with_more_parameters_is_a_view_of_it(source: str, key: str) -> None:
    assert is_variant(source, key)


@pytest.mark.parametrize(
    ("source", "key"),
    [
        ("http://a.example/index.php", "http://a.example/index.php?board=2"),
        ("http://a.example/list.php?f=2", "http://a.example/list.php?f=3"),
        ("http://a.example/list.php?f=2", "http://a.example/list.php?f=2"),
    ],
)
def test_another_object_under_the_same_path_is_no_view(source: str, key: str) -> None:
    assert not is_variant(source, key)
