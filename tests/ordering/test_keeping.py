"""What the default order knows survives the end of a run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harvester.crawl.learning import Guide
from harvester.model.order import Turn
from harvester.model.site import RuleState, SiteFile
from harvester.ordering.bandit import Bandit
from tests.ordering.rehearsal import ORIGIN, crawl

SITE = SiteFile(site="forum", start=(f"{ORIGIN}/",), hosts=("forum.example",))


def gone_on(memory: dict[str, Any]) -> Guide:
    """A second run of the crawl, ten seconds later, which read the memory from a store."""
    guide = Guide(SITE, seed=1)
    guide.resume(10.0, json.loads(json.dumps(memory)))
    return guide


def bands(turns: list[Turn]) -> list[tuple[float, float]]:
    return [(turn.low, turn.high) for turn in turns if turn.hosts]


def test_a_run_that_goes_on_wants_what_the_run_before_wanted() -> None:
    before = crawl("bandit", most=60, settings={"explore": 0.0}).guide
    memory = before.memory()
    after = Guide(SITE, seed=1, settings={"explore": 0.0})
    after.resume(10.0, json.loads(json.dumps(memory)))
    assert bands(after.order.turns())[0] == bands(before.order.turns())[0]
    assert after.order.best() == pytest.approx(before.order.best(), rel=0.05)


def test_new_arms_of_a_run_that_goes_on_have_bands_of_their_own() -> None:
    memory = crawl("bandit", most=60).guide.memory()
    first, second = gone_on(memory), gone_on(memory)
    second.resume(10.5, memory)
    assert isinstance(first.order, Bandit)
    old = {arm[0] for arm in memory["arms"]}  # type: ignore[attr-defined]  # JSON
    assert first.order.memory()["next_band"] > max(old)  # type: ignore[operator]  # JSON
    assert second.order.memory()["next_band"] != first.order.memory()["next_band"]


NONSENSE: list[dict[str, Any]] = [
    {},
    {"version": 99},
    {"version": 1},
    {"version": 1, "next_band": "x", "visits": 1, "arms": [], "kinds": []},
    {"version": 1, "next_band": 5, "visits": 1, "arms": [[1, 2]], "kinds": []},
]


@pytest.mark.parametrize("memory", NONSENSE)
def test_a_memory_that_makes_no_sense_is_not_heeded(memory: dict[str, Any]) -> None:
    guide = gone_on(memory)
    assert guide.order.best() == 0.0
    left_over = [turn for turn in guide.order.turns() if not turn.hosts]
    assert [turn.low for turn in left_over] == [0.0]


def test_what_was_found_after_the_memory_was_written_is_claimed_as_left_over() -> None:
    memory = crawl("bandit", most=60).guide.memory()
    turns = gone_on(memory).order.turns()
    left_over = [turn for turn in turns if not turn.hosts]
    assert left_over[0].low == memory["next_band"] * 1024.0  # type: ignore[operator]  # JSON


def test_a_run_that_goes_on_knows_the_roles_that_were_learned() -> None:
    before = crawl("bandit", most=120).guide
    after = gone_on(before.memory())
    known = [leaf for leaf in before.learner.tree.live() if leaf.evidence.visits >= 3]
    assert len(known) >= 3
    for leaf in known:
        assert after.learner.believe(leaf.first)[1:] == before.learner.believe_kind(leaf)[1:]
    assert {(rule.match, rule.role) for rule in after.rules()} >= {
        (rule.match, rule.role) for rule in before.rules() if rule.state is RuleState.ACTIVE
    }


@pytest.mark.parametrize(
    "learned", [None, 5, [[]], [["http://x/", [1.0], [], [], []]], [["u", ["x"] * 21, [], [], []]]]
)
def test_evidence_that_makes_no_sense_is_not_heeded(learned: object) -> None:
    guide = gone_on({"learned": learned})
    assert not any(leaf.evidence.visits for leaf in guide.learner.tree.live())
