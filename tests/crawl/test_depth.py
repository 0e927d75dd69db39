"""How deep a crawl goes: pages count, the further pages of a list and the files of a page do not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.demo.catalogue import torrents_of
from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, store_in

DEPTH = 4
LAST = torrents_of("book")[0]


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
