"""A crawl killed at random instants, or shared by workers, ends as if nothing had happened."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.store.builders import NOW, begin, found, source, torrent, v1, visited, write
from tests.store.conftest import Place

ROOT = Path(__file__).parents[2]
PAGES = 400


def run(place: Place, rng: random.Random | None) -> set[int]:
    """Run the crawl, with `rng` until it is killed at a random instant: the pages it said are committed."""
    command = [sys.executable, "-m", "tests.store.writer", place.url, place.blobs, str(PAGES)]
    committed: set[int] = set()
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = rng.randrange(1, 20) if rng else 10**9
        for line in process.stdout:
            committed.update(int(number) for number in line.split())
            lines -= 1
            if rng and lines == 0:
                try:
                    process.wait(rng.uniform(0, 0.02))
                except subprocess.TimeoutExpired:
                    process.kill()
                break
        # What it had said before it died.
        for line in process.stdout:
            if line.endswith("\n"):
                committed.update(int(number) for number in line.split())
    assert rng or process.returncode == 0
    return committed


def test_a_crawl_killed_again_and_again_loses_and_repeats_nothing(place: Place) -> None:
    rng = random.Random(1)
    committed: set[int] = set()
    for _ in range(5):
        committed |= run(place, rng)
        store = place.open()
        for number in committed:
            stored = store.find_torrent(v1(str(number)).hex())
            assert stored is not None
            assert stored.has_file
        crawl = store.crawls("forum")[0]
        assert crawl.figures["requests"] >= len(committed)
        assert {finding.kind for finding in store.check(now=NOW + 10_000, deep=True)} <= {
            "orphan_blob",
            "unfinished_blob",
            "stale_lease",
        }
        store.close()
    run(place, None)

    store = place.open()
    (crawl,) = store.crawls("forum")
    assert (crawl.state, crawl.figures) == ("finished", {"requests": PAGES, "torrents_new": PAGES})
    exported = list(store.iter_torrents())
    assert sorted(int(one.torrent.name) for one in exported) == list(range(PAGES))
    assert {sighting.times for one in exported for sighting in one.sightings} == {1}
    assert {url.visits for url in store.urls("forum")} == {1}
    assert {finding.kind for finding in store.check(now=NOW + 10_000, deep=True)} <= {"unfinished_blob"}
    store.close()


def test_workers_of_one_crawl_take_every_page_once(place: Place) -> None:
    store = place.open()
    crawl = begin(store)
    write(store, crawl, found=[found("0")])

    def work(name: str) -> None:
        mine = place.open()
        # The others' claims may still bring new pages: nobody ends before all is done.
        while mine.next_due(crawl) is not None:
            items = mine.claim(crawl, now=NOW, limit=5, owner=name, lease_seconds=600, per_host=5)
            numbers = [int(item.url.rpartition("/")[2]) for item in items]
            links = [child for n in numbers for child in (2 * n + 1, 2 * n + 2) if child < PAGES]
            if items:
                write(
                    mine,
                    crawl,
                    done=[item.ref for item in items],
                    found=[found(str(child), f"h{child % 7}.example") for child in (*links, *links)],
                    visited=[visited(str(n)) for n in numbers],
                    torrents=[torrent(str(n % 50), source(str(n))) for n in numbers],
                    figures={"requests": len(items)},
                )
        mine.close()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, "abc"))
    figures = store.crawl(crawl.id).figures
    assert figures["requests"] == PAGES
    assert (figures["queue"], figures["torrents_new"], figures["duplicates"]) == (0, 50, PAGES - 50)
    assert {url.visits for url in store.urls("forum")} == {1}
    assert store.count_torrents() == (50, 50)
    assert sum(1 for _ in store.iter_sightings()) == PAGES
    sequences = [change.sequence for change in store.changes_since(0)]
    assert sequences == sorted(set(sequences))
    store.close()
