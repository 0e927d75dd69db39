"""The clients in use, one a host and proxy, closed when they have been idle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx

from harvester.fetch.client import HostClient
from harvester.fetch.place import Origin

TransportFactory = Callable[[str], httpx.AsyncBaseTransport]
"""Makes the transport of one client; its argument is the proxy's URL, "" for none."""


class ClientPool:
    """Makes, keeps and closes `HostClient`s. One that has done nothing for `idle` seconds is closed."""

    def __init__(self, factory: TransportFactory, *, idle: float = 60.0) -> None:
        self._factory = factory
        self._idle = idle
        self._clients: dict[tuple[Origin, str], HostClient] = {}
        self._reaper: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._clients)

    def client(self, origin: Origin, proxy: str) -> HostClient:
        """The client of `origin` through `proxy`, made when there is none."""
        client = self._clients.get((origin, proxy))
        if client is None:
            client = HostClient(origin, self._factory(proxy))
            self._clients[origin, proxy] = client
            if self._reaper is None:
                self._reaper = asyncio.get_running_loop().create_task(self._reap())
        client.last_used = asyncio.get_running_loop().time()
        return client

    async def close_host(self, host: str) -> None:
        """Close the clients of a host that have no request under way."""
        await self._close(
            [key for key, client in self._clients.items() if key[0].host == host and not client.busy]
        )

    async def aclose(self) -> None:
        """Close all of them."""
        if self._reaper is not None:
            self._reaper.cancel()
            await asyncio.gather(self._reaper, return_exceptions=True)
            self._reaper = None
        await self._close(list(self._clients))

    async def _reap(self) -> None:
        loop = asyncio.get_running_loop()
        while self._clients:
            await asyncio.sleep(self._idle / 2)
            limit = loop.time() - self._idle
            await self._close(
                [
                    key
                    for key, client in self._clients.items()
                    if not client.busy and client.last_used <= limit
                ]
            )
        self._reaper = None

    async def _close(self, keys: list[tuple[Origin, str]]) -> None:
        for client in [self._clients.pop(key) for key in keys]:
            await client.aclose()
