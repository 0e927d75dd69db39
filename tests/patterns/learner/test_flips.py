"""Links that turn a page."""

from __future__ import annotations

import pytest

from harvester.patterns.learner.flips import is_numbered_page, looks_like_flip


@pytest.mark.parametrize(
    ("source", "url", "anchor"),
    [
        ("http://h/forum-2-1.html", "http://h/forum-2-2.html", "2"),
        ("http://h/viewforum.php?f=2", "http://h/viewforum.php?f=2&start=25", "2"),
        ("http://h/category/x/", "http://h/category/x/page/2/", "Older posts"),
        ("http://h/list?p=2", "http://h/list?p=3", "下一页"),
        ("http://h/index.php?board=18.0", "http://h/index.php?board=18.20", "[2]"),
        ("http://h/thread-12.html", "http://h/thread-12-page-2.html", "2"),
        ("http://h/thread-12-page-2.html", "http://h/thread-12.html", "1"),
        ("http://h/t12-a-title", "http://h/t12-a-title_2", "»"),
    ],
)
def test_one_number_moved_under_a_number_turns_the_page(source: str, url: str, anchor: str) -> None:
    assert looks_like_flip(source, url, anchor)


@pytest.mark.parametrize(
    ("source", "url", "anchor"),
    [
        ("http://h/viewforum.php?f=2", "http://h/viewforum.php?f=3", "Off topic"),
        ("http://h/view/7", "http://h/view/8", "A film from 1937"),
        ("http://h/list", "http://h/list", "1"),
        ("http://h/thread-12.html", "http://h/thread-12-post-3.html", "#3"),
        ("http://h/thread-1-1-1.html", "http://h/thread-2-2-1.html", "2"),
    ],
)
def test_another_object_is_no_further_page(source: str, url: str, anchor: str) -> None:
    assert not looks_like_flip(source, url, anchor)


def test_pages_of_a_thread_named_beside_its_title_are_further_pages() -> None:
    assert is_numbered_page("http://h/viewtopic.php?start=20&t=5", "3")
    assert not is_numbered_page("http://h/viewtopic.php?t=5", "3")
    assert is_numbered_page("http://h/thread-5-page-3.html", "3")
    assert not is_numbered_page("http://h/thread-5-post-3.html", "3")
