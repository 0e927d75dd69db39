"""`harvest search`, `reindex` and `block`, through the real command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harvester.index.reading import IndexReader
from harvester.store import open_store
from tests.cli.running import Done, run_command
from tests.store.builders import NOW, begin, source, torrent, v1, write

NAMES = ("ubuntu.24.04.iso", "ubuntu server", "debian.12", "权力的游戏")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with some torrents."""
    store = open_store(f"sqlite:///{tmp_path / 'harvest.sqlite'}", str(tmp_path / "blobs"))
    crawl = begin(store)
    for at, name in enumerate(NAMES):
        write(store, crawl, now=NOW + at, torrents=[torrent(name, source(name), size=1000 * (at + 1))])
    store.close()
    return tmp_path


def harvest(data: Path, *arguments: str) -> Done:
    return run_command(*arguments, "--data", str(data))


def names(done: Done) -> list[str]:
    """The names in the first column."""
    assert done.returncode == 0, done.stderr
    return [next(name for name in NAMES if line.startswith(name)) for line in done.stdout.splitlines()]


def test_words_exclusions_and_fields_work_without_any_preparation(data: Path) -> None:
    assert names(harvest(data, "search", "ubuntu", "-server")) == ["ubuntu.24.04.iso"]
    assert names(harvest(data, "search", "力的")) == ["权力的游戏"]
    assert names(harvest(data, "search", "size:>2000", "--sort", "size")) == ["权力的游戏", "debian.12"]
    assert names(harvest(data, "search")) == list(reversed(NAMES))
    assert names(harvest(data, "search", "--sort", "size-asc", "--site", "forum", "-n", "1")) == [NAMES[0]]
    assert harvest(data, "search", "nothing").stdout == "nothing found\n"


def test_pages_follow_each_other(data: Path) -> None:
    first = harvest(data, "search", "--sort", "date", "-n", "2")
    assert "2 of 4; the next page: --after date." in first.stderr
    after = first.stderr.split()[-1]
    assert names(first) + names(harvest(data, "search", "--sort", "date", "--after", after)) == list(
        reversed(NAMES)
    )
    assert names(harvest(data, "search", "--offset", "3")) == [NAMES[0]]


def test_json_has_a_line_a_torrent_and_facets_in_the_last(data: Path) -> None:
    done = harvest(data, "search", "ubuntu", "--json", "--facets")
    *rows, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["name"] for row in rows} == set(NAMES[:2])
    assert last["total"] == 2
    assert last["facets"]["site"] == {"forum": 2}


def test_facets_are_printed_below_the_rows(data: Path) -> None:
    assert "site     forum 4" in harvest(data, "search", "--facets").stdout


def test_a_wrong_query_ends_with_its_position_and_exit_code_2(data: Path) -> None:
    done = harvest(data, "search", "ubuntu", "size:>big")
    assert done.returncode == 2
    assert "character 13" in done.stderr
    assert harvest(data, "search", "--sort", "colour").returncode == 2


def test_queries_are_counted_unless_that_is_switched_off(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    harvest(data, "search", "ubuntu")
    monkeypatch.setenv("HARVEST_QUERY_LOG", "false")
    harvest(data, "search", "debian")
    store = open_store(f"sqlite:///{data / 'harvest.sqlite'}", str(data / "blobs"))
    assert [one.query for one in store.query_counts()] == ["ubuntu"]
    store.close()


def test_what_is_blocked_is_gone_from_search_show_and_exports_and_comes_back(data: Path) -> None:
    digest = v1(NAMES[0]).hex()
    assert harvest(data, "block", "add", "word", "24.04", "--reason", "by request").returncode == 0
    assert names(harvest(data, "search", "ubuntu")) == ["ubuntu server"]
    shown = harvest(data, "show", digest)
    assert shown.returncode == 1
    assert "by request" in shown.stderr
    assert digest not in harvest(data, "export", "torrents").stdout
    listed = json.loads(harvest(data, "block", "list", "--json").stdout)
    assert (listed["kind"], listed["value"], listed["reason"]) == ("word", "24.04", "by request")
    assert "by request" in harvest(data, "block", "list").stdout
    assert harvest(data, "block", "remove", "word", "24.04").returncode == 0
    assert len(names(harvest(data, "search", "ubuntu"))) == 2
    assert harvest(data, "show", digest).returncode == 0
    assert harvest(data, "block", "remove", "word", "24.04").returncode == 1


def test_reindex_makes_the_index_anew(data: Path) -> None:
    done = harvest(data, "reindex")
    assert done.returncode == 0
    assert "4 torrents indexed" in done.stderr
    assert IndexReader(data / "index").count() == 4


@pytest.mark.parametrize("how", ["signal", "pipe"])
def test_a_following_process_keeps_the_index_up_to_date_until_it_is_told_to_end(data: Path, how: str) -> None:
    command = [sys.executable, "-m", "harvester", "reindex", "--follow", "--data", str(data)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    try:
        index = IndexReader(data / "index")
        end = time.monotonic() + 60
        while not (data / "index" / "current").exists() or index.count() < len(NAMES):
            assert time.monotonic() < end
            time.sleep(0.02)
        if how == "signal":
            process.send_signal(signal.SIGTERM)
        else:
            assert process.stdin is not None
            process.stdin.close()
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        if process.stdin is not None:
            process.stdin.close()


_SERVER = """
import sys, time
from pathlib import Path
from harvester import wiring
from harvester.cli.options import settings_for
with wiring.following(settings_for(Path(sys.argv[1]))):
    print("serving", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["ends", "is killed"])
def test_a_server_takes_its_follower_with_it_however_it_ends(data: Path, how: str) -> None:
    command = [sys.executable, "-c", _SERVER, str(data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdout.readline()
        follower = int(Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text())
        if how == "is killed":
            server.kill()
        else:
            server.stdin.close()
        server.wait(30)
    end = time.monotonic() + 60
    while _runs(follower):
        assert time.monotonic() < end
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
