"""Deduplication, reading and the change feed, on SQLite and PostgreSQL."""

from __future__ import annotations

from hashlib import md5

import pytest
from msgspec.structs import replace

from harvester.errors import StoreDamaged
from harvester.model.stored import Source, StoredFile, StoredTorrent
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, key, magnet, next_crawl, source, torrent, v1, v2, write


def find(store: Store, name: str) -> StoredTorrent:
    stored = store.find_torrent(v1(name).hex())
    assert stored is not None
    return stored


def figures(store: Store, crawl_id: int) -> dict[str, int]:
    return {name: n for name, n in store.crawl(crawl_id).figures.items() if n}


def test_a_torrent_is_stored_with_everything_said_about_it(store: Store) -> None:
    crawl = begin(store)
    taken = torrent(
        "春天 Ubuntu",
        source("thread-1", "attachment.php?aid=1", title="标题", anchor="下载", rule="thread", wall="login"),
        private=True,
        created=1_500_000_000.0,
        category="software",
        metadata={"comment": "a 'comment'", "piece length": 16384},
        trackers=("http://t.example/announce", "udp://t.example:80"),
        flags=("trailing_bytes",),
    )
    result = write(store, crawl, torrents=[taken])
    assert result.outcomes == ("new",)
    stored = find(store, "春天 Ubuntu")
    assert stored.id == result.torrent_ids[0]
    assert stored == StoredTorrent(
        id=stored.id,
        infohash_v1=taken.infohash_v1,
        infohash_v2=None,
        name="春天 Ubuntu",
        size=3000,
        n_files=2,
        has_file=True,
        private=True,
        created=1_500_000_000.0,
        category="software",
        metadata={"comment": "a 'comment'", "piece length": 16384},
        first_seen=NOW,
        last_seen=NOW,
        sequence=stored.sequence,
    )
    assert store.files(stored.id) == taken.files
    (variant,) = store.variants(stored.id)
    assert taken.raw is not None
    assert (variant.md5, variant.size) == (md5(taken.raw).digest(), len(taken.raw))
    assert (variant.trackers, variant.flags) == (taken.trackers, taken.flags)
    assert store.raw(variant) == taken.raw
    (sighting,) = store.sightings(stored.id)
    assert (sighting.site, sighting.crawl_id, sighting.variant_id) == ("forum", crawl.id, variant.id)
    assert (sighting.page_url, sighting.download_url) == (taken.source.page_url, taken.source.download_url)
    assert (sighting.title, sighting.anchor, sighting.rule, sighting.wall) == (
        "标题",
        "下载",
        "thread",
        "login",
    )
    assert (sighting.first_seen, sighting.last_seen, sighting.times) == (NOW, NOW, 1)


def test_it_is_found_by_every_hash(store: Store) -> None:
    crawl = begin(store)
    one = torrent("hybrid", infohash_v2=v2("hybrid"))
    write(store, crawl, torrents=[one, torrent("other")])
    stored = find(store, "hybrid")
    assert one.raw is not None
    for digest in (
        v1("hybrid").hex().upper(),
        v2("hybrid").hex(),
        v2("hybrid")[:20].hex(),
        md5(one.raw).hexdigest(),
    ):
        assert store.find_torrent(digest) == stored
    for wrong in (
        "",
        "xyz",
        v1("nothing").hex(),
        v2("nothing").hex(),
        "00" * 16,
        "0" * 39,
        v1("hybrid").hex() + "\n",
    ):
        assert store.find_torrent(wrong) is None


def test_one_file_on_ten_pages_is_one_torrent_with_ten_sightings(store: Store) -> None:
    crawl = begin(store)
    first = write(store, crawl, torrents=[torrent("a", source(f"page{n}")) for n in range(4)])
    later = write(store, crawl, torrents=[torrent("a", source(f"page{n}")) for n in range(4, 10)])
    assert first.outcomes == ("new", *["duplicate"] * 3)
    assert later.outcomes == ("duplicate",) * 6
    stored = find(store, "a")
    assert store.count_torrents() == (1, 1)
    assert len(store.sightings(stored.id)) == 10
    assert len(store.variants(stored.id)) == 1
    assert figures(store, crawl.id) == {"torrents_new": 1, "duplicates": 9}


def test_other_bytes_with_the_same_infohash_are_a_variant(store: Store) -> None:
    crawl = begin(store)
    one = torrent("a")
    other = torrent(
        "a", source("elsewhere"), raw=b"d8:announce5:other4:infod4:name1:aee", trackers=("other",)
    )
    assert write(store, crawl, torrents=[one, other]).outcomes == ("new", "duplicate")
    stored = find(store, "a")
    first, second = store.variants(stored.id)
    assert (store.raw(first), store.raw(second)) == (one.raw, other.raw)
    assert second.trackers == ("other",)
    assert {sighting.variant_id for sighting in store.sightings(stored.id)} == {first.id, second.id}


def test_a_torrent_of_an_earlier_crawl_is_known_and_then_a_duplicate(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")])
    again = next_crawl(store, crawl)
    result = write(store, again, now=NOW + 5, torrents=[torrent("a"), torrent("a", source("other"))])
    assert result.outcomes == ("known", "duplicate")
    assert write(store, again, torrents=[torrent("a")]).outcomes == ("duplicate",)
    assert figures(store, again.id) == {"torrents_known": 1, "duplicates": 2}


def test_a_sighting_seen_again_keeps_its_first_time(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")])
    write(store, crawl, now=NOW + 5, torrents=[torrent("a"), torrent("a")])
    stored = find(store, "a")
    (sighting,) = store.sightings(stored.id)
    assert (sighting.first_seen, sighting.last_seen, sighting.times) == (NOW, NOW + 5, 3)
    assert (stored.first_seen, stored.last_seen) == (NOW, NOW + 5)


def test_another_site_knows_a_torrent_of_the_first(store: Store) -> None:
    write(store, begin(store, "one"), torrents=[torrent("a")])
    assert write(store, begin(store, "two"), torrents=[torrent("a", source("two"))]).outcomes == ("known",)
    assert {sighting.site for sighting in store.sightings(find(store, "a").id)} == {"one", "two"}


def test_a_magnet_is_a_torrent_with_no_variant(store: Store) -> None:
    crawl = begin(store)
    result = write(store, crawl, torrents=[magnet("a"), magnet("a"), magnet("b")])
    assert result.outcomes == ("new", "duplicate", "new")
    stored = find(store, "a")
    assert (stored.has_file, stored.size, stored.n_files) == (False, None, 0)
    assert store.variants(stored.id) == []
    assert store.files(stored.id) == ()
    assert store.count_torrents() == (2, 0)
    assert figures(store, crawl.id) == {"magnets": 2}


def test_a_magnet_that_gets_its_file_is_one_torrent(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[magnet("a", name="as the page said")])
    before = find(store, "a")
    result = write(store, crawl, now=NOW + 5, torrents=[torrent("a")])
    assert result.outcomes == ("new",)
    stored = find(store, "a")
    assert (stored.id, stored.first_seen) == (before.id, NOW)
    assert (stored.name, stored.size, stored.n_files, stored.has_file) == ("a", 3000, 2, True)
    assert stored.sequence > before.sequence
    assert len(store.sightings(stored.id)) == 2


def test_a_magnet_and_its_file_in_one_batch_are_one_torrent(store: Store) -> None:
    crawl = begin(store)
    assert write(store, crawl, torrents=[magnet("a"), torrent("a"), magnet("a")]).outcomes == (
        "new",
        "new",
        "duplicate",
    )
    assert store.count_torrents() == (1, 1)
    assert find(store, "a").size == 3000


def test_a_magnet_takes_nothing_from_a_torrent_with_a_file(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")])
    write(store, crawl, torrents=[magnet("a", name="nonsense", infohash_v2=v2("nonsense"))])
    stored = find(store, "a")
    assert (stored.name, stored.infohash_v2, stored.has_file) == ("a", None, True)


def test_a_name_comes_with_the_first_magnet_that_has_one(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[magnet("a", name="")])
    write(store, crawl, torrents=[magnet("a", name="named")])
    write(store, crawl, torrents=[magnet("a", name="renamed")])
    assert find(store, "a").name == "named"


@pytest.mark.parametrize("together", [True, False])
def test_a_hybrid_joins_its_two_magnets(store: Store, together: bool) -> None:
    crawl = begin(store)
    parts = [
        magnet("a", source("page1")),
        replace(magnet("a", source("page2")), infohash_v1=None, infohash_v2=v2("a")),
        magnet("a", source("page2", "page2/file")),
        torrent("a", source("page3"), infohash_v2=v2("a")),
    ]
    for batch in [parts] if together else [[part] for part in parts]:
        write(store, crawl, torrents=batch)
    assert store.count_torrents() == (1, 1)
    stored = find(store, "a")
    assert (stored.infohash_v1, stored.infohash_v2) == (v1("a"), v2("a"))
    assert store.find_torrent(v2("a").hex()) == stored
    assert {sighting.page_url[-5:] for sighting in store.sightings(stored.id)} == {"page1", "page2", "page3"}
    assert not store.check(now=NOW)


def test_a_hybrid_magnet_joins_no_torrents_on_its_word_alone(store: Store) -> None:
    crawl = begin(store)
    v2_only = replace(torrent("b"), infohash_v1=None, infohash_v2=v2("b"))
    write(store, crawl, torrents=[torrent("a"), v2_only])
    write(store, crawl, torrents=[magnet("a", infohash_v2=v2("b"))])
    assert store.count_torrents() == (2, 2)
    assert find(store, "a").infohash_v2 is None


def test_a_file_corrects_what_a_magnet_claimed(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[magnet("a", infohash_v2=v2("b"))])
    v2_only = replace(torrent("b"), infohash_v1=None, infohash_v2=v2("b"))
    write(store, crawl, torrents=[torrent("a"), v2_only])
    assert store.count_torrents() == (2, 2)
    assert find(store, "a").infohash_v2 is None
    assert store.find_torrent(v2("b").hex()) != find(store, "a")


def test_files_whose_md5_collides_are_both_kept(store: Store) -> None:
    # The published collision of Wang and Yu (2004).
    one = bytes.fromhex(
        "d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f89"
        "55ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5b"
        "d8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0"
        "e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70"
    )
    other = bytes.fromhex(
        "d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f89"
        "55ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5b"
        "d8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0"
        "e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70"
    )
    assert md5(one).digest() == md5(other).digest()
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a", raw=one), torrent("b", raw=other)])
    assert [store.raw(variant) for variant in store.variants(find(store, "a").id)] == [one]
    assert [store.raw(variant) for variant in store.variants(find(store, "b").id)] == [other]


def test_hostile_values_are_stored_within_bounds(store: Store) -> None:
    crawl = begin(store)
    wild = torrent(
        "a",
        source("p", title="\x00\udc80", anchor="\ud800"),
        name="nul\x00",
        size=2**70,
        files=(StoredFile("\ud800", 2**70),),
        created=float("nan"),
        metadata={"n": 2**70, "f": float("inf"), "b": b"\xff", "s": "\ud800", "l": [1, {"x": None}]},
        trackers=("\x00",),
    )
    write(store, crawl, torrents=[wild])
    stored = find(store, "a")
    assert (stored.name, stored.size, stored.created) == ("nul�", 2**63 - 1, None)
    assert stored.metadata == {
        "n": 2**63 - 1,
        "f": None,
        "b": "ff",
        "s": "�",
        "l": [1, {"x": None}],
    }
    assert store.files(stored.id) == (StoredFile("�", 2**63 - 1),)


def test_changes_are_read_in_order_and_once(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a"), magnet("b")])
    first = store.changes_since(0)
    assert [change.torrent_id for change in first] == [find(store, "a").id, find(store, "b").id]
    write(store, crawl, torrents=[torrent("b"), torrent("c")])
    later = store.changes_since(first[-1].sequence)
    assert {change.torrent_id for change in later} == {find(store, "b").id, find(store, "c").id}
    assert len(store.changes_since(0)) == 3
    assert store.last_sequence() == later[-1].sequence
    assert store.changes_since(store.last_sequence()) == []
    assert store.changes_since(0, limit=1) == first[:1]


def test_what_was_merely_seen_again_is_no_change(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")])
    before = store.last_sequence()
    write(store, crawl, torrents=[torrent("a"), torrent("a", source("elsewhere"))])
    assert store.last_sequence() == before


def test_a_torrent_found_on_another_site_is_a_change(store: Store) -> None:
    write(store, begin(store, "one"), torrents=[torrent("a")])
    before = store.last_sequence()
    write(store, begin(store, "two"), torrents=[torrent("a")])
    assert [change.torrent_id for change in store.changes_since(before)] == [find(store, "a").id]


def test_a_torrent_that_was_joined_is_gone_in_the_change_feed(store: Store) -> None:
    crawl = begin(store)
    other = replace(magnet("a"), infohash_v1=None, infohash_v2=v2("a"))
    ids = write(store, crawl, torrents=[magnet("a"), other]).torrent_ids
    before = store.last_sequence()
    write(store, crawl, torrents=[torrent("a", infohash_v2=v2("a"))])
    changes = {change.torrent_id: change.gone for change in store.changes_since(before)}
    assert changes == {ids[0]: False, ids[1]: True}
    assert store.torrents(ids) == [find(store, "a")]


def test_names_are_searched_by_all_words(store: Store) -> None:
    crawl = begin(store)
    write(
        store,
        crawl,
        torrents=[torrent(name) for name in ("Debian 12 netinst", "Debian 11 DVD", "春天的故事", "100% x_y")],
    )
    write(store, begin(store, "other"), torrents=[torrent("debian live", source("o"))])

    def names(*words: str, site: str | None = None, limit: int = 20) -> list[str]:
        return [stored.name for stored in store.search_names(words, site=site, limit=limit)]

    assert names("debian", "12") == ["Debian 12 netinst"]
    assert names("DEBIAN") == ["debian live", "Debian 11 DVD", "Debian 12 netinst"]
    assert names("debian", site="forum") == ["Debian 11 DVD", "Debian 12 netinst"]
    assert names("debian", limit=1) == ["debian live"]
    assert names("春天") == ["春天的故事"]
    assert names("100%") == ["100% x_y"]
    assert names("x_y") == ["100% x_y"]
    assert names("%") == ["100% x_y"]
    assert len(names()) == 5


def test_exports_hold_every_torrent_with_its_sources(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harvester.store.torrents.PAGE", 3)
    crawl = begin(store)
    write(store, crawl, torrents=[torrent(f"t{n}") for n in range(7)])
    write(store, crawl, now=NOW + 10, torrents=[magnet("m"), torrent("t0", source("again"))])
    exported = list(store.iter_torrents())
    ids = [one.torrent.id for one in reversed(exported)]
    assert store.exported([*ids, 10**6]) == exported[::-1]
    assert [one.torrent.name for one in exported] == [*(f"t{n}" for n in range(7)), "m"]
    assert [len(one.sightings) for one in exported] == [2, *[1] * 7]
    assert exported[-1].md5 is None
    raw = torrent("t1").raw
    assert raw is not None
    assert exported[1].md5 == md5(raw).digest()
    assert [one.torrent.name for one in store.iter_torrents(since=NOW + 10)] == ["t0", "m"]
    assert len(list(store.iter_files())) == 14
    assert [file.path for _, file in store.iter_files(since=NOW + 1)] == ["t0/a.txt", "t0/b.bin"]
    assert len(list(store.iter_sightings())) == 9
    assert [seen.page_url[-5:] for _, seen in store.iter_sightings(since=NOW + 1)] == ["again", "net-m"]


def test_many_are_read_at_once(store: Store) -> None:
    crawl = begin(store)
    ids = write(store, crawl, torrents=[torrent(str(n)) for n in range(700)]).torrent_ids
    assert [stored.name for stored in store.torrents([*ids[::-1], 10**9])] == [
        str(n) for n in range(699, -1, -1)
    ]
    assert len(store.files_of(ids)) == 700


def test_a_page_title_is_kept_when_a_later_sighting_has_none(store: Store) -> None:
    crawl = begin(store)
    page = Source("https://x.example/p", key("p"), "https://x.example/d", key("d"), title="Title")
    write(store, crawl, torrents=[torrent("a", page)])
    write(store, crawl, torrents=[torrent("a", replace(page, title=""))])
    assert store.sightings(find(store, "a").id)[0].title == "Title"


def test_a_missing_file_is_said_to_be_damaged(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")])
    (variant,) = store.variants(find(store, "a").id)
    with pytest.raises(StoreDamaged, match="is missing from"):
        store.raw(replace(variant, blob="00" * 32))
