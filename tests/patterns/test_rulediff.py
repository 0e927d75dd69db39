"""What changed between two versions of learned rules."""

from __future__ import annotations

from msgspec.structs import replace

from harvester.model.site import Role, Rule, RuleState
from harvester.patterns.rulediff import rule_changes

OLD = Rule("thread", Role.DETAIL, r"^/t/\d+$", state=RuleState.PROBATION)


def test_added_removed_and_changed_rules_are_named() -> None:
    new = replace(OLD, state=RuleState.ACTIVE)
    board = Rule("board", Role.LIST, r"^/b/\d+$")
    gone = Rule("old", Role.LIST, "^/x$")
    words = [change.words() for change in rule_changes([OLD, gone], [new, board])]
    assert words == [
        "removed old: list, active, ^/x$",
        "changed thread: state probation -> active",
        r"added board: list, active, ^/b/\d+$",
    ]


def test_the_order_alone_is_no_change() -> None:
    other = Rule("board", Role.LIST, "^/b$")
    assert not rule_changes([OLD, other], [other, OLD])
