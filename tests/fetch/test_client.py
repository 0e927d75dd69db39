"""One exchange within its limits."""

from __future__ import annotations

import asyncio
import resource

import pytest

from harvester.errors import BodyTooLarge, ConnectFailed, TimedOut
from harvester.model.http import FetchLimits, Request
from tests.fetch.support import fetching, in_loop
from tests.servers.bombs import bomb
from tests.servers.raw import Exchange, replies


@in_loop
async def test_a_connection_that_never_gets_through_tls_is_a_timeout():
    async with fetching(replies()) as (fetcher, server):
        with pytest.raises((TimedOut, ConnectFailed)):
            await fetcher.fetch(Request(server.url(scheme="https")), limits=FetchLimits(connect=0.2, total=5))


@in_loop
async def test_cancelling_a_fetch_closes_its_connection():
    arrived, gone = asyncio.Event(), asyncio.Event()

    async def silent(exchange: Exchange) -> None:
        arrived.set()
        await exchange.reader.read()
        gone.set()
        exchange.close = True

    async with fetching(silent) as (fetcher, server):
        task = asyncio.create_task(fetcher.fetch(Request(server.url())))
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(gone.wait(), 2)


@in_loop
async def test_a_gzip_bomb_of_a_gigabyte_does_not_fill_the_memory():
    async with fetching(replies(200, bomb("gzip"), "Content-Encoding: gzip")) as (fetcher, server):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with pytest.raises(BodyTooLarge):
            await fetcher.fetch(Request(server.url()))
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 60 * 1024


@in_loop
async def test_a_zero_byte_body_is_an_answer():
    async with fetching(replies(200, b"", "Content-Type: application/x-bittorrent")) as (fetcher, server):
        assert (await fetcher.fetch(Request(server.url()))).body == b""


@in_loop
async def test_a_503_comes_back_with_its_retry_after():
    async with fetching(replies(503, b"busy", "Retry-After: 120")) as (fetcher, server):
        answer = await fetcher.fetch(Request(server.url()))
        assert (answer.status, answer.retry_after(0.0)) == (503, 120.0)
