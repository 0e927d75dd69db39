"""One contract, two transports: ours over aiohttp, and httpx's own.

Where the two differ: httpx's own has no guard (it resolves by itself), never sends a request again on a fresh
connection when a kept one turns out closed, and does not bound the number of headers.
"""

from __future__ import annotations

import asyncio
import gzip
import zlib
from typing import NamedTuple

import brotli
import httpx
import pytest
import uvloop
import zstandard

from harvester.errors import (
    BadResponse,
    BodyTooLarge,
    BodyTruncated,
    ConnectFailed,
    FetchError,
    TimedOut,
    TooManyRedirects,
)
from harvester.fetch.dns import DnsCache
from harvester.fetch.fetcher import HttpFetcher
from harvester.fetch.guard import Guard
from harvester.fetch.transport import AiohttpTransport
from harvester.model.http import Hop, JarKey, Request
from tests.fetch.support import QUICK, in_loop, resolves
from tests.servers.raw import Exchange, replies, routes, sends, serving

JAR = JarKey("site")
PAGE = b"<html>page</html>" * 50


def own(_: str) -> httpx.AsyncBaseTransport:
    everywhere = frozenset(("127.0.0.1", port) for port in range(65536))
    return AiohttpTransport(guard=Guard(everywhere), dns=DnsCache(resolves({})))


def httpx_own(_: str) -> httpx.AsyncBaseTransport:
    return httpx.AsyncHTTPTransport()


@pytest.fixture(params=["ours", "ours on uvloop", "httpx"])
def run(request):
    factory = httpx_own if request.param == "httpx" else own
    loop_factory = uvloop.new_event_loop if "uvloop" in request.param else None

    def go(handler, check):
        async def main():
            async with serving(handler) as server:
                fetcher = HttpFetcher(transport=factory)
                try:
                    await asyncio.wait_for(check(fetcher, server), 20)
                finally:
                    await fetcher.aclose()

        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(main())

    return go


class Failed(NamedTuple):
    """How a fetch of `/x` ended: its error, the stable word for it, and the URLs it names and asked for."""

    error: type[FetchError]
    kind: str
    named: str = "/x"
    asked: tuple[str, ...] = ("/x",)


def failure(run, handler):
    found = []

    async def check(fetcher, server):
        with pytest.raises(FetchError) as caught:
            await fetcher.fetch(Request(server.url("/x")), limits=QUICK)
        error = caught.value
        assert error.why
        named = error.url.removeprefix(server.url(""))
        found.append(Failed(type(error), error.kind, named, tuple(server.targets)))

    run(handler, check)
    return found[0]


@pytest.mark.parametrize(
    "target",
    [
        "/%7Eme/%7eme",
        "/a/../b/./c//d",
        "/%2e%2e/%2E%2e/x",
        "/%u4e2d%u6587?%zz=%",
        "/thread?",
        "/?",
        "/a?b=[1]&c={}|^`'\"<>\\",
        "/a;b=c,d:e@f!$&'()*+",
        "//double//slash",
        "/%B2%E2%CA%D4?q=%b2%e2",
        "/a?x=http://b.example/?y=z",
    ],
)
def test_a_target_goes_out_byte_for_byte(run, target):
    async def check(fetcher, server):
        await fetcher.fetch(Request(server.url(target)))
        assert server.targets == [target]

    run(replies(), check)


def test_status_headers_and_body_come_back_as_sent(run):
    raw = b"HTTP/1.1 404 Gone Fishing\r\nX-Name: \xb2\xe2\xca\xd4\r\n"
    raw += b"X-Two: 1\r\nx-two: 2\r\nContent-Length: 5\r\n\r\nhello"

    async def check(fetcher, server):
        answer = await fetcher.fetch(Request(server.url()))
        assert (answer.status, answer.body, answer.encoded_size) == (404, b"hello", 5)
        assert answer.headers.get_bytes("x-name") == b"\xb2\xe2\xca\xd4"
        assert answer.headers.get_all("X-TWO") == ("1", "2")
        assert answer.from_ip == "127.0.0.1"
        assert answer.elapsed >= answer.latency > 0

    run(sends(raw), check)


def test_a_post_sends_its_body_and_content_type(run):
    async def check(fetcher, server):
        body = b"user=%B2%E2&x=1"
        form = (("Content-Type", "application/x-www-form-urlencoded"),)
        await fetcher.fetch(Request(server.url(), "POST", form, body))
        (got,) = server.requests
        assert (got.method, got.body) == ("POST", body)
        assert got.headers["content-type"] == "application/x-www-form-urlencoded"
        assert got.headers["content-length"] == str(len(body))

    run(replies(), check)


def test_a_post_without_body_says_that_it_is_empty(run):
    async def check(fetcher, server):
        await fetcher.fetch(Request(server.url(), "POST", body=b""))
        assert server.requests[0].headers["content-length"] == "0"

    run(replies(), check)


@pytest.mark.parametrize(
    ("encoding", "encoded"),
    [
        ("gzip", gzip.compress(PAGE, mtime=0)),
        ("deflate", zlib.compress(PAGE)),
        ("br", brotli.compress(PAGE)),
        ("zstd", zstandard.compress(PAGE)),
        ("none", PAGE),
        ("", PAGE),
    ],
    ids=["gzip", "deflate", "br", "zstd", "none", "empty"],
)
def test_an_encoded_body_is_decoded_once(run, encoding, encoded):
    async def check(fetcher, server):
        answer = await fetcher.fetch(Request(server.url()))
        assert answer.body == PAGE
        assert answer.encoded_size == len(encoded)

    run(replies(200, encoded, f"Content-Encoding: {encoding}"), check)


def test_a_chunked_body_is_put_together(run):
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    raw += b"3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\nTrailer: x\r\n\r\n"

    async def check(fetcher, server):
        assert (await fetcher.fetch(Request(server.url()))).body == b"abcdefg"

    run(sends(raw, close=False), check)


def test_a_body_that_ends_with_the_connection_is_whole(run):
    async def check(fetcher, server):
        assert (await fetcher.fetch(Request(server.url()))).body == b"all of it"

    run(sends(b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nall of it"), check)


def test_a_large_body_under_the_cap_comes_whole(run):
    async def check(fetcher, server):
        answer = await fetcher.fetch(Request(server.url()))
        assert len(answer.body) == 5_000_000

    run(replies(200, b"z" * 5_000_000), check)


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_that_cannot_have_a_body_has_none(run, status):
    async def check(fetcher, server):
        answer = await fetcher.fetch(Request(server.url()))
        assert (answer.status, answer.body) == (status, b"")
        assert (await fetcher.fetch(Request(server.url()))).status == status

    run(sends(b"HTTP/1.1 %d X\r\nETag: x\r\n\r\n" % status, close=False), check)


def test_a_head_request_reads_no_body_whatever_length_is_declared(run):
    async def check(fetcher, server):
        answer = await fetcher.fetch(Request(server.url(), "HEAD"))
        assert (answer.status, answer.body) == (200, b"")

    run(replies(200, b"", length=5 << 30), check)


def test_connections_to_a_host_are_kept(run):
    async def check(fetcher, server):
        for _ in range(5):
            await fetcher.fetch(Request(server.url()))
        assert server.connections == 1

    run(replies(200, b"x"), check)


def test_a_connection_closed_by_the_server_after_its_answer_does_no_harm(run):
    async def one(exchange: Exchange) -> None:
        await exchange.answer(200, b"once", "Connection: close")
        exchange.close = True

    async def check(fetcher, server):
        for _ in range(3):
            assert (await fetcher.fetch(Request(server.url()))).body == b"once"
        assert server.connections == 3

    run(one, check)


def test_redirects_are_followed_and_named(run):
    table = routes({
        "/a": replies(301, b"moved", "Location: /b"),
        "/b": replies(302, b"", "Location: c?x=1"),
        "/c": replies(200, b"here"),
    })  # fmt: skip

    async def check(fetcher, server):
        answer = await fetcher.fetch(Request(server.url("/a")))
        assert (answer.url, answer.body) == (server.url("/c?x=1"), b"here")
        assert answer.redirects == (
            Hop(server.url("/a"), 301, server.url("/b")),
            Hop(server.url("/b"), 302, server.url("/c?x=1")),
        )
        assert server.connections == 1

    run(table, check)


def test_a_cookie_set_by_a_redirect_is_sent_on_the_next_hop(run):
    table = routes(
        {"/in": replies(302, b"", "Location: /home", "Set-Cookie: sid=a%2Cb; Path=/"), "/home": replies()}
    )

    async def check(fetcher, server):
        await fetcher.fetch(Request(server.url("/in")), jar=JAR)
        await fetcher.fetch(Request(server.url("/in")), jar=JarKey("site", "other"))
        cookies = [request.headers.get("cookie") for request in server.requests]
        assert cookies == [None, "sid=a%2Cb", None, "sid=a%2Cb"]

    run(table, check)


def test_a_redirect_loop_ends(run):
    table = routes({"/x": replies(302, b"", "Location: /y"), "/y": replies(302, b"", "Location: /x")})

    async def check(fetcher, server):
        with pytest.raises(TooManyRedirects):
            await fetcher.fetch(Request(server.url("/x")))
        assert server.targets == ["/x", "/y"]

    run(table, check)


def test_a_refused_connection_is_named(run):
    async def check(fetcher, server):
        await server.stop_listening()
        with pytest.raises(ConnectFailed) as caught:
            await fetcher.fetch(Request(server.url("/x")), limits=QUICK)
        assert (caught.value.url, server.targets) == (server.url("/x"), [])

    run(replies(), check)


def test_a_reset_before_the_answer_is_a_failed_connection(run):
    async def reset(exchange: Exchange) -> None:
        exchange.reset()

    assert failure(run, reset) == Failed(ConnectFailed, "connect")


def test_a_close_before_the_answer_is_a_failed_connection(run):
    assert failure(run, sends(b"")) == Failed(ConnectFailed, "connect")


def test_a_reset_in_the_body_is_a_truncated_body(run):
    async def reset(exchange: Exchange) -> None:
        await exchange.answer(200, b"some", length=1000)
        exchange.reset()

    assert failure(run, reset) == Failed(BodyTruncated, "truncated")


def test_a_body_shorter_than_declared_is_truncated(run):
    assert failure(run, sends(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome")) == Failed(
        BodyTruncated, "truncated"
    )


def test_a_chunked_body_without_its_end_is_truncated(run):
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nsome"
    assert failure(run, sends(raw)) == Failed(BodyTruncated, "truncated")


def test_chunks_that_stop_between_two_are_truncated(run):
    raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n"
    assert failure(run, sends(raw)) == Failed(BodyTruncated, "truncated")


def test_a_gzip_body_without_its_end_is_truncated(run):
    assert failure(run, replies(200, gzip.compress(PAGE)[:-20], "Content-Encoding: gzip")) == Failed(
        BodyTruncated, "truncated"
    )


@pytest.mark.parametrize(
    "raw",
    [
        b"<html>this is HTTP/0.9</html>\r\n\r\n",
        b"\x00\x01\x02\x03\x04 binary \xff\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.0\r\n\r\n",
        b"HTTP/1.1 banana\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: minus one\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        b"HTTP/1.1 200 OK\r\nA: " + b"a" * 200_000 + b"\r\n\r\n",
    ],
)
def test_what_is_not_http_is_a_bad_response(run, raw):
    assert failure(run, sends(raw)) == Failed(BadResponse, "bad_response")


def test_silence_is_a_timeout(run):
    async def silent(exchange: Exchange) -> None:
        await exchange.reader.read()
        exchange.close = True

    assert failure(run, silent) == Failed(TimedOut, "timeout")


def test_silence_in_the_body_is_a_timeout(run):
    async def silent(exchange: Exchange) -> None:
        await exchange.answer(200, b"some", length=1000)
        await exchange.reader.read()
        exchange.close = True

    assert failure(run, silent) == Failed(TimedOut, "timeout")


def test_a_body_that_only_trickles_is_a_timeout(run):
    async def trickle(exchange: Exchange) -> None:
        await exchange.answer(200, b"", length=100_000)
        while not exchange.writer.is_closing():
            await exchange.send(b"x")
            await asyncio.sleep(0.02)

    assert failure(run, trickle) == Failed(TimedOut, "timeout")


def test_five_declared_gigabytes_are_refused_unread(run):
    assert failure(
        run, sends(b"HTTP/1.1 200 OK\r\nContent-Length: 5368709120\r\n\r\nx", close=False)
    ) == Failed(BodyTooLarge, "too_large")


def test_an_endless_body_is_left_at_the_cap(run):
    async def endless(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 200 OK\r\n\r\n")
        while not exchange.writer.is_closing():
            await exchange.send(b"x" * 65536)

    assert failure(run, endless) == Failed(BodyTooLarge, "too_large")


def test_a_bomb_is_left_at_the_cap(run):
    bomb = gzip.compress(bytes(50_000_000))
    assert failure(run, replies(200, bomb, "Content-Encoding: gzip")) == Failed(BodyTooLarge, "too_large")


def test_a_failure_leaves_the_next_request_unharmed(run):
    table = routes(
        {"/cut": sends(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nx"), "/fine": replies(200, b"fine")}
    )

    async def check(fetcher, server):
        for _ in range(3):
            with pytest.raises(BodyTruncated):
                await fetcher.fetch(Request(server.url("/cut")), limits=QUICK)
            assert (await fetcher.fetch(Request(server.url("/fine")))).body == b"fine"

    run(table, check)


@in_loop
async def test_a_transport_works_under_a_plain_httpx_client():
    async with serving(
        replies(200, gzip.compress(PAGE), "Content-Encoding: gzip", "Set-Cookie: a=b")
    ) as server:
        guard = Guard(frozenset({("127.0.0.1", server.port)}))
        transport = AiohttpTransport(guard=guard, dns=DnsCache(resolves({})))
        async with httpx.AsyncClient(transport=transport) as client:
            answer = await client.get(server.url("/a?b=c"))
            assert (answer.content, answer.cookies["a"]) == (PAGE, "b")
            await client.post(server.url("/p"), data={"x": "1"})
            assert server.requests[1].body == b"x=1"
            assert server.requests[1].headers["cookie"] == "a=b"


@in_loop
async def test_a_get_on_a_connection_that_the_server_closed_is_sent_again_once():
    closed = asyncio.Event()

    async def closing(exchange: Exchange) -> None:
        if exchange.request.connection == 1 and len(server.requests) == 2:
            exchange.reset()
            closed.set()
        else:
            await exchange.answer(200, b"fine")

    async with serving(closing) as server:
        fetcher = HttpFetcher(transport=own)
        await fetcher.fetch(Request(server.url("/1")))
        assert (await fetcher.fetch(Request(server.url("/2")))).body == b"fine"
        assert closed.is_set()
        assert server.targets == ["/1", "/2", "/2"]
        await fetcher.aclose()


@in_loop
async def test_a_get_on_a_fresh_connection_is_sent_once_only():
    async def reset(exchange: Exchange) -> None:
        exchange.reset()

    async with serving(reset) as server:
        fetcher = HttpFetcher(transport=own)
        with pytest.raises(ConnectFailed):
            await fetcher.fetch(Request(server.url("/1")))
        assert server.targets == ["/1"]
        await fetcher.aclose()


@in_loop
async def test_a_post_on_a_connection_that_the_server_closed_is_not_sent_again():
    async def closing(exchange: Exchange) -> None:
        if exchange.request.method == "POST":
            exchange.reset()
        else:
            await exchange.answer(200, b"fine")

    async with serving(closing) as server:
        fetcher = HttpFetcher(transport=own)
        await fetcher.fetch(Request(server.url("/1")))
        with pytest.raises(ConnectFailed):
            await fetcher.fetch(Request(server.url("/2"), "POST", body=b"x"))
        assert server.targets == ["/1", "/2"]
        await fetcher.aclose()
