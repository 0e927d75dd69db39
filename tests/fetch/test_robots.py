"""Asking for robots.txt."""

from __future__ import annotations

from harvester.fetch.fetcher import HttpFetcher
from harvester.fetch.robots import ENDLESS
from harvester.model.http import JarKey
from tests.fetch.support import fetching, in_loop, resolves
from tests.servers.raw import Exchange, replies, routes


@in_loop
async def test_robots_come_back_with_their_status():
    async with fetching(routes({"/robots.txt": replies(200, b"User-agent: *")})) as (fetcher, server):
        answer = await fetcher.robots(server.url(""))
        assert (answer.status, answer.body, answer.url) == (200, b"User-agent: *", server.url("/robots.txt"))


@in_loop
async def test_missing_robots_are_their_status():
    async with fetching(replies(404)) as (fetcher, server):
        assert (await fetcher.robots(server.url(""))).status == 404


@in_loop
async def test_long_robots_are_cut_at_500_kib():
    async with fetching(replies(200, b"# x\n" * 500_000)) as (fetcher, server):
        answer = await fetcher.robots(server.url(""))
        assert (answer.status, len(answer.body)) == (200, 500 * 1024)


@in_loop
async def test_robots_are_followed_through_five_redirects_and_no_more():
    def chain(length: int):
        async def handle(exchange: Exchange) -> None:
            at = int(exchange.request.target.partition("?")[2] or 0)
            if at < length:
                await exchange.answer(302, b"", f"Location: /robots.txt?{at + 1}")
            else:
                await exchange.answer(200, b"here")

        return handle

    for length, status in ((5, 200), (6, ENDLESS)):
        async with fetching(chain(length)) as (fetcher, server):
            answer = await fetcher.robots(server.url(""))
            assert answer.status == status


@in_loop
async def test_unreachable_robots_are_an_answer_without_status():
    fetcher = HttpFetcher(lookup=resolves({}))
    answer = await fetcher.robots("http://gone.example")
    assert answer.status is None
    assert answer.why.startswith("dns: ")
    await fetcher.aclose()


@in_loop
async def test_robots_on_another_host_are_followed_there_but_not_into_a_private_network():
    async with fetching(replies(302, b"", "Location: http://inside.example/robots.txt")) as (fetcher, server):
        fetcher._dns._lookup = resolves({"inside.example": "10.0.0.1"})
        answer = await fetcher.robots(server.url(""))
        assert answer.status is None
        assert answer.why.startswith("refused: ")


@in_loop
async def test_robots_are_asked_for_without_cookies():
    async with fetching(replies(200, b"", "Set-Cookie: a=1")) as (fetcher, server):
        for _ in range(2):
            await fetcher.robots(server.url(""), jar=JarKey("site"))
        assert not any("cookie" in request.headers for request in server.requests)
