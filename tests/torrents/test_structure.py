"""Which dictionaries are torrents, and what their infohashes are of."""

from __future__ import annotations

from hashlib import sha1, sha256
from typing import Any

import pytest

from harvester.errors import LimitExceeded, NotATorrent
from harvester.torrents import identify
from tests.torrents.building import PIECES, encode, info, leaf, multi, raw, torrent, v2

ONE_FILE = {b"a": leaf(5)}


@pytest.mark.parametrize(
    "value",
    [
        info(),
        info(name=b""),
        info(name=None, **{"name.utf-8": b"n"}),
        info(pieces=b""),
        info(length=0),
        info(pieces=None, root_hash=PIECES),
        info(meta_version=1),
        info(meta_version=b"2"),
        multi([(1, b"a")]),
        multi([(1, b"a"), 7, {b"length": -1, b"path": [b"b"]}]),
        multi([{b"length": 1, b"path.utf-8": [b"a"]}]),
        multi([{b"length": 1, b"attr": b"p"}]),
        multi([{b"attr": b"l", b"path": [b"a"], b"symlink path": [b"b"]}]),
    ],
)
def test_a_v1_torrent_is_one(value: dict[bytes, Any]) -> None:
    identity = identify(torrent(value))
    assert identity.infohash_v1 == sha1(encode(value)).hexdigest()
    assert identity.infohash_v2 is None


@pytest.mark.parametrize(
    "value",
    [
        {},
        info(name=None),
        info(name=7),
        info(piece_length=None),
        info(piece_length=0),
        info(piece_length=-1),
        info(piece_length=2**63),
        info(piece_length=b"16384"),
        info(pieces=None),
        info(pieces=b"x" * 19),
        info(pieces=7),
        info(pieces=None, root_hash=b"x" * 19),
        info(length=None),
        info(length=-1),
        info(length=2**63),
        info(length=b"5"),
        multi([]),
        multi([7]),
        multi([(-1, b"a")]),
        multi([{b"length": 1}]),
        multi([{b"length": 1, b"path": []}]),
        multi([{b"length": 1, b"path": [7]}]),
        multi([{b"length": 1, b"path": b"a"}]),
        v2({}),
        v2({b"a": {}}),
        v2({b"": {b"length": 1}}),
        v2({b"a": {b"": {b"length": -1}}}),
        v2({b"a": {b"": 7}}),
        v2(ONE_FILE, meta_version=3),
        v2(ONE_FILE, meta_version=None),
    ],
)
def test_a_dictionary_that_lacks_something_is_no_torrent(value: dict[bytes, Any]) -> None:
    with pytest.raises(NotATorrent):
        identify(torrent(value))


def test_version_2_has_a_sha256_and_no_v1_infohash() -> None:
    value = v2(ONE_FILE)
    identity = identify(torrent(value))
    assert (identity.infohash_v1, identity.infohash_v2) == (None, sha256(encode(value)).hexdigest())


@pytest.mark.parametrize("more", [{"length": 5}, {"files": [{b"length": 5, b"path": [b"a"]}]}])
def test_a_hybrid_has_both_infohashes(more: dict[str, Any]) -> None:
    value = v2(ONE_FILE, pieces=PIECES, **more)
    identity = identify(torrent(value))
    assert identity.infohash_v1 == sha1(encode(value)).hexdigest()
    assert identity.infohash_v2 == sha256(encode(value)).hexdigest()


def test_a_newer_version_is_read_for_its_v1_part_and_flagged() -> None:
    identity = identify(torrent(info(meta_version=3)))
    assert identity.infohash_v2 is None
    assert identity.flags == ("unsupported_version",)


def test_a_newer_version_alone_is_called_unsupported() -> None:
    with pytest.raises(NotATorrent) as caught:
        identify(torrent(v2(ONE_FILE, meta_version=3)))
    assert caught.value.kind == "unsupported"


def test_version_2_without_a_tree_is_read_for_its_v1_part() -> None:
    assert identify(torrent(info(meta_version=2))).flags == ("file_tree_missing",)


def test_the_infohash_is_that_of_the_bytes_as_found() -> None:
    written = raw(
        [(b"pieces", encode(PIECES)), (b"piece length", b"i016384e"), (b"name", b"01:n"), (b"length", b"i5e")]
    )
    identity = identify(b"d4:info" + written + b"e")
    assert identity.infohash_v1 == sha1(written).hexdigest()
    assert identity.flags == ("leading_zero", "unsorted_keys")


def test_more_files_than_the_limit_are_refused() -> None:
    files = b"d6:lengthi1e4:pathl1:aee"
    body = b"d4:infod5:filesl%se4:name1:n12:piece lengthi16384e6:pieces0:ee"
    identify(body % (files * 100_000))
    with pytest.raises(LimitExceeded):
        identify(body % (files * 100_001))


def test_more_path_components_than_the_limit_are_refused() -> None:
    body = b"d4:infod5:filesld6:lengthi1e4:pathl%seee4:name1:n12:piece lengthi16384e6:pieces0:ee"
    identify(body % (b"1:a" * 500_000))
    with pytest.raises(LimitExceeded):
        identify(body % (b"1:a" * 500_001))


def test_more_files_in_a_tree_than_the_limit_are_refused() -> None:
    def body(count: int) -> bytes:
        tree = b"".join(b"5:%05xd0:d6:lengthi0eee" % number for number in range(count))
        return b"d4:infod9:file treed%se12:meta versioni2e4:name1:n12:piece lengthi16384eee" % tree

    identify(body(100_000))
    with pytest.raises(LimitExceeded):
        identify(body(100_001))
