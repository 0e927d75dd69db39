"""The API and the page over a harvested demo site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from harvester.demo import DemoSites, start_demo
from harvester.torrents import parse_torrent
from harvester.web.app import build_app
from tests.crawl.harvesting import crawl, store_in


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoSites]:
    with start_demo() as sites:
        yield sites


@pytest.fixture(scope="module")
def client(demo: DemoSites, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("web")
    crawl(folder, demo.index_url)
    with store_in(folder) as store, TestClient(build_app(store)) as client:
        yield client


def test_search_gives_torrents_that_have_every_word(client: TestClient) -> None:
    found = client.get("/api/v1/search", params={"q": "ubuntu", "limit": 3}).json()
    assert 0 < found["count"] <= 3
    assert all("ubuntu" in torrent["name"].lower() for torrent in found["torrents"])


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


def test_private_torrents_are_shown_to_nobody(client: TestClient, demo: DemoSites) -> None:
    with_private = client.app.state.store.iter_torrents()  # type: ignore[attr-defined]  # the test client keeps its app
    private = [item.torrent for item in with_private if item.torrent.private]
    assert private
    for torrent in private:
        digest = (torrent.infohash_v1 or torrent.infohash_v2).hex()
        assert client.get(f"/api/v1/torrents/{digest}").status_code == 404
        assert client.get(f"/api/v1/torrents/{digest}.torrent").status_code == 404
        names = [
            t["name"] for t in client.get("/api/v1/search", params={"q": torrent.name}).json()["torrents"]
        ]
        assert torrent.name not in names


@pytest.mark.parametrize("path", ["/api/v1/torrents/zz", "/api/v1/search?limit=0", "/api/v1/search?limit=x"])
def test_a_wrong_request_is_explained_and_not_a_fault(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 422


def test_an_unknown_torrent_is_not_found(client: TestClient) -> None:
    assert client.get("/api/v1/torrents/" + "0" * 40).status_code == 404


def test_the_openapi_document_names_every_route(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    assert set(paths) >= {
        "/api/v1/search",
        "/api/v1/torrents/{digest}",
        "/api/v1/torrents/{digest}.torrent",
    }


def test_the_page_escapes_what_was_asked_and_sends_a_strict_policy(client: TestClient) -> None:
    page = client.get("/", params={"q": "<script>alert(1)</script>"})
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;" in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")


def test_the_page_lists_what_was_found(client: TestClient) -> None:
    assert "ubuntu" in client.get("/", params={"q": "ubuntu"}).text.lower()
