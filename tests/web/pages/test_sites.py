"""The pages of sites."""

from __future__ import annotations

from parsel import Selector

from tests.store.builders import NOW
from tests.web.collection import Served


def test_sites_are_shown_with_what_they_gave_and_what_waits(web: Served) -> None:
    card = Selector(web.get("/sites").text).css(".card")
    assert card.css("h2 a::text").get() == "forum"
    assert card.css(".figures dd::text").getall() == ["6", "1", "70"]
    assert card.css(".chips .chip::text").getall() == ["log-in 1"]


def test_a_site_is_shown_with_its_crawls_and_plots(web: Served) -> None:
    shown = Selector(web.get("/sites/forum").text)
    assert "70" in shown.css("tbody tr td::text").getall()
    titles = shown.css(".plot figcaption::text").getall()
    assert titles == ["Torrents over time", "Requests for each new torrent"]
    assert shown.css(".bar title::text").getall() == ["2027-01-15: 10.0"]


def test_what_waits_is_listed_for_the_operator_only(web: Served) -> None:
    assert "w1" not in web.get("/sites/forum").text
    shown = web.get("/sites/forum", "operate").text
    assert "https://forum.example/w1?token=***" in shown
    assert "token=abc" not in shown


def test_how_the_account_stands_is_told_to_the_operator_only(web: Served) -> None:
    assert not Selector(web.get("/sites/forum").text).css("#account")
    told = " ".join(
        Selector(web.get("/sites/forum", "operate").text).css("#account *::text, #account::text").getall()
    )
    assert "none, and 1 things wait for one" in told
    assert "harvest account add forum" in told


def test_a_site_that_was_removed_or_never_was_is_not_found(own: Served) -> None:
    assert own.get("/sites/nowhere").status_code == 404
    own.store.set_site_state("forum", "removed", now=NOW)
    assert own.get("/sites/forum").status_code == 404
    assert Selector(own.get("/sites").text).css(".empty")
