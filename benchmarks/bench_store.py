"""How fast the store is: torrents a second, the seen-set, claims of the frontier.

    ./dev bench store [--torrents N] [--urls N] [--rounds N] [--postgres URL | --no-postgres] [--json]

Torrents: name, 6 files, one sighting each, a quarter of them stored before, in batches of 100 and of 1,000;
medians over the rounds, each on a new database. "rows" counts what goes into the database; "with files"
also writes each .torrent (20 KB) into a folder. The seen-set is filled with N random keys, then asked 400
keys at a time, half of them known. Claims: take 64 URLs from 200 hosts, complete them, add three each.
PostgreSQL is the one at URL, or one started from the wheel of the dev group.
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
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from time import perf_counter

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


class NoBlobs:
    """Stands for a blob store that takes no time."""

    where = "nowhere"

    def put(self, address: str, data: bytes) -> None:
        del address, data

    def get(self, address: str) -> bytes:
        raise NotImplementedError(address)

    def has(self, address: str) -> bool:
        raise NotImplementedError(address)

    def remove(self, name: str) -> None:
        raise NotImplementedError(name)

    def walk(self) -> Iterator[str]:
        return iter(())


@dataclass(frozen=True)
class Result:
    """One line of the answer."""

    what: str
    value: float
    unit: str


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
        yield SqlStore(database, LocalBlobs(folder / "torrents") if blobs else NoBlobs())
    finally:
        database.close()


def torrents_per_second(store: SqlStore, torrents: list[TakenTorrent], size: int) -> float:
    crawl = begin(store)
    batches = [torrents[start : start + size] for start in range(0, len(torrents), size)]
    started = perf_counter()
    for batch in batches:
        store.write(Batch(crawl=crawl, now=NOW, torrents=batch))
    return len(torrents) / (perf_counter() - started)


def bench_torrents(urls: dict[str, str], folder: Path, n: int, rounds: int) -> Iterator[Result]:
    small, large = make_torrents(n, SMALL_RAW, 1), make_torrents(min(n, 5_000), RAW, 1)
    for name, url in urls.items():
        for size in (100, 1000):
            for blobs, torrents in ((False, small), (True, large)):
                rates = []
                for number in range(rounds):
                    place = folder / f"{name}-{size}-{blobs}-{number}"
                    place.mkdir()
                    with fresh(url.format(folder=place), place, blobs) as store:
                        rates.append(torrents_per_second(store, torrents, size))
                    if name == "SQLite" and size == 1000 and not blobs and number == 0:
                        bytes_each = (place / "bench.db").stat().st_size / (len(torrents) * 3 / 4)
                        yield Result("SQLite, bytes a torrent with its sightings", bytes_each, "bytes")
                    shutil.rmtree(place)
                what = f"{name}, batches of {size:,}, {'with files' if blobs else 'rows'}"
                yield Result(what, statistics.median(rates), "torrents/s")


def bench_seen(urls: dict[str, str], folder: Path, n: int) -> Iterator[Result]:
    """Fill the seen-set through the frontier's own statements, then check."""
    rng = random.Random(2)
    for name, url in urls.items():
        place = folder / f"seen-{name}"
        place.mkdir()
        with fresh(url.format(folder=place), place, False) as store:
            database = store._database
            dialect = database.dialect
            sample: list[int] = []
            started = perf_counter()
            for _ in range(0, n, 10_000):
                keys = [rng.getrandbits(64) - 2**63 for _ in range(min(10_000, n))]
                sample += rng.sample(keys, 20)
                with database.write() as connection:
                    dialect.add_seen(connection, keys)
            filled = perf_counter() - started
            crawl = begin(store)
            asked = 400
            questions = [
                [key ^ crawl.seed for key in rng.sample(sample, asked // 2)]
                + [rng.getrandbits(64) - 2**63 for _ in range(asked // 2)]
                for _ in range(250)
            ]
            for question in questions[:25]:
                store.unseen(crawl, question)
            rates = []
            for start in range(0, 250, 50):
                started = perf_counter()
                for question in questions[start : start + 50]:
                    assert len(store.unseen(crawl, question)) == asked // 2
                rates.append(50 * asked / (perf_counter() - started))
            yield Result(f"{name}, seen-set of {n:,}: checks", statistics.median(rates), "URLs/s")
            yield Result(f"{name}, seen-set of {n:,}: filled at", n / filled, "URLs/s")
            if name == "SQLite":
                database.close()  # the last connection moves what is left of the log into the file
                size = (place / "bench.db").stat().st_size
                yield Result(f"{name}, seen-set of {n:,}: on disk", size / n, "bytes a URL")
                used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                yield Result("this process, at most (Python and the benchmark included)", used, "MiB")
        shutil.rmtree(place)


def bench_frontier(urls: dict[str, str], folder: Path, n: int) -> Iterator[Result]:
    """Take, complete and add until `n` URLs went through."""
    for name, url in urls.items():
        place = folder / f"frontier-{name}"
        place.mkdir()
        serial = count()
        rng = random.Random(3)

        def urls_found(
            number: int, serial: Iterator[int] = serial, rng: random.Random = rng
        ) -> list[FoundUrl]:
            found = []
            for _ in range(number):
                host = f"h{rng.randrange(HOSTS)}.example.org"
                path = f"https://{host}/thread-{next(serial)}-1-1.html"
                found.append(FoundUrl(path, host, rng.getrandbits(64) - 2**63, priority=rng.randrange(4)))
            return found

        with fresh(url.format(folder=place), place, False) as store:
            crawl = begin(store)
            for _ in range(10):
                store.write(Batch(crawl=crawl, now=NOW, found=urls_found(1000)))
            rates = []
            for _ in range(5):
                taken = 0
                started = perf_counter()
                while taken < n // 5:
                    items = store.claim(
                        crawl, now=NOW, limit=WINDOW, owner="bench", lease_seconds=600, per_host=4
                    )
                    done = [item.ref for item in items]
                    store.write(Batch(crawl=crawl, now=NOW, done=done, found=urls_found(3 * len(items))))
                    taken += len(items)
                rates.append(taken / (perf_counter() - started))
            yield Result(
                f"{name}, frontier: take {WINDOW}, complete, add 3 each", statistics.median(rates), "URLs/s"
            )
        shutil.rmtree(place)


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
    parser.add_argument("--only", choices=["torrents", "seen", "frontier"])
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
            "seen": lambda: bench_seen(urls, folder, arguments.urls),
            "torrents": lambda: bench_torrents(urls, folder, arguments.torrents, arguments.rounds),
            "frontier": lambda: bench_frontier(urls, folder, arguments.frontier),
        }
        for part, run in parts.items():
            if arguments.only in (None, part):
                for result in run():
                    results.append(result)
                    sys.stderr.write(f"{result.what}: {result.value:,.1f} {result.unit}\n")
    if arguments.json:
        lines = [{"what": one.what, "value": one.value, "unit": one.unit} for one in results]
        print(json.dumps({"machine": machine(), "results": lines}, indent=1))
        return
    print(f"machine: {machine()}")
    for one in results:
        print(f"{one.value:>14,.1f} {one.unit:<14} {one.what}")


if __name__ == "__main__":
    main()
