"""Token buckets."""

from __future__ import annotations

import pytest

from harvester.web.limits import MAX_CLIENTS, RateLimiter, client_of


def test_a_burst_passes_and_then_the_rate_holds() -> None:
    limiter = RateLimiter(60)
    assert [limiter.wait_for("a", 0.0) for _ in range(15)] == [0.0] * 15
    wait = limiter.wait_for("a", 0.0)
    assert 0 < wait <= 1
    assert limiter.wait_for("a", wait) == 0.0
    assert limiter.wait_for("a", wait) > 0


def test_clients_do_not_pay_for_each_other() -> None:
    limiter = RateLimiter(4)
    assert limiter.wait_for("a", 0.0) == 0.0
    assert limiter.wait_for("a", 0.0) > 0
    assert limiter.wait_for("b", 0.0) == 0.0


def test_no_limit_limits_nothing() -> None:
    limiter = RateLimiter(0)
    assert not any(limiter.wait_for("a", 0.0) for _ in range(10_000))


def test_strangers_without_number_take_bounded_memory() -> None:
    limiter = RateLimiter(60)
    for number in range(MAX_CLIENTS + 100):
        limiter.wait_for(str(number), 0.0)
    assert len(limiter._buckets) == MAX_CLIENTS


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("", "no address", True),
    ],
)
def test_a_household_of_ipv6_is_one_client(one: str, other: str, same: bool) -> None:
    assert (client_of(one) == client_of(other)) is same
