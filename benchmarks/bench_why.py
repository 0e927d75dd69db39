"""Where the requests of a crawl went: by what the pages truly are, and why the order chose them.

    ./dev bench why --family discuz                     the default order
    ./dev bench why --family nyaa --order bandit:rows=0 --seed 3 --until 0.9

A line for each kind of page as the site knows it and kind of URL as the learner knows it: requests, how many
of them led to a torrent in the end, the new torrents, what the order expected of them when it chose them
(lowest, median, highest index), how many visits it had seen of the arm, and an example.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks._harness import say, table
from benchmarks.bench_rules import all_bounds
from benchmarks.measures import useful_urls
from benchmarks.simulators import FAMILIES, build
from benchmarks.simulators.base import Simulator
from benchmarks.simulators.driving import SimRun, drive
from harvester.crawl.options import CrawlOptions
from harvester.model.crawl import FrontierItem
from harvester.patterns.engines import shipped_engines


@dataclass(slots=True)
class Chosen:
    """The requests of one line."""

    requests: int = 0
    useful: int = 0
    torrents: int = 0
    scores: list[float] = field(default_factory=list)
    visits: list[float] = field(default_factory=list)
    first: int = 0
    last: int = 0
    example: str = ""
    bands: Counter[str] = field(default_factory=Counter)


def main(argv: Sequence[str] | None = None) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="bench why", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--family", required=True, choices=list(FAMILIES))
    parser.add_argument("--order", default="bandit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--until", type=float, default=0.9, help="share of the torrents after which to stop")
    parser.add_argument("--most", type=int, default=20_000, help="requests")
    parser.add_argument("--engines", action="store_true")
    parser.add_argument("--log", action="store_true", help="every request in its order")
    asked = parser.parse_args(argv)
    simulator = build(asked.family, asked.seed, size=asked.size)
    name, _, settings = asked.order.partition(":")
    pairs = (pair.partition("=") for pair in settings.split(",") if pair)
    options = CrawlOptions(
        max_requests=asked.most,
        order=name,
        order_settings={key: float(value) for key, _, value in pairs},
    )
    notes: dict[str, tuple[float, float, str]] = {}

    def chosen(item: FrontierItem, why: tuple[float, float, str]) -> None:
        notes.setdefault(item.url, why)

    engines = shipped_engines() if asked.engines else None
    bound = all_bounds([asked.family], [asked.seed], asked.size, 1)[asked.family, asked.seed]
    enough = math.ceil(asked.until * len(bound.torrents))
    run = drive(simulator, options, wanted=bound.torrents, enough=enough, engines=engines, on_chosen=chosen)
    least = f"the oracle needs {bound.requests_90:,} to 90 %, {bound.requests_100:,} to all"
    say(f"{asked.family} {asked.order}: {len(run.log):,} requests; {least}; {run.report.reason}")
    if asked.log:
        for number, exchange in enumerate(run.log, 1):
            score, visits, why = notes.get(exchange.url, (math.nan, math.nan, "-"))
            target = simulator.truth(exchange.url)
            page = target.page if target else "?"
            sign = "T" if exchange.infohash else " "
            say(f"{number:5} {sign} {page:14} {score:6.3f} n={visits:<4.0f} {why:40} {exchange.url}")
    say(table(lines(simulator, run, notes)))


def lines(simulator: Simulator, run: SimRun, notes: dict[str, tuple[float, float, str]]) -> list[list[str]]:
    """The table, the costliest lines first."""
    useful = useful_urls(run)
    by_kind: defaultdict[tuple[str, str], Chosen] = defaultdict(Chosen)
    had: set[str] = set()
    shown: set[str] = set()
    for number, exchange in enumerate(run.log, 1):
        target = simulator.truth(exchange.url)
        page = f"{target.role.value}:{target.page}" if target else "nothing"
        if target and target.identity in shown:
            page += " again"
        shown.add(target.identity if target else "")
        score, visits, why = notes.get(exchange.url, (math.nan, math.nan, "redirected or none"))
        line = by_kind[page, why]
        line.requests += 1
        line.useful += exchange.url in useful
        line.torrents += bool(exchange.infohash) and exchange.infohash not in had
        had.add(exchange.infohash)
        line.first = line.first or number
        line.last = number
        if not math.isnan(score):
            line.scores.append(score)
            line.visits.append(visits)
        line.example = line.example or exchange.url.partition("://")[2].partition("/")[2]
    rows = [["page", "requests", "wasted", "torrents", "from", "to", "index", "arm visits", "why", "example"]]
    for (page, why), line in sorted(by_kind.items(), key=lambda pair: pair[1].useful - pair[1].requests):
        rows.append(
            [
                page,
                str(line.requests),
                str(line.requests - line.useful),
                str(line.torrents),
                str(line.first),
                str(line.last),
                _range(line.scores),
                _range(line.visits, 0),
                why[:50],
                line.example[:70],
            ]
        )
    return rows


def _range(values: Sequence[float], digits: int = 3) -> str:
    if not values:
        return "-"
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{low:.{digits}f} {middle:.{digits}f} {high:.{digits}f}"


if __name__ == "__main__":
    main()
