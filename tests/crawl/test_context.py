from __future__ import annotations

from harvester.crawl.context import Budget, RecentKeys


def test_a_budget_is_spent_to_the_last_request_and_no_further() -> None:
    budget = Budget(None, 2, 5)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    assert budget.spent == 2
    assert not budget.left


def test_a_budget_without_limits_never_ends() -> None:
    budget = Budget(None, None)
    assert all(budget.spend() for _ in range(1000))


def test_recent_keys_say_what_is_news_and_stay_within_their_capacity() -> None:
    keys = RecentKeys(capacity=3)
    assert [keys.add(number) for number in (1, 2, 1, 3)] == [True, True, False, True]
    assert keys.add(4)
    assert 4 in keys
    assert 1 not in keys
