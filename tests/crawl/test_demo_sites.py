"""Full crawls of the bundled sites: what is taken, counted and left, and what happens the second time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harvester.crawl.options import CrawlOptions
from harvester.demo import DemoSites, start_demo
from harvester.model.stored import Block
from tests.crawl.harvesting import SECONDS, crawl, harvested, store_in


@pytest.fixture
def demo() -> Iterator[DemoSites]:
    with start_demo() as sites:
        yield sites


def test_everything_open_is_taken_and_every_wall_is_named(demo: DemoSites, tmp_path: Path) -> None:
    for site in (demo.forum, demo.index):
        assert crawl(tmp_path, site.url).state == "finished"
    with store_in(tmp_path) as store:
        got = harvested(store)
    open_files = {
        row.infohash
        for row in demo.truth
        if row.wall == "none" and row.form in ("attachment", "download", "thunder")
    }
    open_hashes = {row.infohash for row in demo.truth if row.wall == "none"}
    assert open_files - got.files == set()
    assert open_hashes - got.hashes == set()
    walled = {row.infohash for row in demo.truth if row.wall != "none"} - open_hashes
    assert got.hashes & walled == set()
    assert {kind for kind, _ in got.walls} >= {"login", "reply"}
    assert demo.forum.state.violations == []
    assert demo.index.state.violations == []


def test_a_second_crawl_is_a_new_snapshot_of_known_torrents(demo: DemoSites, tmp_path: Path) -> None:
    first = crawl(tmp_path, demo.forum_url)
    second = crawl(tmp_path, demo.forum_url)
    assert first.crawl_id != second.crawl_id
    assert second.figures.torrents_new == 0
    assert second.figures.magnets == first.figures.magnets
    assert second.figures.torrents_known == first.figures.torrents_new


def test_an_unfinished_crawl_goes_on_and_repeats_nothing(demo: DemoSites, tmp_path: Path) -> None:
    whole = crawl(tmp_path / "whole", demo.forum_url)
    asked_by_whole = demo.forum.state.requests
    parts = [
        crawl(tmp_path / "parts", demo.forum_url, options=CrawlOptions(max_requests=40, max_seconds=SECONDS))
        for _ in range(2)
    ]
    parts.append(crawl(tmp_path / "parts", demo.forum_url))
    assert [part.state for part in parts] == ["stopped", "stopped", "finished"]
    assert [part.figures.requests for part in parts[:2]] == [40, 40]
    assert parts[1].resumed
    assert sum(part.figures.torrents_new for part in parts) == whole.figures.torrents_new
    # robots.txt is remembered between the runs, so the parts ask for no more than the whole did.
    assert demo.forum.state.requests - asked_by_whole <= asked_by_whole
    with store_in(tmp_path / "whole") as one, store_in(tmp_path / "parts") as other:
        assert harvested(one).hashes == harvested(other).hashes


def test_one_file_on_many_pages_is_one_torrent_with_many_sightings(demo: DemoSites, tmp_path: Path) -> None:
    for site in (demo.forum, demo.index):
        crawl(tmp_path, site.url)
    with store_in(tmp_path) as store:
        exported = list(store.iter_torrents())
        hashes = [item.torrent.infohash_v1 or item.torrent.infohash_v2 for item in exported]
        assert len(hashes) == len(set(hashes))
        assert max(len(item.sightings) for item in exported) > 1
        variants = [len(store.variants(item.torrent.id)) for item in exported]
        assert max(variants) > 1


def test_what_the_operator_blocked_is_not_taken_again(demo: DemoSites, tmp_path: Path) -> None:
    file = next(row for row in demo.truth if row.form == "attachment" and row.wall == "none")
    with store_in(tmp_path) as store:
        store.add_block(Block("infohash", file.infohash, "asked by its author", 0.0))
    report = crawl(tmp_path, demo.forum_url)
    with store_in(tmp_path) as store:
        assert file.infohash not in harvested(store).hashes
    assert report.figures.left["blocked"] > 0
    assert report.figures.torrents_new > 30
