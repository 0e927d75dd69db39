"""Examples test their rules, and contradictions are named."""

from __future__ import annotations

import pytest

from harvester.errors import SiteFileError
from harvester.model.site import Role, Rule, RuleExample, RuleSource
from harvester.patterns.rulefile import check_examples, check_rules, rule_warnings, run_example, with_source
from harvester.patterns.rules import RuleSet

A = Rule("a", Role.LIST, "/a(x?)", "k:{1}", line=3)
B = Rule("b", Role.DETAIL, "/b", line=4)
RULES = RuleSet([A, B])


@pytest.mark.parametrize(
    ("example", "fault"),
    [
        (RuleExample("/a", "a"), ""),
        (RuleExample("/ax", "a", "k:x"), ""),
        (RuleExample("/c"), ""),
        (RuleExample("/ax", "a", "k:y"), "key is `k:x`, not `k:y`"),
        (RuleExample("/b", "a"), "taken by `b`, not by `a`"),
        (RuleExample("/b"), "taken by `b`, not by no rule"),
        (RuleExample("/c", "b"), "taken by no rule, not by `b`"),
    ],
)
def test_an_example_holds_or_says_why_not(example: RuleExample, fault: str) -> None:
    found = run_example(RULES, example)
    assert fault in found
    assert bool(found) == bool(fault)


def test_a_failed_example_refuses_the_file_at_its_line() -> None:
    with pytest.raises(SiteFileError) as caught:
        check_examples(RULES, [RuleExample("/b", "a", line=9)], "x.yaml")
    assert (caught.value.file, caught.value.line) == ("x.yaml", 9)
    assert "b (detail" in caught.value.hint


def test_an_id_there_twice_refuses_the_file() -> None:
    with pytest.raises(SiteFileError, match="first in line 3"):
        check_rules([A, Rule("a", Role.LIST, "/z", line=8)], "x.yaml")


def test_one_pattern_with_two_roles_is_a_contradiction() -> None:
    other = Rule("c", Role.TRAP, "/b", line=5)
    assert rule_warnings([B, other], [RuleExample("/b", "b"), RuleExample("/b", "c")]) == (
        "line 5: `c` has the pattern of `b` (line 4) but another role: detail wins over trap",
    )


def test_rules_take_the_source_of_their_file() -> None:
    assert {rule.source for rule in with_source([A, B], RuleSource.ENGINE)} == {RuleSource.ENGINE}
