"""The index follows the store, whatever happens to either."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from harvester.errors import NotFound, StoreBusy, StoreDamaged
from harvester.index.folder import IndexFolder, read_followed
from harvester.index.following import Follower
from harvester.index.reading import IndexReader
from harvester.index.writing import BuildWriter
from harvester.policy.blocking import Blocklist
from harvester.store import open_store
from tests.index.conftest import Collection
from tests.store.builders import begin, magnet, source, torrent, v1, v2, write


def build_of(collection: Collection) -> Path:
    build = IndexFolder(collection.root).current()
    assert build is not None
    return build


def test_without_an_index_a_search_says_how_to_make_one(collection: Collection) -> None:
    collection.add("a")
    with pytest.raises(NotFound, match="harvest reindex"):
        collection.find("a")
    assert collection.follower.is_behind()


def test_what_is_stored_is_found_after_catching_up_and_not_before(collection: Collection) -> None:
    collection.add("first")
    assert collection.names("first") == ["first"]
    collection.add("second")
    assert collection.follower.is_behind()
    assert collection.find("second").total == 0
    assert collection.names("second") == ["second"]
    assert not collection.follower.is_behind()
    assert collection.index.count() == 2
    assert collection.index.sequence() == collection.store.last_sequence()


def test_a_torrent_that_changed_is_found_by_what_it_is_now_only(collection: Collection) -> None:
    write(collection.store, collection.crawl, torrents=[magnet("x", name="old words")])
    assert collection.names("old") == ["old words"]
    write(collection.store, collection.crawl, torrents=[torrent("x", name="new words")])
    assert collection.names("new") == ["new words"]
    assert collection.names("old") == []
    assert collection.index.count() == 1


def test_torrents_that_turned_out_to_be_one_are_found_once(collection: Collection) -> None:
    crawl = collection.crawl
    write(collection.store, crawl, torrents=[magnet("half", infohash_v1=v1("h"))])
    write(
        collection.store, crawl, torrents=[magnet("half", source("q"), infohash_v1=None, infohash_v2=v2("h"))]
    )
    assert len(collection.names("half")) == 2
    write(collection.store, crawl, torrents=[torrent("half", infohash_v1=v1("h"), infohash_v2=v2("h"))])
    assert collection.names("half") == ["half"]
    assert collection.index.count() == 1


def test_following_twice_changes_nothing(collection: Collection) -> None:
    collection.fill(["one", "two"])
    collection.follower.catch_up()
    build = build_of(collection)
    told = json.loads((build / "followed.json").read_text())
    (build / "followed.json").write_text(json.dumps(told | {"sequence": 0}))
    assert collection.follower.catch_up() == 2
    assert collection.index.count() == 2
    assert sorted(collection.names("")) == ["one", "two"]


def test_what_was_not_committed_is_followed_again(collection: Collection) -> None:
    collection.fill(["one", "two"])
    collection.follower.catch_up()
    collection.add("three")
    changes = collection.store.changes_since(collection.index.sequence())
    writer = BuildWriter(build_of(collection))
    writer.apply(changes, collection.store.searchable([one.torrent_id for one in changes]), Blocklist(()))
    writer.close()
    assert collection.index.count() == 2
    assert collection.names("three") == ["three"]


def test_a_rebuild_gives_the_same_and_drops_the_old_one(collection: Collection) -> None:
    collection.fill(["one", "two"])
    collection.follower.catch_up()
    old = build_of(collection)
    reader = IndexReader(collection.root)
    assert reader.count() == 2
    assert collection.follower.rebuild() == 2
    assert not old.exists()
    assert build_of(collection) != old
    assert reader.count() == 2
    assert sorted(collection.names("")) == ["one", "two"]


def test_an_index_of_another_version_is_made_anew(collection: Collection) -> None:
    collection.fill(["one", "two"])
    collection.follower.catch_up()
    old = build_of(collection)
    told = json.loads((old / "followed.json").read_text())
    (old / "followed.json").write_text(json.dumps(told | {"version": 0}))
    with pytest.raises(NotFound, match="of this version"):
        IndexReader(collection.root).count()
    assert sorted(collection.names("")) == ["one", "two"]
    assert build_of(collection) != old


def test_an_index_of_another_store_is_made_anew(collection: Collection, tmp_path: Path) -> None:
    collection.fill(["one", "two", "three"])
    collection.follower.catch_up()
    other = open_store(f"sqlite:///{tmp_path / 'other.db'}", str(tmp_path / "torrents"))
    crawl = begin(other)
    for name in ("four", "five", "six", "seven"):
        write(other, crawl, torrents=[torrent(name)])
    Follower(collection.root, other).catch_up()
    assert collection.index.count() == 4
    other.close()


def test_a_merged_anchor_does_not_make_the_index_anew(collection: Collection) -> None:
    crawl = collection.crawl
    write(collection.store, crawl, torrents=[magnet("half", infohash_v1=v1("h"))])
    write(
        collection.store, crawl, torrents=[magnet("half", source("q"), infohash_v1=None, infohash_v2=v2("h"))]
    )
    collection.follower.catch_up()
    build = build_of(collection)
    followed = read_followed(build)
    assert followed is not None
    write(collection.store, crawl, torrents=[torrent("half", infohash_v1=v1("h"), infohash_v2=v2("h"))])
    assert collection.store.torrents([followed.anchor]) == []
    collection.follower.catch_up()
    assert build_of(collection) == build


def test_one_writes_and_others_are_told_so(collection: Collection) -> None:
    collection.add("one")
    collection.follower.catch_up()
    with IndexFolder(collection.root).writing(), pytest.raises(StoreBusy, match="another process"):
        Follower(collection.root, collection.store).catch_up()
    assert collection.follower.catch_up() == 0


def test_any_number_of_copies_follow_one_store(collection: Collection, tmp_path: Path) -> None:
    collection.fill(["one", "two"])
    copies = [tmp_path / "copy1", tmp_path / "copy2"]
    for copy in copies:
        Follower(copy, collection.store).catch_up()
    assert [IndexReader(copy).count() for copy in copies] == [2, 2]


def test_a_damaged_index_is_named_with_what_to_do(collection: Collection) -> None:
    collection.fill(["one", "two"])
    collection.follower.catch_up()
    for path in build_of(collection).glob("*.idx"):
        path.unlink()
    with pytest.raises(StoreDamaged, match="harvest reindex"):
        IndexReader(collection.root).count()
    shutil.rmtree(collection.root)
    assert sorted(collection.names("")) == ["one", "two"]


def test_a_follower_that_runs_finds_new_torrents_within_two_seconds(collection: Collection) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=collection.follower.run, args=(stop,))
    thread.start()
    try:
        key = collection.add("fresh")
        start = time.monotonic()
        while time.monotonic() - start < 20:
            try:
                if collection.index.sequence() >= key:
                    break
            except NotFound:
                pass
            stop.wait(0.01)
        assert collection.find("fresh").total == 1
        assert time.monotonic() - start < 2
    finally:
        stop.set()
        thread.join()


_FOLLOW = """
import sys
from pathlib import Path
from harvester.index import following
from harvester.index.following import Follower
from harvester.store import open_store
following.CHUNK, following.COMMIT_SECONDS = 7, 0.0
store = open_store(sys.argv[1], sys.argv[2])
print("ready", flush=True)
Follower(Path(sys.argv[3]), store).catch_up(lambda done, newest: print(done, flush=True))
"""


@pytest.mark.parametrize("after", [1, 4, 9])
def test_a_killed_follower_loses_and_repeats_nothing(
    collection: Collection, tmp_path: Path, after: int
) -> None:
    names = [f"torrent {number}" for number in range(120)]
    write(collection.store, collection.crawl, torrents=[torrent(name) for name in names])
    url, blobs = f"sqlite:///{tmp_path / 'harvest.db'}", str(tmp_path / "torrents")
    command = [sys.executable, "-c", _FOLLOW, url, blobs, str(collection.root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(after + 1):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    collection.follower.catch_up()
    assert collection.index.count() == len(names)
    assert sorted(collection.names("torrent", limit=200)) == sorted(names)


def test_a_new_title_of_a_known_torrent_is_found(collection: Collection) -> None:
    key = collection.add("Plain name", title="First words")
    assert collection.names("first words") == ["Plain name"]
    where = source("thread-Plain name-forum", title="Other words")
    assert collection.add("Plain name", where=where) == key
    assert collection.names("other words") == ["Plain name"]
    collection.add("Plain name", where=source("another thread", title="Yet another"))
    assert collection.names("yet another") == ["Plain name"]
