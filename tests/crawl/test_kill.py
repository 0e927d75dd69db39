"""A crawl that is killed again and again ends as if nothing had happened."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from harvester.crawl.committer import BATCH_VISITS
from harvester.crawl.options import CrawlOptions
from harvester.demo import DemoSites, start_demo
from tests.crawl.harvesting import crawl, harvested, store_in

KILLS = 10
MOST = 30
"""Requests of a run at most before it is killed: ten such runs don't finish the crawl."""
IN_FLIGHT = CrawlOptions().concurrency


@pytest.fixture
def demo() -> Iterator[DemoSites]:
    with start_demo() as sites:
        yield sites


def start(url: str, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "harvester", "full", "--site", url, "--data", str(folder), "--json"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def kill_after(process: subprocess.Popen[bytes], demo: DemoSites, requests: int, seconds: float) -> bool:
    """Kill it `seconds` after so many more requests of its; False when it ended before."""
    target = demo.index.state.requests + requests
    deadline = time.monotonic() + 60
    while demo.index.state.requests < target and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(seconds)
    ended = process.poll() is not None
    process.kill()
    process.communicate()
    return not ended


def contents(folder: Path) -> tuple[object, ...]:
    """Everything that must be the same: torrents, sightings with their counts, walls, what was left."""
    with store_in(folder) as store:
        sightings = Counter(
            (
                (item.infohash_v1 or item.infohash_v2 or b"").hex(),
                sighting.page_url,
                sighting.download_url,
            )
            for item, sighting in store.iter_sightings()
        )
        got = harvested(store)
        # A kill between a blob and its row leaves a file behind that the doctor names and mends.
        found = {finding.kind for finding in store.check(now=time.time() + 10_000)}
        assert found <= {"orphan_blob", "unfinished_blob"}
    return got.files, got.hashes, got.links, got.walls, sightings


def test_ten_kills_change_nothing_and_cost_few_requests(demo: DemoSites, tmp_path: Path) -> None:
    whole = crawl(tmp_path / "whole", demo.index_url)
    asked_by_whole = demo.index.state.requests
    rng = random.Random(4)
    killed = 0
    for _ in range(KILLS):
        process = start(demo.index_url, tmp_path / "killed")
        killed += kill_after(process, demo, rng.randrange(0, MOST), rng.uniform(0, 0.03))
    process = start(demo.index_url, tmp_path / "killed")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()
    repeated = demo.index.state.requests - 2 * asked_by_whole
    assert killed == KILLS
    assert contents(tmp_path / "whole") == contents(tmp_path / "killed")
    assert repeated <= killed * (BATCH_VISITS + IN_FLIGHT)
    with store_in(tmp_path / "killed") as store:
        crawls = store.crawls()
        assert [(one.state, one.id) for one in crawls] == [("finished", crawls[0].id)]
        assert crawls[0].figures["torrents_new"] == whole.figures.torrents_new
