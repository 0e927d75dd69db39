"""The DNS cache."""

from __future__ import annotations

import asyncio
import socket

import pytest

from harvester.errors import NameNotResolved
from harvester.fetch.dns import DnsCache, SystemLookup
from tests.fetch.support import in_loop


class Names:
    """A resolver that counts, and a clock that the test moves."""

    def __init__(self, table=None):
        self.table = table or {}
        self.asked = []
        self.now = 0.0
        self.cache = DnsCache(
            self, ttl=100, negative_ttl=10, negative_ttl_max=35, timeout=0.05, clock=lambda: self.now
        )

    async def __call__(self, host):
        self.asked.append(host)
        await asyncio.sleep(0)
        answer = self.table.get(host)
        if answer is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        if answer == "hang":
            await asyncio.Event().wait()
        return answer

    async def fails(self, host):
        with pytest.raises(NameNotResolved) as caught:
            await self.cache.addresses(host)
        return caught.value.why


@in_loop
async def test_an_answer_is_kept_for_its_ttl_and_no_longer():
    names = Names({"a": ("8.8.8.8",)})
    for names.now in (0, 50, 99):
        assert await names.cache.addresses("a") == ("8.8.8.8",)
    assert names.asked == ["a"]
    names.table["a"] = ("9.9.9.9",)
    names.now = 101
    assert await names.cache.addresses("a") == ("9.9.9.9",)


@in_loop
async def test_a_dead_name_is_asked_for_ever_more_rarely():
    names = Names()
    asked_at = []
    for names.now in range(100):
        before = len(names.asked)
        assert await names.fails("dead") == "no such name"
        if len(names.asked) > before:
            asked_at.append(names.now)
    assert asked_at == [0, 10, 30, 65]


@in_loop
async def test_a_name_that_comes_back_starts_afresh():
    names = Names()
    await names.fails("a")
    names.now = 11
    names.table["a"] = ("8.8.8.8",)
    assert await names.cache.addresses("a") == ("8.8.8.8",)
    del names.table["a"]
    names.now = 200
    await names.fails("a")
    names.now = 211
    await names.fails("a")
    assert len(names.asked) == 4


@in_loop
async def test_a_resolver_that_hangs_is_given_up():
    names = Names({"slow": "hang"})
    assert "did not answer" in await names.fails("slow")
    await names.fails("slow")
    assert names.asked == ["slow"]


@in_loop
async def test_calls_at_the_same_time_share_one_look_up():
    names = Names({"a": ("8.8.8.8",)})
    await asyncio.gather(*[names.cache.addresses("a") for _ in range(20)])
    assert names.asked == ["a"]


@in_loop
async def test_cancelling_one_caller_leaves_the_others_their_answer():
    names = Names({"a": ("8.8.8.8",)})
    one = asyncio.create_task(names.cache.addresses("a"))
    other = asyncio.create_task(names.cache.addresses("a"))
    await asyncio.sleep(0)
    one.cancel()
    assert await other == ("8.8.8.8",)


@in_loop
async def test_an_empty_answer_is_no_address():
    assert await Names({"a": ()}).fails("a") == "the name has no address"


@in_loop
async def test_the_cache_forgets_the_oldest_names_beyond_its_size():
    asked = []

    async def lookup(host):
        asked.append(host)
        return ("8.8.8.8",)

    cache = DnsCache(lookup, size=3)
    for host in ("a", "b", "c", "d", "d", "a"):
        await cache.addresses(host)
    assert asked == ["a", "b", "c", "d", "a"]


@in_loop
async def test_the_system_resolves_localhost_and_not_an_invalid_name():
    lookup = SystemLookup()
    cache = DnsCache(lookup)
    try:
        assert {"127.0.0.1", "::1"} & set(await cache.addresses("localhost"))
        with pytest.raises(NameNotResolved):
            await cache.addresses("x" * 70 + ".example")
    finally:
        await cache.aclose()
        lookup.close()
