"""What one crawl of a simulated site amounts to, against the oracle's bound."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.oracle import explore, lower_bound, trajectory
from benchmarks.simulators import build
from benchmarks.simulators.base import Simulator, Target
from benchmarks.simulators.driving import SimRun
from harvester.model.site import Role, Rule, RuleState
from harvester.patterns.rules import RuleSet

SCORED = (Role.LIST, Role.DETAIL, Role.DOWNLOAD)
_MOST_NOISE = 6_000


@dataclass(frozen=True, slots=True)
class Truth:
    """What a URL is. `kind` counts further pages as what they are pages of; `shows` says of noise that it
    shows a list or a detail page once more (sorted, printed, by way of a post)."""

    url: str
    role: Role
    kind: Role
    shows: Role | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """What can be had of one site and what the oracle pays: requests to 90 and to 100 % of the torrents."""

    family: str
    seed: int
    torrents: frozenset[str]
    pages: int
    requests_90: int
    requests_100: int
    steps: tuple[tuple[int, int], ...]
    """(requests, torrents) of the oracle on its way."""
    truths: tuple[Truth, ...] = field(default=(), repr=False)
    """URLs of the site: all content and downloads, a sample of the noise."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One crawl. `requests_90`, `requests_100`: math.inf when it did not get there."""

    family: str
    order: str
    seed: int
    requests: int
    requests_90: float
    requests_100: float
    found: int
    reachable: int
    state_changes: int
    useless: int
    reason: str
    cpu_seconds: float
    steps: tuple[tuple[int, int], ...]
    """(requests, torrents) at each new torrent, thinned out."""
    precision: float = 0.0
    recall: float = 0.0
    """Of the roles list, detail and download that the active learned rules give, macro averages."""
    active_rules: int = 0
    unfetched: tuple[str, ...] = ()


def bound_of(family: str, seed: int, size: float) -> Bound:
    """Explore a fresh site and ask the oracle."""
    simulator = build(family, seed, size=size)
    explored = explore(simulator)
    graph = explored.graph
    return Bound(
        family,
        seed,
        graph.torrents,
        len(graph.pages),
        lower_bound(graph, 0.9),
        lower_bound(graph, 1.0),
        tuple(thinned(trajectory(graph))),
        tuple(_truths(simulator, explored.links)),
    )


def _truths(simulator: Simulator, links: Mapping[str, tuple[str, Target]]) -> list[Truth]:
    content = [(url, target) for url, target in links.values() if target.kind in SCORED]
    noise = [(url, target) for url, target in links.values() if target.kind not in SCORED]
    shows = {target.page: target.kind for _, target in content} | dict(simulator.variants)
    some = noise[:: max(1, len(noise) // _MOST_NOISE)]
    return [
        *(Truth(url, target.role, target.kind) for url, target in content),
        *(Truth(url, target.role, target.kind, shows.get(target.page)) for url, target in some),
    ]


def measure(simulator: Simulator, order: str, run: SimRun, bound: Bound) -> Measure:
    """The figures of one crawl."""
    active = [rule for rule in run.rules if rule.state is RuleState.ACTIVE]
    precision, recall = role_scores(active, bound.truths)
    reached = sorted(number for hash_, number in run.first_seen.items() if hash_ in bound.torrents)
    return Measure(
        family=simulator.family,
        order=order,
        seed=simulator.seed,
        requests=len(run.log),
        requests_90=_requests_to(reached, 0.9, len(bound.torrents)),
        requests_100=_requests_to(reached, 1.0, len(bound.torrents)),
        found=len(reached),
        reachable=len(bound.torrents),
        state_changes=len(run.state_changes),
        useless=useless_requests(run),
        reason=run.report.reason,
        cpu_seconds=run.cpu_seconds,
        steps=tuple(thinned([(requests, count) for count, requests in enumerate(reached, 1)])),
        precision=precision,
        recall=recall,
        active_rules=len(active),
        unfetched=tuple(sorted(bound.torrents - run.first_seen.keys()))[:20],
    )


def role_scores(rules: Sequence[Rule], truths: Sequence[Truth]) -> tuple[float, float]:
    """Macro precision and recall of list, detail and download over the URLs of `truths`.

    A FLIP is right for every further page; on a first page it counts as LIST. A role that the site has and
    no rule gives has precision and recall 0. START is left out. Noise that shows a list or a detail page
    once more may be called that, or nothing.
    """
    matcher = RuleSet(rules)
    given: Counter[Role] = Counter()
    there: Counter[Role] = Counter()
    right: Counter[Role] = Counter()
    for truth in truths:
        match = matcher.match(truth.url)
        guess = match.role if match is not None else None
        if guess is Role.FLIP and (truth.role is Role.FLIP or truth.shows):
            guess = truth.shows or truth.kind
        elif guess is Role.FLIP:
            guess = Role.LIST
        there[truth.kind] += 1
        if guess is not None and guess is not truth.shows:
            given[guess] += 1
            right[guess] += guess is truth.kind
    roles = [role for role in SCORED if there[role]]
    precisions = [right[role] / given[role] if given[role] else 0.0 for role in roles]
    recalls = [right[role] / there[role] for role in roles]
    return statistics.fmean(precisions), statistics.fmean(recalls)


def _requests_to(reached: Sequence[int], share: float, reachable: int) -> float:
    needed = math.ceil(share * reachable)
    return reached[needed - 1] if 0 < needed <= len(reached) else math.inf


def useful_urls(run: SimRun) -> set[str]:
    """The URLs of torrents that were new, and of the pages whose links led to them."""
    came_from: dict[str, str] = {}
    useful: set[str] = set()
    had: set[str] = set()
    for exchange in run.log:
        came_from.setdefault(exchange.url, exchange.referer)
        if exchange.infohash and exchange.infohash not in had:
            had.add(exchange.infohash)
            url = exchange.url
            while url and url not in useful:
                useful.add(url)
                url = came_from.get(url, "")
    return useful


def useless_requests(run: SimRun) -> int:
    """Requests that brought no new torrent and showed no link to a request that was useful.

    A page is useful when its links led to a new torrent, directly or over other useful pages. robots.txt
    counts as useful.
    """
    useful = useful_urls(run)
    counted: set[str] = set()
    wasted = 0
    for exchange in run.log:
        if exchange.url.endswith("/robots.txt"):
            continue
        if exchange.url not in useful or exchange.url in counted:
            wasted += 1
        counted.add(exchange.url)
    return wasted


def thinned(steps: Sequence[tuple[int, int]], most: int = 200) -> list[tuple[int, int]]:
    """At most about `most` of the steps, the last among them."""
    stride = max(1, len(steps) // most)
    kept = list(steps[::stride])
    return kept if not steps or kept[-1] == steps[-1] else [*kept, steps[-1]]
