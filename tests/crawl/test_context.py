from __future__ import annotations

from harvester.crawl.context import AnchorTexts, Budget, RecentKeys


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


def test_an_anchor_text_is_written_once_and_a_url_has_only_so_many() -> None:
    texts = AnchorTexts()
    assert [texts.is_news(1, text) for text in ("a", "b", "a")] == [True, True, False]
    assert texts.is_news(2, "a")
    assert sum(texts.is_news(1, f"{number} replies") for number in range(100)) == AnchorTexts.PER_URL - 2


def test_forgotten_anchor_texts_cost_only_a_row_written_twice() -> None:
    texts = AnchorTexts(capacity=3)
    assert all(texts.is_news(number, "a") for number in range(4))
    assert texts.is_news(0, "a")
