"""Torznab and the feed as a program gets them from the real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest
from parsel import Selector

from harvester import wiring
from harvester.model.stored import Block
from harvester.settings import Settings
from harvester.web.keys import KeyFile
from harvester.web.server import address_of, listen, server_for
from tests.store.builders import NOW
from tests.web.collection import HOSTILE, PASSKEY, Served, fill, hex_of

TORZNAB = "{http://torznab.com/schemas/2015/feed}"
ROUTES = ("/torznab", "/torznab/api", "/api/v2.0/indexers/all/results/torznab/api")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = Settings(data=tmp_path_factory.mktemp("torznab"), web_rate_limit=0)
    with wiring.opened_store(settings, create=True) as store, listen("127.0.0.1", 0) as listener:
        fill(store)
        wiring.caught_up_index(settings, store)
        running = server_for(settings, store)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield address_of(listener).rstrip("/")
        running.should_exit = True
        thread.join(10)


def items(text: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text.encode()).iter("item"))


def titles(text: str) -> list[str]:
    return [one.findtext("title", "") for one in items(text)]


def fault(text: str) -> int:
    root = ElementTree.fromstring(text.encode())
    assert root.tag == "error"
    return int(root.get("code", "0"))


@pytest.mark.parametrize("route", ROUTES)
def test_an_empty_search_gives_the_newest_without_private_ones_and_their_files_come(
    server: str, route: str
) -> None:
    answer = httpx.get(f"{server}{route}", params={"t": "search", "cat": ""})
    assert answer.headers["content-type"].startswith("application/xml")
    found = items(answer.text)
    assert len(found) == 6
    assert "Secret holiday" not in titles(answer.text)
    assert HOSTILE in titles(answer.text)
    desktop = next(one for one in found if one.findtext("title") == "Ubuntu 24.04 desktop")
    enclosure = desktop.find("enclosure")
    assert enclosure is not None
    file = httpx.get(enclosure.attrib["url"])
    assert (file.status_code, file.headers["content-type"]) == (200, "application/x-bittorrent")
    attributes = {one.get("name"): one.get("value") for one in desktop.iter(f"{TORZNAB}attr")}
    assert attributes["infohash"] == hex_of("Ubuntu 24.04 desktop")
    assert attributes["size"] == "6000000000"
    assert "seeders" not in attributes


def test_what_may_not_be_handed_out_is_a_magnet_and_no_passkey_is_shown(server: str) -> None:
    text = httpx.get(f"{server}/torznab?t=search").text
    found = {one.findtext("title"): one.findtext("link", "") for one in items(text)}
    assert found["Open but keyed"].startswith("magnet:?xt=urn:btih:")
    assert found["Only a magnet"].startswith("magnet:?xt=urn:btih:")
    assert PASSKEY not in text


def test_pages_and_categories_hold(server: str) -> None:
    def asked(**given: str) -> list[str]:
        return titles(httpx.get(f"{server}/torznab/api", params={"t": "search", **given}).text)

    everything = asked()
    assert [asked(limit="1", offset=str(place))[0] for place in range(6)] == everything
    assert asked(offset="6") == []
    assert set(asked(cat="4000")) >= {"Ubuntu 24.04 desktop", "Ubuntu 24.04 server"}
    assert asked(cat="6000") == []
    assert asked(q="红楼梦") == ["红楼梦 全集"]
    assert asked(q="ubuntu server") == ["Ubuntu 24.04 server"]


def test_faults_are_told_in_torznabs_form(server: str) -> None:
    for query, code in (("", 200), ("t=register", 202), ("t=search&offset=x", 201)):
        answer = httpx.get(f"{server}/torznab/api?{query}")
        assert (answer.status_code, fault(answer.text)) == (200, code)
    wrong = httpx.get(f"{server}/torznab/api?t=search&apikey=hv_nobodys")
    assert (wrong.status_code, fault(wrong.text)) == (200, 100)
    assert len(items(httpx.get(f"{server}{ROUTES[2]}").text)) == 6
    assert "<indexer id=" in httpx.get(f"{server}{ROUTES[2]}?t=indexers&configured=true").text
    assert "<limits default=" in httpx.get(f"{server}/torznab?t=caps").text


def test_a_key_in_the_address_reads_and_does_no_more(tmp_path: Path, own: Served) -> None:
    del tmp_path
    closed = own.settings.model_copy(update={"web_public_read": False})
    _, key = KeyFile(own.settings.data).add("client", "operate", now=NOW)
    from fastapi.testclient import TestClient

    from harvester.web.app import build_app

    with TestClient(build_app(closed, own.store)) as client:
        assert fault(client.get("/torznab?t=search").text) == 100
        assert client.get("/torznab?t=caps").text.count("<limits") == 1
        text = client.get("/torznab", params={"t": "search", "apikey": key}).text
        assert (len(items(text)), "Secret holiday" in text) == (6, False)
        link = next(one.findtext("link", "") for one in items(text) if "desktop" in one.findtext("title", ""))
        assert client.get(link).status_code == 200
        secret = f"/torrents/{hex_of('Secret holiday')}.torrent?apikey={key}"
        assert client.get(secret).status_code == 404
        assert client.get(f"/api/v1/sites?apikey={key}").status_code == 401
        assert "Secret holiday" not in client.get(f"/feed.xml?apikey={key}").text


def test_the_feed_of_a_search_is_found_from_its_page(server: str) -> None:
    page = Selector(httpx.get(f"{server}/?q=ubuntu").text)
    link = page.css("link[rel=alternate]::attr(href)").get()
    assert link == "/feed.xml?q=ubuntu"
    answer = httpx.get(f"{server}{link}")
    assert answer.headers["content-type"].startswith("application/rss+xml")
    assert set(titles(answer.text)) == {"Ubuntu 24.04 desktop", "Ubuntu 24.04 server"}
    for one in items(answer.text):
        enclosure = one.find("enclosure")
        assert enclosure is not None
        assert int(enclosure.attrib["length"]) == len(httpx.get(enclosure.attrib["url"]).content)
    assert answer.text == httpx.get(f"{server}{link}").text


def test_what_is_blocked_is_gone_at_once_and_private_ones_are_in_no_feed(own: Served) -> None:
    for scope in ("", "admin"):
        assert "Secret holiday" not in own.get("/feed.xml", scope).text
        assert "Secret holiday" not in own.get("/torznab", scope, t="search").text
    own.store.add_block(Block("infohash", hex_of("Ubuntu 24.04 server"), "asked for", NOW))
    assert "Ubuntu 24.04 server" not in own.get("/feed.xml").text
    assert "Ubuntu 24.04 server" not in own.get("/torznab", t="search").text
