"""Forums of no known software hide files in their own words: one reply opens a thread, no more is pressed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.access.wall_markers.notices import BY_HAND
from harvester.demo.forums import MEMBER, RunningForum
from harvester.model.site import Account, PointsPolicy, SiteFile
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import REPLIES, crawl, harvested, store_in
from tests.crawl.hiding_forum import HidingForum


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORUM_USER", MEMBER[0])
    monkeypatch.setenv("FORUM_PASSWORD", MEMBER[1])


def members_site(url: str) -> SiteFile:
    return replace(site_from_url(url), site="odd", account=Account("FORUM_USER", "FORUM_PASSWORD"))


@pytest.mark.parametrize(
    ("notice", "form", "language"),
    [
        ("hide-tag", "buttons", "en"),
        ("plain", "plain", "en"),
        ("chinese", "buttons", "zh"),
        ("short", "bare", "zh"),
        ("traditional", "plain", "zh"),
        ("russian", "buttons", "ru"),
        ("german", "bare", "de"),
        ("spanish", "plain", "en"),
        ("japanese", "bare", "ja"),
    ],
)
def test_one_reply_a_thread_opens_what_waits_for_it_and_nothing_else_is_pressed(
    notice: str, form: str, language: str, tmp_path: Path
) -> None:
    options = {"notice": notice, "form": form, "language": language}
    with RunningForum(HidingForum, options) as forum, store_in(tmp_path) as store:
        limits = PointsPolicy(max_per_item=50, max_per_day=100)
        crawl(tmp_path, replace(members_site(forum.url), reply=REPLIES, points=limits))
        got = harvested(store).files
        assert (forum.wanted("none", "login", "reply") - got, forum.wanted("pay") & got) == (set(), set())
        assert (forum.state.logins, forum.state.replies, forum.refused) == (1, 2, [])
        assert (forum.state.violations, forum.bought) == ([], [])
        walls = {one.wall for item in store.iter_torrents() for one in item.sightings}
        assert "reply" in walls
        (thanks,) = store.parked(kind="permission")
        (price,) = store.parked(kind="pay")
        assert (thanks.opens, "nothing is bought" in price.opens) == (BY_HAND, True)


@pytest.mark.parametrize("notice", ["hide-tag", "chinese", "russian"])
def test_without_leave_to_reply_what_is_hidden_waits(notice: str, tmp_path: Path) -> None:
    with RunningForum(HidingForum, {"notice": notice}) as forum, store_in(tmp_path) as store:
        crawl(tmp_path, members_site(forum.url))
        assert len(store.parked(kind="reply")) == 2
        assert (forum.state.replies, forum.state.violations) == (0, [])
