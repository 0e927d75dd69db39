"""A page is visited again when a change is likely, sooner where people look."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.policy.revisit import (
    DAY,
    HOUR,
    LONGEST,
    POLICIES,
    SHORTEST,
    PageHistory,
    change_rate,
    sample_clusters,
    with_cluster_rates,
)

NOW = 1_800_000_000.0


def watched(visits: int, changes: int, interval: float = DAY, **more: object) -> PageHistory:
    return PageHistory(NOW - visits * interval, NOW, visits, changes, **more)  # type: ignore[arg-type]


def wait(policy: str, history: PageHistory) -> float:
    return POLICIES[policy](history, NOW) - history.last_visit


def test_the_policies_are_known_by_name() -> None:
    assert set(POLICIES) == {"uniform", "poisson", "user_experience", "cluster"}


def test_uniform_treats_all_pages_alike() -> None:
    assert wait("uniform", watched(10, 10)) == wait("uniform", watched(10, 0)) == 7 * DAY


@pytest.mark.parametrize("interval_in_days", [0.5, 1.0, 2.0])
def test_the_estimate_of_the_change_rate_is_nearly_without_bias(interval_in_days: float) -> None:
    randomness = random.Random(11)
    rate = 1.0 / DAY
    estimates = []
    for _ in range(400):
        changes = sum(
            randomness.expovariate(rate) < interval_in_days * DAY for _ in range(40)
        )  # a visit sees a change when at least one came
        estimates.append(change_rate(watched(40, changes, interval_in_days * DAY)))
    assert sum(estimates) / len(estimates) == pytest.approx(rate, rel=0.08)


def test_a_page_that_always_changed_has_a_finite_rate() -> None:
    assert 0 < change_rate(watched(10, 10)) < 10 / DAY


def test_without_evidence_the_rate_is_nought() -> None:
    assert change_rate(PageHistory(NOW, NOW, 0, 0)) == 0.0


def test_a_page_that_changes_often_is_due_sooner() -> None:
    assert wait("poisson", watched(10, 9)) < wait("poisson", watched(10, 5)) < wait("poisson", watched(10, 1))


def test_a_page_that_never_changed_is_left_longer_and_longer() -> None:
    waits = [wait("poisson", watched(visits, 0)) for visits in (1, 5, 20, 200)]
    assert waits == sorted(waits)
    assert waits[-1] == LONGEST


def test_a_new_page_is_looked_at_after_a_day() -> None:
    assert wait("poisson", PageHistory(NOW, NOW, 0, 0)) == DAY


def test_a_page_that_people_use_is_due_sooner() -> None:
    assert wait("user_experience", watched(10, 2, clicks=8)) == pytest.approx(
        wait("poisson", watched(10, 2)) / 3
    )
    assert wait("user_experience", watched(10, 2)) == wait("poisson", watched(10, 2))


def test_a_new_page_follows_its_cluster_and_an_old_one_itself() -> None:
    busy = 4.0 / DAY
    new = PageHistory(NOW, NOW, 0, 0, cluster="board:2", cluster_rate=busy)
    assert wait("cluster", new) == pytest.approx(0.693 / busy, rel=0.01)
    old = watched(200, 2, cluster="board:2", cluster_rate=busy)
    assert wait("cluster", old) > 5 * wait("cluster", new)
    assert wait("cluster", watched(10, 2)) == wait("poisson", watched(10, 2))


def test_a_cluster_is_sampled_by_its_longest_unvisited_pages() -> None:
    pages = [PageHistory(0, NOW - n, 1, 0, cluster="a") for n in range(50)]
    pages += [PageHistory(0, NOW - n, 1, 0, cluster="b") for n in range(2)]
    chosen = sample_clusters(pages)
    assert [page.last_visit for page in chosen if page.cluster == "a"] == [
        NOW - n for n in (49, 48, 47, 46, 45)
    ]
    assert sum(page.cluster == "b" for page in chosen) == 2


def test_the_rate_of_a_cluster_is_the_mean_of_what_is_known() -> None:
    known = [watched(10, 2, cluster="a"), watched(10, 8, cluster="a")]
    new = PageHistory(NOW, NOW, 0, 0, cluster="a")
    alone = PageHistory(NOW, NOW, 0, 0, cluster="b")
    rated = with_cluster_rates([*known, new, alone])
    assert rated[2].cluster_rate == pytest.approx(sum(map(change_rate, known)) / 2)
    assert rated[3].cluster_rate is None


@given(
    st.sampled_from(sorted(POLICIES)),
    st.integers(0, 500),
    st.integers(0, 600),
    st.floats(0, 1e9),
    st.floats(0, 1e6),
    st.none() | st.floats(0, 1),
)
def test_no_page_is_due_within_the_hour_or_after_two_months(
    policy: str, visits: int, changes: int, span: float, clicks: float, rate: float | None
) -> None:
    history = PageHistory(NOW - span, NOW, visits, changes, clicks, "c", rate)
    assert SHORTEST - 1 <= wait(policy, history) <= LONGEST + 1
    assert SHORTEST == HOUR
