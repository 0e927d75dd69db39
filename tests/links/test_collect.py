from __future__ import annotations

import pytest

from harvester.links import collect
from harvester.links.collect import Collector
from harvester.links.resolve import LinkMemo, Resolver
from harvester.model.link import LinkKind, LinkSource
from tests.links.vectors import FILE, HASH, HASH_V2, MAGNET, thunder


def _collector() -> Collector:
    return Collector(Resolver("http://a.example/", "utf-8", frozenset(), LinkMemo()))


def test_the_first_place_of_a_url_stays_and_takes_an_anchor_over() -> None:
    collector = _collector()
    resolved = collector.resolve("x")
    assert resolved is not None
    collector.add(resolved, LinkSource.TEXT, None)
    collector.add(resolved, LinkSource.HREF, None, "later")
    (link,) = collector.finished()
    assert (link.source, link.anchor) == (LinkSource.TEXT, "later")


def test_an_anchor_makes_a_page_a_download() -> None:
    collector = _collector()
    resolved = collector.resolve("x?id=5")
    assert resolved is not None
    collector.add(resolved, LinkSource.HREF, None, "demo.torrent")
    assert collector.finished()[0].kind is LinkKind.DOWNLOAD


def test_hashes_become_magnets_and_null_hashes_nothing() -> None:
    collector = _collector()
    for infohash in (HASH, HASH_V2, "0" * 40):
        collector.add_hash(infohash, None)
    assert [link.url for link in collector.finished()] == [MAGNET, f"magnet:?xt=urn:btmh:1220{HASH_V2}"]


def test_candidates_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "MAX_CANDIDATES", 2)
    collector = _collector()
    taken = [collector.add_candidate(thunder(f"{FILE}{n}"), LinkSource.TEXT, None) for n in range(4)]
    assert taken == [True, True, False, False]
    assert collector.truncated
