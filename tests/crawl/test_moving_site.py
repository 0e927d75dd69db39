"""A site that writes its addresses anew while it is crawled: all but the network is real."""

from __future__ import annotations

import pytest

from benchmarks.measures import bound_of
from benchmarks.simulators import build
from benchmarks.simulators.driving import drive
from harvester.crawl.options import CrawlOptions
from harvester.model.site import Role, RuleState
from tests.crawl.harvesting import SECONDS

AFTER = 120
"""Requests before the move."""
MOST_LOST = 50
"""Requests that old addresses may cost after it."""
MOST_LOST_OF_TWINS = 200
"""The same where every old page has two new ones of its name, one of them without files."""


@pytest.mark.parametrize(
    ("family", "forgets", "most"),
    [
        ("opaque-slugs", False, MOST_LOST),
        ("opaque-slugs", True, MOST_LOST),
        ("discuz", False, MOST_LOST),
        ("discuz", True, MOST_LOST_OF_TWINS),
    ],
)
def test_a_changed_scheme_costs_few_requests_and_loses_nothing(
    family: str, *, forgets: bool, most: int
) -> None:
    wanted = bound_of(family, 1, 0.15).torrents
    site = build(family, 1, size=0.15, moves_after=AFTER, forgets=forgets)
    run = drive(site, CrawlOptions(max_seconds=SECONDS), wanted=wanted)
    assert wanted <= run.first_seen.keys()
    lost = [exchange for exchange in run.log[AFTER:] if exchange.status in (301, 404)]
    assert len(lost) <= most
    assert run.state_changes == ()


def test_the_old_rule_is_retired_and_its_successor_learned() -> None:
    site = build("opaque-slugs", 1, size=0.15, moves_after=AFTER)
    rules = drive(site, CrawlOptions(max_requests=500, max_seconds=SECONDS)).rules
    assert RuleState.RETIRED in {rule.state for rule in rules if rule.match.startswith("^/x/")}
    assert {rule.role for rule in rules if "/entry/" in rule.match and rule.state is RuleState.ACTIVE} >= {
        Role.DETAIL,
        Role.DOWNLOAD,
    }
