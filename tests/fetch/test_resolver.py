"""The guard where aiohttp connects."""

from __future__ import annotations

import socket

import pytest

from harvester.errors import NameNotResolved, Refused
from harvester.fetch.dns import DnsCache
from harvester.fetch.guard import Guard
from harvester.fetch.resolver import GuardedResolver
from tests.fetch.support import in_loop, resolves


async def mixed(_: str) -> tuple[str, ...]:
    return ("10.0.0.1", "2606:4700:4700::1111", "93.184.216.34")


@in_loop
async def test_aiohttp_is_given_only_the_addresses_that_are_open():
    resolver = GuardedResolver(Guard(), DnsCache(mixed))
    found = await resolver.resolve("mixed.example", 80)
    assert [(result["host"], result["family"]) for result in found] == [
        ("2606:4700:4700::1111", socket.AF_INET6),
        ("93.184.216.34", socket.AF_INET),
    ]
    only = await resolver.resolve("mixed.example", 80, socket.AF_INET)
    assert [result["host"] for result in only] == ["93.184.216.34"]


@in_loop
async def test_a_name_with_closed_addresses_only_is_refused_and_a_dead_one_is_named():
    resolver = GuardedResolver(Guard(), DnsCache(resolves({"inside.example": "192.168.1.1"})))
    with pytest.raises(Refused):
        await resolver.resolve("inside.example", 80)
    with pytest.raises(NameNotResolved):
        await resolver.resolve("dead.example", 80)


@in_loop
async def test_the_operators_proxy_may_stand_anywhere_but_only_there():
    cache = DnsCache(resolves({"proxy.example": "127.0.0.1"}))
    resolver = GuardedResolver(Guard(), cache, ("proxy.example", 8080))
    assert (await resolver.resolve("proxy.example", 8080))[0]["host"] == "127.0.0.1"
    with pytest.raises(Refused):
        await resolver.resolve("proxy.example", 80)
