from __future__ import annotations

from collections import Counter

from harvester.crawl.figures import Figures


def test_figures_survive_json() -> None:
    figures = Figures(requests=3, torrents_new=1, walls=Counter(login=2), errors=Counter(dns=1))
    assert Figures.from_json(figures.to_json()) == figures


def test_adding_sums_every_counter() -> None:
    total = Figures(requests=1, walls=Counter(login=1))
    total.add(Figures(requests=2, pages=5, walls=Counter(login=1, reply=1)))
    assert total.requests == 3
    assert total.pages == 5
    assert total.walls == Counter(login=2, reply=1)
