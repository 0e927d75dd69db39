from __future__ import annotations

import asyncio
import math

import pytest

from benchmarks.measures import Truth, bound_of, measure, role_scores, useless_requests
from benchmarks.simulators import build
from benchmarks.simulators.driving import SimRun, drive
from benchmarks.simulators.fetcher import Exchange, SimFetcher
from harvester.crawl.figures import Figures
from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.errors import Refused
from harvester.model.http import OFFSITE, Request
from harvester.model.site import Role, Rule


@pytest.mark.parametrize("family", ["nyaa", "tracker-details"])
def test_a_crawl_of_a_small_site_finds_every_reachable_torrent_and_stops_there(family: str):
    bound = bound_of(family, 1, 0.03)
    site = build(family, 1, size=0.03)
    run = drive(site, CrawlOptions(max_seconds=20, order="breadth-first"), wanted=bound.torrents)
    found = measure(site, "breadth-first", run, bound)
    assert run.report.reason == "every torrent is found"
    assert found.found == found.reachable
    assert bound.requests_90 <= found.requests_90 <= found.requests_100 == len(run.log)
    assert found.state_changes == 0


def test_a_crawl_that_is_cut_short_has_not_reached_its_shares():
    bound = bound_of("nexusphp", 1, 0.06)
    site = build("nexusphp", 1, size=0.06)
    run = drive(site, CrawlOptions(max_requests=5, order="breadth-first"))
    assert len(run.log) == 5
    assert math.isinf(measure(site, "breadth-first", run, bound).requests_90)


def test_every_hop_of_a_redirect_is_counted():
    site = build("tracker-details", 1, size=0.04)
    fetcher = SimFetcher(site)
    number = max(site.entries)  # type: ignore[attr-defined]  # of this family
    request = Request(f"{site.origin}/details.php?id={number}&hit=1")
    response = asyncio.run(fetcher.fetch(request))
    assert response.url == f"{site.origin}/details.php?id={number}"
    assert [exchange.status for exchange in fetcher.log] == [302, 200]
    assert fetcher.log[1].referer == request.url


def test_a_redirect_goes_where_the_vet_lets_it():
    site = build("wordpress", 1, size=0.05)
    url = f"{site.origin}{site.entries[0].path}?share=twitter"  # type: ignore[attr-defined]  # of this family
    assert asyncio.run(SimFetcher(site).fetch(Request(url))).stopped == OFFSITE
    with pytest.raises(Refused, match="enough"):
        asyncio.run(SimFetcher(site).fetch(Request(url), vet=lambda _: "enough"))


def _run(*log: Exchange) -> SimRun:
    return SimRun(log, (), CrawlReport("s", 1, "finished", "", Figures(), 0.0), 0.0)


def test_useful_are_the_pages_on_the_way_to_a_torrent():
    run = _run(
        Exchange("http://s/robots.txt", "", 200),
        Exchange("http://s/", "", 200),
        Exchange("http://s/list", "http://s/", 200),
        Exchange("http://s/help", "http://s/", 200),
        Exchange("http://s/1.torrent", "http://s/list", 200, "aa"),
        Exchange("http://s/2.torrent", "http://s/list", 200, "aa"),
        Exchange("http://s/list", "http://s/", 200),
    )
    assert useless_requests(run) == 3


def test_roles_are_scored_by_what_urls_are():
    rules = [
        Rule(id="list", role=Role.LIST, match=r"/f/\d+"),
        Rule(id="thread", role=Role.DETAIL, match=r"/t/\d+"),
    ]
    truths = [
        Truth("http://s/f/1", Role.LIST, Role.LIST),
        Truth("http://s/t/1", Role.DETAIL, Role.DETAIL),
        Truth("http://s/t/2", Role.FLIP, Role.DETAIL),
        Truth("http://s/t/3", Role.IGNORE, Role.IGNORE),
        Truth("http://s/t/4", Role.IGNORE, Role.IGNORE, Role.DETAIL),
        Truth("http://s/x/4", Role.DETAIL, Role.DETAIL),
    ]
    precision, recall = role_scores(rules, truths)
    assert precision == pytest.approx((1 + 2 / 3) / 2)
    assert recall == pytest.approx((1 + 2 / 3) / 2)
