"""Torrents on another host are fetched one hop away; nothing else of that host is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harvester.crawl.engine import CrawlEngine
from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.crawl.run import run_crawl
from harvester.demo.catalogue import torrents_of
from harvester.demo.server import Request, Response, SiteState, SiteThread, loopback_socket, origin_of
from harvester.fetch.fetcher import HttpFetcher
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import SECONDS, harvested, store_in

OPEN, CLOSED, LINKED = torrents_of("book")[:3]
ROBOTS = "User-agent: *\nDisallow: /closed/\n"


class TwoHosts:
    """A forum page, and another host with torrents and a page of its own."""

    def __init__(self) -> None:
        forum, other = loopback_socket(), loopback_socket()
        self.forum, self.other = origin_of(forum), origin_of(other)
        self.asked: list[str] = []
        self._state = SiteState()
        self._thread = SiteThread([(self._forum, forum), (self._other, other)], name="two hosts")

    async def _forum(self, request: Request) -> Response:
        if request.path == "/robots.txt":
            return Response(b"", status=404)
        links = ("/open/a.torrent", "/closed/b.torrent", "/page.html", "/gone.torrent")
        return Response("".join(f"<a href='{self.other}{link}'>{link}</a> " for link in links).encode())

    async def _other(self, request: Request) -> Response:
        self.asked.append(request.path)
        if request.path == "/robots.txt":
            return Response(ROBOTS.encode(), content_type="text/plain")
        if request.path == "/open/a.torrent":
            return Response(OPEN.seed.data, content_type="application/x-bittorrent")
        if request.path == "/gone.torrent":
            return Response(f"<a href='{self.other}/open/c.torrent'>another</a>".encode())
        return Response(CLOSED.seed.data, content_type="application/x-bittorrent")

    def close(self) -> None:
        self._thread.close()


@pytest.fixture
def hosts() -> Iterator[TwoHosts]:
    hosts = TwoHosts()
    yield hosts
    hosts.close()


def _crawl(hosts: TwoHosts, folder: Path, *, other_is_public: bool) -> CrawlReport:
    site = site_from_url(f"{hosts.forum}/")
    places = [hosts.forum, hosts.other] if other_is_public else [hosts.forum]
    allowed = frozenset(("127.0.0.1", int(origin.rpartition(":")[2])) for origin in places)
    with store_in(folder) as store:
        store.add_site(site.site, start=site.start[0], now=0.0)
        return run_crawl(
            lambda: HttpFetcher(allowed=allowed),
            lambda fetcher: CrawlEngine(
                site,
                store=store,
                fetcher=fetcher,
                agent="harvest",
                engines={},
                options=CrawlOptions(max_seconds=SECONDS, delay=0),
            ),
        )


def test_its_torrents_are_taken_under_its_robots_and_nothing_else_is_asked_for(
    hosts: TwoHosts, tmp_path: Path
) -> None:
    report = _crawl(hosts, tmp_path, other_is_public=True)
    with store_in(tmp_path) as store:
        assert harvested(store).files == {OPEN.seed.infohash}
        assert store.walls() == {"robots": 1}
    assert sorted(hosts.asked) == ["/gone.torrent", "/open/a.torrent", "/robots.txt"]
    assert report.figures.left["not_a_torrent"] == 1


def test_a_private_address_is_never_asked(hosts: TwoHosts, tmp_path: Path) -> None:
    report = _crawl(hosts, tmp_path, other_is_public=False)
    assert hosts.asked == []
    assert report.figures.left["private_address"] == 3
