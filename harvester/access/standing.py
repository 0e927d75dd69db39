"""How an account is doing, in words for its owner; `now` is UTC seconds."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from harvester.access.lockout import hint_for
from harvester.model.account import AccountState


class Standing(Struct, frozen=True):
    """`word` is a stable one; `next_step` is "" when there is none to take."""

    word: str
    words: str
    next_step: str = ""


def standing(state: AccountState, site: str, now: float) -> Standing:
    """How the account of a site is doing, and what its owner can do about it."""
    last = state.attempts[-1] if state.attempts else None
    if state.frozen:
        step = hint_for(last.verdict, site) if last is not None else f"harvest account test {site}"
        return Standing("frozen", f"frozen: {state.frozen}", step)
    if state.held_until > now:
        return Standing("held", f"waits until {_moment(state.held_until)}", "nothing to do")
    if state.proved_at:
        return Standing("member", f"logged in (seen {_moment(state.proved_at)})")
    if state.imported and state.cookies:
        return Standing("cookies", "has imported cookies")
    if state.challenge is not None and now < state.challenge.deadline:
        return Standing("waits", "waits for your answer", f"harvest captcha {site}")
    if state.ended_at:
        step = f"import fresh ones: harvest account add {site} --cookies FILE"
        if last is not None:
            step = hint_for(last.verdict, site) or "nothing to do: the next crawl logs in again"
        return Standing("expired", f"the session ended {_moment(state.ended_at)}", step)
    if last is not None:
        return Standing("out", "not logged in", hint_for(last.verdict, site))
    return Standing("new", "never logged in", f"harvest account test {site}")


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
