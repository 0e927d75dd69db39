"""Refreshes through a real Redis: scheduled, taken by a worker process, stored."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harvester.demo import DemoSites, start_demo
from harvester.errors import QueueError
from harvester.queue.jobs import connected, enqueue_refresh
from tests.crawl.harvesting import crawl, harvested, store_in
from tests.servers.redis import running_redis


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    with running_redis() as url:
        yield url


@pytest.fixture
def demo() -> Iterator[DemoSites]:
    with start_demo() as sites:
        yield sites


def _harvest(*arguments: str, data: Path, redis_url: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HARVEST_DATA": str(data), "HARVEST_REDIS_URL": redis_url}
    return subprocess.run(
        [sys.executable, "-m", "harvester", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=True,
    )


def test_a_due_site_is_queued_once_and_a_worker_takes_what_is_new(
    demo: DemoSites, redis_url: str, tmp_path: Path
) -> None:
    crawl(tmp_path, demo.forum_url)
    with store_in(tmp_path) as store:
        before = harvested(store)
        (name,) = (site.name for site in store.sites())
    fresh = demo.forum.post_torrent()
    schedule = ("schedule", "--once", "--interval", "0")
    assert name in _harvest(*schedule, data=tmp_path, redis_url=redis_url).stdout
    assert "nothing is due" in _harvest(*schedule, data=tmp_path, redis_url=redis_url).stdout
    asked = demo.forum.state.requests
    _harvest("worker", "--burst", data=tmp_path, redis_url=redis_url)
    with store_in(tmp_path) as store:
        after = harvested(store)
        runs = store.crawls(name)
    assert after.files - before.files == {fresh}
    assert [(run.kind, run.state) for run in runs] == [("refresh", "finished"), ("full", "finished")]
    assert demo.forum.state.requests - asked < asked / 2


def test_a_redis_that_does_not_answer_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(QueueError, match="Redis does not answer"), connected(f"unix://{tmp_path}/none.sock"):
        pass


def test_the_same_refresh_is_not_queued_twice(redis_url: str) -> None:
    with connected(redis_url) as connection:
        assert enqueue_refresh(connection, "twice")
        assert not enqueue_refresh(connection, "twice")
        connection.flushall()
