"""Whole fetches: redirects that are vetted, cookies, secrets, the guard, the deadline, robots."""

from __future__ import annotations

import asyncio

import pytest

import harvester
from harvester.errors import (
    BadResponse,
    NameNotResolved,
    Refused,
    TimedOut,
    TooManyRedirects,
)
from harvester.fetch.fetcher import HttpFetcher, user_agent
from harvester.model.http import OFFSITE, SECRET, Cookie, FetchLimits, JarKey, Request
from tests.fetch.support import QUICK, fetching, in_loop, resolves
from tests.servers.raw import Exchange, replies, routes, serving

JAR = JarKey("site")
MEMBER = JarKey("site", "member")


def to(location: str, status: int = 302, *headers: str):
    return replies(status, b"go there", f"Location: {location}", *headers)


async def refused(fetcher: HttpFetcher, url: str, **named) -> Refused:
    with pytest.raises(Refused) as caught:
        await fetcher.fetch(Request(url), limits=QUICK, **named)
    return caught.value


@in_loop
async def test_the_user_agent_is_one_honest_name_with_its_contact():
    async with fetching(replies(), contact="https://example.org/about") as (fetcher, server):
        await fetcher.fetch(Request(server.url()))
        agent = server.requests[0].headers["user-agent"]
        assert agent == f"harvest/{harvester.__version__} (+https://example.org/about)"
    assert user_agent("") == f"harvest/{harvester.__version__}"


@in_loop
async def test_headers_of_the_caller_win_over_the_usual_ones():
    async with fetching(replies()) as (fetcher, server):
        await fetcher.fetch(Request(server.url(), headers=(("accept", "x/y"), ("If-None-Match", '"1"'))))
        got = server.requests[0].headers
        assert (got["accept"], got["if-none-match"]) == ("x/y", '"1"')
        assert got["accept-encoding"] == "gzip, deflate, br, zstd"


@in_loop
async def test_a_referer_is_sent_whole_at_home():
    async with fetching(replies()) as (fetcher, server):
        await fetcher.fetch(Request(server.url("/b"), referer=server.url("/a?x#y")))
        assert server.requests[0].headers["referer"] == server.url("/a?x")


@in_loop
async def test_headers_beyond_latin_1_are_sent_as_utf_8():
    async with fetching(replies()) as (fetcher, server):
        fetcher.set_cookies(JAR, [Cookie("a", "\u6d4b", "127.0.0.1")])
        await fetcher.fetch(Request(server.url(), headers=(("X-Word", "\u8bd5"),)), jar=JAR)
        got = server.requests[0].headers
        assert got["cookie"].encode("latin-1") == "a=\u6d4b".encode()
        assert got["x-word"].encode("latin-1") == "\u8bd5".encode()


@in_loop
async def test_a_header_that_would_start_another_line_is_refused():
    async with fetching(replies()) as (fetcher, server):
        with pytest.raises(Refused):
            await fetcher.fetch(Request(server.url(), headers=(("X-Word", "a\r\nEvil: b"),)))
        assert server.requests == []


@in_loop
async def test_more_headers_than_anyone_sends_are_a_bad_response():
    fields = [f"X-{number}: {number}" for number in range(5000)]
    async with fetching(replies(200, b"", *fields)) as (fetcher, server):
        with pytest.raises(BadResponse):
            await fetcher.fetch(Request(server.url()))


# Redirects


@in_loop
async def test_every_hop_is_vetted_before_it_is_requested():
    asked = []
    table = routes({"/a": to("/b"), "/b": to("/c"), "/c": replies()})
    async with fetching(table) as (fetcher, server):
        await fetcher.fetch(Request(server.url("/a")), vet=lambda url: asked.append(url))
        assert asked == [server.url("/b"), server.url("/c")]


@in_loop
async def test_a_hop_that_the_vet_names_a_reason_for_is_refused_and_not_requested():
    table = routes({"/a": to("/logout?x=1")})
    async with fetching(table) as (fetcher, server):
        error = await refused(
            fetcher, server.url("/a"), vet=lambda url: "never_fetch" if "logout" in url else None
        )
        assert (error.reason, error.url) == ("never_fetch", server.url("/logout?x=1"))
        assert server.targets == ["/a"]


@in_loop
async def test_a_redirect_to_another_host_is_reported_and_not_followed():
    async with fetching(to("http://other.example/x")) as (fetcher, server):
        for vet in (None, lambda url: OFFSITE):
            answer = await fetcher.fetch(Request(server.url()), vet=vet)
            assert (answer.status, answer.stopped, answer.next_url) == (
                302,
                OFFSITE,
                "http://other.example/x",
            )
            assert answer.redirects == ()


@in_loop
async def test_a_vetted_redirect_to_another_host_is_followed_with_that_host_named():
    async with fetching(replies(200, b"b"), "b.example") as (fetcher, other):
        async with serving(to(f"http://b.example:{other.port}/x")) as first:
            fetcher._guard._allowed |= {("127.0.0.1", first.port)}
            headers = (("Authorization", "x"), ("X-Api-Key", "y"))
            request = Request(first.url("/a?sid=1"), headers=headers, referer=first.url("/r?sid=1"))
            answer = await fetcher.fetch(request, vet=lambda url: None)
        assert answer.body == b"b"
        got = other.requests[0].headers
        assert got["host"] == f"b.example:{other.port}"
        assert not {"authorization", "x-api-key"} & set(got)
        assert got["referer"] == first.url("/")


@pytest.mark.parametrize("status", [302, 307])
@in_loop
async def test_a_request_with_credentials_is_never_redirected(status):
    async with fetching(to("/home", status, "Set-Cookie: sid=1")) as (fetcher, server):
        login = Request(server.url("/login"), "POST", body=b"password=x", secret=True)
        answer = await fetcher.fetch(login, jar=MEMBER, vet=lambda url: None)
        assert (answer.status, answer.stopped, answer.next_url) == (status, SECRET, server.url("/home"))
        assert server.targets == ["/login"]
        assert [cookie.name for cookie in fetcher.cookies(MEMBER)] == ["sid"]


def test_credentials_are_not_in_the_repr_of_a_request():
    text = repr(Request("http://a.example/", "POST", (("Cookie", "hidden"),), b"hidden", secret=True))
    assert "hidden" not in text


@in_loop
async def test_a_redirect_to_itself_that_sets_a_cookie_is_tried_once_more():
    async def wants_cookie(exchange: Exchange) -> None:
        if "cookie" in exchange.request.headers:
            await exchange.answer(200, b"in")
        else:
            await exchange.answer(302, b"", f"Location: {exchange.request.target}", "Set-Cookie: test=1")

    async with fetching(wants_cookie) as (fetcher, server):
        assert (await fetcher.fetch(Request(server.url("/x")))).body == b"in"
        assert (await fetcher.fetch(Request(server.url("/x")), jar=JAR)).body == b"in"
        assert len(server.requests) == 4


@in_loop
async def test_a_redirect_to_itself_that_sets_ever_new_cookies_ends():
    async def again(exchange: Exchange) -> None:
        await exchange.answer(302, b"", "Location: /x", f"Set-Cookie: n={len(server.requests)}")

    async with fetching(again) as (fetcher, server):
        with pytest.raises(TooManyRedirects):
            await fetcher.fetch(Request(server.url("/x")), jar=JAR)
        assert len(server.requests) == 2


@in_loop
async def test_an_endless_chain_ends_at_the_limit():
    async def further(exchange: Exchange) -> None:
        await exchange.answer(302, b"", f"Location: {exchange.request.target}x")

    async with fetching(further) as (fetcher, server):
        with pytest.raises(TooManyRedirects):
            await fetcher.fetch(Request(server.url("/")))
        assert len(server.requests) == 11


@in_loop
async def test_raw_bytes_in_a_location_are_sent_percent_encoded():
    async def first(exchange: Exchange) -> None:
        await exchange.answer(302, b"", b"Location: /\xb2\xe2\xca\xd4?q=" + "测".encode())

    async with fetching(routes({"/": first, "/%B2%E2%CA%D4": replies(200, b"ok")})) as (fetcher, server):
        assert (await fetcher.fetch(Request(server.url("/")))).body == b"ok"
        assert server.targets[1] == "/%B2%E2%CA%D4?q=%E6%B5%8B"


@in_loop
async def test_whatever_is_wrong_with_the_body_of_a_redirect_it_is_followed():
    async def odd(exchange: Exchange) -> None:
        await exchange.send(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 9999999999\r\n\r\nshort")
        exchange.close = True

    async with fetching(routes({"/a": odd, "/b": replies(200, b"b")})) as (fetcher, server):
        assert (await fetcher.fetch(Request(server.url("/a")), limits=QUICK)).body == b"b"


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("file:///etc/passwd", "scheme"),
        ("ftp://a.example/x", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("magnet:?xt=urn:btih:00", "scheme"),
        ("http://[", "bad_url"),
        ("http://127.0.0.1:9/", "bad_port"),
        ("http://127.0.0.1/", "private_address"),
        ("http://127.1/", "private_address"),
        ("http://2130706433/", "private_address"),
        ("http://0x7f000001/", "private_address"),
        ("http://[::1]/", "private_address"),
        ("http://[::ffff:127.0.0.1]/", "private_address"),
        ("http://[::ffff:a9fe:a9fe]/latest/meta-data/", "private_address"),
        ("http://169.254.169.254/latest/meta-data/", "private_address"),
        ("http://localhost/", "local_name"),
        ("http://LOCALHOST./", "local_name"),
        ("http://metadata.google.internal/", "local_name"),
        ("http://inside.example/", "private_address"),
    ],
)
@in_loop
async def test_a_redirect_to_a_place_that_is_closed_is_refused(location, reason):
    lookup = resolves({"inside.example": "192.168.0.7"})
    async with fetching(to(location), lookup=lookup) as (fetcher, server):
        error = await refused(fetcher, server.url("/"), vet=lambda url: None)
        assert error.reason == reason
        assert len(server.requests) == 1


@in_loop
async def test_a_public_looking_name_that_points_to_loopback_is_refused():
    async with serving(replies()) as server:
        fetcher = HttpFetcher(lookup=resolves({"public.example": "127.0.0.1"}))
        error = await refused(fetcher, server.url(host="public.example"))
        assert (error.reason, error.url) == ("private_address", server.url(host="public.example"))
        assert server.connections == 0
        await fetcher.aclose()


@in_loop
async def test_a_name_that_moves_to_loopback_after_it_was_checked_is_refused():
    answers = ["93.184.216.34", "127.0.0.1"]

    async def rebinding(host: str) -> tuple[str, ...]:
        return (answers.pop(0),)

    async with serving(replies()) as server:
        fetcher = HttpFetcher(lookup=rebinding)
        assert await fetcher._dns.addresses("rebind.example") == ("93.184.216.34",)
        fetcher._dns._answers["rebind.example"].until = 0
        assert (await refused(fetcher, server.url(host="rebind.example"))).reason == "private_address"
        assert server.connections == 0
        await fetcher.aclose()


@in_loop
async def test_a_configured_site_on_another_port_is_refused():
    async with fetching(replies()) as (fetcher, _), serving(replies()) as other:
        assert (await refused(fetcher, other.url())).reason == "private_address"
        assert other.connections == 0


@in_loop
async def test_a_member_is_not_redirected_from_https_to_http():
    from harvester.fetch.fetcher import _Chain
    from harvester.fetch.place import split_url

    chain = _Chain(Request("https://a.example/"), lambda url: None, None, logged_in=True)
    with pytest.raises(Refused) as caught:
        chain.advance(None, split_url("https://a.example/")[0], b"http://a.example/", False, QUICK)
    assert caught.value.reason == "downgrade"


@in_loop
async def test_a_host_without_address_is_named():
    fetcher = HttpFetcher(lookup=resolves({}))
    with pytest.raises(NameNotResolved) as caught:
        await fetcher.fetch(Request("http://gone.example/x"))
    assert caught.value.url == "http://gone.example/x"
    await fetcher.aclose()


# Cookies


@in_loop
async def test_accounts_of_one_site_have_jars_of_their_own():
    async with fetching(replies(200, b"", "Set-Cookie: a=1")) as (fetcher, server):
        await fetcher.fetch(Request(server.url()), jar=MEMBER)
        await fetcher.fetch(Request(server.url()), jar=JAR)
        await fetcher.fetch(Request(server.url()), jar=MEMBER)
        await fetcher.fetch(Request(server.url()))
        assert [request.headers.get("cookie") for request in server.requests] == [None, None, "a=1", None]


@in_loop
async def test_cookies_can_be_put_in_read_and_forgotten():
    async with fetching(replies()) as (fetcher, server):
        fetcher.set_cookies(MEMBER, [Cookie("xf_user", "1%2Cx", "127.0.0.1")])
        await fetcher.fetch(Request(server.url()), jar=MEMBER)
        assert server.requests[0].headers["cookie"] == "xf_user=1%2Cx"
        fetcher.forget_cookies(MEMBER)
        assert fetcher.cookies(MEMBER) == ()


@in_loop
async def test_a_cookie_header_of_the_caller_replaces_the_jar():
    async with fetching(replies()) as (fetcher, server):
        fetcher.set_cookies(MEMBER, [Cookie("a", "1", "127.0.0.1")])
        await fetcher.fetch(Request(server.url(), headers=(("Cookie", "b=2"),)), jar=MEMBER)
        assert server.requests[0].headers["cookie"] == "b=2"


# Time


@in_loop
async def test_the_deadline_covers_the_whole_chain():
    async def slow(exchange: Exchange) -> None:
        await asyncio.sleep(0.05)
        await exchange.answer(302, b"", f"Location: {exchange.request.target}x")

    async with fetching(slow) as (fetcher, server):
        with pytest.raises(TimedOut, match=r"0\.2 s"):
            await fetcher.fetch(Request(server.url("/")), limits=FetchLimits(total=0.2))
        assert 2 <= len(server.requests) <= 5
