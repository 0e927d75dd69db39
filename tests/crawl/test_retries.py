"""Failures through the whole engine, against real servers: what waits, what gives up, what is no success."""

from __future__ import annotations

import socket
import time
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.demo.catalogue import torrents_of
from harvester.model.site import Politeness, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, store_in
from tests.crawl.loopback import page, raw_site
from tests.servers.raw import Exchange, Handler, replies, sends

SEED = torrents_of("book")[0].seed
TORRENT = "Content-Type: application/x-bittorrent"
OPTIONS = CrawlOptions(max_seconds=30)
TREES = ("oak", "elm", "ash", "yew", "fir", "lime", "pine", "alder", "hazel")


def first_then(first: Handler, then: Handler) -> Handler:
    """A handler that answers the first request otherwise than the others."""
    asked = 0

    async def handle(exchange: Exchange) -> None:
        nonlocal asked
        asked += 1
        await (first if asked == 1 else then)(exchange)

    return handle


def run(folder: Path, origin: str, site: SiteFile | None = None) -> CrawlReport:
    return crawl(folder, site or site_from_url(f"{origin}/"), options=OPTIONS)


def taken(folder: Path) -> set[str]:
    with store_in(folder) as store:
        return set(harvested(store).files)


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_holds_the_whole_host_and_the_url_is_asked_again(tmp_path: Path, status: int) -> None:
    busy = first_then(replies(status, b"later", "Retry-After: 2"), replies(200, SEED.data, TORRENT))
    table = {"/": page("/busy.torrent", *(f"/{tree}" for tree in TREES[:5]))}
    table |= {f"/{tree}": page(text=tree * 9, title=tree) for tree in TREES}
    with raw_site(table | {"/busy.torrent": busy}) as (origin, _, seen):
        report = run(tmp_path, origin)
    first, second = seen.times("/busy.torrent")
    assert second - first >= 2
    # Whatever came after the 503 came after the hold, the other pages included.
    after = [at for at, _ in seen.requests if at > first]
    assert min(after) - first >= 2 - 0.05
    assert len(after) >= 5
    assert report.state == "finished"
    assert taken(tmp_path) == {SEED.infohash}
    assert report.figures.errors == {}


def test_a_host_that_keeps_failing_is_left_alone_for_longer_and_longer(tmp_path: Path) -> None:
    table = {"/": page(*(f"/{n}.torrent" for n in range(3)))}
    table |= {f"/{n}.torrent": replies(503, b"later") for n in range(3)}
    with raw_site(table) as (origin, _, seen):
        report = run(tmp_path, origin)
    gaps = seen.gaps()[2:]
    assert gaps[0] >= 0.45
    assert gaps[1] >= 0.9
    assert gaps[2] >= 1.8
    assert report.state in ("finished", "stopped")


def test_a_url_that_never_gets_better_is_given_up_and_counted(tmp_path: Path) -> None:
    with raw_site({"/": page("/broken", "/fine"), "/broken": replies(500, b"no"), "/fine": page()}) as (
        origin,
        _,
        seen,
    ):
        report = run(tmp_path, origin)
    assert Counter(seen.targets)["/broken"] == 3
    assert report.state == "finished"
    assert report.figures.errors == {"http_500": 1}
    assert report.figures.pages == 2


def test_a_body_that_ends_early_is_a_failure_and_asked_for_again(tmp_path: Path) -> None:
    short = b"HTTP/1.1 200 OK\r\n%b\r\nContent-Length: %d\r\n\r\n%b" % (
        TORRENT.encode(),
        len(SEED.data),
        SEED.data[:-40],
    )
    table = {
        "/": page("/short.torrent", "/always.torrent", "/zero.torrent"),
        "/short.torrent": first_then(sends(short), replies(200, SEED.data, TORRENT)),
        "/always.torrent": sends(short),
        "/zero.torrent": replies(200, b"", TORRENT),
    }
    with raw_site(table) as (origin, _, seen):
        report = run(tmp_path, origin)
    assert Counter(seen.targets)["/short.torrent"] == 2
    assert taken(tmp_path) == {SEED.infohash}
    assert report.figures.torrents_new == 1
    assert report.figures.errors == {"truncated": 1, "empty": 1}


def test_a_name_without_an_address_is_given_up_and_holds_up_nobody(tmp_path: Path) -> None:
    with raw_site({"/": page("http://dead.invalid/a.torrent", "/b"), "/b": page(text="b", title="b")}) as (
        origin,
        _,
        _seen,
    ):
        began = time.monotonic()
        report = run(tmp_path, origin)
    assert report.state == "finished"
    assert time.monotonic() - began < 20
    assert report.figures.pages == 2
    assert report.figures.errors or report.figures.left


def test_a_site_that_nobody_serves_ends_at_once_and_says_so(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    report = run(tmp_path, f"http://127.0.0.1:{port}")
    assert report.state == "stopped"
    assert "does not answer" in report.reason


def test_a_reset_connection_is_tried_again(tmp_path: Path) -> None:
    async def reset(exchange: Exchange) -> None:
        exchange.reset()

    table = {"/": page("/a.torrent"), "/a.torrent": first_then(reset, replies(200, SEED.data, TORRENT))}
    with raw_site(table) as (origin, _, _seen):
        report = run(tmp_path, origin)
    assert taken(tmp_path) == {SEED.infohash}
    assert report.figures.errors == {}


def test_robots_that_fails_closes_the_site_for_now(tmp_path: Path) -> None:
    with raw_site({"/robots.txt": replies(500, b"oops"), "/": page("/a")}) as (origin, _, seen):
        report = run(tmp_path, origin)
    assert set(seen.targets) == {"/robots.txt"}
    assert report.state == "stopped"
    assert "closes the site for now" in report.reason


def test_a_real_server_sees_the_delay_and_one_connection_at_a_time(tmp_path: Path) -> None:
    table = {"/": page(*(f"/{tree}" for tree in TREES[:6]))}
    table |= {f"/{tree}": page(text=tree * 9, title=tree) for tree in TREES}
    with raw_site(table) as (origin, server, seen):
        plain = site_from_url(f"{origin}/")
        site = SiteFile(
            site=plain.site, start=plain.start, hosts=plain.hosts, politeness=Politeness(delay=0.3)
        )
        report = run(tmp_path, origin, site)
    assert report.figures.pages == 7
    gaps = seen.gaps()
    assert min(gaps) >= 0.3 - 0.05
    assert sum(gaps) >= 0.3 * len(gaps) - 0.05
    assert median(gaps) < 1.0  # no longer than was asked for, though a busy machine may hold up one or two
    assert seen.most_at_once == 1
    assert server.connections == 1


def test_crawl_delay_of_robots_is_kept_on_top(tmp_path: Path) -> None:
    table = {"/robots.txt": replies(200, b"User-agent: *\nCrawl-delay: 0.4\n", "Content-Type: text/plain")}
    table |= {"/": page("/a", "/b"), "/a": page(text="a"), "/b": page(text="b", title="b")}
    with raw_site(table) as (origin, _, seen):
        run(tmp_path, origin)
    assert len(seen.requests) == 4
    assert min(seen.gaps()[1:]) >= 0.4 - 0.01


def test_the_cap_of_an_hour_ends_the_run_with_when_it_goes_on(tmp_path: Path) -> None:
    table = {"/": page(*(f"/{tree}" for tree in TREES))}
    table |= {f"/{tree}": page(text=tree * 9, title=tree) for tree in TREES}
    with raw_site(table) as (origin, _, seen):
        plain = site_from_url(f"{origin}/")
        site = SiteFile(
            site=plain.site,
            start=plain.start,
            hosts=plain.hosts,
            politeness=Politeness(delay=0.0, per_hour=5),
        )
        report = run(tmp_path, origin, site)
        again = run(tmp_path, origin, site)
    assert len(seen.requests) == 5
    assert report.state == again.state == "stopped"
    assert "wait until" in report.reason
    assert again.resumed


def test_a_host_on_hold_leaves_room_for_the_others(tmp_path: Path) -> None:
    many = [f"/{tree}-{other}" for tree in TREES for other in TREES]
    busy = {"/": page(*many)} | dict.fromkeys(many, replies(503, b"later", "Retry-After: 700"))
    fine = {"/": page(*(f"/{tree}" for tree in TREES))}
    fine |= {f"/{tree}": page(text=tree * 9, title=tree) for tree in TREES}
    with raw_site(busy) as (one, _, held), raw_site(fine) as (two, _, asked):
        site = site_from_url(f"{one}/")
        hosts = (site.hosts[0], two.removeprefix("http://"))
        both = SiteFile(
            site="both", start=(f"{one}/", f"{two}/"), hosts=hosts, politeness=Politeness(delay=0.0)
        )
        began = time.monotonic()
        report = run(tmp_path, one, both)
    assert len(held.requests) == 3
    assert len(asked.requests) == 2 + len(TREES)
    assert time.monotonic() - began < 15
    assert report.state == "stopped"
    assert "wait until" in report.reason
    with store_in(tmp_path) as store:
        assert {finding.kind for finding in store.check(now=time.time() + 10_000)} == set()
