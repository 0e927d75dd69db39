"""Clients, one a host."""

from __future__ import annotations

import asyncio

import httpx

from harvester.fetch.place import Origin
from harvester.fetch.pool import ClientPool
from harvester.model.http import Request
from tests.fetch.support import fetching, in_loop
from tests.servers.raw import replies

A, B = Origin("http", "a.example", 80), Origin("http", "b.example", 80)


class Transport(httpx.AsyncBaseTransport):
    def __init__(self, proxy: str) -> None:
        self.proxy = proxy
        self.closed = asyncio.Event()

    async def aclose(self) -> None:
        self.closed.set()


class Made(list):
    """A factory that remembers what it made."""

    def __call__(self, proxy: str) -> Transport:
        self.append(Transport(proxy))
        return self[-1]


@in_loop
async def test_a_host_has_one_client_for_each_proxy():
    made = Made()
    pool = ClientPool(made)
    assert pool.client(A, "") is pool.client(A, "")
    assert pool.client(A, "p") is not pool.client(A, "")
    pool.client(B, "")
    assert [transport.proxy for transport in made] == ["", "p", ""]
    await pool.aclose()
    assert all(transport.closed.is_set() for transport in made)
    assert len(pool) == 0


@in_loop
async def test_an_idle_client_is_closed_and_a_busy_one_is_not():
    made = Made()
    pool = ClientPool(made, idle=0.02)
    pool.client(A, "")
    busy = pool.client(B, "")
    busy.busy = 1
    await asyncio.wait_for(made[0].closed.wait(), 5)
    assert len(pool) == 1
    busy.busy = 0
    await asyncio.wait_for(made[1].closed.wait(), 5)
    pool.client(A, "")
    await asyncio.wait_for(made[2].closed.wait(), 5)
    await pool.aclose()


@in_loop
async def test_closing_a_host_leaves_the_others():
    made = Made()
    pool = ClientPool(made)
    pool.client(A, "")
    pool.client(B, "")
    await pool.close_host("a.example")
    assert [transport.closed.is_set() for transport in made] == [True, False]
    await pool.aclose()


@in_loop
async def test_a_host_that_was_closed_is_connected_to_again():
    async with fetching(replies(200, b"x")) as (fetcher, server):
        await fetcher.fetch(Request(server.url()))
        await fetcher.close_host("127.0.0.1")
        await fetcher.fetch(Request(server.url()))
        assert server.connections == 2
