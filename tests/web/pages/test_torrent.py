"""The page of one torrent."""

from __future__ import annotations

import pytest
from parsel import Selector

from tests.web.collection import HOSTILE, PASSKEY, Served, hex_of


def page(web: Served, name: str, scope: str = "") -> Selector:
    answer = web.get(f"/torrents/{hex_of(name)}", scope)
    assert answer.status_code == 200
    return Selector(answer.text)


def test_a_torrent_is_shown_with_files_places_and_trackers(web: Served) -> None:
    shown = page(web, "Ubuntu 24.04 server")
    assert "".join(shown.css("h1 ::text").getall()) == "Ubuntu 24.04 server"
    paths = ["".join(one.css("::text").getall()) for one in shown.css(".tree .path")]
    assert paths == ["Ubuntu 24.04 server/", "a.txt", "b.bin"]
    assert shown.css("td a.url::attr(href)").getall() == ["https://forum.example/t2"]
    assert shown.css(".plain code::text").getall() == ["udp://tracker.example:6969/announce"]
    assert "&tr=udp" in shown.css(".actions a::attr(href)").get("")


def test_hostile_names_paths_comments_and_addresses_do_nothing(web: Served) -> None:
    text = web.get(f"/torrents/{hex_of(HOSTILE)}").text
    shown = Selector(text)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "<b>passwd" not in text
    assert "".join(shown.css("h1 ::text").getall()) == HOSTILE
    links = [one.lower() for one in shown.css("a::attr(href), form::attr(action)").getall()]
    assert links
    assert all(one.startswith(("/", "#", "http://", "https://", "magnet:")) for one in links)
    assert all(rel and "noreferrer" in rel for rel in shown.css("a[href^=http]").xpath("@rel").getall())


def test_a_tracker_with_a_key_is_masked_and_its_file_not_offered(web: Served) -> None:
    shown = page(web, "Open but keyed")
    assert PASSKEY not in shown.get()
    assert not shown.css("a[download]")
    assert page(web, "Open but keyed", "operate").css("a[download]")
    assert PASSKEY not in page(web, "Open but keyed", "operate").get()


def test_a_magnet_without_its_file_says_so(web: Served) -> None:
    shown = page(web, "Only a magnet")
    assert "magnet only" in " ".join(shown.css("dd::text").getall())
    assert not shown.css("a[download]")


@pytest.mark.parametrize("path", ["", ".torrent"])
def test_private_torrents_are_there_for_the_operator_only(web: Served, path: str) -> None:
    address = f"/torrents/{hex_of('Secret holiday')}{path}"
    assert web.get(address).status_code == web.get(address, "read").status_code == 404
    assert web.get(address, "operate").status_code == 200


@pytest.mark.parametrize("digest", ["zz", "0" * 40, "0" * 41, "../x", "%00", "..%2f..%2fkeys.json"])
def test_what_is_not_there_is_not_found(web: Served, digest: str) -> None:
    assert web.get(f"/torrents/{digest}").status_code == 404
    assert web.get(f"/torrents/{digest}.torrent").status_code == 404


@pytest.mark.parametrize(
    "path", ["/static/../keys.json", "/static/%2e%2e/%2e%2e/keys.json", "/static//etc/passwd"]
)
def test_assets_are_all_that_the_folder_of_assets_gives(web: Served, path: str) -> None:
    assert web.get(path).status_code == 404
