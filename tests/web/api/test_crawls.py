"""Crawls through the API."""

from __future__ import annotations

from harvester.model.crawl import LeftUrl
from tests.store.builders import NOW, begin, write
from tests.web.collection import Served


def test_crawls_are_listed_newest_first_with_their_figures(own: Served) -> None:
    begin(own.store, "other", now=NOW + 100)
    crawls = own.get("/api/v1/crawls").json()["crawls"]
    assert [one["site"] for one in crawls] == ["other", "forum"]
    assert crawls[1]["figures"]["torrents_new"] == 6
    assert [one["site"] for one in own.get("/api/v1/crawls", site="forum").json()["crawls"]] == ["forum"]


def test_why_something_was_left_is_told_with_an_example_for_the_operator(own: Served) -> None:
    crawl = begin(own.store, "other", now=NOW + 100)
    write(own.store, crawl, left=[LeftUrl("action:logout", "https://other.example/logout?sid=abc")])
    path = f"/api/v1/crawls/{crawl.id}"
    assert own.get(path).json()["left"] == [{"reason": "action:logout", "times": 1, "example": None}]
    assert own.get(path, "operate").json()["left"][0]["example"] == "https://other.example/logout?sid=***"


def test_a_crawl_that_is_not_there_is_not_found(web: Served) -> None:
    assert web.get("/api/v1/crawls/999").status_code == 404
