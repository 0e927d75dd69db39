"""When a page is due again: one small policy each, registered by name.

A policy is a function from what is known of a page and `now` (UTC seconds) to the time of its next visit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import log, sqrt

from msgspec import Struct
from msgspec.structs import replace

HOUR = 3600.0
DAY = 86400.0
SHORTEST = HOUR
LONGEST = 60 * DAY
UNIFORM_INTERVAL = 7 * DAY
EVIDENCE_OF_CLUSTER = 4.0
"""How many visits of a page the cluster's rate weighs as much as."""


class PageHistory(Struct, frozen=True):
    """What the visits of a page showed; times in UTC seconds."""

    first_visit: float
    last_visit: float
    visits: int
    """Visits that could tell whether the page had changed (all but the first)."""
    changes: int
    """Visits that found the page changed."""
    clicks: float = 0.0
    """How often people found what they opened through this page, lately."""
    cluster: str = ""
    """Pages that change alike: the rule, or the board."""
    cluster_rate: float | None = None
    """Changes a second of the cluster, from its sample."""


RevisitPolicy = Callable[[PageHistory, float], float]
"""(history, now) -> the time at which the page is due again; never before `now` + SHORTEST … LONGEST."""

POLICIES: dict[str, RevisitPolicy] = {}
"""Policies by name."""


def register(name: str) -> Callable[[RevisitPolicy], RevisitPolicy]:
    """Make a policy known under `name`; a name is taken once."""

    def add(policy: RevisitPolicy) -> RevisitPolicy:
        assert name not in POLICIES, name
        POLICIES[name] = policy
        return policy

    return add


def change_rate(history: PageHistory) -> float:
    """Changes a second, by the estimator of Cho and Garcia-Molina (TOIT 2003).

    Visits see at most one change each, so X changes in n visits of interval I are more than X: the
    estimate is -log((n - X + 0.5) / (n + 0.5)) / I, which is nearly without bias and finite for X = n.
    0 without evidence.
    """
    span = history.last_visit - history.first_visit
    if history.visits <= 0 or span <= 0:
        return 0.0
    n, found = history.visits, min(max(history.changes, 0), history.visits)
    return -log((n - found + 0.5) / (n + 0.5)) / (span / n)


def within_bounds(interval: float) -> float:
    """The interval kept between an hour and 60 days."""
    return min(max(interval, SHORTEST), LONGEST)


@register("uniform")
def uniform(history: PageHistory, now: float) -> float:
    """Every page once a week."""
    del now
    return history.last_visit + UNIFORM_INTERVAL


@register("poisson")
def poisson(history: PageHistory, now: float) -> float:
    """A page is due when a change is as likely as not, but a page that never changed ever later.

    With rate r the chance of a change after t is 1 - exp(-r t); it is 1/2 at t = log 2 / r.
    """
    del now
    rate = change_rate(history)
    if rate <= 0.0:
        # No change seen: wait half as long again as it has been watched; a new page is looked at in a day.
        watched = history.last_visit - history.first_visit
        return history.last_visit + within_bounds(max(DAY, 1.5 * watched))
    return history.last_visit + within_bounds(log(2.0) / rate)


@register("user_experience")
def user_experience(history: PageHistory, now: float) -> float:
    """The poisson interval, shortened for pages whose torrents people search for and open.

    After Pandey and Olston (WWW 2005): what a visit is worth grows with how often users would see the
    stale copy. The interval is divided by sqrt(1 + clicks), as the best visit frequency grows with the
    square root of a page's weight.
    """
    interval = poisson(history, now) - history.last_visit
    return history.last_visit + within_bounds(interval / sqrt(1.0 + max(history.clicks, 0.0)))


@register("cluster")
def by_cluster(history: PageHistory, now: float) -> float:
    """A page with little history follows the rate of its cluster; its own visits take over by and by.

    After Tan and Mitra (TWEB 2010): pages that look alike change alike, so a sample of a cluster tells
    when the rest is worth a visit.
    """
    if history.cluster_rate is None or history.cluster_rate < 0:
        return poisson(history, now)
    weight = max(history.visits, 0)
    own = change_rate(history)
    rate = (weight * own + EVIDENCE_OF_CLUSTER * history.cluster_rate) / (weight + EVIDENCE_OF_CLUSTER)
    return history.last_visit + within_bounds(log(2.0) / rate if rate > 0 else LONGEST)


def sample_clusters(pages: Iterable[PageHistory], share: float = 0.1, least: int = 3) -> list[PageHistory]:
    """The pages of each cluster to visit first: the longest unvisited `share`, at least `least`."""
    by_name: dict[str, list[PageHistory]] = {}
    for page in pages:
        by_name.setdefault(page.cluster, []).append(page)
    chosen: list[PageHistory] = []
    for members in by_name.values():
        members.sort(key=lambda page: page.last_visit)
        chosen += members[: max(least, round(share * len(members)))]
    return chosen


def with_cluster_rates(pages: Iterable[PageHistory]) -> list[PageHistory]:
    """The pages with the rate of their cluster: the mean of its members that have evidence."""
    pages = list(pages)
    rates: dict[str, list[float]] = {}
    for page in pages:
        if page.visits > 0 and page.last_visit > page.first_visit:
            rates.setdefault(page.cluster, []).append(change_rate(page))
    means = {name: sum(found) / len(found) for name, found in rates.items()}
    return [replace(page, cluster_rate=means.get(page.cluster)) for page in pages]
