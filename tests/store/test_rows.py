"""A URL of the page's own host is stored without it, and comes back whole."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.store.rows import short_url, whole_url


@pytest.mark.parametrize(
    ("url", "page", "stored"),
    [
        ("https://forum.example/file/1", "https://forum.example/thread-1", "/file/1"),
        ("https://forum.example:8443/file/1", "https://forum.example:8443/", "/file/1"),
        ("http://forum.example/file/1", "https://forum.example/thread-1", "http://forum.example/file/1"),
        ("https://forum.example.net/f", "https://forum.example/t", "https://forum.example.net/f"),
        ("https://forum.example", "https://forum.example/t", "https://forum.example"),
        ("magnet:?xt=urn:btih:00", "https://forum.example/t", "magnet:?xt=urn:btih:00"),
        ("https://forum.example//f", "https://forum.example/t", "//f"),
    ],
)
def test_a_url_of_the_same_host_loses_it(url: str, page: str, stored: str) -> None:
    assert short_url(url, page) == stored
    assert whole_url(stored, page) == url


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="htps:/.ae?#", max_size=14), st.text(alphabet="htps:/.ae?#", max_size=14))
def test_every_url_that_is_one_comes_back(url: str, page: str) -> None:
    if not url.startswith("/"):
        assert whole_url(short_url(url, page), page) == url
