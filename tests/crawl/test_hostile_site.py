"""A crawl of a hostile site ends by itself, bounded, with all the real torrents and no harm done."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from harvester.crawl.options import CrawlReport
from tests.crawl.harvesting import crawl, harvested, store_in
from tests.hostile.site import HostileSite
from tests.replay.truth import Harvested


@dataclass
class Survived:
    site: HostileSite
    report: CrawlReport
    harvested: Harvested
    left: dict[str, int]


@pytest.fixture(scope="module")
def survived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Survived]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    with HostileSite(longest=2.0) as site:
        report = crawl(folder, site.url)
        with store_in(folder) as store:
            left = {one.reason: one.times for one in store.left(store.crawl(report.crawl_id))}
            yield Survived(site, report, harvested(store), left)


def test_it_ends_by_itself(survived: Survived) -> None:
    assert survived.report.state == "finished"


def test_every_real_torrent_is_taken_and_nothing_else(survived: Survived) -> None:
    assert survived.site.real - survived.harvested.files == set()
    assert survived.harvested.files - survived.site.real == set()


def test_nothing_is_changed_and_nothing_forbidden_is_asked_for(survived: Survived) -> None:
    assert survived.site.state.violations == []
    assert survived.site.state.robots_violations == []
    assert survived.site.neighbour_hits == 0


def test_each_trap_costs_a_bounded_number_of_requests_and_is_named(survived: Survived) -> None:
    for trap in ("maze", "grow", "calendar", "repeat", "paged", "near", "missing", "loop"):
        assert 0 < survived.site.state.traps[trap] <= 500, trap
    assert {"trap:calendar", "trap:copies", "trap:path_depth", "soft_404"} <= survived.left.keys()


def test_what_went_wrong_is_counted_by_kind(survived: Survived) -> None:
    errors = survived.report.figures.errors
    assert {"too_large", "redirects", "truncated", "empty"} <= errors.keys()
    assert survived.left["private_address"] >= 1


def test_memory_stays_bounded(tmp_path: Path) -> None:
    # VmHWM begins anew with the program; ru_maxrss would count the test process that was forked.
    code = (
        "import re\n"
        "from pathlib import Path\n"
        "from harvester.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])"
    )
    with HostileSite(longest=1.0) as site:
        arguments = ["full", "--site", site.url, "--data", str(tmp_path)]
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=120, check=True
        )
    assert int(done.stdout.splitlines()[-1]) < 300 * 1024
