"""Points are spent within the site file's limits, once an item, and written down before they go."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester import wiring
from harvester.demo import DemoSites, start_demo
from harvester.demo.forum import DiscuzForum
from harvester.demo.forum_points import PURSE, Purse
from harvester.demo.sites import ACCOUNT, DemoOptions
from harvester.model.site import Account, PointsPolicy, RobotsDecision, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, store_in


@pytest.fixture
def demo(monkeypatch: pytest.MonkeyPatch) -> Iterator[DemoSites]:
    monkeypatch.setenv("DEMO_USER", ACCOUNT[0])
    monkeypatch.setenv("DEMO_PASSWORD", ACCOUNT[1])
    with start_demo(["demo-forum"], DemoOptions(flood_seconds=0.0, points=True)) as sites:
        yield sites


def purse_of(demo: DemoSites) -> Purse:
    assert isinstance(demo.forum, DiscuzForum)
    assert demo.forum.purse is not None
    return demo.forum.purse


def site(demo: DemoSites, **limits: int) -> SiteFile:
    return replace(
        site_from_url(f"{demo.forum_url.rpartition('/')[0]}/forum-60-1.html"),
        account=Account("DEMO_USER", "DEMO_PASSWORD"),
        robots=RobotsDecision(True, "2026-11-30", "https://forum.example.org/terms"),
        points=PointsPolicy(**limits),
        engine="discuz",
        scope=replace(site_from_url(demo.forum_url).scope, depth=2),
    )


def sold(demo: DemoSites, *, dear: bool) -> set[str]:
    rows = [row for row in demo.truth if row.wall == "pay"]
    return {rows[-1].infohash} if dear else {row.infohash for row in rows[:-1]}


def test_nothing_is_spent_and_no_price_asked_for_unless_the_site_file_says_so(
    demo: DemoSites, tmp_path: Path
) -> None:
    crawl(tmp_path, site(demo))
    assert (purse_of(demo).points, purse_of(demo).asked) == (PURSE, [])
    with store_in(tmp_path) as store:
        assert all("max_per_item" in item.opens for item in store.parked(kind="pay"))
        assert len(store.parked(kind="pay")) == 3


def test_what_is_within_the_limits_is_bought_once_and_the_rest_says_why(
    demo: DemoSites, tmp_path: Path
) -> None:
    limits = {"max_per_item": 5, "max_per_day": 20}
    for _ in range(2):
        crawl(tmp_path, site(demo, **limits))
    purse = purse_of(demo)
    assert (purse.points, len(purse.bought), len(purse.asked)) == (PURSE - 8, 2, 2)
    assert demo.forum.state.violations == []
    with store_in(tmp_path) as store:
        got = harvested(store).files
        assert sold(demo, dear=False) - got == set()
        assert sold(demo, dear=True) & got == set()
        (left,) = store.parked(kind="pay")
        assert "it costs 40 points, the limit is 5 an item" in left.opens
        events = {one.kind: one.detail for one in wiring.account_events(store, None, 50)}
        spent = [one.detail["points"] for one in store.events(kind="purchase")]
    assert sorted(spent) == [3.0, 5.0]
    assert events["purchase_result"]["verdict"] == "bought"
    assert events["purchase_refused"]["points"] == 40.0


def test_the_limit_of_a_day_holds_over_runs(demo: DemoSites, tmp_path: Path) -> None:
    for _ in range(2):
        crawl(tmp_path, site(demo, max_per_item=5, max_per_day=6))
    assert PURSE - purse_of(demo).points in (3, 5)
    with store_in(tmp_path) as store:
        assert any("a day is reached" in item.opens for item in store.parked(kind="pay"))


def test_what_must_remain_remains(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, site(demo, max_per_item=5, max_per_day=50, min_balance=PURSE - 4))
    assert purse_of(demo).points == PURSE - 3


def test_a_limit_that_is_raised_opens_what_was_parked(demo: DemoSites, tmp_path: Path) -> None:
    crawl(tmp_path, site(demo))
    crawl(tmp_path, site(demo, max_per_item=50, max_per_day=50), run=wiring.refresh)
    assert purse_of(demo).points == PURSE - 48
    with store_in(tmp_path) as store:
        assert store.parked(kind="pay") == []
        assert "pay" in {one.wall for item in store.iter_torrents() for one in item.sightings}
        assert sold(demo, dear=True) <= harvested(store).files


def test_a_price_that_is_another_on_the_form_is_not_paid(
    demo: DemoSites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = DiscuzForum._pay

    def dearer(forum: DiscuzForum, request, visitor, purse):  # type: ignore[no-untyped-def]  # as the forum's own
        answer = shown(forum, request, visitor, purse)
        return dataclasses.replace(
            answer, body=answer.body.replace(" 金钱".encode("gbk"), "9 金钱".encode("gbk"))
        )

    monkeypatch.setattr(DiscuzForum, "_pay", dearer)
    crawl(tmp_path, site(demo, max_per_item=100, max_per_day=1000))
    assert purse_of(demo).points == PURSE
    with store_in(tmp_path) as store:
        assert any("changed" in item.opens for item in store.parked(kind="pay"))
