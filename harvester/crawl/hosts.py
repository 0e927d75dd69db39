"""What the crawl knows of each host: its patience and its robots.txt."""

from __future__ import annotations

import random

from harvester.crawl.admission import host_of
from harvester.model.crawl import HostState as StoredHost
from harvester.model.crawl import RobotsText
from harvester.model.site import SiteFile
from harvester.policy.politeness import (
    HostRules,
    HostState,
    after_request,
    after_response,
    host_rules,
    next_allowed,
)
from harvester.policy.robots import RobotsPolicy, parse_robots


class Hosts:
    """The hosts of one crawl, by name (`host` or `host:port`). Times in UTC seconds, passed in."""

    def __init__(self, site: SiteFile, agent: str, seed: int = 0) -> None:
        self._site = site
        self._agent = agent
        self._states: dict[str, HostState] = {}
        self._rules: dict[str, HostRules] = {}
        self._changed: set[str] = set()
        self._random = random.Random(seed)
        self.robots: dict[str, RobotsPolicy] = {}
        self.refused: dict[str, str] = {}
        """Origins that are never asked, with the reason (`private_address`)."""

    def __contains__(self, host: str) -> bool:
        return host in self._states

    def recall(self, host: str, stored: StoredHost | None, robots: RobotsText | None, origin: str) -> None:
        """Take up what was remembered of a host from earlier runs."""
        if robots is not None:
            status = robots.status or None
            self.robots[origin] = parse_robots(robots.text.encode("latin-1"), status, now=robots.fetched_at)
        self._rules[host] = host_rules(self._site, host, self._robots_delay(origin))
        self._states[host] = _recalled(stored) if stored is not None else HostState()

    def learn_robots(self, origin: str, policy: RobotsPolicy) -> None:
        """Take in a freshly fetched robots.txt."""
        host = host_of(origin)
        self.robots[origin] = policy
        self._rules[host] = host_rules(self._site, host, self._robots_delay(origin))

    def policy(self, origin: str, now: float) -> RobotsPolicy | None:
        """The robots.txt of an origin, None when it has to be asked for (again)."""
        policy = self.robots.get(origin)
        return policy if policy is not None and policy.expires_at > now else None

    def next_allowed(self, host: str, now: float) -> float:
        """The earliest time at which `host` may be asked."""
        return next_allowed(self._states[host], self._rules[host], now)

    def asked(self, host: str, now: float) -> None:
        """A request goes out now."""
        state = self._states[host]
        self._states[host] = after_request(state, self._rules[host], now, self._random.random())
        self._changed.add(host)

    def answered(
        self, host: str, now: float, *, status: int | None, seconds: float, retry_after: str = ""
    ) -> None:
        """An answer (or none: `status` None) came after `seconds`."""
        self._states[host] = after_response(
            self._states[host],
            self._rules[host],
            now,
            status=status,
            seconds=seconds,
            retry_after=retry_after,
        )
        self._changed.add(host)

    def broken(self, host: str, now: float) -> bool:
        """Whether the circuit breaker holds the host."""
        return self._states[host].broken(now)

    def held(self, now: float) -> dict[str, float]:
        """The hosts that Retry-After, back-off or the circuit breaker holds, and until when."""
        return {host: state.hold_until for host, state in self._states.items() if state.hold_until > now}

    def remember(self, host: str) -> None:
        """Let the store know when the host may be asked, though it was not asked since the last time."""
        self._changed.add(host)

    def changes(self, now: float) -> list[StoredHost]:
        """The hosts that changed since the last call, as the store keeps them."""
        changed, self._changed = self._changed, set()
        return [self._stored(host, now) for host in sorted(changed)]

    def _stored(self, host: str, now: float) -> StoredHost:
        state, rules = self._states[host], self._rules[host]
        return StoredHost(
            name=host,
            next_at=next_allowed(state, rules, now),
            delay=rules.delay,
            failures=state.failures,
            open_until=state.hold_until,
            hour_start=state.hour_start,
            hour_count=state.hour_count,
            day_start=state.day_start,
            day_count=state.day_count,
        )

    def _robots_delay(self, origin: str) -> float | None:
        policy = self.robots.get(origin)
        return policy.crawl_delay(self._agent) if policy is not None else None


def _recalled(stored: StoredHost) -> HostState:
    return HostState(
        hold_until=max(stored.open_until, stored.next_at),
        failures=stored.failures,
        hour_start=stored.hour_start,
        hour_count=stored.hour_count,
        day_start=stored.day_start,
        day_count=stored.day_count,
    )
