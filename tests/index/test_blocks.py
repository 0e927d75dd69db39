"""What the operator took out is gone from search at once, and comes back when the block is lifted."""

from __future__ import annotations

import pytest

from harvester.errors import NotFound, UsageError
from harvester.search.blocked import add_block, block_of, remove_block
from harvester.search.export import EXPORTS
from tests.index.conftest import Collection
from tests.store.builders import source, v1


@pytest.fixture
def shelf(collection: Collection) -> Collection:
    collection.add("bad thing", "good/file.iso")
    collection.add("good thing", "some/bad thing.iso")
    collection.add("fine thing", "x.iso", metadata={"publisher_url": "https://Publisher.example/about"})
    collection.add("plain thing", "y.iso")
    collection.add("坏东西 thing", "z.iso", title="thing")
    collection.follower.catch_up()
    return collection


BLOCKS = [
    ("infohash", v1("bad thing").hex().upper(), {"bad thing"}),
    ("word", "bad", {"bad thing", "good thing"}),
    ("word", "Bad Thing", {"bad thing", "good thing"}),
    ("word", "thing bad", set()),
    ("word", "東西", {"坏东西 thing"}),
    ("word", "东", {"坏东西 thing"}),
    ("pattern", r"^(bad|plain)", {"bad thing", "plain thing"}),
    ("pattern", r"BAD.*\.iso$", {"good thing"}),
    ("publisher", "publisher.example", {"fine thing"}),
    ("publisher", "https://PUBLISHER.example/about", {"fine thing"}),
    ("publisher", "example", set()),
]
ALL = {"bad thing", "good thing", "fine thing", "plain thing", "坏东西 thing"}


def found(collection: Collection) -> set[str]:
    page = collection.find("thing")
    assert page.total == len(page.rows)
    return {row.torrent.name for row in page.rows}


@pytest.mark.parametrize(("kind", "value", "gone"), BLOCKS)
def test_a_block_takes_its_torrents_out_at_once_and_lifting_it_brings_them_back(
    shelf: Collection, kind: str, value: str, gone: set[str]
) -> None:
    add_block(shelf.store, kind, value, "asked for", now=shelf.now)
    assert found(shelf) == ALL - gone, "before the index heeds it"
    shelf.follower.catch_up()
    assert found(shelf) == ALL - gone, "after the index heeds it"
    assert shelf.index.count() == len(ALL - gone)
    shelf.add("bad thing", "good/file.iso", site="other")
    shelf.follower.catch_up()
    assert found(shelf) == ALL - gone, "after the torrent was seen again"
    remove_block(shelf.store, kind, value, now=shelf.now)
    shelf.follower.catch_up()
    assert found(shelf) == ALL
    assert shelf.index.count() == len(ALL)


def test_one_of_two_blocks_that_take_the_same_out_can_be_lifted(shelf: Collection) -> None:
    add_block(shelf.store, "word", "bad", "one", now=shelf.now)
    shelf.follower.catch_up()
    add_block(shelf.store, "infohash", v1("bad thing").hex(), "two", now=shelf.now + 1)
    shelf.follower.catch_up()
    remove_block(shelf.store, "word", "bad", now=shelf.now)
    shelf.follower.catch_up()
    assert found(shelf) == ALL - {"bad thing"}


def test_a_rebuild_heeds_the_blocks(shelf: Collection) -> None:
    add_block(shelf.store, "pattern", "^bad", "asked for", now=shelf.now)
    shelf.follower.rebuild()
    assert found(shelf) == ALL - {"bad thing"}
    remove_block(shelf.store, "pattern", "^bad", now=shelf.now)
    shelf.follower.catch_up()
    assert found(shelf) == ALL


def test_a_blocked_torrent_is_not_found_by_its_hash(shelf: Collection) -> None:
    digest = v1("bad thing").hex()
    assert shelf.find(digest).total == 1
    add_block(shelf.store, "word", "bad", "asked for", now=shelf.now)
    assert shelf.find(digest).rows == ()
    shelf.follower.catch_up()
    assert shelf.find(digest).rows == ()
    assert shelf.find(f"hash:{digest}").total == 0


@pytest.mark.parametrize("what", ["torrents", "files", "sightings"])
def test_exports_leave_out_what_is_blocked(shelf: Collection, what: str) -> None:
    before = list(EXPORTS[what](shelf.store, 0.0))
    add_block(shelf.store, "word", "bad", "asked for", now=shelf.now)
    left = list(EXPORTS[what](shelf.store, 0.0))
    gone = {v1("bad thing").hex(), v1("good thing").hex()}
    assert left == [record for record in before if record["infohash_v1"] not in gone]
    assert len(left) < len(before)


def test_the_block_of_a_torrent_is_named_with_its_reason(shelf: Collection) -> None:
    bad = shelf.find("bad -some").rows[0].torrent.id
    assert block_of(shelf.store, bad) is None
    add_block(shelf.store, "word", "bad", "asked for", now=shelf.now)
    block = block_of(shelf.store, bad)
    assert block is not None
    assert block.reason == "asked for"


def test_blocking_and_lifting_is_written_down(shelf: Collection) -> None:
    add_block(shelf.store, "word", "bad", "asked for", now=shelf.now)
    remove_block(shelf.store, "word", "bad", now=shelf.now)
    assert [event.kind for event in shelf.store.events()] == ["block_removed", "block_added"]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("infohash", "xyz"),
        ("infohash", "12" * 16),
        ("word", "..."),
        ("word", " "),
        ("pattern", "a("),
        ("pattern", "(?=x)"),
        ("pattern", ".*"),
        ("colour", "red"),
        ("word", "x" * 501),
    ],
)
def test_a_block_that_makes_no_sense_is_refused(shelf: Collection, kind: str, value: str) -> None:
    with pytest.raises(UsageError):
        add_block(shelf.store, kind, value, "asked for", now=shelf.now)
    assert shelf.store.blocks() == []


def test_a_block_that_is_not_there_cannot_be_lifted(shelf: Collection) -> None:
    with pytest.raises(NotFound):
        remove_block(shelf.store, "word", "bad", now=shelf.now)


def test_titles_count_as_texts_of_a_torrent(collection: Collection) -> None:
    collection.add("innocent", where=source("p", title="Something bad"))
    collection.follower.catch_up()
    add_block(collection.store, "word", "something bad", "asked for", now=collection.now)
    assert collection.find("innocent").rows == ()
