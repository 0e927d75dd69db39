"""Asking a host for its robots.txt: the exchange only (RFC 9309 2.3), what it means is policy's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from harvester.errors import FetchError, Refused, TooManyRedirects
from harvester.model.http import FetchLimits, Request, Response, RobotsAnswer

ENDLESS = 310
"""The status of an answer that redirects never led to; robots.txt is unavailable then (RFC 9309 2.3.1.2)."""
READ_LIMIT = 500 * 1024
_LIMITS = FetchLimits(total=60.0, connect=15.0, idle=20.0, redirects=5, body=READ_LIMIT)

Send = Callable[[Request, FetchLimits], Awaitable[Response]]
"""Sends a request, follows its redirects anywhere, and cuts the body at the limit."""


async def fetch_robots(origin: str, send: Send) -> RobotsAnswer:
    """What `origin` says to /robots.txt; never raises a `FetchError`."""
    url = f"{origin.rstrip('/')}/robots.txt"
    try:
        response = await send(Request(url, headers=(("Accept", "text/plain,*/*;q=0.5"),)), _LIMITS)
    except TooManyRedirects as error:
        return RobotsAnswer(error.url, ENDLESS, why=f"{error.kind}: {error.why}")
    except FetchError as error:
        refused = error.reason if isinstance(error, Refused) else ""
        return RobotsAnswer(error.url, None, why=f"{error.kind}: {error.why}", refused=refused)
    return RobotsAnswer(response.url, response.status, response.body)
