"""From a site's address to a searchable collection, through the real command."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from harvester.demo import DemoSites, start_demo
from harvester.demo.server import Request, Response, SiteThread, loopback_socket, origin_of
from tests.crawl.loopback import raw_site
from tests.servers.raw import replies

SUMMARY = [
    "site", "requests", "pages", "torrents_new", "torrents_known", "duplicates", "magnets", "walls",
    "errors", "seconds",
]  # fmt: skip


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoSites]:
    with start_demo() as sites:
        yield sites


@pytest.fixture(scope="module")
def collection(demo: DemoSites, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the whole forum in it."""
    folder = tmp_path_factory.mktemp("collection")
    harvest("full", "--site", demo.forum_url, "--json", data=folder)
    return folder


def harvest(
    *arguments: str, data: Path, ok: int = 0, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command and check its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "harvester", *arguments, "--data", str(data)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=data.parent,
        env={**os.environ, **(env or {})},
    )
    assert done.returncode == ok, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    return done


@contextmanager
def closed_site() -> Iterator[str]:
    """A site whose every answer is 503."""

    async def busy(_request: Request) -> Response:
        return Response(b"busy", status=503)

    listener = loopback_socket()
    thread = SiteThread([(busy, listener)], name="closed")
    try:
        yield f"{origin_of(listener)}/"
    finally:
        thread.close()


def records(text: str) -> list[dict[str, object]]:
    """JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


def test_the_last_line_of_a_crawl_is_its_figures(demo: DemoSites, tmp_path: Path) -> None:
    done = harvest("full", "--site", demo.forum_url, "--json", data=tmp_path)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert list(figures)[: len(SUMMARY)] == SUMMARY
    assert figures["torrents_new"] > 30
    assert figures["walls"]["reply"] > 0


def test_a_word_of_a_name_finds_it_and_its_hash_shows_everything(collection: Path) -> None:
    found = records(harvest("search", "ubuntu", "--json", data=collection).stdout)
    assert found
    # Names rank first; a page's title and the paths of files count as well.
    assert all("ubuntu" in str(record["name"]).lower() for record in found[:3])
    shown = records(harvest("show", str(found[0]["infohash_v1"]), "--json", data=collection).stdout)[0]
    assert shown["name"] == found[0]["name"]
    assert shown["sources"]
    people = harvest("show", str(found[0]["infohash_v1"]), data=collection).stdout
    assert str(found[0]["name"]) in people


def test_an_export_of_torrents_has_the_documented_keys(collection: Path) -> None:
    rows = records(harvest("export", "torrents", "--format", "jsonl", data=collection).stdout)
    assert len(rows) > 40
    for row in rows:
        assert set(row) >= {
            "infohash_v1",
            "infohash_v2",
            "md5",
            "name",
            "size",
            "files",
            "private",
            "first_seen",
            "last_seen",
            "sources",
        }
        assert isinstance(row["sources"], list)
        for source in row["sources"]:
            assert set(source) == {"url", "page", "site", "wall"}


@pytest.mark.parametrize("what", ["torrents", "files", "sightings", "links"])
def test_csv_holds_as_many_rows_as_json_lines(collection: Path, what: str) -> None:
    lines = harvest("export", what, "--format", "jsonl", data=collection).stdout.splitlines()
    rows = list(
        csv.DictReader(io.StringIO(harvest("export", what, "--format", "csv", data=collection).stdout))
    )
    assert len(rows) == len(lines) > 0


def test_an_export_since_the_future_is_empty(collection: Path) -> None:
    done = harvest("export", "torrents", "--since", "2100-01-01", data=collection)
    assert (done.stdout, done.stderr) == ("", "harvest: no torrents to export since 2100-01-01\n")


def test_status_says_what_was_done_and_what_waits(collection: Path) -> None:
    text = harvest("status", data=collection).stdout
    assert "finished" in text
    assert re.search(r"waiting behind walls: .*reply \d", text)
    as_json = json.loads(harvest("status", "--json", data=collection).stdout)
    assert as_json["sites"][0]["walls"]["reply"] > 0


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(demo: DemoSites, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "harvester",
            "full",
            "--site",
            demo.index_url,
            "--json",
            "--data",
            str(tmp_path),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    before = demo.index.state.requests
    deadline = time.monotonic() + 60
    while demo.index.state.requests < before + 30 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    first = json.loads(out.splitlines()[-1])
    assert first["state"] == "stopped"
    second = json.loads(
        harvest("full", "--site", demo.index_url, "--json", data=tmp_path).stdout.splitlines()[-1]
    )
    assert second["state"] == "finished"
    assert second["crawl"] == first["crawl"]
    assert first["torrents_new"] + second["torrents_new"] > 100


def test_an_unreachable_site_fails_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    done = harvest("full", "--site", f"http://127.0.0.1:{port}/", "--json", data=tmp_path, ok=1)
    assert "does not answer: Connection refused" in done.stderr
    assert "check the address" in done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["errors"] == {"connect": 1}


def test_the_status_of_a_site_that_was_never_crawled_says_so(collection: Path) -> None:
    done = harvest("status", "--site", "debian", data=collection, ok=1)
    assert (
        done.stderr
        == "harvest: debian was never crawled (see: harvest sites list, or: harvest full --site debian)\n"
    )


def test_an_address_without_its_scheme_is_asked_for_in_full(tmp_path: Path) -> None:
    done = harvest("full", "--site", "forum.example.org", data=tmp_path, ok=1)
    assert "for an address write https://forum.example.org/" in done.stderr


def test_a_site_that_lives_elsewhere_now_fails_with_where_to_look(tmp_path: Path) -> None:
    moved = replies(301, b"", "Location: http://elsewhere.example/new/")
    with raw_site({"/": moved}) as (origin, _, _):
        done = harvest("full", "--site", f"{origin}/", data=tmp_path, ok=1)
    assert "redirects to another site: recorded, not followed" in done.stderr
    name = origin.removeprefix("http://").replace(":", "-")
    assert f"see: harvest status --site {name}" in done.stderr
    assert "http://elsewhere.example/new/" in harvest("status", "--site", name, data=tmp_path).stdout


def test_a_crawl_that_stops_early_says_how_it_goes_on(demo: DemoSites, tmp_path: Path) -> None:
    done = harvest("full", "--site", demo.index_url, "--max-requests", "5", data=tmp_path)
    assert "the same command goes on from here" in done.stdout


def test_a_stranger_is_not_crawled_without_a_contact(tmp_path: Path) -> None:
    done = harvest("full", "--site", "https://forum.example.org/", data=tmp_path, ok=2)
    assert "no contact is set" in done.stderr


def test_a_site_file_with_a_wrong_key_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "site.yaml"
    file.write_text("site: mine\nstart: [http://127.0.0.1:9/]\ncolour: red\n")
    done = harvest("full", "--site", str(file), data=tmp_path / "data", ok=2)
    assert f"{file}, line 3" in done.stderr
    assert "colour" in done.stderr


def test_a_database_held_by_another_process_is_said_plainly(demo: DemoSites, collection: Path) -> None:
    (database,) = collection.glob("*.sqlite")
    with sqlite3.connect(database, isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        done = harvest("sites", "pause", "nobody", data=collection, ok=1)
        holder.execute("ROLLBACK")
    assert "another process" in done.stderr


def test_a_full_disk_ends_the_crawl_with_a_plain_error_and_keeps_what_was_stored(
    demo: DemoSites, tmp_path: Path
) -> None:
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (700_000, 700_000))\n"
        "from harvester.cli.main import main\n"
        f"sys.argv = ['harvest', 'full', '--site', {demo.index_url!r}, '--data', {str(tmp_path)!r}]\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "space" in done.stderr or "full" in done.stderr
    assert "nothing is wrong" in harvest("doctor", "--mend", data=tmp_path).stdout + "nothing is wrong"
    finished = harvest("full", "--site", demo.index_url, "--json", data=tmp_path).stdout.splitlines()[-1]
    assert json.loads(finished)["state"] == "finished"


def test_a_paused_site_is_not_crawled_until_it_is_resumed(demo: DemoSites, tmp_path: Path) -> None:
    file = tmp_path / "forum.yaml"
    file.write_text(f"site: forum\nstart: ['{demo.forum_url}']\npoliteness: {{delay: 0}}\n")
    data = tmp_path / "data"
    harvest("sites", "add", str(file), data=data)
    assert "forum" in harvest("sites", "list", data=data).stdout
    harvest("sites", "pause", "forum", "--reason", "too slow", data=data)
    refused = harvest("full", "--site", "forum", data=data, ok=2)
    assert "too slow" in refused.stderr
    harvest("sites", "resume", "forum", data=data)
    done = harvest("full", "--site", "forum", "--max-requests", "5", "--json", data=data)
    assert json.loads(done.stdout.splitlines()[-1])["requests"] == 5
    harvest("sites", "remove", "forum", data=data)
    assert "forum" not in harvest("sites", "list", data=data).stdout


def test_a_site_file_that_is_replaced_or_removed_is_set_aside(tmp_path: Path) -> None:
    file, data = tmp_path / "forum.yaml", tmp_path / "data"
    for delay in (5, 6):
        file.write_text(f"site: forum\nstart: ['https://forum.example/']\npoliteness: {{delay: {delay}}}\n")
        said = harvest("sites", "add", str(file), data=data).stdout
    assert "the earlier one is now" in said
    assert "delay: 5" in (data / "rules" / "forum.yaml.1").read_text()
    assert "earlier" not in harvest("sites", "add", str(file), data=data).stdout
    assert "forum.yaml.2" in harvest("sites", "remove", "forum", data=data).stdout
    assert "delay: 6" in (data / "rules" / "forum.yaml.2").read_text()
    assert "forum" not in harvest("sites", "list", data=data).stdout


def test_pausing_a_site_stops_its_running_crawl_within_seconds(demo: DemoSites, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harvester", "full", "--site", demo.index_url]
    process = subprocess.Popen(
        [*command, "--delay", "0.5", "--json", "--data", str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    before = demo.index.state.requests
    deadline = time.monotonic() + 60
    while demo.index.state.requests < before + 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    name = f"127.0.0.1-{demo.index_url.split(':')[2].strip('/')}"
    harvest("sites", "pause", name, "--reason", "enough", data=tmp_path)
    paused = time.monotonic()
    out, _ = process.communicate(timeout=30)
    assert time.monotonic() - paused < 6
    assert json.loads(out.splitlines()[-1])["reason"] == "the site is paused: enough"


def test_the_demo_harvests_both_sites_and_says_what_to_try(tmp_path: Path) -> None:
    done = harvest("demo", "--once", data=tmp_path)
    assert "torrents are stored" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("Try next: harvest search ubuntu")
    assert records(harvest("search", "ubuntu", "--json", data=tmp_path).stdout)


def test_a_robots_txt_that_fails_closes_the_site_and_says_so(tmp_path: Path) -> None:
    with closed_site() as url:
        done = harvest("full", "--site", url, "--json", data=tmp_path, ok=1)
    assert "robots.txt answers 503" in done.stderr
    assert "asks again" in done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["pages"] == 0


def test_a_stored_page_is_shown_with_what_it_says_and_who_points_to_it(collection: Path) -> None:
    (database,) = collection.glob("*.sqlite")
    with sqlite3.connect(database) as connection:
        (url,) = connection.execute("SELECT url FROM page WHERE url LIKE '%forum-2-1.html'").fetchone()
    shown = json.loads(harvest("pages", url, "--json", data=collection).stdout)
    assert shown["url"] == url
    assert shown["title"]
    assert shown["anchors"]
    assert shown["links"]
    assert len(shown["versions"]) == 1
    assert shown["title"] in harvest("pages", url, data=collection).stdout
    missing = harvest("pages", url, "--at", "2001-01-01", data=collection, ok=1)
    assert "no page" in missing.stderr


def test_warc_files_are_written_beside_the_collection(demo: DemoSites, tmp_path: Path) -> None:
    harvest(
        "full", "--site", demo.forum_url, "--max-requests", "10", "--warc", str(tmp_path / "warc"),
        data=tmp_path / "data",
    )  # fmt: skip
    (file,) = (tmp_path / "warc").iterdir()
    assert file.name.endswith(".warc.gz")
    with file.open("rb") as stream:
        kinds = [record.rec_type for record in ArchiveIterator(stream)]
    assert kinds.count("response") >= 10


def test_the_doctor_says_what_it_looked_at(collection: Path) -> None:
    text = harvest("doctor", data=collection).stdout
    for area in ("contact", "disk", "clock", "robots of 127.0.0.1:", "database and torrent files: whole"):
        assert f"\n{area}" in f"\n{text}"
    assert "free in" in text
    assert text.endswith("nothing is wrong\n")
    assert harvest("doctor", "--json", data=collection).stdout == ""


def test_the_doctor_names_what_is_wrong_and_how_to_mend_it(demo: DemoSites, tmp_path: Path) -> None:
    harvest("full", "--site", demo.forum_url, "--max-requests", "5", data=tmp_path)
    with sqlite3.connect(tmp_path / "harvest.sqlite") as connection:
        connection.execute("UPDATE crawl SET updated_at = updated_at + 1e6")
    done = harvest("doctor", "--json", data=tmp_path, ok=3)
    (finding,) = records(done.stdout)
    assert (finding["kind"], finding["subject"]) == ("wrong", "clock")
    assert "set the clock" in str(finding["hint"])
