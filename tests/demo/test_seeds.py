"""Made-up torrents are torrents: libtorrent takes them and finds the same infohashes."""

from __future__ import annotations

import libtorrent
import pytest

from harvester.demo.catalogue import torrents_of
from harvester.demo.seeds import MIB, Kind, make_seed

FILES = [("images/disc-1.img", 40 * MIB + 77), ("images/readme.txt", 3_000), ("notes.bin", 70 * MIB)]


@pytest.mark.parametrize("kind", ["v1", "v2", "hybrid"])
def test_libtorrent_finds_the_same_infohashes(kind: Kind) -> None:
    seed = make_seed("测试", FILES, kind=kind)
    hashes = libtorrent.torrent_info(libtorrent.bdecode(seed.data)).info_hashes()
    assert hashes.has_v1() == (kind != "v2")
    assert hashes.has_v2() == (kind != "v1")
    assert not seed.v1 or str(hashes.v1) == seed.v1
    assert not seed.v2 or str(hashes.v2) == seed.v2


def test_the_catalogue_is_sound_and_the_same_each_time() -> None:
    for topic in ("software", "film", "book", "data", "music"):
        entries = torrents_of(topic)
        assert [entry.seed.data for entry in entries] == [entry.seed.data for entry in torrents_of(topic)]
        assert len({entry.seed.infohash for entry in entries}) == len(entries)
        for entry in entries:
            info = libtorrent.torrent_info(libtorrent.bdecode(entry.seed.data))
            assert info.total_size() == entry.seed.size
            assert str(info.info_hashes().v1) == entry.seed.v1


def test_trackers_leave_the_infohash_alone() -> None:
    one = make_seed("a", FILES)
    other = make_seed("a", FILES, trackers=("http://other.example/announce",), comment="x", age=5)
    assert one.infohash == other.infohash
    assert one.data != other.data


def test_magnets_name_both_hashes_of_a_hybrid() -> None:
    seed = make_seed("a b", FILES, kind="hybrid")
    assert seed.magnet().startswith(
        f"magnet:?xt=urn:btih:{seed.v1}&xt=urn:btmh:1220{seed.v2}&dn=a%20b&tr=udp%3A%2F%2F"
    )
