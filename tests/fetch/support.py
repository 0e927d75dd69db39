"""What the tests of this room share: a loop for each test, and a fetcher that is closed after it."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from harvester.fetch.fetcher import HttpFetcher
from harvester.model.http import FetchLimits
from tests.servers.raw import Handler, RawServer, serving

QUICK = FetchLimits(total=10.0, connect=2.0, idle=0.5, slow_grace=0.3, slow_rate=1000.0, body=1 << 20)


def in_loop(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Run an async test in a loop of its own."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*arguments, **named), 30))

    return run


def resolves(table: dict[str, str]) -> Callable[[str], Awaitable[tuple[str, ...]]]:
    """A resolver that knows only these names."""

    async def lookup(host: str) -> tuple[str, ...]:
        if host not in table:
            raise OSError("no such name")
        return (table[host],)

    return lookup


@asynccontextmanager
async def fetching(
    handler: Handler, *hosts: str, **settings: Any
) -> AsyncIterator[tuple[HttpFetcher, RawServer]]:
    """A server and a fetcher for which it is a configured site, also under the names `hosts`."""
    async with serving(handler) as server:
        names = ("127.0.0.1", *hosts)
        settings.setdefault("lookup", resolves(dict.fromkeys(hosts, "127.0.0.1")))
        fetcher = HttpFetcher(allowed=frozenset((name, server.port) for name in names), **settings)
        try:
            yield fetcher, server
        finally:
            await fetcher.aclose()
