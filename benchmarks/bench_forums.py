"""The default order's requests on forums as a share of breadth-first's, to the same torrents.

    ./dev bench forums                              one seed of every forum family, to 90 % of the torrents
    ./dev bench forums --families discuz mybb --share 1.0

Both orders crawl the same simulated site without site file and engine pack until they have that share of
what can be reached. Neither is capped: breadth-first is given as many requests as it takes, or `--most`, in
which case the line says so and its share is an upper bound.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Sequence

from benchmarks._harness import machine, say, table
from benchmarks.bench_rules import MOST_SECONDS, all_bounds
from benchmarks.measures import Bound
from benchmarks.simulators import FAMILIES, build
from benchmarks.simulators.driving import drive
from harvester.crawl.options import CrawlOptions
from harvester.ordering import DEFAULT_ORDER

FORUMS = [name for name, family in FAMILIES.items() if family.is_forum]
BLIND = "breadth-first"


def requests_to(bound: Bound, order: str, *, share: float, size: float, most: int) -> tuple[int, bool]:
    """Requests of one crawl, and whether it got to `share` of the torrents."""
    enough = math.ceil(share * len(bound.torrents))
    options = CrawlOptions(max_requests=most, max_seconds=3 * MOST_SECONDS, order=order)
    simulator = build(bound.family, bound.seed, size=size)
    run = drive(simulator, options, wanted=bound.torrents, enough=enough)
    reached = sorted(number for torrent, number in run.first_seen.items() if torrent in bound.torrents)
    return (reached[enough - 1], True) if len(reached) >= enough else (len(run.log), False)


def main(argv: Sequence[str] | None = None) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(
        prog="./dev bench forums", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--families", nargs="+", default=FORUMS, choices=FORUMS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--share", type=float, default=0.9, help="of the torrents")
    parser.add_argument("--most", type=int, default=200_000, help="requests of one crawl")
    asked = parser.parse_args(argv)
    say(machine())
    rows = [["forum", "torrents", "default", BLIND, "share"]]
    shares = []
    for family in asked.families:
        bound = all_bounds([family], [asked.seed], asked.size, 1)[family, asked.seed]
        limits = {"share": asked.share, "size": asked.size, "most": asked.most}
        ours, got = requests_to(bound, DEFAULT_ORDER, **limits)
        blind, blind_got = requests_to(bound, BLIND, **limits)
        shares.append(ours / blind if got else math.inf)
        torrents = math.ceil(asked.share * len(bound.torrents))
        mark = "" if blind_got else "> "
        shown = f"{'' if blind_got else '< '}{shares[-1]:.1%}" if got else "-"
        rows.append([family, str(torrents), f"{ours:,}" if got else "-", f"{mark}{blind:,}", shown])
        say(table([rows[0], rows[-1]]))
    say(table(rows))
    say(f"median {statistics.median(shares):.1%}, worst {max(shares):.1%} (to reach: 5 % at most)")


if __name__ == "__main__":
    main()
