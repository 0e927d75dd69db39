"""The hostile site is as hostile as it says, and ends when told."""

from __future__ import annotations

import re
import socket
import threading
import time
import zlib
from collections.abc import Iterator

import brotli
import httpx
import pytest

from tests.hostile import traps
from tests.hostile.pages import FILES, LAST_PAGE, WIRE
from tests.hostile.site import REAL, HostileSite
from tests.walker import infohash


@pytest.fixture
def site() -> Iterator[HostileSite]:
    with HostileSite() as running:
        yield running


def _links(client: httpx.Client, target: str) -> list[str]:
    return re.findall(r'href="([^"]+)"', client.get(target).text)


def test_every_real_torrent_is_there_at_the_second_try_at_the_latest(site: HostileSite) -> None:
    got = set()
    with httpx.Client(timeout=5) as client:
        for row in site.truth:
            for _ in range(2):
                try:
                    answer = client.get(row.url)
                except httpx.TransportError:
                    continue
                if answer.status_code == 200:
                    got.add(infohash(answer.content.removesuffix(b"\n4711")))
                    break
    assert got == site.real
    assert len(site.real) == len(REAL)


def test_every_real_torrent_is_linked_from_its_page(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        for row in site.truth:
            page = client.get(row.page_url, follow_redirects="/cookie/" in row.page_url)
            path = row.url.removeprefix(site.origin)
            assert path in page.headers.get("location", "") or path.encode() in page.content.replace(
                b"\0", b""
            )


@pytest.mark.parametrize(
    ("start", "pick"),
    [("/maze/", 0), ("/grow?n=1", 0), ("/grow?n=1", 1), ("/calendar/2026/11", 1), ("/missing/start", 0)],
)
def test_a_trap_never_ends(site: HostileSite, start: str, pick: int) -> None:
    seen = {start}
    target = start
    with httpx.Client(base_url=site.origin) as client:
        for _ in range(30):
            target = _links(client, target)[pick].replace("&amp;", "&")
            assert target not in seen
            seen.add(target)
    assert site.state.traps[start.split("/")[1].partition("?")[0]] == 30


def test_relative_links_repeat_their_folders(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        answer = client.get("/repeat/a/b/")
        deeper = answer.url.join(_links(client, "/repeat/a/b/")[0])
    assert deeper.path == "/repeat/a/b/a/b/"


def test_the_last_page_repeats_itself_and_still_has_a_next(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        last, beyond = _links(client, f"/paged?page={LAST_PAGE}"), _links(client, "/paged?page=900")
    assert last[:-1] == beyond[:-1]
    assert beyond[-1] == "/paged?page=901"


def test_a_board_gives_out_a_new_session_on_every_view(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        assert not set(_links(client, "/board?f=1")) & set(_links(client, "/board?f=1"))


def test_redirects_loop_chain_and_leave(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        for start in ("/loop/a", "/loop/self", "/loop/chain/0"):
            with pytest.raises(httpx.TooManyRedirects):
                client.get(start, follow_redirects=True)
        assert client.get("/out/file").headers["location"].startswith("file:///")
        assert site.neighbour_hits == 0
        assert client.get("/out/mapped").headers["location"].startswith("http://[::ffff:127.0.0.1]:")
        client.get("/out/port", follow_redirects=True)
        assert site.neighbour_hits == 1


def test_the_bombs_are_small_and_decode_to_far_too_much() -> None:
    packed = traps.gzip_bomb()
    assert len(packed) < 4 * traps.MIB
    unpacker = zlib.decompressobj(31)
    size = sum(len(unpacker.decompress(packed[at : at + 4096])) for at in range(0, 65_536, 4096))
    assert size > 32 * traps.MIB
    assert len(traps.brotli_bomb()) < 100_000
    first = brotli.Decompressor().process(traps.brotli_bomb(), output_buffer_limit=2 * traps.MIB)
    assert len(first) >= 2 * traps.MIB


def test_lengths_lie_and_bodies_end_early(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin, timeout=5) as client:
        with client.stream("GET", "/wire/huge.torrent") as answer:
            assert int(answer.headers["content-length"]) == 5 * 1024**3
        for name in ("short.torrent", "chunks.html", "garbage.html", "nothing.html"):
            with pytest.raises(httpx.RemoteProtocolError):
                client.get(f"/wire/{name}")
        with pytest.raises(httpx.ReadError):
            client.get("/wire/reset.html")


def test_slow_and_silent_answers_outlast_any_patience(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin, timeout=0.5) as client:
        with pytest.raises(httpx.ReadTimeout):
            client.get("/wire/silent.html")
        with client.stream("GET", "/wire/slow.html") as answer:
            chunks = answer.iter_raw()
            assert [next(chunks) for _ in range(3)] == [b".", b".", b"."]


def test_answers_without_an_end_are_broken_off_when_told() -> None:
    with HostileSite(longest=0.3) as site, httpx.Client(base_url=site.origin, timeout=5) as client:
        for name in ("silent.html", "huge.torrent"):
            with pytest.raises(httpx.RemoteProtocolError):
                client.get(f"/wire/{name}")
        assert client.get("/wire/slow.html").text.startswith(".")


def test_every_link_of_the_front_page_to_files_and_wire_is_served(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        links = set(_links(client, "/"))
    assert {f"/wire/{name}" for name in WIRE} <= links
    assert {f"/files/{name}.torrent" for name in FILES} <= links


def test_busy_answers_name_their_wait_and_then_are_fine(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        for name, status in (("busy", 503), ("limit", 429)):
            first = client.get(f"/flaky/{name}.torrent")
            assert (first.status_code, first.headers["retry-after"]) == (status, "1")
            assert client.get(f"/flaky/{name}.torrent").content.startswith(b"d")


def test_state_changes_and_forbidden_pages_are_counted(site: HostileSite) -> None:
    with httpx.Client(base_url=site.origin) as client:
        client.get("/act/logout?token=2f6c")
        client.get("/forbidden/secret.torrent")
    assert site.state.violations == ["/act/logout?token=2f6c"]
    assert site.state.robots_violations == ["/forbidden/secret.torrent"]


def test_unknown_pages_answer_200(site: HostileSite) -> None:
    answer = httpx.get(f"{site.origin}/no/such/page")
    assert answer.status_code == 200
    assert "not found" in answer.text


def test_the_site_ends_with_open_traps() -> None:
    before = threading.active_count()
    site = HostileSite()
    peers = []
    for target in ("/wire/slow.html", "/wire/silent.html", "/wire/endless.html"):
        peer = socket.create_connection(("127.0.0.1", int(site.origin.rpartition(":")[2])))
        peer.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert peer.recv(10)
        peers.append(peer)
    began = time.monotonic()
    site.close()
    assert time.monotonic() - began < 2
    for peer in peers:
        peer.close()
    assert threading.active_count() == before
