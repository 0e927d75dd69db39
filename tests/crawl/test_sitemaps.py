"""Sitemaps that robots.txt names: asked for once everything that is linked was visited."""

from __future__ import annotations

import gzip
from pathlib import Path

from harvester.crawl import context, starts
from tests.crawl.harvesting import crawl, harvested, store_in
from tests.crawl.loopback import HTML, page, raw_site, torrents, words
from tests.servers.raw import Exchange, Handler, replies

XML = "Content-Type: application/xml"


def _robots(*sitemaps: str, rules: str = "") -> Handler:
    """A robots.txt; `HOST` in a sitemap's address is the server's own."""

    async def handle(exchange: Exchange) -> None:
        lines = "".join(f"Sitemap: {sitemap}\n" for sitemap in sitemaps)
        text = f"User-agent: *\nDisallow: /closed/\n{rules}{lines}"
        await exchange.answer(200, text.replace("HOST", exchange.request.headers["host"]).encode())

    return handle


def _urlset(*places: str, packed: bool = False) -> Handler:
    xml = f"<urlset>{''.join(f'<url><loc>{place}</loc></url>' for place in places)}</urlset>".encode()
    return replies(200, gzip.compress(xml) if packed else xml, XML)


def _index(*places: str) -> Handler:
    entries = "".join(f"<sitemap><loc>{place}</loc></sitemap>" for place in places)
    return replies(200, f'<?xml version="1.0"?><sitemapindex>{entries}</sitemapindex>'.encode(), XML)


def _leaf(number: int) -> Handler:
    return page(f"/file/{number}.torrent", text=words(f"leaf {number}"), title=f"Leaf {number}")


def test_torrents_that_only_a_sitemap_leads_to_are_found(tmp_path: Path) -> None:
    files, infohashes = torrents(**{f"n{n}": f"/file/{n}.torrent" for n in range(6)})
    table = files | {
        "/robots.txt": _robots("http://HOST/index.xml", "/plain.xml"),
        "/": page(text="Nothing but a search form."),
        "/index.xml": _index("/packed.xml.gz"),
        "/packed.xml.gz": _urlset("/leaf/0", "/leaf/1", "/leaf/2", packed=True),
        "/plain.xml": _urlset("/leaf/3", "/leaf/4", "/leaf/5", "/"),
        **{f"/leaf/{n}": _leaf(n) for n in range(6)},
    }
    with raw_site(table, no_robots=False) as (origin, _, seen):
        report = crawl(tmp_path, f"{origin}/")
    with store_in(tmp_path) as store:
        assert harvested(store).files == infohashes
    assert report.state == "finished"
    assert len(seen.targets) == len(set(seen.targets)) == len(table)


def test_sitemaps_come_last_and_bring_only_what_was_not_met_in_scope_and_open(tmp_path: Path) -> None:
    files, _ = torrents(one="/file/1.torrent")
    table = files | {
        "/robots.txt": _robots("/map.xml", "http://elsewhere.example/map.xml", "ftp://HOST/map.xml"),
        "/": page("/leaf/1"),
        "/leaf/1": _leaf(1),
        "/map.xml": _urlset("/leaf/1", "/closed/2", "http://elsewhere.example/3", "/login?logout=1"),
    }
    with raw_site(table, no_robots=False) as (origin, _, seen):
        crawl(tmp_path, f"{origin}/")
    assert seen.targets == ["/robots.txt", "/", "/leaf/1", "/file/1.torrent", "/map.xml"]


def test_a_sitemap_that_robots_txt_itself_closes_is_left(tmp_path: Path) -> None:
    table = {"/robots.txt": _robots("/closed/map.xml"), "/": page()}
    with raw_site(table, no_robots=False) as (origin, _, seen):
        crawl(tmp_path, f"{origin}/")
    assert seen.targets == ["/robots.txt", "/"]


def test_sitemaps_that_name_each_other_for_ever_end(tmp_path: Path) -> None:
    async def endless(exchange: Exchange) -> None:
        number = int(exchange.request.target.partition("?")[2] or 0)
        entries = "".join(f"<sitemap><loc>/map.xml?{2 * number + n}</loc></sitemap>" for n in (1, 2))
        await exchange.answer(200, f"<sitemapindex>{entries}</sitemapindex>".encode(), XML)

    files, _ = torrents(one="/file/1.torrent")
    named = [f"/map.xml?{10**6 + n}" for n in range(100)]
    table = files | {"/robots.txt": _robots(*named), "/": _leaf(1), "/map.xml": endless}
    with raw_site(table, no_robots=False) as (origin, _, seen):
        report = crawl(tmp_path, f"{origin}/")
    assert report.state == "finished"
    assert len(seen.targets) == 3 + starts.MOST_SITEMAPS + context.MOST_SITEMAPS


def test_the_sitemaps_are_asked_before_a_site_is_given_up(tmp_path: Path) -> None:
    files, infohashes = torrents(one="/file/1.torrent")
    table = files | {
        "/robots.txt": _robots("/map.xml"),
        "/": page(*(f"/blog/{n}" for n in range(400))),
        "/map.xml": _urlset("/leaf/1"),
        "/leaf/1": _leaf(1),
        **{f"/blog/{n}": page("/", text=words(f"{n}"), title=f"{n}") for n in range(400)},
    }
    with raw_site(table, no_robots=False) as (origin, _, seen):
        crawl(tmp_path, f"{origin}/")
    with store_in(tmp_path) as store:
        assert harvested(store).files == infohashes
    assert seen.targets.index("/file/1.torrent") < 300


def test_a_bomb_of_a_sitemap_is_left_and_named(tmp_path: Path) -> None:
    bomb = replies(200, gzip.compress(b"<urlset>" + b" " * (64 << 20)), "Content-Type: application/x-gzip")
    table = {"/robots.txt": _robots("/map.xml.gz"), "/": page(), "/map.xml.gz": bomb}
    with raw_site(table, no_robots=False) as (origin, _, _):
        report = crawl(tmp_path, f"{origin}/")
    assert report.figures.left == {"type:too_large": 1}


def test_a_page_that_is_packed_is_read(tmp_path: Path) -> None:
    files, infohashes = torrents(one="/file/1.torrent")
    html = gzip.compress(b"<html><body><a href='/file/1.torrent'>file</a></body></html>")
    with raw_site(files | {"/": replies(200, html, HTML)}) as (origin, _, _):
        crawl(tmp_path, f"{origin}/")
    with store_in(tmp_path) as store:
        assert harvested(store).files == infohashes
