"""Roles learned of recorded forums are those that their software has."""

from __future__ import annotations

import pytest

from benchmarks.measures import Truth, role_scores
from benchmarks.roles import confusions, learn_recorded, recorded_truths, wrong
from harvester.model.site import Role, Rule, RuleState


@pytest.mark.parametrize(("name", "recording"), [("phpbb", "focus_login"), ("machina", "focus_anon")])
def test_the_roles_of_a_recorded_forum_are_learned(name: str, recording: str) -> None:
    rules = [rule for rule in learn_recorded(name, recording) if rule.state is RuleState.ACTIVE]
    precision, recall = role_scores(rules, recorded_truths(name, recording))
    assert precision >= 0.98
    assert recall >= 0.97
    assert len(rules) <= 25


def test_confusions_are_counted_and_what_may_be_called_either_way_is_none() -> None:
    rules = [Rule("a", Role.DETAIL, "^/t/"), Rule("b", Role.FLIP, "^/l/")]
    truths = [
        Truth("http://h/t/1", Role.DETAIL, Role.DETAIL),
        Truth("http://h/t/2", Role.LIST, Role.LIST),
        Truth("http://h/t/3", Role.IGNORE, Role.IGNORE, Role.DETAIL),
        Truth("http://h/l/1", Role.FLIP, Role.LIST),
        Truth("http://h/x", Role.LIST, Role.LIST),
        Truth("http://h/y", Role.IGNORE, Role.IGNORE),
    ]
    assert wrong(confusions(rules, truths)) == [("list", "detail", 1), ("list", "-", 1)]
