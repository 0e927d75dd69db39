"""What the index reads of a torrent, on both databases."""

from __future__ import annotations

from msgspec.structs import replace

from harvester.model.query import Searchable
from harvester.model.stored import Block, StoredFile
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, magnet, source, torrent, v1, v2, write


def test_everything_that_is_searched_comes_in_one_piece(store: Store) -> None:
    crawl = begin(store)
    taken = torrent(
        "one",
        source("p1", title="first title", wall="login"),
        infohash_v2=v2("one"),
        files=(StoredFile("a/small.txt", 1), StoredFile("a/large.iso", 9)),
        private=True,
        created=NOW - 5,
        metadata={"comment": "told", "publisher": "someone", "publisher_url": "https://p.example/"},
    )
    again = replace(taken, source=source("p2", anchor="name.torrent", title="second title"))
    key = write(store, crawl, torrents=[taken, again]).torrent_ids[0]
    write(store, begin(store, "other"), torrents=[replace(taken, source=source("p3", anchor="download"))])
    (found,) = store.searchable([key])
    assert set(found.titles) == {"first title", "second title", "name.torrent"}
    assert set(found.sites) == {"forum", "other"}
    assert set(found.walls) == {"login", ""}
    assert replace(found, titles=(), sites=(), walls=(), sequence=0) == Searchable(
        id=key,
        sequence=0,
        infohash_v1=v1("one"),
        infohash_v2=v2("one"),
        name="one",
        size=3000,
        n_files=2,
        has_file=True,
        private=True,
        created=NOW - 5,
        first_seen=NOW,
        category="",
        comment="told",
        publishers=("someone", "https://p.example/"),
        paths=("a/small.txt", "a/large.iso"),
        main_path="a/large.iso",
        titles=(),
        sites=(),
        walls=(),
    )
    assert set(store.sites_of([key])[key]) == {"forum", "other"}


def test_torrents_come_in_the_order_asked_and_gone_ones_are_left_out(store: Store) -> None:
    names = [f"m{number}" for number in range(300)]
    ids = write(store, begin(store), torrents=[magnet(name) for name in names]).torrent_ids
    asked = [*reversed(ids), 10**12]
    assert [one.name for one in store.searchable(asked)] == list(reversed(names))
    assert [one.name for one in store.torrents(asked)] == list(reversed(names))
    assert store.searchable([]) == []
    assert store.sites_of([]) == {}


def test_the_state_of_the_blocklist_is_other_whenever_it_changed(store: Store) -> None:
    states = [store.blocks_state()]
    for at, value in enumerate(("a", "b")):
        store.add_block(Block("word", value, "", NOW + at))
        states.append(store.blocks_state())
    store.remove_block("word", "a")
    states.append(store.blocks_state())
    store.add_block(Block("word", "c", "", NOW + 5))
    states.append(store.blocks_state())
    assert len(set(states)) == len(states)
