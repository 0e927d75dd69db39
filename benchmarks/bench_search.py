"""How fast, complete and small search is, beside PostgreSQL with the same torrents and queries.

    ./dev bench search [--size N] [--rounds N] [--no-postgres] [--json]

A corpus of N torrents (Latin, Chinese, Japanese; 6 files on average) goes into a SQLite store and from
there into the index; the same torrents go into PostgreSQL. 200 queries of eight classes are asked end to
end: parsed, 20 rows read from the store, exact total, three facets. Each is asked once unmeasured, then in
rounds; the median counts. Then the same while another process stores and indexes without pause. Recall is
measured against a scan of all texts, on the first 50,000 torrents. Nothing is cached between queries.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import psycopg

from benchmarks import search_sizes
from benchmarks._harness import machine, progress, say, table
from benchmarks.search_corpus import Corpus
from benchmarks.search_filling import Filler
from benchmarks.search_postgres import INSERT, PostgresPeer, row
from benchmarks.search_queries import Asked, queries
from benchmarks.search_recall import recall
from harvester.index.following import FOLLOWER_NICE, Follower
from harvester.index.reading import IndexReader
from harvester.model.query import Facet, FindOptions, Found
from harvester.search.find import find
from harvester.search.query import parse_query
from harvester.store.engine import Database, parsed_url
from harvester.store.opening import open_store

SCANNED = 50_000
FACETS: tuple[Facet, ...] = ("site", "lang", "ext")
NOW = 1_800_000_000.0
_SPAWN = multiprocessing.get_context("spawn")

Seconds = list[float]


class Ours:
    """A SQLite store with its index."""

    def __init__(self, folder: Path) -> None:
        self.url = f"sqlite:///{folder / 'harvest.sqlite'}"
        self.index_folder = folder / "index"
        self._folder = folder
        self.store = open_store(self.url, str(folder / "blobs"))
        self.database = Database(parsed_url(self.url))
        self.filler = Filler(self.database)
        self.filler.add_sites()
        self.index = IndexReader(self.index_folder)

    def search(self, asked: Asked) -> Found:
        """End to end, as the command and the API do it."""
        options = FindOptions(sort=asked.sort, facets=FACETS)
        return find(parse_query(asked.text, now=NOW), options, index=self.index, store=self.store)

    def rebuild(self) -> tuple[int, float, float]:
        """Index everything: torrents, wall seconds, CPU seconds of all threads."""
        wall, cpu = time.perf_counter(), time.process_time()
        taken = Follower(self.index_folder, self.store).rebuild()
        return taken, time.perf_counter() - wall, time.process_time() - cpu

    def sizes(self) -> tuple[int, int]:
        """Bytes of the database (its log written back) and of the index."""
        with self.database.write() as connection:
            connection.exec_driver_sql("SELECT 1")
        with self.database.read() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
        index = sum(path.stat().st_size for path in self.index_folder.rglob("*") if path.is_file())
        return int(pages * size), index

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()
        self.store.close()


def timed(search: Callable[[Asked], Any], asked: Sequence[Asked], rounds: int) -> Seconds:
    """The median seconds of each query."""
    for one in asked:
        search(one)
    times: list[Seconds] = [[] for _ in asked]
    for done in range(rounds):
        for at, one in enumerate(asked):
            start = time.perf_counter()
            search(one)
            times[at].append(time.perf_counter() - start)
        progress(done + 1, rounds, "rounds")
    return [statistics.median(each) for each in times]


def percentiles(times: Seconds) -> tuple[float, float, float]:
    """p50, p95 and p99 in milliseconds (nearest rank)."""
    ranked = sorted(times)
    return tuple(1000 * ranked[max(0, -(-len(ranked) * rank // 100) - 1)] for rank in (50, 95, 99))  # type: ignore[return-value]  # three of them


def compared(asked: Sequence[Asked], ours: Seconds, theirs: Seconds | None) -> list[list[str]]:
    """The table by class."""
    rows = [["ms p50/p95/p99", "harvest", "PostgreSQL", "ratio"]]
    kinds = list(dict.fromkeys(one.kind for one in asked))
    for kind in [*kinds, "all"]:
        chosen = [at for at, one in enumerate(asked) if kind in ("all", one.kind)]
        mine = percentiles([ours[at] for at in chosen])
        line = [kind, "/".join(f"{ms:.3g}" for ms in mine)]
        if theirs is None:
            rows.append([*line, "", ""])
            continue
        other = percentiles([theirs[at] for at in chosen])
        ratio = "/".join(f"{b / a:.3g}" for a, b in zip(mine, other, strict=True))
        rows.append([*line, "/".join(f"{ms:.3g}" for ms in other), ratio])
    return rows


# --- other processes ----------------------------------------------------------------------------------


def store_and_index(url: str, blobs: str, index: str, first: int, stop: Event) -> None:
    """Store and index new torrents without pause (in a process of its own, as nice as a follower)."""
    os.nice(FOLLOWER_NICE)
    store, corpus = open_store(url, blobs), Corpus()
    database = Database(parsed_url(url))
    filler, follower = Filler(database), Follower(Path(index), store)
    while not stop.is_set():
        filler.add(corpus, first, first + 2000)
        follower.catch_up()
        first += 2000
    database.close()
    store.close()


def insert_rows(dsn: str, first: int, stop: Event) -> None:
    """Insert new torrents into PostgreSQL without pause (runs in a process of its own)."""
    corpus = Corpus()
    with psycopg.connect(dsn) as connection:
        while not stop.is_set():
            with connection.cursor() as cursor:
                cursor.executemany(INSERT, [row(one) for one in corpus.torrents(first, first + 1000)])
            connection.commit()
            first += 1000


def follow(url: str, blobs: str, index: str, stop: Event) -> None:
    """Keep the index up to date, as `harvest reindex --follow` does."""
    store = open_store(url, blobs)
    Follower(Path(index), store).run(stop)
    store.close()


@contextmanager
def beside(target: Callable[..., None], *arguments: Any) -> Iterator[None]:
    """Run `target` in another process meanwhile, and end it."""
    stop = _SPAWN.Event()
    process = _SPAWN.Process(target=target, args=(*arguments, stop))
    process.start()
    try:
        yield
    finally:
        stop.set()
        process.join(60)
        if process.is_alive():
            process.terminate()
            process.join()


def freshness(ours: Ours, corpus: Corpus, first: int, times: int = 5) -> float:
    """Seconds from the commit of a new torrent until a search finds it, the longest of some."""
    longest = 0.0
    with beside(follow, ours.url, str(ours.index_folder.parent / "blobs"), str(ours.index_folder)):
        before = ours.index.sequence()
        for number in range(first, first + times + 1):
            ours.filler.add(corpus, number, number + 1)
            start = time.perf_counter()
            while ours.index.sequence() < number and time.perf_counter() - start < 30:
                time.sleep(0.005)
            # The first one also waits for the process to start.
            if number > first:
                longest = max(longest, time.perf_counter() - start)
        assert ours.index.sequence() > before, "the index did not follow"
    return longest


# --- the run ------------------------------------------------------------------------------------------


def run(size: int, rounds: int, peer: PostgresPeer | None, folder: Path) -> dict[str, Any]:
    """Everything, in one run; the figures."""
    corpus = Corpus()
    ours = Ours(folder)
    figures: dict[str, Any] = {"machine": machine(), "torrents": size}
    scanned = min(size, SCANNED)
    ours.filler.add(corpus, 1, scanned + 1)
    Follower(ours.index_folder, ours.store).rebuild()
    asked = queries(corpus, size)
    figures["recall"] = recall(corpus, scanned, asked, ours.index)
    say(
        table(
            [
                ["class", "recall", "precision"],
                *([kind, f"{r:.4f}", f"{p:.4f}"] for kind, (r, p) in figures["recall"].items()),
            ]
        )
    )
    ours.filler.add(corpus, scanned + 1, size + 1)
    taken, wall, cpu = ours.rebuild()
    database, index = ours.sizes()
    figures["index"] = {
        "torrents_per_second": taken / wall,
        "torrents_per_cpu_second": taken / cpu,
        "database_bytes": database / size,
        "index_bytes": index / size,
    }
    figures["sizes"] = {
        "sqlite": search_sizes.of_store(ours.database, size),
        "index": search_sizes.of_index(ours.index_folder, size),
    }
    say(f"\n{search_sizes.spoken(*figures['sizes'].items())}")
    say(
        f"\nindexed {taken / cpu:,.0f} torrents a CPU second, {taken / wall:,.0f} a second;"
        f" database {database / size:.0f} + index {index / size:.0f} bytes a torrent"
    )
    mine = timed(ours.search, asked, rounds)
    theirs = None
    if peer is not None:
        say("filling PostgreSQL …")
        peer.fill(corpus.torrents(1, size + 1))
        peer.warm()
        figures["sizes"]["postgresql"] = store_beside(peer, folder / "other-blobs", corpus, index / size)
        figures["postgresql_bytes"] = peer.bytes() / size
        same = [ours.search(one).total == peer.search(one)[0] for one in asked]
        figures["equal_totals"] = sum(same)
        theirs = timed(peer.search, asked, rounds)
        mine = timed(ours.search, asked, rounds)
    say(f"\n{table(compared(asked, mine, theirs))}")
    figures["milliseconds"] = {"harvest": percentiles(mine), "postgresql": theirs and percentiles(theirs)}
    writing = (ours.url, str(folder / "blobs"), str(ours.index_folder), size + 1)
    with beside(store_and_index, *writing):
        _until(lambda: ours.index.count() > size + 1000)
        mine_busy = timed(ours.search, asked, 1)
    figures["indexing"] = {"harvest": percentiles(mine_busy)}
    theirs_busy = None
    if peer is not None:
        with beside(insert_rows, peer.dsn(), size + 1):
            _until(lambda: _count(peer) > size)
            theirs_busy = timed(peer.search, asked, 1)
        figures["indexing"]["postgresql"] = percentiles(theirs_busy)
        say(
            f"totals equal in {figures['equal_totals']} of {len(asked)} queries;"
            f" PostgreSQL {figures['postgresql_bytes']:.0f} bytes a torrent"
        )
    say(f"\nwhile storing and indexing without pause\n{table(compared(asked, mine_busy, theirs_busy))}")
    figures["fresh_seconds"] = freshness(ours, corpus, size + 10_000_000)
    say(f"\na new torrent is found after {figures['fresh_seconds']:.2f} s at most")
    ours.close()
    return figures


def store_beside(peer: PostgresPeer, blobs: Path, corpus: Corpus, index: float) -> search_sizes.Sizes:
    """The bytes a torrent of Harvest's own store on PostgreSQL."""
    sizes, whole = search_sizes.postgres_store(peer.new_database("store"), blobs, corpus)
    say(f"\n{search_sizes.spoken(('store on postgresql', sizes))}")
    say(f"\nstore on PostgreSQL {whole:.0f} + index {index:.0f} bytes a torrent")
    return sizes


def _until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit("the other process did not begin to write")
        time.sleep(0.05)


def _count(peer: PostgresPeer) -> int:
    found = peer.connection.execute("SELECT max(id) FROM torrents").fetchone()
    assert found is not None
    return int(found[0])


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=1_000_000, help="torrents")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-postgres", action="store_true")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON at the end")
    arguments = parser.parse_args()
    # Ended from outside, it still ends its server and takes its folders away.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    say(f"{machine()}\n{arguments.size:,} torrents, {arguments.rounds} rounds\n")
    folder = Path(tempfile.mkdtemp(prefix="harvest-search-"))
    server = Path(tempfile.mkdtemp(prefix="harvest-search-pg-"))
    peer = None
    try:
        peer = None if arguments.no_postgres else PostgresPeer(server)
        figures = run(arguments.size, arguments.rounds, peer, folder)
        if arguments.json:
            json.dump(figures, sys.stdout)
    finally:
        if peer is not None:
            peer.close()
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(server, ignore_errors=True)


if __name__ == "__main__":
    main()
