"""A full crawl of each recorded forum takes, or names the wall of, everything that a guest can see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks.recorded_sites import README, TITLES, cells
from harvester.crawl.options import CrawlReport
from tests.crawl.harvesting import crawl, harvested, store_in
from tests.replay.server import Replay
from tests.replay.truth import Harvested, Report, check, load

NAMES = ("discuz35", "phpbb", "mybb", "machina")
REFUSED_ROBOTS = 1
"""The thunder links lead to one host that is never asked: its robots.txt is counted, and refused."""


@dataclass
class Crawled:
    """One recorded forum, crawled once."""

    site: Replay
    crawl: CrawlReport
    harvested: Harvested
    truth: Report


@pytest.fixture(scope="module", params=NAMES)
def crawled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawled]:
    folder: Path = tmp_path_factory.mktemp(request.param)
    with Replay(request.param) as site:
        report = crawl(folder, site.url)
        with store_in(folder) as store:
            got = harvested(store)
        yield Crawled(site, report, got, check(load(request.param), got, site))


def test_the_crawl_comes_to_its_end(crawled: Crawled) -> None:
    assert crawled.crawl.state == "finished"


def test_everything_a_guest_can_see_is_taken_or_named(crawled: Crawled) -> None:
    assert crawled.truth.wanted.total() > 20
    assert crawled.truth.missing == []


def test_the_readme_says_what_this_crawl_took(crawled: Crawled) -> None:
    title = TITLES[crawled.site.recording.name]
    (line,) = (line for line in README.read_text().splitlines() if line.startswith(f"| {title} |"))
    assert [cell.strip() for cell in line.split("|")[2:7]] == cells(crawled.truth)


def test_nothing_is_stored_that_the_forum_does_not_hold(crawled: Crawled) -> None:
    assert crawled.truth.surplus == frozenset()


def test_no_request_changes_anything_on_the_forum(crawled: Crawled) -> None:
    assert crawled.site.state.violations == []


def test_the_figures_agree_with_what_is_stored_and_with_what_was_asked(crawled: Crawled) -> None:
    figures = crawled.crawl.figures
    assert figures.torrents_new == len(crawled.harvested.files)
    assert figures.magnets == len(crawled.harvested.hashes - crawled.harvested.files)
    assert figures.requests == crawled.site.state.requests + REFUSED_ROBOTS
