"""The API and the page over a harvested demo site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from harvester import wiring
from harvester.demo import DemoSites, start_demo
from harvester.ports.store import Store
from harvester.torrents import parse_torrent
from harvester.web.app import build_app
from tests.crawl.harvesting import crawl, settings_in, store_in


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoSites]:
    with start_demo() as sites:
        yield sites


@pytest.fixture(scope="module")
def folder(demo: DemoSites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("demo")
    crawl(folder, demo.index_url)
    return folder


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with store_in(folder) as store:
        wiring.caught_up_index(settings_in(folder), store)
        yield store


@pytest.fixture(scope="module")
def client(folder: Path, store: Store) -> Iterator[TestClient]:
    with TestClient(build_app(settings_in(folder), store), base_url="http://127.0.0.1") as client:
        yield client


def test_search_finds_the_torrents_whose_name_has_every_word(client: TestClient, store: Store) -> None:
    found = client.get("/api/v1/search", params={"q": "ubuntu desktop", "limit": 100}).json()
    wanted = {one.name for one in store.search_names(["ubuntu-", "-desktop"]) if not one.private}
    assert wanted
    assert wanted <= {torrent["name"] for torrent in found["torrents"]}
    assert found["count"] == found["total"]


def test_search_in_a_site_that_is_not_there_finds_nothing(client: TestClient) -> None:
    assert client.get("/api/v1/search", params={"q": "ubuntu", "site": "none"}).json()["count"] == 0


def test_a_torrent_is_shown_with_files_and_its_file_is_what_was_harvested(client: TestClient) -> None:
    found = client.get("/api/v1/search", params={"q": "ubuntu"}).json()["torrents"]
    digest = next(torrent["infohash_v1"] for torrent in found if torrent["md5"])
    shown = client.get(f"/api/v1/torrents/{digest}").json()
    assert shown["infohash_v1"] == digest
    assert shown["file_list"]
    file = client.get(f"/api/v1/torrents/{digest}.torrent")
    assert file.headers["content-type"] == "application/x-bittorrent"
    assert parse_torrent(file.content).infohash_v1 == digest


def test_private_torrents_are_shown_to_nobody(client: TestClient, store: Store) -> None:
    private = [item.torrent for item in store.iter_torrents() if item.torrent.private]
    assert private
    for torrent in private:
        digest = (torrent.infohash_v1 or torrent.infohash_v2 or b"").hex()
        assert client.get(f"/api/v1/torrents/{digest}").status_code == 404
        assert client.get(f"/api/v1/torrents/{digest}.torrent").status_code == 404
        for query in (torrent.name, digest):
            found = client.get("/api/v1/search", params={"q": query}).json()["torrents"]
            assert torrent.name not in [one["name"] for one in found]


@pytest.mark.parametrize("path", ["/api/v1/torrents/zz", "/api/v1/search?limit=0", "/api/v1/search?limit=x"])
def test_a_wrong_request_is_explained_and_not_a_fault(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 422


def test_an_unknown_torrent_is_not_found(client: TestClient) -> None:
    assert client.get("/api/v1/torrents/" + "0" * 40).status_code == 404


def test_the_page_lists_what_was_found(client: TestClient) -> None:
    assert "ubuntu" in client.get("/", params={"q": "ubuntu"}).text.lower()
