"""What a fetch costs, against bare aiohttp and httpx, on the same loopback server in the same run.

    ./dev bench fetch [--requests N] [--rounds N]

A page of 5,000 bytes, 16 requests at a time over kept connections, on uvloop. Counted is the CPU of the
client's process; the server is another one. `transport` is httpx's interface over our transport, `fetcher`
the whole: guard, deadline, slow-body limit, cap, cookies, redirects, and the response as a value.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import cast

import aiohttp
import httpx
import uvloop

from benchmarks._harness import alternate, machine, say, table
from harvester.fetch.dns import DnsCache, SystemLookup
from harvester.fetch.fetcher import HttpFetcher
from harvester.fetch.guard import Guard
from harvester.fetch.transport import AiohttpTransport
from harvester.model.http import JarKey, Request

AT_ONCE = 16
ANSWER = (
    b"HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Mon, 30 Nov 2026 10:00:00 GMT\r\nVary: Accept-Encoding\r\n"
    b"Content-Type: text/html; charset=utf-8\r\nCache-Control: private\r\nContent-Length: 5000\r\n\r\n"
    + b"x"
    * 5000
)

Get = Callable[[str], Awaitable[object]]


class _Server(asyncio.Protocol):
    """Answers every request with the same page."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one in all but name
        self._received = b""

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received:
            _, _, self._received = self._received.partition(b"\r\n\r\n")
            self._transport.write(ANSWER)


async def _serve() -> None:
    server = await asyncio.get_running_loop().create_server(_Server, "127.0.0.1", 0)
    say(str(server.sockets[0].getsockname()[1]))
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until the parent is gone
    server.close()


async def _fetch_all(get: Get, port: int, requests: int) -> None:
    urls = iter(
        [f"http://127.0.0.1:{port}/thread-{number}-1-1.html?a=%7E{number}" for number in range(requests)]
    )

    async def worker() -> None:
        for url in urls:
            await get(url)

    await asyncio.gather(*[worker() for _ in range(AT_ONCE)])


async def _aiohttp(port: int, requests: int) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:

        async def get(url: str) -> object:
            async with session.get(url) as response:
                return await response.read()

        await _fetch_all(get, port, requests)


async def _httpx(port: int, requests: int) -> None:
    async with httpx.AsyncClient() as client:
        await _fetch_all(client.get, port, requests)


async def _transport(port: int, requests: int) -> None:
    lookup = SystemLookup()
    transport = AiohttpTransport(guard=Guard(frozenset({("127.0.0.1", port)})), dns=DnsCache(lookup))

    async def get(url: str) -> object:
        response = await transport.handle_async_request(httpx.Request("GET", url))
        assert isinstance(response.stream, httpx.AsyncByteStream)
        body = [chunk async for chunk in response.stream]
        await response.stream.aclose()
        return body

    await _fetch_all(get, port, requests)
    await transport.aclose()
    lookup.close()


async def _fetcher(port: int, requests: int) -> None:
    fetcher = HttpFetcher(allowed=frozenset({("127.0.0.1", port)}))
    jar = JarKey("bench")

    async def get(url: str) -> object:
        return await fetcher.fetch(Request(url), jar=jar)

    await _fetch_all(get, port, requests)
    await fetcher.aclose()


CONTENDERS = {
    "bare aiohttp": _aiohttp,
    "ours: transport": _transport,
    "ours: fetcher": _fetcher,
    "httpx, one client": _httpx,
}


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(prog="bench fetch")
    parser.add_argument("--requests", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        uvloop.run(_serve())
        return
    command = [sys.executable, "-m", "benchmarks.bench_fetch", "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline())

        def run(contender: Callable[[int, int], Awaitable[None]]) -> Callable[[], object]:
            async def all_of_them() -> None:
                await contender(port, options.requests)

            return lambda: uvloop.run(all_of_them())

        try:
            timings = alternate(
                {name: run(contender) for name, contender in CONTENDERS.items()}, options.rounds
            )
        finally:
            server.terminate()
    base = timings["bare aiohttp"].median
    rows = [("", "CPU-s / 1,000", "vs bare aiohttp")]
    for name, timing in timings.items():
        rows.append((name, f"{timing.median / options.requests * 1000:.3f}", f"{timing.median / base:.2f}x"))
    say(machine())
    say(table(rows))


if __name__ == "__main__":
    main()
