"""A site that writes its addresses anew while it is crawled: all but the network is real."""

from __future__ import annotations

import pytest

from benchmarks.measures import bound_of
from benchmarks.simulators import build
from benchmarks.simulators.driving import drive
from harvester.crawl.options import CrawlOptions
from harvester.model.site import RuleState
from tests.crawl.harvesting import SECONDS

AFTER = 120
"""Requests before the move."""
MOST_LOST = 50
"""Requests that old addresses may cost after it."""


@pytest.mark.parametrize("forgets", [False, True], ids=["redirects", "gone"])
@pytest.mark.parametrize("family", ["opaque-slugs", "discuz"])
def test_a_changed_scheme_costs_few_requests_and_loses_nothing(family: str, *, forgets: bool) -> None:
    wanted = bound_of(family, 1, 0.15).torrents
    site = build(family, 1, size=0.15, moves_after=AFTER, forgets=forgets)
    run = drive(site, CrawlOptions(max_seconds=SECONDS), wanted=wanted)
    assert wanted <= run.first_seen.keys()
    lost = [exchange for exchange in run.log[AFTER:] if exchange.status in (301, 404)]
    assert len(lost) <= MOST_LOST
    assert run.state_changes == ()


def test_the_old_rule_is_retired_and_its_successor_learned() -> None:
    site = build("opaque-slugs", 1, size=0.15, moves_after=AFTER)
    rules = drive(site, CrawlOptions(max_requests=500, max_seconds=SECONDS)).rules
    states = {rule.match.partition("/")[2].partition("/")[0]: rule.state for rule in rules}
    assert states["x"] is RuleState.RETIRED
    assert states["entry"] is RuleState.ACTIVE
