"""What the doctor says of settings, disk, clock and robots."""

from __future__ import annotations

from harvester.crawl.checkup import (
    SOON_FULL,
    check_clock,
    check_contact,
    check_disk,
    check_robots,
)
from harvester.model.crawl import RobotsText

NOW = 1_800_000_000.0
DAY = 86_400.0
GB = 1_000_000_000


def test_a_contact_is_missed_only_when_strangers_are_to_be_crawled() -> None:
    assert check_contact("", []).state == "ok"
    assert check_contact("me@example.org", ["forum"]).state == "ok"
    missing = check_contact("", ["forum"])
    assert missing.state == "wrong"
    assert "forum" in missing.what
    assert "HARVEST_CONTACT" in missing.hint


def test_the_disk_forecast_comes_from_what_crawls_added() -> None:
    sizes = [(NOW + day * DAY, (10 + day) * GB) for day in range(5)]
    fine = check_disk(500 * GB, sizes, "/data")
    assert fine.state == "ok"
    assert "room for about 500 more, 500 days" in fine.what
    soon = check_disk(10 * GB, sizes[::-1], "/data")
    assert soon.state == "notice"
    assert 10 * DAY < SOON_FULL
    assert "10 days" in soon.what


def test_one_crawl_makes_no_forecast_and_a_shrinking_collection_none_of_doom() -> None:
    assert "after two crawls" in check_disk(500 * GB, [(NOW, GB)], "/data").what
    shrunk = check_disk(500 * GB, [(NOW, 2 * GB), (NOW + DAY, GB)], "/data")
    assert shrunk.state == "ok"
    assert "room for" not in shrunk.what


def test_a_disk_that_is_nearly_full_is_wrong_whatever_the_forecast() -> None:
    full = check_disk(GB // 2, [], "/data")
    assert full.state == "wrong"
    assert "make room" in full.hint


def test_a_clock_that_was_set_back_is_found_by_what_is_stored() -> None:
    assert check_clock(NOW, NOW - 5).state == "ok"
    assert check_clock(NOW, NOW + 60).state == "ok"
    back = check_clock(NOW, NOW + DAY)
    assert back.state == "wrong"
    assert "set back" in back.what
    assert check_clock(0.0, 0.0).state == "wrong"


def test_robots_that_close_a_site_are_told_with_their_age() -> None:
    def robots(text: str, status: int, age: float = 60.0) -> tuple[str, str]:
        (one,) = check_robots(
            "forum", {"a.example": RobotsText("a.example", text, status, NOW - age)}, "harvest/1", NOW
        )
        return one.state, one.what

    assert robots("User-agent: *\nDisallow: /x\n", 200)[0] == "ok"
    assert robots("", 404)[0] == "ok"
    assert robots("User-agent: *\nDisallow: /\n", 200) == (
        "notice",
        "it asks harvest/1 to stay out (asked for at 2027-01-15 07:59 UTC)",
    )
    assert "closes forum for now" in robots("", 503)[1]
    assert "closes forum for now" in robots("", 0)[1]
    assert "asked for again" in robots("", 404, age=2 * DAY)[1]
    assert check_robots("forum", {"a.example": None}, "harvest/1", NOW) == []
