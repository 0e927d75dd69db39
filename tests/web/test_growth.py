"""Torrents over time."""

from __future__ import annotations

from pathlib import Path

from harvester import wiring
from harvester.settings import Settings
from harvester.web.growth import growth, totals
from tests.store.builders import NOW, begin, torrent, write


def test_growth_counts_what_was_known_at_each_moment(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    with wiring.opened_store(settings, create=True) as store:
        crawl = begin(store)
        for day in range(10):
            write(store, crawl, now=NOW + day * 86400, torrents=[torrent(f"t{day}", private=day == 9)])
        index = wiring.caught_up_index(settings, store)
        points = growth(index, store, private=False, steps=8)
        assert [point.torrents for point in points] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        assert points[-1].at == NOW + 8 * 86400
        assert growth(index, store, private=True)[-1].torrents == 10
        assert growth(index, store, site="elsewhere", private=True) == []
        assert (totals(index, private=False), totals(index, private=True)) == ((9, 9), (10, 10))
