"""Whatever a torrent, its files, a site or an address is called: nothing is written or read outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from harvester.crawl.options import CrawlOptions
from harvester.demo.seeds import make_seed
from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from harvester.patterns.sitefile import site_from_url
from harvester.search.export import EXPORTS
from tests.cli.running import run_command
from tests.crawl.harvesting import SECONDS, crawl, store_in
from tests.web.collection import Served

UP = "../../../../escaped"
NAMES = (UP, "..\\..\\escaped", "/tmp/escaped", "C:\\escaped", "a/../../escaped", "\x00/escaped")


def everything_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_names_of_torrents_and_files_become_no_paths(tmp_path: Path) -> None:
    seeds = [make_seed(f"{name} {n}", [(f"{name}{n}", 1_000)]) for n, name in enumerate(NAMES)]

    async def site(request: Request) -> Response:
        if request.path.startswith("/get/"):
            name = f"{UP}.torrent".encode()
            headers = [("Content-Disposition", b'attachment; filename="' + name + b'"')]
            return Response(
                seeds[int(request.path[5:])].data, content_type="application/x-bittorrent", headers=headers
            )
        links = "".join(f'<a href="/get/{n}">{UP}/{n}.torrent</a>' for n in range(len(seeds)))
        return Response(f"<html><title>{UP}</title>{links}</html>".encode(), content_type="text/html")

    listener, inner = loopback_socket(), tmp_path / "a" / "b" / "c" / "data"
    with SiteThread([(site, listener)]):
        options = CrawlOptions(max_seconds=SECONDS, warc=inner / "warc")
        crawl(inner, replace(site_from_url(origin_of(listener)), site="hostile"), options=options)
    with store_in(inner) as store:
        assert store.count_torrents() == (len(seeds), len(seeds))
        hashes = [one.torrent.infohash_v1 for one in store.iter_torrents()]
    for what in EXPORTS:
        for form in ("jsonl", "csv"):
            done = run_command("export", what, "--format", form, "--data", str(inner))
            assert done.returncode == 0
    for digest in hashes:
        assert digest is not None
        assert run_command("show", digest.hex(), "--data", str(inner)).returncode == 0
    outside = {path for path in everything_below(tmp_path) if not path.startswith("a/b/c/data")}
    assert outside == {"a", "a/b", "a/b/c"}
    assert not [path for path in everything_below(inner) if "escaped" in path]


@pytest.mark.parametrize("name", ["../escaped", "a/b", "..", "", ".hidden/../x", "x" * 300])
def test_a_site_is_not_called_by_a_path(name: str, tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    file.write_text(f"site: '{name}'\nstart: ['https://forum.example.org/']\n", encoding="utf-8")
    data = tmp_path / "inner" / "data"
    done = run_command("sites", "add", str(file), "--data", str(data))
    assert done.returncode == 2
    for words in (("account", "test", name), ("account", "forget", name), ("pages", name), ("captcha", name)):
        assert run_command(*words, "--data", str(data)).returncode != 0
    assert not [path for path in everything_below(tmp_path) if "escaped" in path]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../keys.json", "/static/%2e%2e/%2e%2e/keys.json", "/static/..%2f..%2fapp.py",
        "/static//etc/passwd",
        "/torrents/..%2f..%2fkeys.json", "/torrents/..%2fkeys.torrent", "/sites/..%2f..%2fsessions",
        "/accounts/..%2f..%2fkeys/image/x", "/api/v1/torrents/..%2f..%2fkeys.torrent", "/api/v1/sites/..%2fx",
        "/api/v1/sites/..%2f..%2fx/rules",
    ],
)  # fmt: skip
def test_no_address_of_the_server_leads_out(path: str, own: Served) -> None:
    answer = own.get(path, "admin")
    assert answer.status_code in (400, 404, 422)
    assert "hv_" not in answer.text


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example/", "/\\evil.example", "javascript:x"]
)
def test_no_address_sends_anybody_elsewhere(back: str, own: Served) -> None:
    for path in (f"/language/en?back={back}", f"/login?back={back}"):
        answer = own.client.get(path, follow_redirects=False)
        assert answer.headers.get("location", "/").startswith("/")
        assert not answer.headers.get("location", "/").startswith(("//", "/\\"))
        assert "evil.example" not in answer.headers.get("location", "")
