"""No account is ever locked out by us."""

from __future__ import annotations

import pytest

from harvester.access.lockout import DAY, SPACING, after_login, by_this_clock, hint_for, may_try
from harvester.model.account import AccountState, Attempt, Verdict

NOW = 1_000_000.0


def after(
    *verdicts: Verdict, gap: float = SPACING, mark: str = "m", left: int | None = None
) -> tuple[AccountState, float]:
    state, now = AccountState(salt="s"), NOW
    for verdict in verdicts:
        state = after_login(state, verdict, mark, now, sent=True, left=left)
        now += gap
    return state, now


def test_a_refused_password_freezes_the_account_until_the_secret_changes() -> None:
    state, now = after(Verdict.BAD_CREDENTIALS)
    for later in (now, now + 30 * DAY):
        hold = may_try(state, "m", later, by_operator=True)
        assert hold is not None
        assert hold.until == 0.0
    assert may_try(state, "other", NOW + 1) is None


def test_few_tries_left_by_the_sites_own_count_freeze_it_too() -> None:
    state, now = after(Verdict.CAPTCHA_WRONG, left=3)
    hold = may_try(state, "m", now, by_operator=True)
    assert hold is not None
    assert "3 tries" in hold.why


def test_no_more_than_three_logins_a_day_are_sent() -> None:
    state, now = after(Verdict.OK, Verdict.OK, Verdict.OK)
    hold = may_try(state, "m", now)
    assert hold is not None
    assert hold.until == NOW + DAY
    assert may_try(state, "m", NOW + DAY) is None


def test_after_a_good_login_one_more_may_follow_at_once_and_then_they_are_spaced() -> None:
    state, now = after(Verdict.OK, gap=1.0)
    assert may_try(state, "m", now) is None
    state = after_login(state, Verdict.OK, "m", now, sent=True)
    hold = may_try(state, "m", now + 1)
    assert hold is not None
    assert hold.until == now + SPACING


def test_a_network_error_counts_as_an_attempt() -> None:
    state, now = after(Verdict.UNREACHABLE, gap=1.0)
    assert may_try(state, "m", now) is not None
    assert may_try(state, "m", NOW + SPACING) is None


def test_what_was_not_sent_does_not_count() -> None:
    state = after_login(AccountState(), Verdict.CAPTCHA_REQUIRED, "m", NOW, sent=False)
    assert state.attempts == ()
    assert may_try(state, "m", NOW + 1) is None


def test_two_wrong_captchas_wait_for_the_operator() -> None:
    state, now = after(Verdict.CAPTCHA_WRONG, Verdict.CAPTCHA_WRONG)
    assert may_try(state, "m", now) is not None
    assert may_try(state, "m", now, by_operator=True) is None


def test_a_lock_out_is_waited_out_for_a_day() -> None:
    state, now = after(Verdict.LOCKED_OUT)
    hold = may_try(state, "m", now, by_operator=True)
    assert hold is not None
    assert hold.until == NOW + DAY


def test_a_banned_account_is_left_alone_whoever_asks() -> None:
    state, now = after(Verdict.ACCOUNT_DISABLED)
    assert may_try(state, "m", now + 100 * DAY, by_operator=True) is not None


@pytest.mark.parametrize("verdict", [one for one in Verdict if one not in (Verdict.OK, Verdict.HELD)])
def test_every_verdict_has_a_next_step(verdict: Verdict) -> None:
    assert hint_for(verdict, "example")


def test_a_clock_that_was_wrong_neither_frees_the_account_nor_holds_it_for_years() -> None:
    ahead = NOW + 400 * DAY
    state = AccountState(
        attempts=(Attempt(ahead, Verdict.UNREACHABLE),) * 3, held_until=ahead, proved_at=ahead
    )
    right = by_this_clock(state, NOW)
    assert by_this_clock(right, NOW) == right
    assert may_try(right, "", NOW) is not None
    assert may_try(right, "", NOW + DAY + 1) is None
    assert (
        by_this_clock(AccountState(attempts=(Attempt(NOW - 5, Verdict.OK),)), NOW).attempts[0].at == NOW - 5
    )
