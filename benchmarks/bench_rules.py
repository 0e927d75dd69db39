"""Requests to every torrent: crawl orders on simulated sites, against an oracle.

    ./dev bench rules                                  two seeds, the default order and breadth-first
    ./dev bench rules --seeds 10 --orders all          everything that the tables in docs/ state
    ./dev bench rules --families nyaa phpbb --seeds 3

Every run is Harvest's own engine on a fresh store, without site file and engine pack, over a simulator in
place of the network: every request is counted, robots.txt and redirects too. A run ends when all
reachable torrents are there or after `--cap` times the oracle's requests. Writes a Markdown table and a
plot into `--out`.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from benchmarks._harness import machine, progress, say
from benchmarks.chart import chart, sheet
from benchmarks.measures import Bound, Measure, bound_of, measure
from benchmarks.simulators import FAMILIES, build
from benchmarks.simulators.driving import drive
from harvester.crawl.options import CrawlOptions

RESULTS = Path(__file__).resolve().parent / "results"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Task:
    """One crawl to do."""

    family: str
    order: str
    seed: int
    size: float
    cap: float
    bound: Bound


def crawl_once(task: Task) -> Measure:
    """Crawl one simulated site in one order."""
    simulator = build(task.family, task.seed, size=task.size)
    options = CrawlOptions(max_requests=round(task.cap * task.bound.requests_100))
    run = drive(simulator, options, wanted=task.bound.torrents)
    return measure(simulator, task.order, run, task.bound)


def all_bounds(
    families: Sequence[str], seeds: Sequence[int], size: float, jobs: int
) -> dict[tuple[str, int], Bound]:
    """The oracle's figures of every site."""
    calls = [(bound_of, (family, seed, size)) for seed in seeds for family in families]
    return {(b.family, b.seed): b for b in in_processes(calls, jobs, "sites explored")}


def in_processes(
    calls: Sequence[tuple[Callable[..., T], tuple[object, ...]]], jobs: int, note: str
) -> Iterable[T]:
    """The results of `calls` in the order in which they come."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(function, *arguments) for function, arguments in calls]
        for done, future in enumerate(as_completed(futures), 1):
            progress(done, len(futures), note)
            yield future.result()


# Tables --------------------------------------------------------------------------------------------


def ratio(value: float, bound: int) -> float:
    """How many times the bound."""
    return value / bound if bound else math.inf


def shown(value: float, digits: int = 2) -> str:
    """A number for the table; a dash where the crawl did not get there."""
    return "-" if math.isinf(value) else f"{value:,.{digits}f}"


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, the first row its head."""
    head, *body = rows
    lines = [f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in body)])


def orders_table(measures: Sequence[Measure], bounds: dict[tuple[str, int], Bound]) -> str:
    """A line for each family and order: medians over the seeds."""
    rows = [
        ["family", "order", "torrents", "LB90", "LB100", "R90/LB90", "worst", "R100/LB100", "worst",
         "useless", "changed state", "found"]
    ]  # fmt: skip
    for family, order in dict.fromkeys((m.family, m.order) for m in measures):
        of = [m for m in measures if (m.family, m.order) == (family, order)]
        sites = [bounds[m.family, m.seed] for m in of]
        nineties = [ratio(m.requests_90, b.requests_90) for m, b in zip(of, sites, strict=True)]
        hundreds = [ratio(m.requests_100, b.requests_100) for m, b in zip(of, sites, strict=True)]
        rows.append(
            [
                family,
                order,
                shown(statistics.median(m.reachable for m in of), 0),
                shown(statistics.median(b.requests_90 for b in sites), 0),
                shown(statistics.median(b.requests_100 for b in sites), 0),
                shown(statistics.median(nineties)),
                shown(max(nineties)),
                shown(statistics.median(hundreds)),
                shown(max(hundreds)),
                shown(statistics.median(m.useless for m in of), 0),
                shown(sum(m.state_changes for m in of), 0),
                f"{min(m.found / m.reachable for m in of):.1%}",
            ]
        )
    return markdown(rows)


def plot(measures: Sequence[Measure], bounds: dict[tuple[str, int], Bound], seed: int) -> str:
    """Requests against torrents, one chart a family, one line an order, of one seed."""
    charts = []
    for family in dict.fromkeys(m.family for m in measures):
        bound = bounds[family, seed]
        lines: dict[str, Sequence[tuple[float, float]]] = {"oracle": bound.steps}
        lines |= {m.order: m.steps for m in measures if (m.family, m.seed) == (family, seed)}
        charts.append(chart(family, lines, 6.0 * bound.requests_100, len(bound.torrents)))
    return sheet(charts)


def arguments(argv: Sequence[str]) -> argparse.Namespace:
    """What was asked for on the command line."""
    parser = argparse.ArgumentParser(prog="./dev bench rules", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--families", nargs="+", default=list(FAMILIES), choices=list(FAMILIES))
    parser.add_argument("--orders", nargs="+", default=["breadth-first"])
    parser.add_argument("--seeds", type=int, default=2, help="seeds 1 to N")
    parser.add_argument("--size", type=float, default=1.0, help="of the sites; 1 is what the tables state")
    parser.add_argument("--cap", type=float, default=40.0, help="give a crawl up at so many times LB100")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> None:
    """Run, print and write."""
    asked = arguments(argv)
    seeds = range(1, asked.seeds + 1)
    started = time.monotonic()
    bounds = all_bounds(asked.families, seeds, asked.size, asked.jobs)
    tasks = [
        Task(family, order, seed, asked.size, asked.cap, bounds[family, seed])
        for seed in seeds
        for family in asked.families
        for order in asked.orders
    ]
    measures = list(in_processes([(crawl_once, (task,)) for task in tasks], asked.jobs, "crawls"))
    measures.sort(key=lambda m: (asked.families.index(m.family), asked.orders.index(m.order), m.seed))
    text = orders_table(measures, bounds)
    say(text)
    asked.out.mkdir(parents=True, exist_ok=True)
    head = f"{machine()}; {asked.seeds} seeds, {time.monotonic() - started:,.0f} s\n\n"
    (asked.out / "rules.md").write_text(head + text + "\n", encoding="utf-8")
    (asked.out / "rules.svg").write_text(plot(measures, bounds, 1), encoding="utf-8")
    say(f"written: {asked.out / 'rules.md'}, {asked.out / 'rules.svg'}")


if __name__ == "__main__":
    main(sys.argv[1:])
