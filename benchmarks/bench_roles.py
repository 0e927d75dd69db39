"""Learned roles against the truth: on simulated sites, and on recorded ones, which nobody here made.

    ./dev bench roles                         every simulated family (seed 1) and every recording
    ./dev bench roles --families nyaa --seeds 3
    ./dev bench roles --families --recorded   the recordings only (needs the shared data folder)

A simulated site is crawled by the default order until its last torrent is found, with no engine pack; a
recording is crawled to its end as a guest. Then the active learned rules are asked about every URL of the
site (of a recording: every link on its pages). What is confused with what is listed with its count.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence

from benchmarks._harness import machine, say, table
from benchmarks.measures import Truth, bound_of, role_scores
from benchmarks.roles import RECORDINGS, confusions, learn_recorded, recorded_truths, wrong
from benchmarks.simulators import FAMILIES, build
from benchmarks.simulators.driving import drive
from harvester.crawl.options import CrawlOptions
from harvester.model.site import Rule, RuleState

_CAP = 40
_SECONDS = 1200.0
_MOST_SHOWN = 3


def _row(name: str, rules: Sequence[Rule], truths: Sequence[Truth]) -> tuple[list[str], float, float]:
    active = [rule for rule in rules if rule.state is RuleState.ACTIVE]
    precision, recall = role_scores(active, truths)
    confused = wrong(confusions(rules, truths))[:_MOST_SHOWN]
    words = ", ".join(f"{kind} as {role}: {count}" for kind, role, count in confused)
    row = [name, f"{precision:.3f}", f"{recall:.3f}", str(len(active)), str(len(truths)), words]
    return row, precision, recall


def main(argv: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./dev bench roles", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--families", nargs="*", default=list(FAMILIES), choices=list(FAMILIES))
    parser.add_argument("--seeds", type=int, default=1, help="seeds 1 to N")
    parser.add_argument("--size", type=float, default=1.0, help="of the simulated sites")
    parser.add_argument(
        "--recorded", action="store_true", help="the recordings too, where families are named"
    )
    asked = parser.parse_args(argv)
    rows = [["site", "precision", "recall", "active rules", "URLs", "confused"]]
    simulated: list[tuple[float, float]] = []
    for family in asked.families:
        for seed in range(1, asked.seeds + 1):
            bound = bound_of(family, seed, asked.size)
            options = CrawlOptions(max_requests=_CAP * bound.requests_100, max_seconds=_SECONDS)
            run = drive(build(family, seed, size=asked.size), options, wanted=bound.torrents)
            row, precision, recall = _row(f"{family} {seed}", run.rules, bound.truths)
            rows.append(row)
            simulated.append((precision, recall))
    recorded: list[tuple[float, float]] = []
    if asked.recorded or asked.families == list(FAMILIES):
        for name, recording in RECORDINGS:
            rules = learn_recorded(name, recording)
            row, precision, recall = _row(f"{name} {recording}", rules, recorded_truths(name, recording))
            rows.append(row)
            recorded.append((precision, recall))
    say(machine())
    say(table(rows))
    for what, scores in (("simulated", simulated), ("recorded", recorded)):
        if scores:
            means = [statistics.fmean(column) for column in zip(*scores, strict=True)]
            say(f"{what}: precision {means[0]:.3f}, recall {means[1]:.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
