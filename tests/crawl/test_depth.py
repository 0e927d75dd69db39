"""How deep a crawl goes: pages count, the further pages of a list and the files of a page do not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.crawl.options import CrawlOptions
from harvester.demo.catalogue import torrents_of
from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, store_in

DEPTH = 4
LAST, OTHER = torrents_of("book")[:2]


class LongList:
    """A list of twelve pages, each leading to the next one only, and rooms that lead ever deeper."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def answer(self, request: Request) -> Response:
        self.asked.append(request.target)
        name, _, number = request.path.strip("/").rpartition("-")
        if request.path == "/robots.txt":
            return Response(b"", status=404)
        if request.path == "/last.torrent":
            return Response(LAST.seed.data, content_type="application/x-bittorrent")
        if name == "room":
            return Response(f"<h1>Room {number}</h1><a href='/room-{number}x'>a deeper room</a>".encode())
        page = int(request.target.partition("page=")[2] or 1)
        onward = f"<a href='/?page={page + 1}'>Next</a>" if page < 12 else "<a href='/last.torrent'>file</a>"
        rooms = "<a href='/room-x'>a room</a>" if page == 1 else ""
        return Response(f"<h1>Page {page}</h1><p>{_words(page)}</p>{rooms}{onward}".encode())


class LongWay:
    """A chain of pages whose last one leads to a file's page, and a short way there that is met later."""

    async def answer(self, request: Request) -> Response:
        name = request.path.strip("/")
        if name == "robots.txt":
            return Response(b"", status=404)
        if name == "last.torrent":
            return Response(LAST.seed.data, content_type="application/x-bittorrent")
        if name == "other.torrent":
            return Response(OTHER.seed.data, content_type="application/x-bittorrent")
        onward = {
            "": ["way-1", "hall"],
            "way-1": ["way-2"],
            "way-2": ["way-3"],
            "way-3": ["gate"],
            "hall": ["gate"],
            "gate": ["shelf", "other.torrent"],
            "shelf": ["last.torrent"],
        }[name]
        links = "".join(f"<a href='/{target}'>to {target}</a> " for target in onward)
        words = _words(sum(map(ord, name)))
        return Response(f"<h1>{name or 'start'}</h1><p>{words}</p>{links}".encode())


def _words(page: int) -> str:
    """Text that no other page has."""
    chosen = random.Random(page)
    return " ".join("".join(chosen.choices("abcdefghij", k=6)) for _ in range(60))


@pytest.fixture
def site() -> Iterator[tuple[LongList, str]]:
    long_list, listener = LongList(), loopback_socket()
    with SiteThread([(long_list.answer, listener)]):
        yield long_list, f"{origin_of(listener)}/"


def test_a_list_is_read_to_its_end_and_rooms_to_the_depth_of_the_scope(
    site: tuple[LongList, str], tmp_path: Path
) -> None:
    long_list, url = site
    described = site_from_url(url)
    crawl(tmp_path, replace(described, scope=replace(described.scope, depth=DEPTH)))
    rooms = [target for target in long_list.asked if target.startswith("/room")]
    assert rooms == [f"/room-{'x' * depth}" for depth in range(1, DEPTH + 1)]
    with store_in(tmp_path) as store:
        assert harvested(store).files == {LAST.seed.infohash}


@pytest.mark.parametrize("order", ["depth-first", "breadth-first"])
def test_a_page_that_was_reached_by_a_long_way_is_as_near_as_its_shortest_way(
    order: str, tmp_path: Path
) -> None:
    listener = loopback_socket()
    with SiteThread([(LongWay().answer, listener)]):
        described = site_from_url(f"{origin_of(listener)}/")
        limited = replace(described, scope=replace(described.scope, depth=DEPTH))
        crawl(tmp_path, limited, options=CrawlOptions(max_seconds=30, order=order))
    with store_in(tmp_path) as store:
        assert harvested(store).files == {LAST.seed.infohash, OTHER.seed.infohash}
        times = [sighting.times for _, sighting in store.iter_sightings()]
    assert times == [1, 1], "a page that is read once more shows nothing more"
