"""A host is asked no sooner than it, its robots.txt and the operator allow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from harvester.model.site import Hours, Politeness, Scope, SiteFile
from harvester.policy.politeness import (
    DEFAULT_PER_DAY,
    DEFAULT_PER_HOUR,
    LONGEST_HOLD,
    HostRules,
    HostState,
    after_request,
    after_response,
    host_rules,
    into_hours,
    iso,
    next_allowed,
    parse_retry_after,
)

NOW = 1_800_000_000.0
SITE = SiteFile("example", ("https://x.example/",), ("x.example",))
LOCAL = SiteFile("local", ("http://127.0.0.1:8101/",), ("127.0.0.1:8101",), politeness=Politeness(delay=0.0))
RULES = HostRules(delay=5.0)


def test_the_default_is_five_seconds_and_the_file_may_say_one() -> None:
    assert host_rules(SITE, "x.example") == HostRules(5.0, DEFAULT_PER_HOUR, DEFAULT_PER_DAY)
    assert host_rules(replace(SITE, politeness=Politeness(delay=1.0)), "x.example").delay == 1.0


def test_no_delay_below_a_second_but_on_loopback() -> None:
    hasty = replace(SITE, politeness=Politeness(delay=0.0))
    assert host_rules(hasty, "x.example").delay == 1.0
    assert host_rules(LOCAL, "127.0.0.1:8101").delay == 0.0


def test_holds_are_short_on_loopback_but_retry_after_is_kept() -> None:
    rules = host_rules(LOCAL, "127.0.0.1:8101")
    held = after_response(HostState(), rules, NOW, status=503)
    assert NOW < next_allowed(held, rules, NOW) < NOW + 2
    asked = after_response(HostState(), rules, NOW, status=503, retry_after="7")
    assert next_allowed(asked, rules, NOW) == NOW + 7


def test_another_host_one_hop_away_gets_five_seconds() -> None:
    assert host_rules(replace(SITE, politeness=Politeness(delay=1.0)), "cdn.example").delay == 5.0
    assert host_rules(LOCAL, "cdn.example").delay == 5.0


def test_the_crawl_delay_is_a_floor() -> None:
    assert host_rules(SITE, "x.example", 30.0).delay == 30.0
    assert host_rules(SITE, "x.example", 2.0).delay == 5.0
    assert host_rules(LOCAL, "127.0.0.1:8101", 3.0).delay == 3.0


def test_a_new_host_may_be_asked_at_once() -> None:
    assert next_allowed(HostState(), RULES, NOW) == NOW


def test_the_gap_is_the_delay_stretched_by_jitter() -> None:
    for jitter, gap in ((0.0, 5.0), (0.5, 5.625), (0.999, 6.25)):
        state = after_request(HostState(), RULES, NOW, jitter)
        assert next_allowed(state, RULES, NOW + 1) == pytest.approx(NOW + gap, abs=0.01)


def test_on_loopback_there_is_no_waiting() -> None:
    rules = host_rules(LOCAL, "127.0.0.1:8101")
    state = after_request(HostState(), rules, NOW, 0.9)
    state = after_response(state, rules, NOW + 3, status=200, seconds=3.0)
    assert next_allowed(state, rules, NOW + 3) == NOW + 3


def test_a_slow_host_is_asked_less_often() -> None:
    state = after_request(HostState(), RULES, NOW, 0.0)
    state = after_response(state, RULES, NOW + 10, status=200, seconds=10.0)
    assert next_allowed(state, RULES, NOW + 10) == NOW + 20
    state = after_response(state, RULES, NOW + 10, status=200, seconds=1e6)
    assert next_allowed(after_request(state, RULES, NOW, 0.0), RULES, NOW) == NOW + 60


@pytest.mark.parametrize("status", [429, 503])
def test_429_and_503_back_off_from_five_minutes_and_double(status: int) -> None:
    state = HostState()
    for hold in (300, 600, 1200, 2400):
        state = after_response(state, RULES, NOW, status=status)
        assert next_allowed(state, RULES, NOW) == NOW + hold
    for _ in range(40):
        state = after_response(state, RULES, NOW, status=status)
    assert next_allowed(state, RULES, NOW) == NOW + LONGEST_HOLD


def test_the_breaker_opens_after_three_failures_and_closes_by_a_success() -> None:
    state = after_response(HostState(), RULES, NOW, status=503)
    state = after_response(state, RULES, NOW, status=None)
    assert not state.broken(NOW)
    state = after_response(state, RULES, NOW, status=429)
    assert state.broken(NOW)
    assert not state.broken(state.hold_until)
    state = after_response(state, RULES, NOW, status=200)
    assert not state.broken(NOW)
    assert state.failures == 0
    assert next_allowed(state, RULES, NOW) == NOW


def test_failed_connections_hold_for_a_shorter_time() -> None:
    state = HostState()
    for hold in (30, 60, 300, 600):
        state = after_response(state, RULES, NOW, status=None)
        assert next_allowed(state, RULES, NOW) == NOW + hold


def test_other_errors_are_no_failure_of_the_host() -> None:
    assert after_response(HostState(), RULES, NOW, status=404).failures == 0
    assert after_response(HostState(), RULES, NOW, status=500).failures == 0


def test_retry_after_holds_the_host_as_long_as_it_says() -> None:
    state = after_response(HostState(), RULES, NOW, status=429, retry_after="17")
    assert next_allowed(state, RULES, NOW) == NOW + 17
    again = after_response(state, RULES, NOW + 17, status=429, retry_after="17")
    assert next_allowed(again, RULES, NOW + 17) == NOW + 17 + 600
    long = after_response(HostState(), RULES, NOW, status=503, retry_after="7200")
    assert next_allowed(long, RULES, NOW) == NOW + 7200
    endless = after_response(HostState(), RULES, NOW, status=503, retry_after="999999999999")
    assert next_allowed(endless, RULES, NOW) == NOW + LONGEST_HOLD


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("120", NOW + 120),
        (" 0 ", NOW),
        ("Fri, 15 Jan 2027 08:00:30 GMT", NOW + 30),
        ("Friday, 15-Jan-27 08:00:30 GMT", NOW + 30),
        ("Fri Jan 15 08:00:30 2027", NOW + 30),
        ("Fri, 31 Dec 1999 23:59:59 GMT", NOW),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("²", None),
        ("Fri, 99 Foo 2027", None),
        ("x" * 5000, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, time: float | None) -> None:
    assert parse_retry_after(value, NOW) == time


def test_the_hourly_and_daily_caps_hold() -> None:
    rules = HostRules(delay=1.0, per_hour=3, per_day=5)
    state, now = HostState(), NOW
    sent = []
    for _ in range(7):
        now = next_allowed(state, rules, now)
        sent.append(now - NOW)
        state = after_request(state, rules, now, 0.0)
    assert sent == [0, 1, 2, 3600, 3601, 86400, 86401]


@pytest.mark.parametrize(
    ("hours", "clock", "opens"),
    [
        (Hours(60, 120), 0, 60),
        (Hours(60, 120), 60, 60),
        (Hours(60, 120), 119, 119),
        (Hours(60, 120), 120, 1440 + 60),
        (Hours(1320, 360), 1380, 1380),
        (Hours(1320, 360), 100, 100),
        (Hours(1320, 360), 720, 1320),
        (None, 720, 720),
    ],
)
def test_requests_wait_for_the_hours_of_the_day(hours: Hours | None, clock: int, opens: int) -> None:
    midnight = 20_000 * 86400.0
    assert into_hours(midnight + clock * 60, hours) == midnight + opens * 60
    site = replace(SITE, scope=Scope(hours=hours))
    assert (
        next_allowed(HostState(), host_rules(site, "x.example"), midnight + clock * 60)
        == midnight + opens * 60
    )


@given(
    st.lists(
        st.tuples(st.sampled_from([200, 404, 429, 500, 503, None]), st.floats(0, 120), st.floats(0, 0.999)),
        max_size=40,
    )
)
def test_two_requests_are_never_closer_than_the_delay(answers: list[tuple[int | None, float, float]]) -> None:
    rules = HostRules(delay=5.0, per_hour=20, per_day=30, hours=Hours(0, 600))
    state, now, last = HostState(), NOW, 0.0
    for status, seconds, jitter in answers:
        now = next_allowed(state, rules, now)
        assert now >= last + 5.0
        state, last = after_request(state, rules, now, jitter), now
        now += seconds
        state = after_response(state, rules, now, status=status, seconds=seconds)
        assert next_allowed(state, rules, now) <= now + LONGEST_HOLD + 2 * 86400


def test_times_are_written_for_people() -> None:
    assert iso(NOW) == "2027-01-15 08:00 UTC"
