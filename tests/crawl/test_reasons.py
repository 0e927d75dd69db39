"""Every word that a crawl counts by has a sentence."""

from __future__ import annotations

import pytest

from harvester import errors
from harvester.crawl.reasons import what_failed, which_wall, why_left
from harvester.errors import FetchError
from harvester.model.wall import WallKind
from harvester.policy.scope import _RECORD
from harvester.policy.traps import CHECKS


@pytest.mark.parametrize("reason", sorted(_RECORD))
def test_everything_out_of_scope_is_explained(reason: str) -> None:
    assert why_left(reason) != reason.replace("_", " ")


@pytest.mark.parametrize(
    "name",
    [check.__name__ for check in CHECKS] + ["pagination_repeats", "copies", "growing_number", "barren"],
)
def test_every_trap_is_explained(name: str) -> None:
    assert why_left(f"trap:{name}").startswith("a trap: ")
    assert why_left(f"trap:{name}") != f"a trap: {name}"
    assert why_left(f"trap:{name}") != f"trap:{name}"


@pytest.mark.parametrize("kind", list(WallKind))
def test_every_wall_is_explained(kind: WallKind) -> None:
    assert len(which_wall(kind.value)) > len(kind.value)


@pytest.mark.parametrize(
    "kind",
    [
        error.kind
        for error in vars(errors).values()
        if isinstance(error, type) and issubclass(error, FetchError) and error is not FetchError
    ],
)
def test_every_error_is_explained(kind: str) -> None:
    assert what_failed(kind) != kind


def test_what_nobody_foresaw_is_still_words() -> None:
    assert why_left("action:check_in") == (
        "links that would change something on the site (check in): never followed"
    )
    assert why_left("quite_new") == "quite new"
    assert what_failed("http_418") == "the site answered 418"
