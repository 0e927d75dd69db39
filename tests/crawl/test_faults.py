"""Faults that no other test holds, and the table of all of them in docs/faults.md."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.crawl.context import AnchorTexts, RecentKeys
from harvester.crawl.downloads import Downloads
from harvester.crawl.options import CrawlOptions
from harvester.links import extract_links
from harvester.model.site import Hours
from harvester.model.stored import Source, TakenTorrent
from harvester.patterns.sitefile import site_from_url
from harvester.policy.trapwatch import GROWING, MAX_WATCHED, TrapWatch
from tests.crawl.harvesting import crawl
from tests.crawl.loopback import HTML, page, raw_site
from tests.servers.raw import Exchange, replies

ROOT = Path(__file__).resolve().parents[2]
ROWS = re.findall(
    r"^\| .* \| `(tests/[\w/]+\.py)::(test_\w+)` \|$", (ROOT / "docs/faults.md").read_text(), re.M
)
OPTIONS = CrawlOptions(max_seconds=30)


def test_the_table_of_faults_is_read() -> None:
    assert len(ROWS) > 35


@pytest.mark.parametrize(("file", "name"), sorted(set(ROWS)))
def test_every_fault_of_the_table_has_its_test(file: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8")


def test_an_ampersand_is_unescaped_once() -> None:
    html = '<a href="/t?a=1&amp;b=2">x</a><a href="/u?a=1&amp;amp;b=2">y</a>'
    assert [link.url for link in extract_links(html, "http://a.example/").links] == [
        "http://a.example/t?a=1&b=2",
        "http://a.example/u?a=1&amp;b=2",
    ]


def test_a_number_that_only_grows_is_left() -> None:
    watch = TrapWatch()
    verdicts = [
        watch.observe(
            f"http://a.example/grow?n={number}",
            number * 0x9E3779B97F4A7C15 % 2**63,
            useful=False,
            feeds_itself=True,
        )
        for number in range(GROWING + 1)
    ]
    reasons = [verdict.reason for verdict in verdicts if verdict is not None]
    assert reasons[0] in ("growing_number", "barren")
    assert watch.refusal("http://a.example/grow?n=99999") is not None
    assert watch.refusal("http://a.example/other?n=1") is None


def test_a_cookie_of_a_redirect_is_sent_on_the_next_hop_to_the_right_host(tmp_path: Path) -> None:
    asked: list[tuple[str, str, str]] = []

    async def gate(exchange: Exchange) -> None:
        request = exchange.request
        asked.append((request.target, request.headers.get("cookie", ""), request.headers["host"]))
        if "seen=1" in request.headers.get("cookie", ""):
            await exchange.answer(200, b"<title>In</title><p>Welcome.</p>", HTML)
        else:
            await exchange.answer(302, b"", "Location: /in", "Set-Cookie: seen=1; Path=/")

    with raw_site({"/": gate, "/in": gate}) as (origin, _, _seen):
        report = crawl(tmp_path, f"{origin}/", options=OPTIONS)
    host = origin.removeprefix("http://")
    assert asked == [("/", "", host), ("/in", "seen=1", host)]
    assert report.figures.pages == 1


def test_redirects_that_go_round_end(tmp_path: Path) -> None:
    table = {
        "/": page("/one", "/self"),
        "/one": replies(302, b"", "Location: /two"),
        "/two": replies(302, b"", "Location: /one"),
        "/self": replies(302, b"", "Location: /self"),
    }
    with raw_site(table) as (origin, _, seen):
        report = crawl(tmp_path, f"{origin}/", options=OPTIONS)
    assert report.state == "finished"
    assert report.figures.errors == {"redirects": 2}
    assert len(seen.requests) < 10


def test_a_crawl_delay_of_an_hour_is_kept_in_the_frontier(tmp_path: Path) -> None:
    robots = replies(200, b"User-agent: *\nCrawl-delay: 3600\n", "Content-Type: text/plain")
    with raw_site({"/robots.txt": robots, "/": page("/a", "/b")}) as (origin, _, seen):
        began = time.monotonic()
        report = crawl(tmp_path, f"{origin}/", options=OPTIONS)
        again = crawl(tmp_path, f"{origin}/", options=OPTIONS)
    assert time.monotonic() - began < 15
    assert len(seen.requests) <= 2
    assert report.state == again.state == "stopped"
    assert "wait until" in report.reason


def test_outside_the_hours_of_the_site_file_nothing_is_asked_for(tmp_path: Path) -> None:
    minute = int(time.time() % 86_400 // 60)
    closed = Hours((minute + 120) % 1440, (minute + 180) % 1440)
    with raw_site({"/": page("/a")}) as (origin, _, seen):
        plain = site_from_url(f"{origin}/")
        site = replace(plain, scope=replace(plain.scope, hours=closed))
        report = crawl(tmp_path, site, options=OPTIONS)
    assert seen.requests == []
    assert report.state == "stopped"
    assert "wait until" in report.reason


def test_what_a_crawl_keeps_in_memory_of_urls_is_bounded() -> None:
    keys, anchors, downloads, watch = RecentKeys(100), AnchorTexts(100), Downloads(100), TrapWatch()
    for number in range(6_000):
        keys.add(number)
        anchors.is_news(number, "text")
        source = Source("p", number, "d", number)
        downloads.seen_again(source)
        downloads.taken(TakenTorrent(replace(source, download_hash=-number), b"h" * 20, raw=b""))
        watch.observe(f"http://a.example/{number}/x{number}", number, useful=False)
    assert len(keys._keys) <= 100
    assert len(anchors._met) <= 100
    assert len(downloads._waiting) <= 101
    assert len(downloads._known) <= 101
    assert len(watch._tracks) <= MAX_WATCHED
