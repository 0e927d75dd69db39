"""The guard where aiohttp connects: the addresses it checked are the ones that aiohttp is given."""

from __future__ import annotations

import socket

from aiohttp.abc import AbstractResolver, ResolveResult

from harvester.fetch.dns import DnsCache
from harvester.fetch.guard import Guard


class GuardedResolver(AbstractResolver):
    """Resolves from the cache and lets only open addresses through.

    `proxy` is the (host, port) of the operator's own proxy, which may stand anywhere. Raises `Refused` and
    `NameNotResolved`, which are no `OSError` and so come through aiohttp as they are.
    """

    def __init__(self, guard: Guard, dns: DnsCache, proxy: tuple[str, int] | None = None) -> None:
        self._guard = guard
        self._dns = dns
        self._proxy = proxy

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The open addresses of `host`, as literals."""
        addresses = await self._dns.addresses(host)
        if (host, port) != self._proxy:
            addresses = self._guard.open_addresses(host, port, addresses)
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in addresses
            if family in (socket.AF_UNSPEC, socket.AF_INET6 if ":" in address else socket.AF_INET)
        ]

    async def close(self) -> None:
        """Nothing to do: the cache belongs to the fetcher."""
