"""A full crawl of a real django-machina forum takes exactly what a guest may see."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crawl.harvesting import crawl, harvested, store_in
from tests.machina.site import MachinaSite, seed_folder


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return seed_folder(tmp_path_factory.mktemp("machina-seed"))


def test_a_guest_gets_exactly_the_open_files_and_every_open_hash(seeded: Path, tmp_path: Path) -> None:
    with MachinaSite(seeded, tmp_path / "forum") as site:
        report = crawl(tmp_path / "data", site.url)
        with store_in(tmp_path / "data") as store:
            got = harvested(store)
        assert report.state == "finished"
        assert got.files == site.for_guests
        open_rows = {row.infohash for row in site.truth if row.wall == "none" and row.form != "thunder"}
        assert got.hashes >= open_rows
