"""What a page costs when many URLs are known: a crawl over seen-sets of 10 thousand and of 10 million.

    ./dev bench frontier [--known N,N,…] [--pages N] [--rounds N] [--json]

Each seen-set is filled once with evenly spread keys, in a database of its own. Then the site of
`benchmarks.crawl_site` is crawled into copies of them, in turns, each crawl in a process of its own: counted
are its CPU seconds for each 1,000 pages and its memory at most, as in `bench crawl`.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks._harness import machine, progress, say, table
from benchmarks.bench_crawl import Run, cpu, crawl, memory, served

HOSTS = 50
DATABASE = "harvest.sqlite"


def prepare(folder: Path, known: int) -> float:
    """A store in `folder` whose seen-set holds `known` keys; the bytes of the database for each of them."""
    folder.mkdir()
    made = "from benchmarks.crawl_peers.harvest import prepare; import sys; prepare(sys.argv[1])"
    subprocess.run([sys.executable, "-c", made, str(folder)], check=True)
    database = sqlite3.connect(folder / DATABASE)
    try:
        with database:
            database.executemany("INSERT INTO seen (hash) VALUES (?)", ((key,) for key in _spread(known)))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        database.close()
    return (folder / DATABASE).stat().st_size / known


def _spread(known: int) -> Iterator[int]:
    """Distinct signed 64-bit keys as a hash gives them, but in order."""
    rng = random.Random(known)
    step = 2**64 // known
    return (number * step + rng.randrange(step) - 2**63 for number in range(known))


def measure(known: list[int], pages: int, rounds: int) -> tuple[dict[int, list[Run]], dict[int, float]]:
    """The runs and the bytes for each key, by the number of known URLs."""
    runs: dict[int, list[Run]] = {number: [] for number in known}
    with tempfile.TemporaryDirectory(prefix="harvest-bench-") as name, served(pages, HOSTS) as port:
        folder = Path(name)
        sizes = {number: prepare(folder / str(number), number) for number in known}
        for done in range(rounds * len(known)):
            number = known[done % len(known)]
            work = folder / "work"
            shutil.copytree(folder / str(number), work)
            runs[number].append(crawl("harvest", pages, HOSTS, port, str(work)))
            shutil.rmtree(work)
            progress(done + 1, rounds * len(known), "crawls")
    return runs, sizes


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="bench frontier", description=__doc__.partition("\n")[0])
    parser.add_argument("--known", default="10000,10000000", help="numbers of known URLs, commas between")
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    known = [int(number) for number in arguments.known.split(",")]
    runs, sizes = measure(known, arguments.pages, arguments.rounds)
    fewest, most = min(known), max(known)
    ratio = cpu(runs[most]) / cpu(runs[fewest])
    if arguments.json:
        lines = [
            {
                "known": number,
                "cpu_s_per_1000_pages": round(cpu(runs[number]), 3),
                "peak_mib": round(memory(runs[number]), 1),
                "bytes_a_url": round(sizes[number], 1),
                "rounds": [round(run.cpu, 3) for run in runs[number]],
            }
            for number in known
        ]
        print(json.dumps({"machine": machine(), "runs": lines, "growth": round(ratio, 3)}, indent=1))
        return
    say(f"machine: {machine()}")
    say(f"{arguments.pages:,} pages, medians of {arguments.rounds} rounds")
    rows = [["known URLs", "CPU s / 1,000 pages", "peak MiB", "database, bytes a URL"]]
    for number in known:
        used = [f"{cpu(runs[number]):.3f}", f"{memory(runs[number]):.1f}", f"{sizes[number]:.1f}"]
        rows.append([f"{number:,}", *used])
    say(table(rows))
    say(f"{ratio:.2f} times the CPU with {most:,} known URLs of that with {fewest:,}")


if __name__ == "__main__":
    main()
