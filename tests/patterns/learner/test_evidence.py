"""Roles by evidence, and how far they are trusted."""

from __future__ import annotations

import pytest

from harvester.model.site import Role, RuleState
from harvester.patterns.learner.evidence import Evidence, role_of, state_of, wilson


def test_wilson_needs_three_pages_for_probation_and_eight_for_active() -> None:
    assert state_of(2, wilson(2, 2)) is None
    assert state_of(3, wilson(3, 3)) is RuleState.PROBATION
    assert state_of(8, wilson(8, 8)) is RuleState.ACTIVE
    assert state_of(8, wilson(5, 8)) is None


@pytest.mark.parametrize(
    ("evidence", "role"),
    [
        (Evidence(visits=9, torrents=8), Role.DOWNLOAD),
        (Evidence(visits=9, shows=6, rows=9), Role.DETAIL),
        (Evidence(visits=20, shows=3, rows=18), Role.DETAIL),
        (Evidence(visits=9, rows=8, many=8), Role.LIST),
        (Evidence(visits=9, rows=9, links=50, flips=48), Role.FLIP),
        (Evidence(visits=3, passwords=3), Role.LOGIN),
        (Evidence(visits=9, gone=9), Role.IGNORE),
    ],
)
def test_the_role_is_what_the_visits_speak_for(evidence: Evidence, role: Role) -> None:
    assert role_of(evidence)[0] is role


def test_password_forms_tell_nothing_where_every_page_has_one() -> None:
    assert role_of(Evidence(visits=3, passwords=3), passwords_tell=False)[0] is Role.IGNORE


def test_without_visits_there_is_no_role() -> None:
    assert role_of(Evidence()) == (None, 0.0)
