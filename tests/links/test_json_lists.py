from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.links import extract_json_links
from harvester.model.link import LinkKind, LinkSource, PageLinks, Row
from tests.links.vectors import HASH, MAGNET

URL = "https://t.example.com/api/list?page=1"


def _read(document: object) -> PageLinks:
    page = extract_json_links(json.dumps(document), URL)
    assert page is not None
    return page


def test_addresses_of_a_list_are_links_with_their_row_and_title() -> None:
    page = _read(
        {
            "items": [
                {"id": 1, "title": " One\n two", "url": "/t/1", "torrent": "1.torrent"},
                {"id": 2, "name": "Three", "link": "https://t.example.com/t/2", "lang": "/"},
            ],
            "next": "?page=2",
        }
    )
    assert [(link.url[21:], link.kind, link.row, link.anchor) for link in page.links] == [
        ("/t/1", LinkKind.PAGE, Row(0, 0), "One two"),
        ("/api/1.torrent", LinkKind.DOWNLOAD, Row(0, 0), "One two"),
        ("/t/2", LinkKind.PAGE, Row(0, 1), "Three"),
    ]
    assert {link.source for link in page.links} == {LinkSource.DATA}
    assert page.next == "https://t.example.com/api/list?page=2"


def test_words_that_only_look_like_places_are_no_links() -> None:
    assert _read({"type": "text/html", "version": "1.0", "file": "readme", "note": "either/or"}).links == ()


@pytest.mark.parametrize(
    "document",
    [
        {"magnet": MAGNET},
        {"info_hash": HASH.upper()},
        [{"text": f"get it here: {MAGNET} and enjoy"}],
        {"data": {"text": f"infohash: {HASH} of a file"}},
    ],
)
def test_a_magnet_is_found_however_it_is_written(document: object) -> None:
    assert [link.key for link in _read(document).links] == [f"magnet:?xt=urn:btih:{HASH}"]


def test_a_hash_of_something_else_is_no_magnet() -> None:
    assert _read({"sha1": HASH, "commit": HASH}).links == ()


def test_what_is_no_json_is_none() -> None:
    assert extract_json_links("[Group] a list of files", URL) is None


@settings(max_examples=60)
@given(st.recursive(st.text(max_size=30), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_every_document_is_read_within_its_bounds(document: object) -> None:
    assert all(link.url.startswith(("http", "magnet:", "ftp:", "ed2k:")) for link in _read(document).links)


def test_a_document_nested_without_end_is_left() -> None:
    page = extract_json_links("[" * 100_000 + "]" * 100_000, URL)
    assert page is None or page.links == ()
