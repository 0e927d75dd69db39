"""Certificates are always verified."""

from __future__ import annotations

import pytest

from harvester.errors import ConnectFailed
from harvester.fetch.fetcher import HttpFetcher
from harvester.model.http import Request
from tests.fetch.support import QUICK, in_loop, resolves
from tests.servers.raw import blurting, replies, serving
from tests.servers.tls import server_context, trusting_context

NAMES = resolves({"secure.example": "127.0.0.1", "other.example": "127.0.0.1"})


def fetcher_for(port: int, **settings) -> HttpFetcher:
    allowed = frozenset((name, port) for name in ("secure.example", "other.example"))
    return HttpFetcher(allowed=allowed, lookup=NAMES, **settings)


@in_loop
async def test_a_trusted_certificate_for_the_right_name_is_accepted():
    async with serving(replies(200, b"safe"), server_context()) as server:
        fetcher = fetcher_for(server.port, ssl_context=trusting_context)
        answer = await fetcher.fetch(Request(server.url("/", "secure.example", "https")))
        assert (answer.body, answer.from_ip) == (b"safe", "127.0.0.1")
        await fetcher.aclose()


@pytest.mark.parametrize(
    ("host", "settings"), [("secure.example", {}), ("other.example", {"ssl_context": trusting_context})]
)
@in_loop
async def test_a_certificate_that_is_not_trusted_or_for_another_name_is_refused(host, settings):
    async with serving(replies(200, b"safe"), server_context()) as server:
        fetcher = fetcher_for(server.port, **settings)
        with pytest.raises(ConnectFailed, match="certificate"):
            await fetcher.fetch(Request(server.url("/", host, "https")), limits=QUICK)
        assert server.requests == []
        await fetcher.aclose()


@in_loop
async def test_a_server_that_does_not_speak_tls_is_a_failed_connection():
    async with blurting(b"HTTP/1.0 400 Bad Request\r\n\r\n") as port:
        fetcher = fetcher_for(port)
        with pytest.raises(ConnectFailed):
            await fetcher.fetch(Request(f"https://secure.example:{port}/"), limits=QUICK)
        await fetcher.aclose()
