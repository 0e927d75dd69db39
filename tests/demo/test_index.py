"""The demo index: pages, files, the odd ones."""

from __future__ import annotations

import re

import httpx

from harvester.demo import DemoSites
from harvester.demo.index_listing import listings
from tests.walker import infohash, walk


def _by_oddity(sites: DemoSites, oddity: str) -> list[str]:
    numbers = [listing.number for listing in listings() if listing.oddity == oddity]
    return [f"{sites.index_url}download/{number}.torrent" for number in numbers]


def test_a_walk_finds_every_file(sites: DemoSites) -> None:
    noise = re.compile(r"/login|/(delete|report|vote)\b|[?&]s=")
    with httpx.Client() as client:
        met = walk(
            client,
            sites.index_url,
            follow=lambda url: url.startswith(sites.index_url) and not noise.search(url),
        )
    assert met.files == {row.infohash for row in sites.index.truth() if row.form == "download"}
    assert sites.index.state.violations == []
    assert sites.index.state.robots_violations == []


def test_the_index_has_150_entries_and_40_of_them_are_the_forums(sites: DemoSites) -> None:
    forum = {row.infohash for row in sites.forum.truth()}
    index = [row.infohash for row in sites.index.truth()]
    assert len(index) == 150
    assert len(set(index)) == 149
    assert len(forum & set(index)) == 40


def test_variants_share_the_infohash_and_differ_in_bytes(sites: DemoSites) -> None:
    forum = {row.infohash: row for row in sites.forum.truth() if row.form == "attachment"}
    for url in _by_oddity(sites, "variant"):
        data = httpx.get(url).content
        assert data != httpx.get(forum[infohash(data)].url).content


def test_one_file_is_an_error_page_and_one_is_called_text(sites: DemoSites) -> None:
    error = httpx.get(_by_oddity(sites, "error")[0])
    assert error.headers["content-type"] == "application/x-bittorrent"
    assert error.content.startswith(b"<!DOCTYPE html>")
    text = httpx.get(_by_oddity(sites, "text")[0])
    assert text.headers["content-type"] == "text/plain"
    assert text.content.startswith(b"d")


def test_magnet_entries_have_no_file(sites: DemoSites) -> None:
    for url in _by_oddity(sites, "magnet"):
        assert httpx.get(url).status_code == 404
        page = httpx.get(url.replace("/download/", "/view/").removesuffix(".torrent")).text
        assert "magnet:?xt=urn:btih:" in page
        assert "/download/" not in page


def test_the_feed_lists_files_with_their_infohashes(sites: DemoSites) -> None:
    feed = httpx.get(sites.index_url, params={"page": "rss"})
    assert feed.headers["content-type"] == "application/xml"
    assert len(re.findall(r'<enclosure url="[^"]+\.torrent" length="0"', feed.text)) == 30


def test_pages_beyond_the_last_are_404_and_sorting_keeps_the_set(sites: DemoSites) -> None:
    with httpx.Client(base_url=sites.index_url) as client:
        assert client.get("/?p=5").status_code == 200
        assert client.get("/?p=6").status_code == 404
        assert 'rel="next"' not in client.get("/?p=5").text
        views = [
            set(re.findall(r'/view/(\d+)"', client.get(f"/?s=size&o=desc&p={p}").text)) for p in range(1, 6)
        ]
        assert len(set.union(*views)) == 150
        books = client.get("/?c=3_1").text
        assert set(re.findall(r'<td><a href="/\?c=(\d_\d)">', books)) == {"3_1"}
