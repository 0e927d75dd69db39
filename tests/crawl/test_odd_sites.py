"""Sites built in ways that few are: no torrent of theirs is lost, and the requests are those it takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harvester import wiring
from harvester.crawl.options import CrawlOptions
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, settings_in, store_in
from tests.crawl.loopback import HTML, page, raw_site, torrents, words
from tests.servers.raw import Exchange, Handler, replies

FILE = "<a href='/file.torrent'>file</a>"


def _crawled(
    tmp_path: Path, table: dict[str, Handler], *, no_robots: bool = True
) -> tuple[set[str], list[str]]:
    """The infohashes of a crawl, and what was asked for."""
    with raw_site(table, no_robots=no_robots) as (origin, _, seen):
        crawl(tmp_path, f"{origin}/")
    with store_in(tmp_path) as store:
        return set(harvested(store).files), seen.targets


@pytest.mark.parametrize(
    "headers", [(), ("Content-Type: application/octet-stream",), ("Content-Type: text/plain",)], ids=str
)
@pytest.mark.parametrize(
    "body",
    [
        f"\n\n<center>{FILE}</center>",
        f"<font size=2>{FILE}</font>",
        f"<!-- {'a long greeting ' * 100} --><html>{FILE}</html>",
        f"<?xml version='1.0'?>\n<!DOCTYPE html><!-- {'x' * 600} --><html>{FILE}</html>",
    ],
    ids=["center", "font", "comment", "xhtml"],
)
def test_a_page_is_known_by_what_it_is_whatever_its_type_says(
    tmp_path: Path, body: str, headers: tuple[str, ...]
) -> None:
    files, infohashes = torrents(one="/file.torrent")
    got, _ = _crawled(tmp_path, files | {"/": replies(200, body.encode(), *headers)})
    assert got == infohashes


def _behind_cookie(handler: Handler, *without: str, status: int = 200) -> Handler:
    """`handler` for those who bring a cookie; the others get one, with the headers `without`."""

    async def handle(exchange: Exchange) -> None:
        if "pass=1" in exchange.request.headers.get("cookie", ""):
            await handler(exchange)
        else:
            lines = [line.replace("TARGET", exchange.request.target) for line in without]
            await exchange.answer(
                status, b"<html>One moment</html>", HTML, "Set-Cookie: pass=1; Path=/", *lines
            )

    return handle


def test_a_site_that_hands_out_its_cookie_on_a_round_trip_is_read(tmp_path: Path) -> None:
    files, infohashes = torrents(one="/file.torrent")
    table = files | {
        "/": _behind_cookie(page("/file.torrent"), "Location: /check?back=/", status=302),
        "/check": replies(302, b"", "Location: /"),
    }
    got, asked = _crawled(tmp_path, table)
    assert got == infohashes
    assert asked == ["/robots.txt", "/", "/check?back=/", "/", "/file.torrent"]


def test_a_page_that_sets_a_cookie_and_loads_itself_again_is_read_then(tmp_path: Path) -> None:
    files, infohashes = torrents(one="/file.torrent")
    got, asked = _crawled(
        tmp_path, files | {"/": _behind_cookie(page("/file.torrent"), "Refresh: 0; url=TARGET")}
    )
    assert got == infohashes
    assert asked == ["/robots.txt", "/", "/", "/file.torrent"]


def test_a_page_that_sets_a_cookie_and_loads_itself_for_ever_is_asked_for_twice(tmp_path: Path) -> None:
    restless = replies(200, b"<html>Scores</html>", HTML, "Set-Cookie: seen=1", "Refresh: 0; url=/")
    _, asked = _crawled(tmp_path, {"/": restless})
    assert asked == ["/robots.txt", "/", "/"]


def test_a_download_page_that_goes_on_by_a_header_leads_to_its_file(tmp_path: Path) -> None:
    files, infohashes = torrents(one="/file.torrent")
    begins = replies(200, b"<html>Your download begins</html>", HTML, "Refresh: 3; url=/file.torrent")
    got, _ = _crawled(tmp_path, files | {"/": page("/download/1"), "/download/1": begins})
    assert got == infohashes


def test_a_list_whose_next_page_is_named_in_a_header_is_read_to_its_end(tmp_path: Path) -> None:
    files, infohashes = torrents(**{f"n{n}": f"/{n}.torrent" for n in range(4)})

    async def listed(exchange: Exchange) -> None:
        number = int(exchange.request.target.partition("=")[2] or 0)
        onward = [f'Link: </?page={number + 1}>; rel="next"'] if number < 3 else []
        body = f"<html><a href='/{number}.torrent'>f</a><p>{words(str(number))}</p></html>"
        await exchange.answer(200, body.encode(), HTML, *onward)

    assert _crawled(tmp_path, files | {"/": listed})[0] == infohashes


@pytest.mark.parametrize("media_type", ["application/json", "application/vnd.api+json", "text/html"])
def test_a_list_that_only_scripts_read_is_read(tmp_path: Path, media_type: str) -> None:
    files, infohashes = torrents(one="/1.torrent", two="/2.torrent")

    async def listed(exchange: Exchange) -> None:
        number = int(exchange.request.target.partition("=")[2])
        entries = {"items": [{"title": f"No. {number}", "torrent": f"/{number}.torrent"}]}
        onward = {"next": "?page=2"} if number == 1 else {}
        text = json.dumps(entries | onward).replace("/", "\\/")
        await exchange.answer(200, text.encode(), f"Content-Type: {media_type}")

    app = b"<html><div id=app></div><script>fetch('/api/list.json?page=1').then(show)</script></html>"
    got, _ = _crawled(tmp_path, files | {"/": replies(200, app, HTML), "/api/list.json": listed})
    assert got == infohashes


def test_a_download_button_of_its_own_form_is_pressed(tmp_path: Path) -> None:
    files, infohashes = torrents(one="/download.php")
    form = (
        b"<html><form action='/download.php?old=1'><input type=hidden name=id value=7>"
        b"<input type=submit value='Download torrent'></form></html>"
    )
    got, asked = _crawled(tmp_path, files | {"/": replies(200, form, HTML)})
    assert got == infohashes
    assert asked[-1] == "/download.php?id=7"


def test_a_robots_txt_that_redirects_without_end_is_as_good_as_none(tmp_path: Path) -> None:
    files, infohashes = torrents(one="/file.torrent")
    table = files | {"/robots.txt": replies(302, b"", "Location: /robots.txt"), "/": page("/file.torrent")}
    assert _crawled(tmp_path, table, no_robots=False)[0] == infohashes


def test_a_crawl_that_goes_on_knows_how_many_urls_wait(tmp_path: Path) -> None:
    leaves = {f"/{n}": page(text=words(f"{n}"), title=f"{n}") for n in range(30)}
    queues: list[int] = []
    with raw_site({"/": page(*leaves)} | leaves) as (origin, _, _):
        crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_requests=10))
        with store_in(tmp_path) as store:
            wiring.full_crawl(
                settings_in(tmp_path),
                store,
                site_from_url(f"{origin}/"),
                CrawlOptions(max_requests=10),
                lambda progress: queues.append(progress.queue),
            )
    assert queues[-1] == 30 - 8 - 10


@pytest.mark.parametrize("headers", [(), ("Content-Type: text/csv",)], ids=str)
def test_a_list_of_addresses_is_read_whatever_text_it_is_called(
    tmp_path: Path, headers: tuple[str, ...]
) -> None:
    files, infohashes = torrents(one="/1.torrent", two="/2.torrent")

    async def listed(exchange: Exchange) -> None:
        origin = f"http://{exchange.request.headers['host']}"
        await exchange.answer(200, f"one,{origin}/1.torrent\ntwo,{origin}/2.torrent\n".encode(), *headers)

    assert _crawled(tmp_path, files | {"/": page("/list"), "/list": listed})[0] == infohashes
