"""Points are spent within the operator's limits only, which are none unless written."""

from __future__ import annotations

import pytest

from harvester.access.points import balance_in, cost_in, may_have_changed, spending_refusal, spends
from harvester.model.site import PointsPolicy

ALLOWED = PointsPolicy(max_per_item=5, max_per_day=8)


def test_nothing_is_spent_by_default() -> None:
    assert spending_refusal(PointsPolicy(), 1.0)


@pytest.mark.parametrize(
    ("cost", "spent", "fine"), [(5.0, 0.0, True), (6.0, 0.0, False), (5.0, 4.0, False), (None, 0.0, False)]
)
def test_limits_an_item_and_a_day_hold(cost: float | None, spent: float, fine: bool) -> None:
    assert (spending_refusal(ALLOWED, cost, spent_today=spent) == "") is fine


def test_a_balance_that_must_remain_has_to_be_known() -> None:
    policy = PointsPolicy(5, 8, min_balance=100)
    assert spending_refusal(policy, 5.0)
    assert spending_refusal(policy, 5.0, balance=104.0)
    assert spending_refusal(policy, 5.0, balance=105.0) == ""


@pytest.mark.parametrize(
    ("text", "cost"),
    [
        ("售价: 5 金币", 5.0),
        ("下载本附件需要 2 积分", 2.0),
        ("售价(金钱) 3 金钱 购买后余额(金钱) 97 金钱", 3.0),
        ("This file costs 10 credits", 10.0),
        ("免费下载", None),
    ],
)
def test_a_named_cost_is_read(text: str, cost: float | None) -> None:
    assert cost_in(text) == cost


def test_addresses_that_spend_are_known() -> None:
    assert spends("https://f.example/forum.php?mod=misc&action=attachcredit&aid=1&formhash=x")
    assert spends("https://t.example/torrents.php?action=download&id=1&usetoken=1")
    assert not spends("https://f.example/forum.php?mod=attachment&aid=MXx4")


@pytest.mark.parametrize(
    ("text", "balance"),
    [
        ("售价(金钱) 3 金钱 购买后余额(金钱) 97 金钱", 100.0),
        ("Price: 5 points. Your balance: 12 points", 12.0),
        ("售价: 5 金币", None),
    ],
)
def test_the_balance_before_a_purchase_is_read(text: str, balance: float | None) -> None:
    assert balance_in(text) == balance


def test_what_was_too_dear_is_looked_at_again_only_under_another_limit() -> None:
    said = spending_refusal(ALLOWED, 6.0)
    assert not may_have_changed(ALLOWED, said)
    assert may_have_changed(PointsPolicy(10, 10), said)
    assert may_have_changed(ALLOWED, spending_refusal(ALLOWED, 5.0, spent_today=5.0))
    assert not may_have_changed(PointsPolicy(), said)
