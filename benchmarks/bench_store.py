"""How fast the store is: torrents a second, the seen-set, claims of the frontier.

    ./dev bench store [--torrents N] [--urls N] [--rounds N] [--postgres URL | --no-postgres] [--json]

Torrents: name, 6 files, one sighting each, a quarter of them stored before, in batches of 100 and of 1,000;
medians over the rounds, each on a new database. "rows" counts what goes into the database; "with files"
also writes each .torrent (20 KB) into a folder. The seen-set is filled with N random keys, then asked 400
keys at a time, half of them known. Frontier: take 64 URLs of 200 hosts, complete them, add three each; once
with few URLs known, once with N. PostgreSQL is the one at URL, or one from the wheel of the dev group.

Each rate stands twice: by the clock, and by the CPU time of this process (a machine that does other work at
the same time spoils the first, and PostgreSQL's own work is not in the second).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from time import perf_counter, process_time

import psycopg

from harvester.model.crawl import Batch, Crawl, FoundUrl
from harvester.model.stored import Source, StoredFile, TakenTorrent
from harvester.store.blobs import LocalBlobs
from harvester.store.engine import Database, parsed_url
from harvester.store.opening import SqlStore, open_store
from harvester.store.tables import metadata

NOW = 1_800_000_000.0
RAW = 20_000
SMALL_RAW = 200
HOSTS = 200
WINDOW = 64
WORDS = (
    "linux",
    "debian",
    "春天",
    "archive",
    "season",
    "1080p",
    "complete",
    "ubuntu",
    "2026",
    "合集",
    "live",
)


class MemoryBlobs:
    """A blob store that takes next to no time."""

    where = "memory"

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def put(self, address: str, data: bytes) -> None:
        self._kept[address] = data

    def get(self, address: str) -> bytes:
        return self._kept[address]

    def has(self, address: str) -> bool:
        return address in self._kept

    def remove(self, name: str) -> None:
        del self._kept[name]

    def walk(self) -> Iterator[str]:
        return iter(self._kept)


@dataclass(frozen=True)
class Result:
    """One line of the answer."""

    what: str
    value: float
    unit: str
    per_cpu: float | None = None


class Stopwatch:
    """Rates by the clock and by CPU time, of repeated work."""

    def __init__(self) -> None:
        self._rates: list[tuple[float, float]] = []

    @contextmanager
    def count(self, n: Callable[[], float]) -> Iterator[None]:
        """Measure the block, in which `n()` things were done."""
        clock, cpu = perf_counter(), process_time()
        yield
        self._rates.append((n() / (perf_counter() - clock), n() / max(1e-9, process_time() - cpu)))

    def result(self, what: str, unit: str) -> Result:
        """The medians."""
        clock, cpu = (statistics.median(rates) for rates in zip(*self._rates, strict=True))
        return Result(what, clock, unit, cpu)


def make_torrents(n: int, raw_size: int, seed: int) -> list[TakenTorrent]:
    """`n` torrents; every fourth is one of those before it, seen on another page."""
    rng = random.Random(seed)
    made: list[TakenTorrent] = []
    for number in range(n):
        page = rng.getrandbits(63)
        source = Source(
            page_url=f"https://forum.example.org/thread-{number}-1-1.html",
            page_hash=page,
            download_url=f"https://forum.example.org/forum.php?mod=attachment&aid={number}",
            download_hash=rng.getrandbits(63),
            title=" ".join(rng.choices(WORDS, k=5)),
            anchor="download",
            rule="thread",
        )
        if number % 4 == 3:
            before = made[rng.randrange(number)]
            made.append(
                TakenTorrent(
                    source, before.infohash_v1, None, before.raw, before.name, before.size, before.files
                )
            )
            continue
        name = f"{' '.join(rng.choices(WORDS, k=6))} {number}"
        files = tuple(
            StoredFile(f"{name}/{rng.choice(WORDS)} {place} {rng.getrandbits(24):x}.mkv", rng.getrandbits(31))
            for place in range(6)
        )
        size = sum(file.size for file in files)
        made.append(TakenTorrent(source, rng.randbytes(20), None, rng.randbytes(raw_size), name, size, files))
    return made


def begin(store: SqlStore) -> Crawl:
    store.add_site("bench", start="https://forum.example.org/", now=NOW)
    return store.open_crawl("bench", "full", now=NOW)


@contextmanager
def fresh(url: str, folder: Path, blobs: bool) -> Iterator[SqlStore]:
    """A store on an empty database."""
    open_store(url, str(folder / "torrents")).close()
    database = Database(parsed_url(url))
    with database.write() as connection:
        for table in metadata.sorted_tables:
            connection.execute(table.delete())
    try:
        yield SqlStore(database, LocalBlobs(folder / "torrents") if blobs else MemoryBlobs())
    finally:
        database.close()


def bench_torrents(urls: dict[str, str], folder: Path, n: int, rounds: int) -> Iterator[Result]:
    """Torrents in batches, into the database alone and with their files."""
    small, large = make_torrents(n, SMALL_RAW, 1), make_torrents(min(n, 5_000), RAW, 1)
    for name, url in urls.items():
        for size in (100, 1000):
            for blobs, torrents in ((False, small), (True, large)):
                watch = Stopwatch()
                batches = [torrents[start : start + size] for start in range(0, len(torrents), size)]
                for number in range(rounds):
                    place = folder / f"{name}-{size}-{blobs}-{number}"
                    place.mkdir()
                    with fresh(url.format(folder=place), place, blobs) as store:
                        crawl = begin(store)
                        with watch.count(lambda: n if not blobs else len(large)):  # noqa: B023 - called at once
                            for batch in batches:
                                store.write(Batch(crawl=crawl, now=NOW, torrents=batch))
                    if name == "SQLite" and size == 1000 and not blobs and number == 0:
                        bytes_each = (place / "bench.db").stat().st_size / n
                        yield Result(
                            "SQLite, on disk, a sighting with its share of the torrent", bytes_each, "bytes"
                        )
                    shutil.rmtree(place)
                what = f"{name}, batches of {size:,}, {'with files' if blobs else 'rows'}"
                yield watch.result(what, "torrents/s")


def bench_seen(urls: dict[str, str], folder: Path, n: int, through: int) -> Iterator[Result]:
    """The seen-set at `n` URLs, and the frontier with few and with `n` URLs known."""
    rng = random.Random(2)
    for name, url in urls.items():
        place = folder / f"seen-{name}"
        place.mkdir()
        with fresh(url.format(folder=place), place, False) as store:
            crawl = begin(store)
            found = Finder()
            for _ in range(10):
                store.write(Batch(crawl=crawl, now=NOW, found=found(1000)))
            yield frontier_rate(store, crawl, found, through).result(
                f"{name}, frontier, 10,000 known", "URLs/s"
            )
            sample: list[int] = []
            filling, before = Stopwatch(), bytes_used(store)
            with filling.count(lambda: n):
                for _ in range(0, n, 10_000):
                    keys = [rng.getrandbits(64) - 2**63 for _ in range(min(10_000, n))]
                    sample += rng.sample(keys, 20)
                    with store._database.write() as connection:
                        store._database.dialect.add_seen(connection, keys)
            added = bytes_used(store) - before
            yield filling.result(f"{name}, seen-set filled with {n:,}", "URLs/s")
            yield checks(store, crawl, sample, rng).result(f"{name}, seen-set of {n:,}, checks", "URLs/s")
            yield frontier_rate(store, crawl, found, through).result(
                f"{name}, frontier, {n:,} known", "URLs/s"
            )
            if name == "SQLite":
                yield Result("SQLite, seen-set on disk", added / n, "bytes a URL")
                used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                yield Result("this process at most, Python and the benchmark included", used, "MiB")
        shutil.rmtree(place)


def bytes_used(store: SqlStore) -> int:
    """The size of an SQLite database, what is still in its log included."""
    if store._database.dialect.name != "sqlite":
        return 0
    with store._database.read() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        return int(pages * connection.exec_driver_sql("PRAGMA page_size").scalar_one())


def checks(store: SqlStore, crawl: Crawl, sample: list[int], rng: random.Random) -> Stopwatch:
    """Ask 400 keys at a time, half of them known."""
    watch = Stopwatch()
    for _ in range(6):
        questions = [
            [key ^ crawl.seed for key in rng.sample(sample, 200)]
            + [rng.getrandbits(64) - 2**63 for _ in range(200)]
            for _ in range(50)
        ]
        with watch.count(lambda: 50 * 400):
            for question in questions:
                assert len(store.unseen(crawl, question)) == 200
    return watch


class Finder:
    """Makes up URLs of 200 hosts, never the same twice."""

    def __init__(self) -> None:
        self._serial = count()
        self._rng = random.Random(3)

    def __call__(self, n: int) -> list[FoundUrl]:
        rng = self._rng
        found = []
        for _ in range(n):
            host = f"h{rng.randrange(HOSTS)}.example.org"
            path = f"https://{host}/thread-{next(self._serial)}-1-1.html"
            found.append(FoundUrl(path, host, rng.getrandbits(64) - 2**63, priority=rng.randrange(4)))
        return found


def frontier_rate(store: SqlStore, crawl: Crawl, found: Finder, n: int) -> Stopwatch:
    """Take 64, complete them, add three each, until `n` went through in each of five rounds' fifths."""
    watch = Stopwatch()
    for _ in range(5):
        taken = 0
        with watch.count(lambda: taken):  # noqa: B023 - called at once
            while taken < n // 5:
                items = store.claim(
                    crawl, now=NOW, limit=WINDOW, owner="bench", lease_seconds=600, per_host=4
                )
                done = [item.ref for item in items]
                store.write(Batch(crawl=crawl, now=NOW, done=done, found=found(3 * len(items))))
                taken += len(items)
    return watch


@contextmanager
def postgres(url: str | None) -> Iterator[str]:
    """The URL given, or a server of our own."""
    if url is not None:
        yield url
        return
    from tests.store.postgres import PostgresServer

    folder = Path(tempfile.mkdtemp(prefix="harvest-pg-"))
    server = PostgresServer(folder)
    try:
        server.start()
        with psycopg.connect(server.dsn("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE bench")
        yield server.url("bench")
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def machine() -> str:
    """The machine in a line."""
    cpu = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench store", description=__doc__.partition("\n")[0])
    parser.add_argument("--torrents", type=int, default=20_000)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--frontier", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["torrents", "seen"])
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--no-postgres", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results: list[Result] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="harvest-bench-")))
        urls = {"SQLite": "sqlite:///{folder}/bench.db"}
        if not arguments.no_postgres:
            urls["PostgreSQL"] = stack.enter_context(postgres(arguments.postgres))
        parts: dict[str, Callable[[], Iterator[Result]]] = {
            "seen": lambda: bench_seen(urls, folder, arguments.urls, arguments.frontier),
            "torrents": lambda: bench_torrents(urls, folder, arguments.torrents, arguments.rounds),
        }
        for part, run in parts.items():
            if arguments.only in (None, part):
                for result in run():
                    results.append(result)
                    sys.stderr.write(f"{line(result)}\n")
    if arguments.json:
        lines = [asdict(one) for one in results]
        print(json.dumps({"machine": machine(), "results": lines}, indent=1))
        return
    print(f"machine: {machine()}")
    for one in results:
        print(line(one))


def line(one: Result) -> str:
    """A result for people."""
    cpu = "" if one.per_cpu is None else f"{one.per_cpu:,.0f} per CPU second"
    return f"{one.value:>12,.1f} {one.unit:<12} {cpu:<26} {one.what}"


if __name__ == "__main__":
    main()
