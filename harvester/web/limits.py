"""How much one client may ask for: token buckets in memory."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import ip_address

MAX_CLIENTS = 10_000
"""Clients that are remembered; the one that was quiet longest is forgotten first."""


class RateLimiter:
    """At most `per_minute` requests a minute for each client, evenly or in a burst of a quarter of them.

    Takes `now` (monotonic seconds); 0 limits nothing. For one event loop.
    """

    def __init__(self, per_minute: int) -> None:
        self._rate = per_minute / 60
        self._most = max(per_minute / 4, 1.0)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_for(self, client: str, now: float) -> float:
        """0 and one request taken, or the seconds after which the client may ask again."""
        if not self._rate:
            return 0.0
        tokens, since = self._buckets.pop(client, (self._most, now))
        tokens = min(self._most, tokens + max(0.0, now - since) * self._rate)
        allowed = tokens >= 1
        self._buckets[client] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > MAX_CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self._rate


def client_of(address: str) -> str:
    """What of an address makes a client: all of IPv4, the /64 of IPv6, which one household has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "unknown"
    if parsed.version == 4:
        return str(parsed)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return str(mapped) if mapped else str(int(parsed) >> 64)
