"""When a login may be tried, so that no account is ever locked out by us.

Decided from what is remembered of earlier attempts, which is kept across restarts; `now` is UTC seconds.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from harvester.model.account import AccountState, Attempt, Verdict

PER_DAY = 3
"""Logins in 24 hours, good or bad."""
SPACING = 900.0
"""Seconds between two attempts; one more is allowed at once after a good one, for a session that ended."""
DAY = 86_400.0
CLOCK_SLACK = 60.0
"""Seconds by which the clocks of two machines may differ."""
FEW_TRIES = 3
"""With so many tries left by the site's own count, none is taken any more."""
CAPTCHA_TRIES = 2

_FROZEN = {
    Verdict.BAD_CREDENTIALS: "the site refused the user name or password",
    Verdict.ACCOUNT_DISABLED: "the site says that the account is disabled or banned",
}
_NEEDS_OPERATOR = {
    Verdict.SECURITY_QUESTION: "the account has a security question",
    Verdict.MUST_ACCEPT_RULES: "the site wants its rules to be accepted",
    Verdict.CHALLENGE: "a commercial challenge stands before the login",
    Verdict.REFUSED: "the password would have gone somewhere unsafe",
    Verdict.FORM_REFUSED: "the site did not take the form",
}
_ASKED = frozenset(
    {
        Verdict.CAPTCHA_REQUIRED,
        Verdict.CAPTCHA_WRONG,
        Verdict.SECOND_FACTOR,
        Verdict.SECURITY_QUESTION,
    }
)
"""After these the login goes on with the operator's answer, however soon."""
HINTS = {
    Verdict.BAD_CREDENTIALS: "correct the user name or password where the site file says they are, then: harvest account test {site}",
    Verdict.ACCOUNT_DISABLED: "ask the site's staff; Harvest leaves the account alone",
    Verdict.LOCKED_OUT: "wait a day; Harvest asks nothing of the login page until then",
    Verdict.FORM_REFUSED: "look at the login page in a browser; if it has changed, import cookies: harvest account add {site} --cookies FILE",
    Verdict.CAPTCHA_REQUIRED: "answer it: harvest captcha {site}",
    Verdict.CAPTCHA_WRONG: "answer a new one: harvest captcha {site}",
    Verdict.SECOND_FACTOR: "enter the code: harvest captcha {site}",
    Verdict.SECURITY_QUESTION: "answer it: harvest captcha {site}",
    Verdict.MUST_ACCEPT_RULES: "log in by browser, read and accept the rules, then: harvest account test {site}",
    Verdict.CHALLENGE: "log in by browser and import the cookies: harvest account add {site} --cookies FILE",
    Verdict.NO_FORM: "log in by browser and import the cookies: harvest account add {site} --cookies FILE",
    Verdict.REFUSED: "see the site file's hosts and allow_insecure",
    Verdict.ROBOTS: "robots.txt forbids the login page; record your decision in the site file (robots: account_actions)",
    Verdict.UNREACHABLE: "nothing to do; it is tried again later",
    Verdict.UNKNOWN: "look at the site in a browser, then: harvest account test {site}",
}
"""What the operator can do about each verdict; `{site}` is the site's name."""


class Hold(Struct, frozen=True):
    """Why no login may be sent now: `until` UTC seconds, 0 until the operator has done something."""

    why: str
    until: float = 0.0


def may_try(state: AccountState, mark: str, now: float, *, by_operator: bool = False) -> Hold | None:
    """Whether a login may be sent: None, or what holds it.

    `mark` identifies the secrets at hand: an account frozen under others is tried again. `by_operator`
    (who asked for it just now) lifts what only waits for an operator, never a refusal or a lock-out.
    """
    same_secrets = state.mark == mark
    if state.frozen and same_secrets and not (by_operator and not is_final(state.frozen)):
        return Hold(state.frozen)
    if now < state.held_until:
        return Hold("the site asked to wait", state.held_until)
    today = [attempt for attempt in state.attempts if attempt.at > now - DAY]
    if len(today) >= PER_DAY:
        return Hold(f"{PER_DAY} logins were sent in the last 24 hours", today[-PER_DAY].at + DAY)
    if not today:
        return None
    last = today[-1]
    if last.verdict is Verdict.OK and (len(today) < 2 or today[-2].at <= last.at - SPACING):
        return None
    if last.verdict is Verdict.BAD_CREDENTIALS and not same_secrets:
        return None
    if last.verdict in _ASKED and by_operator:
        return None
    if now < last.at + SPACING:
        return Hold("a login was sent a short while ago", last.at + SPACING)
    return None


def by_this_clock(state: AccountState, now: float) -> AccountState:
    """The state without times that lie ahead of `now`: the clock was wrong when they were written.

    Attempts count as made just now, and no wait is longer than it may be, so that a clock that was put right
    neither frees the account at once nor holds it for years.
    """
    if not _is_ahead(state, now):
        return state
    return replace(
        state,
        attempts=tuple(replace(one, at=min(one.at, now)) for one in state.attempts),
        held_until=min(state.held_until, now + DAY),
        proved_at=min(state.proved_at, now),
        ended_at=min(state.ended_at, now),
    )


def _is_ahead(state: AccountState, now: float) -> bool:
    latest = max((one.at for one in state.attempts), default=0.0)
    return max(latest, state.proved_at) > now + CLOCK_SLACK or state.held_until > now + DAY + CLOCK_SLACK


def is_final(frozen: str) -> bool:
    """Whether only other secrets (or the site's staff) can end a freeze of this reason."""
    return frozen.startswith(tuple(_FROZEN.values())) or frozen.startswith("only ")


def after_login(
    state: AccountState, verdict: Verdict, mark: str, now: float, *, sent: bool, left: int | None = None
) -> AccountState:
    """The state after an attempt; `sent`: the secrets went out, so the site may have counted a try."""
    attempts = (*state.attempts, Attempt(now, verdict))[-50:] if sent else state.attempts
    frozen = _FROZEN.get(verdict) or _NEEDS_OPERATOR.get(verdict, "")
    if not frozen and left is not None and left <= FEW_TRIES and verdict is not Verdict.OK:
        frozen = f"only {left} tries are left before the site locks us out"
    if verdict is Verdict.UNKNOWN and sent:
        frozen = "nothing shows whether the login worked"
    if verdict is Verdict.CAPTCHA_WRONG and _wrong_in_a_row(attempts) >= CAPTCHA_TRIES:
        frozen = f"{CAPTCHA_TRIES} captchas were answered wrongly"
    held = now + DAY if verdict is Verdict.LOCKED_OUT else 0.0
    return replace(
        state,
        attempts=attempts,
        mark=mark,
        frozen=frozen,
        held_until=max(held, state.held_until) if verdict is not Verdict.OK else 0.0,
        proved_at=now if verdict is Verdict.OK else 0.0,
        ended_at=0.0 if verdict is Verdict.OK else state.ended_at,
    )


def _wrong_in_a_row(attempts: tuple[Attempt, ...]) -> int:
    count = 0
    for attempt in reversed(attempts):
        if attempt.verdict is not Verdict.CAPTCHA_WRONG:
            break
        count += 1
    return count


def hint_for(verdict: Verdict, site: str) -> str:
    """What the operator can do about a verdict."""
    return HINTS.get(verdict, "").format(site=site)
