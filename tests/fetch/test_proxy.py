"""Proxies that the operator names."""

from __future__ import annotations

import pytest

from harvester.errors import ConnectFailed, Refused, SettingsError
from harvester.fetch.fetcher import HttpFetcher
from harvester.fetch.proxy import ProxySpec
from harvester.model.http import JarKey, Request
from tests.fetch.support import QUICK, in_loop, resolves
from tests.servers.proxies import proxying
from tests.servers.raw import blurting, replies, serving
from tests.servers.tls import server_context, trusting_context

SITE = JarKey("site")
PUBLIC = "93.184.216.34"


def fetcher_through(scheme: str, port: int, **settings) -> HttpFetcher:
    settings.setdefault("lookup", resolves({"forum.example": PUBLIC, "secure.example": PUBLIC}))
    return HttpFetcher(proxies={"site": f"{scheme}://127.0.0.1:{port}"}, **settings)


@pytest.mark.parametrize(
    ("scheme", "asked"),
    [("http", "forum.example"), ("socks5h", "forum.example"), ("socks5", PUBLIC), ("socks4", PUBLIC)],
)
@in_loop
async def test_a_site_is_fetched_through_its_proxy(scheme, asked):
    kind = "http" if scheme == "http" else "socks"
    async with serving(replies(200, b"hello")) as server, proxying(kind, ("127.0.0.1", server.port)) as proxy:
        fetcher = fetcher_through(scheme, proxy.port)
        for _ in range(2):
            answer = await fetcher.fetch(Request("http://forum.example/%7Ea?"), jar=SITE)
            assert (answer.body, answer.from_ip) == (b"hello", "")
        assert proxy.asked == [(asked, 80)]
        assert server.requests[0].headers["host"] == "forum.example"
        if scheme != "http":
            assert server.targets == ["/%7Ea?", "/%7Ea?"]
        await fetcher.aclose()


@pytest.mark.parametrize("scheme", ["http", "socks5h", "socks5"])
@in_loop
async def test_https_goes_through_a_proxy_with_its_certificate_checked(scheme):
    kind = "http" if scheme == "http" else "socks"
    async with (
        serving(replies(200, b"safe"), server_context()) as server,
        proxying(kind, ("127.0.0.1", server.port)) as proxy,
    ):
        fetcher = fetcher_through(scheme, proxy.port, ssl_context=trusting_context)
        answer = await fetcher.fetch(Request("https://secure.example/x?"), jar=SITE)
        assert answer.body == b"safe"
        assert server.targets == ["/x?"]
        with pytest.raises(ConnectFailed, match="certificate"):
            await fetcher.fetch(Request("https://forum.example/"), jar=SITE, limits=QUICK)
        await fetcher.aclose()


@in_loop
async def test_the_credentials_of_an_http_proxy_go_to_the_proxy_only():
    async with serving(replies(200, b"x")) as server, proxying("http", ("127.0.0.1", server.port)) as proxy:
        fetcher = HttpFetcher(
            proxies={"site": f"http://us%40er:p%3Aw@127.0.0.1:{proxy.port}"},
            lookup=resolves({"forum.example": PUBLIC}),
        )
        await fetcher.fetch(Request("http://forum.example/"), jar=SITE)
        assert proxy.authorizations == ["Basic dXNAZXI6cDp3"]
        assert "proxy-authorization" not in server.requests[0].headers
        await fetcher.aclose()


@in_loop
async def test_another_site_does_not_use_the_proxy():
    async with serving(replies(200, b"x")) as server, proxying("http") as proxy:
        fetcher = HttpFetcher(
            allowed=frozenset({("127.0.0.1", server.port)}),
            proxies={"site": f"http://127.0.0.1:{proxy.port}"},
        )
        await fetcher.fetch(Request(server.url()), jar=JarKey("other"))
        await fetcher.fetch(Request(server.url()))
        assert proxy.asked == []
        await fetcher.aclose()


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h", "socks4"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "inside.example", "[::ffff:10.0.0.1]"])
@in_loop
async def test_a_proxy_is_no_way_into_a_private_network(scheme, host):
    async with proxying("http" if scheme == "http" else "socks") as proxy:
        fetcher = fetcher_through(scheme, proxy.port, lookup=resolves({"inside.example": "10.0.0.1"}))
        with pytest.raises(Refused):
            await fetcher.fetch(Request(f"http://{host}/"), jar=SITE)
        assert proxy.asked == []
        await fetcher.aclose()


@in_loop
async def test_a_name_that_only_the_proxy_knows_is_left_to_it():
    async with serving(replies(200, b"x")) as server, proxying("socks", ("127.0.0.1", server.port)) as proxy:
        fetcher = fetcher_through("socks5h", proxy.port)
        assert (await fetcher.fetch(Request("http://hidden.onion/"), jar=SITE)).status == 200
        assert proxy.asked == [("hidden.onion", 80)]
        await fetcher.aclose()


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks4"])
@in_loop
async def test_a_proxy_that_is_not_there_is_a_failed_connection(scheme):
    async with proxying("http") as proxy:
        port = proxy.port
    fetcher = fetcher_through(scheme, port)
    with pytest.raises(ConnectFailed, match="proxy"):
        await fetcher.fetch(Request("http://forum.example/"), jar=SITE, limits=QUICK)
    await fetcher.aclose()


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks4"])
@in_loop
async def test_a_proxy_that_talks_nonsense_is_a_failed_connection(scheme):
    async with blurting(b"HTTP/1.0 407 Not you\r\n\r\n") as port:
        fetcher = fetcher_through(scheme, port)
        with pytest.raises(ConnectFailed):
            await fetcher.fetch(Request("https://secure.example/"), jar=SITE, limits=QUICK)
        await fetcher.aclose()


@pytest.mark.parametrize("url", ["ftp://a:1", "socks5://", "127.0.0.1:8080", "http://a:port", "socks9://a"])
def test_a_proxy_that_cannot_be_used_is_a_settings_error(url):
    with pytest.raises(SettingsError):
        ProxySpec.parse(url)


def test_the_credentials_of_a_proxy_are_not_in_its_repr():
    assert "hidden" not in repr(ProxySpec.parse("http://hidden:hidden@a.example"))
