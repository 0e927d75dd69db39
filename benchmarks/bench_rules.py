"""Requests to every torrent: crawl orders on simulated sites, against an oracle.

    ./dev bench rules                                  two seeds, the default order and breadth-first
    ./dev bench rules --seeds 10 --orders all          every order
    ./dev bench rules --orders ablation                the default, and the default without each of its parts
    ./dev bench rules --moves                          and what a changed URL scheme costs
    ./dev bench rules --engines                        the same with the engine pack
    ./dev bench rules --families nyaa --orders bandit bandit:rows=0,tail=0

Learned with the family held out: nothing about a family is known to the learner but what it sees in that
run; each crawl begins with no rules. The constants of the orders were chosen with the other families in
view; `mybb` came after them and is held out of those too.

Every run is Harvest's own engine on a fresh store, without site file and engine pack, over a simulator in
place of the network: every request is counted, robots.txt and redirects too. A run ends when all
reachable torrents are there or after `--cap` times the oracle's requests. Writes a Markdown table and a
plot into `--out`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import pickle
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from benchmarks._harness import machine, progress, say
from benchmarks.chart import chart, sheet
from benchmarks.measures import Bound, Measure, bound_of, measure
from benchmarks.simulators import FAMILIES, build
from benchmarks.simulators.driving import drive
from harvester.crawl.options import CrawlOptions
from harvester.ordering import DEFAULT_ORDER, order_names
from harvester.patterns.engines import shipped_engines

RESULTS = Path(__file__).resolve().parent / "results"
CACHE = Path(__file__).resolve().parent / ".cache"
MOST_SECONDS = 1200.0
"""No crawl may take longer."""
T = TypeVar("T")


PARTS: dict[str, str] = {
    "without one link a row": "rows=0",
    "without contexts": "contexts=0",
    "without the tail queue": "tail=0",
    "without downloads first": "downloads=0",
    "without exploration": "explore=0",
    "without the bonus": "bonus=0",
    "without shrinkage": "shrink=0",
    "without priors": "prior_visits=0",
    "without words and neighbours": "hints=0",
    "without judging pages by their list": "lists=0",
    "without views last": "views=0",
    "without second places": "moves=0",
}
"""What is taken from the default order, and the setting that does it."""


@dataclass(frozen=True, slots=True)
class Task:
    """One crawl to do. `order` is a name, with settings behind a colon (`bandit:rows=0`)."""

    family: str
    order: str
    seed: int
    size: float
    cap: float
    bound: Bound
    engines: bool = False
    moves_after: int | None = None
    forgets: bool = False


def crawl_once(task: Task) -> Measure:
    """Crawl one simulated site in one order."""
    simulator = build(
        task.family, task.seed, size=task.size, moves_after=task.moves_after, forgets=task.forgets
    )
    name, _, settings = task.order.partition(":")
    pairs = (pair.partition("=") for pair in settings.split(",") if pair)
    options = CrawlOptions(
        max_requests=round(task.cap * task.bound.requests_100),
        max_seconds=MOST_SECONDS,
        order=name,
        order_settings={key: float(value) for key, _, value in pairs},
    )
    engines = shipped_engines() if task.engines else None
    run = drive(simulator, options, wanted=task.bound.torrents, engines=engines)
    return measure(simulator, task.order, run, task.bound)


def all_bounds(
    families: Sequence[str], seeds: Sequence[int], size: float, jobs: int
) -> dict[tuple[str, int], Bound]:
    """The oracle's figures of every site, kept in `CACHE` as long as no source changes that they rest on."""
    state = _sources()
    wanted = [(family, seed) for seed in seeds for family in families]
    files = {site: CACHE / f"{state}-{site[0]}-{site[1]}-{size:g}.pickle" for site in wanted}
    missing = [site for site in wanted if not files[site].exists()]
    if missing:
        CACHE.mkdir(exist_ok=True)
        calls = [(bound_of, (family, seed, size)) for family, seed in missing]
        for bound in in_processes(calls, jobs, "sites explored"):
            part = files[bound.family, bound.seed].with_suffix(f".{os.getpid()}")
            part.write_bytes(pickle.dumps(bound))
            part.replace(files[bound.family, bound.seed])
    return {site: pickle.loads(files[site].read_bytes()) for site in wanted}


def _sources() -> str:
    """A hash of the sites, the oracle, and how links are read."""
    here = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    site = set(here.glob("simulators/*.py")) - {
        here / "simulators/driving.py",
        here / "simulators/fetcher.py",
    }
    for path in sorted([*site, here / "oracle.py", *here.parent.glob("harvester/links/*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


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
         "useless", "changed state", "found", "precision", "recall", "rules"]
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
                shown(statistics.median(m.precision for m in of)),
                shown(statistics.median(m.recall for m in of)),
                shown(max(m.active_rules for m in of), 0),
            ]
        )
    return markdown(rows)


def summary_table(measures: Sequence[Measure], bounds: dict[tuple[str, int], Bound]) -> str:
    """A line for each order: medians over the families of their medians, and the worst family."""
    rows = [
        [
            "order",
            "R90/LB90",
            "worst family",
            "R100/LB100",
            "worst family",
            "state changes",
            "precision",
            "recall",
        ]
    ]
    for order in dict.fromkeys(m.order for m in measures):
        by_family: dict[str, list[Measure]] = {}
        for m in measures:
            if m.order == order:
                by_family.setdefault(m.family, []).append(m)
        nineties = {
            family: statistics.median(ratio(m.requests_90, bounds[family, m.seed].requests_90) for m in of)
            for family, of in by_family.items()
        }
        hundreds = {
            family: statistics.median(ratio(m.requests_100, bounds[family, m.seed].requests_100) for m in of)
            for family, of in by_family.items()
        }
        of_order = [m for of in by_family.values() for m in of]
        rows.append(
            [
                order,
                shown(statistics.median(nineties.values())),
                _worst(nineties),
                shown(statistics.median(hundreds.values())),
                _worst(hundreds),
                shown(sum(m.state_changes for m in of_order), 0),
                shown(statistics.fmean(m.precision for m in of_order)),
                shown(statistics.fmean(m.recall for m in of_order)),
            ]
        )
    return markdown(rows)


def _worst(by_family: dict[str, float]) -> str:
    family = max(by_family, key=lambda name: by_family[name])
    return f"{shown(by_family[family])} {family}"


def forums_table(measures: Sequence[Measure]) -> str:
    """The default order's requests as a share of breadth-first's, on forums."""
    rows = [["forum", "default R90 : breadth-first R90", "default R100 : breadth-first R100"]]
    for family in dict.fromkeys(m.family for m in measures if FAMILIES[m.family].is_forum):
        pairs = [
            (ours, blind)
            for ours in measures
            for blind in measures
            if (ours.family, ours.order) == (family, DEFAULT_ORDER)
            and (blind.family, blind.order, blind.seed) == (family, "breadth-first", ours.seed)
        ]
        if pairs:
            nineties = _share(
                [(ours.requests_90, blind.requests_90, blind.requests) for ours, blind in pairs]
            )
            hundreds = _share(
                [(ours.requests_100, blind.requests_100, blind.requests) for ours, blind in pairs]
            )
            rows.append([family, nineties, hundreds])
    return markdown(rows) if len(rows) > 1 else ""


def _share(pairs: Sequence[tuple[float, float, int]]) -> str:
    """The median of ours : blind; `<` where breadth-first had been given up before it got there."""
    given_up = any(math.isinf(blind) for _, blind, _ in pairs)
    shares = [ours / (sent if math.isinf(blind) else blind) for ours, blind, sent in pairs]
    return f"{'< ' if given_up else ''}{statistics.median(shares):.1%}"


def moves_table(plain: Sequence[Measure], moved: Sequence[tuple[Task, Measure]]) -> str:
    """Extra requests to 90 % where the site changed its URL scheme half-way there."""
    rows = [["family", "old URLs", "extra requests to 90 %", "extra requests to 100 %"]]
    without = {(m.family, m.seed): m for m in plain if m.order == DEFAULT_ORDER}
    for family, forgets in dict.fromkeys((task.family, task.forgets) for task, _ in moved):
        of = [
            (m, without[family, m.seed])
            for task, m in moved
            if (task.family, task.forgets) == (family, forgets)
        ]
        rows.append(
            [
                family,
                "gone" if forgets else "redirect",
                shown(statistics.median(m.requests_90 - w.requests_90 for m, w in of), 0),
                shown(statistics.median(m.requests_100 - w.requests_100 for m, w in of), 0),
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
    parser.add_argument(
        "--orders",
        nargs="+",
        default=[DEFAULT_ORDER, "breadth-first"],
        help=f"names, `all`, `ablation`, or settings (bandit:rows=0); known: {', '.join(order_names())}",
    )
    parser.add_argument("--moves", action="store_true", help="also sites that change their URL scheme")
    parser.add_argument("--engines", action="store_true", help="with the shipped engine pack")
    parser.add_argument("--seeds", type=int, default=2, help="seeds 1 to N")
    parser.add_argument("--size", type=float, default=1.0, help="of the sites; 1 is what the tables state")
    parser.add_argument("--cap", type=float, default=40.0, help="give a crawl up at so many times LB100")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args(argv)


def orders_asked(names: Sequence[str]) -> list[str]:
    """The orders that the words on the command line stand for."""
    orders: dict[str, None] = {}
    for name in names:
        if name == "all":
            orders.update(dict.fromkeys(order_names()))
        elif name == "ablation":
            orders.update(
                dict.fromkeys([DEFAULT_ORDER, *(f"{DEFAULT_ORDER}:{part}" for part in PARTS.values())])
            )
        else:
            orders[name] = None
    return list(orders)


def moved_tasks(measures: Sequence[Measure], tasks: Sequence[Task]) -> list[Task]:
    """Sites that change their URL scheme half-way to 90 %, with redirects and without."""
    plain = {(m.family, m.seed): m for m in measures if m.order == DEFAULT_ORDER}
    return [
        replace(task, moves_after=int(found.requests_90 / 2), forgets=forgets)
        for task in tasks
        if task.order == DEFAULT_ORDER and FAMILIES[task.family].can_move
        for forgets in (False, True)
        if not math.isinf((found := plain[task.family, task.seed]).requests_90)
    ]


def main(argv: Sequence[str]) -> None:
    """Run, print and write."""
    asked = arguments(argv)
    seeds = range(1, asked.seeds + 1)
    orders = orders_asked(asked.orders)
    started = time.monotonic()
    bounds = all_bounds(asked.families, seeds, asked.size, asked.jobs)
    tasks = [
        Task(family, order, seed, asked.size, asked.cap, bounds[family, seed], asked.engines)
        for seed in seeds
        for order in orders
        for family in asked.families
    ]
    measures = list(in_processes([(crawl_once, (task,)) for task in tasks], asked.jobs, "crawls"))
    measures.sort(key=lambda m: (asked.families.index(m.family), orders.index(m.order), m.seed))
    parts = [summary_table(measures, bounds), forums_table(measures), orders_table(measures, bounds)]
    if asked.moves:
        again = moved_tasks(measures, tasks)
        results = in_processes([(moved_once, (task,)) for task in again], asked.jobs, "moved sites")
        parts.append(moves_table(measures, list(results)))
    text = "\n\n".join(part for part in parts if part)
    say(text)
    asked.out.mkdir(parents=True, exist_ok=True)
    pack = "with the engine pack" if asked.engines else "no site file, no engine pack"
    seconds = time.monotonic() - started
    head = f"{machine()}; {asked.seeds} seeds, {pack}; {seconds:,.0f} s\n\n"
    (asked.out / "rules.md").write_text(head + text + "\n", encoding="utf-8")
    (asked.out / "rules.svg").write_text(plot(measures, bounds, 1), encoding="utf-8")
    (asked.out / "rules.json").write_text(json.dumps([asdict(m) for m in measures]), encoding="utf-8")
    say(f"written: {asked.out}/rules.md, rules.svg, rules.json")


def moved_once(task: Task) -> tuple[Task, Measure]:
    """One crawl of a site that changes, with the task that asked for it."""
    return task, crawl_once(task)


if __name__ == "__main__":
    main(sys.argv[1:])
