"""When a host may be asked again: pure arithmetic on a frozen state."""

from __future__ import annotations

from dataclasses import dataclass

from harvester.model.site import Hours, SiteFile


@dataclass(frozen=True, slots=True)
class HostRules:
    """What holds for one host: the site file's wishes with their floors applied."""

    delay: float
    """Seconds between two requests (site file, raised to robots' Crawl-delay)."""
    per_hour: int | None = None
    per_day: int | None = None
    hours: Hours | None = None
    adaptive: bool = True
    """Whether a slow host is asked less often."""


@dataclass(frozen=True, slots=True)
class HostState:
    """What is known of a host's patience; times in UTC seconds."""

    last_request: float = 0.0
    gap: float = 0.0
    """Seconds to the next request, jitter included."""
    latency: float = 0.0
    """Moving average of response times, seconds; 0: none yet."""
    hold_until: float = 0.0
    """Retry-After or back-off."""
    failures: int = 0
    """Consecutive 429, 503 or failed connections."""
    hour_start: float = 0.0
    hour_count: int = 0
    day_start: float = 0.0
    day_count: int = 0

    def broken(self, now: float) -> bool:
        """Whether the circuit breaker holds the host: three failures in a row, and still on hold."""
        raise NotImplementedError


def host_rules(site: SiteFile, host: str, robots_delay: float | None = None) -> HostRules:
    """The rules for `host` (with port where given): 0 delay only on loopback, else at least 1 s."""
    raise NotImplementedError


def next_allowed(state: HostState, rules: HostRules, now: float) -> float:
    """The earliest time (>= now) at which a request may be sent."""
    raise NotImplementedError


def after_request(state: HostState, rules: HostRules, now: float, jitter: float = 0.5) -> HostState:
    """The state once a request is sent at `now`; `jitter` is a random float in [0, 1)."""
    raise NotImplementedError


def after_response(
    state: HostState,
    rules: HostRules,
    now: float,
    *,
    status: int | None,
    seconds: float = 0.0,
    retry_after: str = "",
) -> HostState:
    """The state once an answer came (`status` None: none came) after `seconds`."""
    raise NotImplementedError


def parse_retry_after(value: str, now: float) -> float | None:
    """Retry-After as the UTC time it names (RFC 9110 10.2.3), None when it makes no sense."""
    raise NotImplementedError
