"""What a crawl costs: ours against Scrapy and Crawlee, on the same local site in one run.

    ./dev bench crawl [--pages N] [--hosts N,N,…] [--rounds N] [--only NAME,…] [--json]

The site is that of `benchmarks.crawl_site`, served by a process that is not measured. Every crawler is a
process of its own, 16 requests at a time, one after the other in turns; counted is the CPU of the whole
process, start and imports included, with all its threads and the processes it started. Medians over the
rounds. A crawler that does not read every page fails the run.

Ours does the whole job on SQLite: robots, charset, links, keys, rules, traps, main text, language,
fingerprints, walls, frontier, history and page versions. Scrapy and Crawlee follow links and do no more.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks._harness import machine, progress, say, table

CRAWLERS = ("harvest", "scrapy", "crawlee")
BASE = "scrapy"


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl by one crawler: CPU seconds for each 1,000 pages, MiB at most."""

    cpu: float
    memory: float


@contextmanager
def served(pages: int, hosts: int) -> Iterator[int]:
    """The site, in a process of its own; gives its port."""
    command = [sys.executable, "-m", "benchmarks.crawl_site", "--pages", str(pages), "--hosts", str(hosts)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.communicate()  # closing its standard input ends it


def crawl(name: str, pages: int, hosts: int, port: int, *more: str) -> Run:
    """Let one crawler crawl the whole site. Raises `SystemExit` when it misses a page.

    `more` goes to the crawler's command line; ours takes its data folder there.
    """
    numbers = map(str, (pages, hosts, port))
    command = [sys.executable, "-m", f"benchmarks.crawl_peers.{name}", *numbers, *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    read = int(output.split()[-1]) if output.split() else 0
    if process.returncode or read != pages:
        raise SystemExit(f"{name} read {read:,} of {pages:,} pages (exit status {process.returncode})")
    return Run((usage.ru_utime + usage.ru_stime) / pages * 1000, usage.ru_maxrss / 1024)


def measure(names: list[str], pages: int, hosts: list[int], rounds: int) -> dict[int, dict[str, list[Run]]]:
    """The runs, by number of hosts and crawler."""
    runs: dict[int, dict[str, list[Run]]] = {number: {name: [] for name in names} for number in hosts}
    total, done = rounds * len(hosts) * len(names), 0
    for _ in range(rounds):
        for number in hosts:
            with served(pages, number) as port:
                for name in names:
                    runs[number][name].append(crawl(name, pages, number, port))
                    done += 1
                    progress(done, total, "crawls")
    return runs


def cpu(runs: list[Run]) -> float:
    """The middle of the rounds, in CPU seconds for each 1,000 pages."""
    return statistics.median(run.cpu for run in runs)


def memory(runs: list[Run]) -> float:
    """The middle of the rounds' peaks, in MiB."""
    return statistics.median(run.memory for run in runs)


def report(runs: dict[int, dict[str, list[Run]]], pages: int) -> Iterator[dict[str, object]]:
    """A line for each number of hosts and crawler."""
    for hosts, by_name in runs.items():
        base = cpu(by_name[BASE]) if BASE in by_name else None
        for name, of_name in by_name.items():
            yield {
                "crawler": name,
                "pages": pages,
                "hosts": hosts,
                "cpu_s_per_1000_pages": round(cpu(of_name), 3),
                "ratio_to_scrapy": round(cpu(of_name) / base, 3) if base else None,
                "peak_mib": round(memory(of_name), 1),
                "rounds": [round(run.cpu, 3) for run in of_name],
            }


def flatness(runs: dict[int, dict[str, list[Run]]], name: str) -> tuple[int, int, float] | None:
    """(few hosts, most hosts, CPU with most over CPU with few), among those with at least ten."""
    many = sorted(number for number in runs if number >= 10 and runs[number].get(name))
    if len(many) < 2:
        return None
    return many[0], many[-1], cpu(runs[many[-1]][name]) / cpu(runs[many[0]][name])


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="bench crawl", description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--hosts", default="1,10,50,200", help="numbers of hosts, with commas between")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(CRAWLERS), help="crawlers, with commas between")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    names = [name for name in arguments.only.split(",") if name in CRAWLERS]
    hosts = [int(number) for number in arguments.hosts.split(",")]
    if not names or arguments.pages < max(hosts) or arguments.rounds < 1:
        parser.error(f"crawlers are {', '.join(CRAWLERS)}; there are no fewer pages than hosts")
    runs = measure(names, arguments.pages, hosts, arguments.rounds)
    lines = list(report(runs, arguments.pages))
    flat = {name: found for name in names if (found := flatness(runs, name)) is not None}
    if arguments.json:
        flatness_of = {name: round(ratio, 3) for name, (_, _, ratio) in flat.items()}
        print(json.dumps({"machine": machine(), "runs": lines, "growth_with_hosts": flatness_of}, indent=1))
        return
    say(f"machine: {machine()}")
    say(f"{arguments.pages:,} pages, medians of {arguments.rounds} rounds")
    rows = [["crawler", "hosts", "CPU s / 1,000 pages", "of Scrapy's", "peak MiB"]]
    for line in lines:
        ratio = "" if line["ratio_to_scrapy"] is None else f"{line['ratio_to_scrapy']:.3f}"
        rows.append(
            [
                str(line["crawler"]),
                str(line["hosts"]),
                f"{line['cpu_s_per_1000_pages']:.3f}",
                ratio,
                f"{line['peak_mib']:.1f}",
            ]
        )
    say(table(rows))
    for name, (few, most, growth) in flat.items():
        say(f"{name}: {growth:.2f} times the CPU with {most} hosts of that with {few}")


if __name__ == "__main__":
    main()
