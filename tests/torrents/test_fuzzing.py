"""Mutants of real files: where libtorrent accepts one, we accept it with the same infohashes."""

from __future__ import annotations

import pytest

from tests.torrents.fuzzing import MUTATORS, Verdict, mutants


@pytest.fixture(scope="module")
def verdict() -> Verdict:
    """20,000 mutants, other ones than the benchmark's."""
    verdict = Verdict()
    for number, body in mutants(1_000_000, 20_000):
        verdict.add(number, body)
    return verdict


def test_no_infohash_differs_from_libtorrents(verdict: Verdict) -> None:
    assert verdict.disagreements == []


def test_nothing_that_libtorrent_accepts_is_refused(verdict: Verdict) -> None:
    assert verdict.missed == {}


def test_the_mutants_are_worth_reading(verdict: Verdict) -> None:
    assert verdict.tried == 20_000
    assert verdict.both > 5_000
    assert sum(verdict.extra.values()) > 500


def test_every_mutator_changes_something() -> None:
    import random

    from tests.torrents.fuzzing import seeds

    body = seeds()[0]
    for mutate in MUTATORS:
        assert any(mutate(random.Random(number), body) != body for number in range(20)), mutate
