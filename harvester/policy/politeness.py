"""When a host may be asked again: pure arithmetic on a frozen state.

The caller keeps one `HostState` for each host, passes `now` (UTC seconds) and the random number, and asks
`next_allowed` before each request. What several workers share is exactly this state.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from msgspec import Struct
from msgspec.structs import replace

from harvester.model.site import Hours, SiteFile, is_loopback

LEAST_DELAY = 1.0
"""Seconds; the least for a host that is not on loopback."""
DEFAULT_PER_HOUR = 1500
DEFAULT_PER_DAY = 15_000
FIRST_BACKOFF = 300.0
"""Seconds of hold after the first 429 or 503; doubled by each that follows."""
LONGEST_HOLD = 24 * 3600.0
"""No Retry-After and no back-off holds a host longer than this."""
BREAK_AFTER = 3
"""Failures in a row that open the circuit breaker."""
FIRST_FAILURE_HOLD = 30.0
"""Seconds of hold after a connection that failed; doubled likewise."""
JITTER = 0.25
"""A gap is stretched by up to this share, so that requests don't come like a clock."""
LATENCY_FACTOR = 2.0
"""A host that takes L seconds to answer is left alone for this many times L."""
LONGEST_ADAPTIVE = 60.0
LOOPBACK_BACKOFF = 1 / 600
"""On loopback nobody has to be spared: back-off shrinks to this share (half a second for the first 503)."""
_SMOOTHING = 0.3
_HOUR = 3600.0
_DAY = 86400.0


class HostRules(Struct, frozen=True):
    """What holds for one host: the site file's wishes with their floors applied."""

    delay: float
    """Seconds between two requests (site file, raised to robots' Crawl-delay)."""
    per_hour: int | None = None
    per_day: int | None = None
    hours: Hours | None = None
    adaptive: bool = True
    """Whether a slow host is asked less often."""
    backoff: float = 1.0
    """What the holds after failures are multiplied by; Retry-After is kept to the second in any case."""


class HostState(Struct, frozen=True):
    """What is known of a host's patience; times in UTC seconds."""

    last_request: float = 0.0
    gap: float = 0.0
    """Seconds from the last request to the next, jitter included."""
    latency: float = 0.0
    """Moving average of response times, seconds; 0: none yet."""
    hold_until: float = 0.0
    """Retry-After or back-off."""
    failures: int = 0
    """429, 503 and failed connections in a row."""
    hour_start: float = 0.0
    hour_count: int = 0
    day_start: float = 0.0
    day_count: int = 0

    def broken(self, now: float) -> bool:
        """Whether the circuit breaker holds the host: three failures in a row, and still on hold.

        After the hold one request goes out; its success closes the breaker, its failure doubles the hold.
        """
        return self.failures >= BREAK_AFTER and now < self.hold_until


def host_rules(site: SiteFile, host: str, robots_delay: float | None = None) -> HostRules:
    """The rules for `host` (with port where given): 0 delay only on loopback, else at least 1 s.

    `robots_delay` (Crawl-delay or Request-rate) is a floor, on loopback too. Another host's torrents, one
    hop away, are fetched under these rules with their own `robots_delay`.
    """
    wishes = site.politeness
    local = is_loopback(host)
    delay = max(wishes.delay if host in site.hosts else 5.0, LEAST_DELAY) if not local else wishes.delay
    return HostRules(
        delay=max(delay, robots_delay or 0.0),
        per_hour=wishes.per_hour or (None if local else DEFAULT_PER_HOUR),
        per_day=wishes.per_day or (None if local else DEFAULT_PER_DAY),
        hours=site.scope.hours,
        adaptive=not local,
        backoff=LOOPBACK_BACKOFF if local else 1.0,
    )


def next_allowed(state: HostState, rules: HostRules, now: float) -> float:
    """The earliest time (>= now) at which a request may be sent."""
    due = max(now, state.hold_until)
    if state.last_request:
        due = max(due, state.last_request + max(state.gap, rules.delay))
    if rules.per_hour is not None and state.hour_count >= rules.per_hour:
        due = max(due, state.hour_start + _HOUR)
    if rules.per_day is not None and state.day_count >= rules.per_day:
        due = max(due, state.day_start + _DAY)
    return into_hours(due, rules.hours)


def into_hours(time: float, hours: Hours | None) -> float:
    """`time`, or the next opening of the daily window (UTC) when it lies outside."""
    if hours is None:
        return time
    second = time % _DAY
    start, end = hours.start * 60.0, hours.end * 60.0
    inside = start <= second < end if start < end else second >= start or second < end
    return time if inside else time + (start - second) % _DAY


def after_request(state: HostState, rules: HostRules, now: float, jitter: float = 0.5) -> HostState:
    """The state once a request is sent at `now`; `jitter` is a random float in [0, 1)."""
    new_hour = now - state.hour_start >= _HOUR
    new_day = now - state.day_start >= _DAY
    return replace(
        state,
        last_request=now,
        gap=_gap(state, rules) * (1.0 + JITTER * jitter),
        hour_start=now if new_hour else state.hour_start,
        hour_count=1 if new_hour else state.hour_count + 1,
        day_start=now if new_day else state.day_start,
        day_count=1 if new_day else state.day_count + 1,
    )


def _gap(state: HostState, rules: HostRules) -> float:
    if not rules.adaptive:
        return rules.delay
    return max(rules.delay, min(LATENCY_FACTOR * state.latency, LONGEST_ADAPTIVE))


def after_response(
    state: HostState,
    rules: HostRules,
    now: float,
    *,
    status: int | None,
    seconds: float = 0.0,
    retry_after: str = "",
) -> HostState:
    """The state once an answer came (`status` None: none came) after `seconds`.

    429 and 503 hold the host for Retry-After, at least for 5 min, 10 min, 20 min … as they follow each
    other. A failed connection holds it for 30 s, 60 s …. Anything else closes the breaker.
    """
    latency = seconds if not state.latency else state.latency + _SMOOTHING * (seconds - state.latency)
    state = replace(
        state, latency=max(latency, 0.0), gap=max(state.gap, _gap(replace(state, latency=latency), rules))
    )
    if status is not None and status not in (429, 503):
        if not state.failures and not state.hold_until:
            return state
        return replace(state, failures=0, hold_until=0.0)
    failures = state.failures + 1
    first = FIRST_FAILURE_HOLD if status is None else FIRST_BACKOFF
    if status is None and failures >= BREAK_AFTER:
        first = FIRST_BACKOFF
        hold = first * 2.0 ** min(failures - BREAK_AFTER, 20)
    else:
        hold = first * 2.0 ** min(failures - 1, 20)
    until = now + min(hold, LONGEST_HOLD) * rules.backoff
    asked = parse_retry_after(retry_after, now) if retry_after else None
    if asked is not None:
        # With Retry-After the host has said how long; a repeat still backs off.
        until = asked if failures == 1 else max(asked, until)
    until = min(until, now + LONGEST_HOLD)
    return replace(state, failures=failures, hold_until=max(until, state.hold_until))


def parse_retry_after(value: str, now: float) -> float | None:
    """Retry-After as the UTC time it names (RFC 9110 10.2.3), None when it makes no sense.

    Never before `now`; far-off times are kept as they are.
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return now + float(value[:12])
    if len(value) > 60:
        return None
    try:
        date = parsedate_to_datetime(value)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return max(now, date.timestamp())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def iso(time: float) -> str:
    """A time for people: `2026-11-30 20:15 UTC`."""
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M UTC")
