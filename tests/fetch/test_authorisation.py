"""Credentials go with every request of their jar to their origin, and with no other."""

from __future__ import annotations

import base64

from harvester.access.secrets import Login, Secret
from harvester.fetch.fetcher import HttpFetcher
from harvester.model.http import JarKey, Request
from tests.fetch.support import in_loop
from tests.servers.raw import replies, routes, serving

LOGIN = Login(Secret("keeper"), Secret("pass wörd"))
MEMBER, GUEST = JarKey("site", "member"), JarKey("site")


def fetcher_for(*ports: int) -> HttpFetcher:
    return HttpFetcher(allowed=frozenset(("127.0.0.1", port) for port in ports))


@in_loop
async def test_only_the_jar_and_the_origin_they_were_given_to_get_them():
    async with serving(replies(200, b"hello")) as own, serving(replies(200, b"other")) as other:
        fetcher = fetcher_for(own.port, other.port)
        fetcher.authorise(MEMBER, own.url("").rstrip("/"), "basic", LOGIN)
        for server in (own, other):
            for jar in (MEMBER, GUEST):
                await fetcher.fetch(Request(server.url("/a")), jar=jar)
        sent = [request.headers.get("authorization") for request in own.requests]
        assert sent == ["Basic " + base64.b64encode("keeper:pass wörd".encode()).decode(), None]
        assert [request.headers.get("authorization") for request in other.requests] == [None, None]
        fetcher.authorise(MEMBER, own.url("").rstrip("/"), "", None)
        await fetcher.fetch(Request(own.url("/a")), jar=MEMBER)
        assert own.requests[-1].headers.get("authorization") is None
        await fetcher.aclose()


@in_loop
async def test_a_redirect_to_another_origin_leaves_them_behind():
    async with serving(replies(200, b"other")) as other:
        moved = replies(302, b"", f"Location: {other.url('/b')}")
        async with serving(routes({"/a": moved})) as own:
            fetcher = fetcher_for(own.port, other.port)
            fetcher.authorise(MEMBER, own.url("").rstrip("/"), "basic", LOGIN)
            await fetcher.fetch(Request(own.url("/a")), jar=MEMBER, vet=lambda _url: None)
            assert own.requests[0].headers.get("authorization")
            assert other.requests[0].headers.get("authorization") is None
            await fetcher.aclose()


@in_loop
async def test_a_digest_is_made_for_each_address_and_asked_for_once_more_when_its_nonce_is_used_up():
    challenge = replies(401, b"", 'WWW-Authenticate: Digest realm="r", qop="auth", algorithm=MD5, nonce="n1"')
    async with serving(challenge) as server:
        fetcher = fetcher_for(server.port)
        fetcher.authorise(MEMBER, server.url("").rstrip("/"), "digest", LOGIN)
        answer = await fetcher.fetch(Request(server.url("/a?b=%7Ec")), jar=MEMBER)
        assert answer.status == 401
        first, second = (request.headers.get("authorization") for request in server.requests)
        assert first is None
        assert second is not None
        assert 'uri="/a?b=%7Ec"' in second
        assert "pass" not in second
        await fetcher.aclose()


def challenge(nonce: str, more: str = "") -> str:
    return f'WWW-Authenticate: Digest realm="r", qop="auth", algorithm=MD5, nonce="{nonce}"{more}'


@in_loop
async def test_a_password_that_is_refused_goes_out_once():
    async with serving(replies(401, b"", challenge("n1"))) as server:
        fetcher = fetcher_for(server.port)
        fetcher.authorise(MEMBER, server.url("").rstrip("/"), "digest", LOGIN)
        for _ in range(3):
            await fetcher.fetch(Request(server.url("/a")), jar=MEMBER)
        sent = [request.headers.get("authorization") for request in server.requests]
        assert [one is not None for one in sent] == [False, True, False, False]
        await fetcher.aclose()


@in_loop
async def test_a_nonce_that_is_said_to_be_stale_costs_no_refusal():
    pages = {"/a": replies(200, b"in"), "/b": replies(401, b"", challenge("n2", ", stale=true"))}
    async with serving(routes(pages)) as server:
        fetcher = fetcher_for(server.port)
        fetcher.authorise(MEMBER, server.url("").rstrip("/"), "basic", LOGIN)
        for target in ("/b", "/b", "/a"):
            await fetcher.fetch(Request(server.url(target)), jar=MEMBER)
        assert all(request.headers.get("authorization") for request in server.requests)
        await fetcher.aclose()


@in_loop
async def test_good_credentials_that_one_page_refuses_are_shown_to_the_next_one():
    pages = {"/a": replies(200, b"in"), "/b": replies(401, b"", 'WWW-Authenticate: Basic realm="r"')}
    async with serving(routes(pages)) as server:
        fetcher = fetcher_for(server.port)
        fetcher.authorise(MEMBER, server.url("").rstrip("/"), "basic", LOGIN)
        for target in ("/a", "/b", "/a", "/b", "/b", "/a"):
            await fetcher.fetch(Request(server.url(target)), jar=MEMBER)
        sent = [request.headers.get("authorization") is not None for request in server.requests]
        assert sent == [True, True, True, True, True, False]
        await fetcher.aclose()
