"""Version 2: file trees, Merkle roots, piece layers, hybrids."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from harvester.torrents import parse_torrent
from harvester.torrents.v2 import is_valid_piece_length, layer_root, read_tree
from tests.torrents.building import PIECES, leaf, torrent, v2
from tests.torrents.corpus import accepted

LAYER = b"a" * 32 + b"b" * 32 + b"c" * 32


def root_of_three() -> bytes:
    left = sha256(LAYER[:64]).digest()
    right = sha256(LAYER[64:] + bytes(32)).digest()
    return sha256(left + right).digest()


def flags_of(value: dict[bytes, Any], **outer: Any) -> set[str]:
    return set(parse_torrent(torrent(value, **outer)).flags)


def test_a_tree_is_read_in_its_order_with_its_folders() -> None:
    tree = {b"b": {b"x": leaf(1), b"y": {b"z": leaf(2)}}, b"c": leaf(3)}
    flags: set[str] = set()
    assert [(entry.raw, entry.size) for entry in read_tree(tree, flags)] == [
        ([b"b", b"x"], 1),
        ([b"b", b"y", b"z"], 2),
        ([b"c"], 3),
    ]
    assert flags == set()


def test_the_root_of_a_layer_is_filled_up_with_empty_pieces() -> None:
    assert layer_root(LAYER, 16_384) == root_of_three()
    pair = sha256(bytes(64)).digest()
    assert (
        layer_root(LAYER[:64] + b"d" * 32, 32_768)
        == sha256(sha256(LAYER[:64]).digest() + sha256(b"d" * 32 + pair).digest()).digest()
    )


def test_piece_layers_that_fit_are_not_flagged() -> None:
    value = v2({b"a": leaf(40_000, root_of_three())})
    assert flags_of(value, **{"piece layers": {root_of_three(): LAYER}}) == set()


@pytest.mark.parametrize(
    ("layers", "flag"),
    [
        (None, "piece_layers_missing"),
        ({}, "piece_layers_missing"),
        (7, "bad_piece_layers"),
        ({root_of_three(): LAYER[:64]}, "bad_piece_layers"),
        ({root_of_three(): LAYER[:64] + b"x" * 32}, "bad_piece_layers"),
        ({root_of_three(): 7}, "bad_piece_layers"),
        ({root_of_three(): LAYER, b"x" * 32: b""}, "bad_piece_layers"),
    ],
)
def test_piece_layers_that_do_not_fit_are_flagged(layers: Any, flag: str) -> None:
    assert flag in flags_of(v2({b"a": leaf(40_000, root_of_three())}), **{"piece layers": layers})


def test_the_layers_of_every_file_that_libtorrent_accepts_are_right() -> None:
    checked = 0
    for sample in accepted():
        if sample.infohash_v2:
            parsed = parse_torrent(sample.body)
            assert "bad_piece_layers" not in parsed.flags, sample.name
            checked += any(file.pieces_root for file in parsed.files)
    assert checked > 5


@pytest.mark.parametrize(
    ("tree", "flag"),
    [
        ({b"a": leaf(5, None)}, "bad_pieces_root"),
        ({b"a": leaf(5, b"short")}, "bad_pieces_root"),
        ({b"a": leaf(5, bytes(32))}, "bad_pieces_root"),
        ({b"a": leaf(5), b"b": 7}, "bad_file_entry"),
        ({b"a": leaf(5) | {b"x": leaf(1)}}, "bad_file_entry"),
        ({b"": leaf(5), b"a": leaf(5)}, "bad_file_entry"),
        ({b"a": leaf(5), b"b": leaf(-1)}, "bad_file_entry"),
        ({b"a": leaf(5, attr=b"p")}, "bad_pad_file"),
        ({b"a": leaf(5), b"b": leaf(0, None, attr=b"l")}, "missing_symlink_target"),
    ],
)
def test_what_is_odd_about_a_tree_is_flagged(tree: dict[bytes, Any], flag: str) -> None:
    assert flag in flags_of(v2(tree))


def test_an_empty_file_needs_no_root() -> None:
    assert flags_of(v2({b"a": leaf(5), b"b": leaf(0, None)})) == set()


@pytest.mark.parametrize(
    ("length", "valid"), [(16_384, True), (8_192, False), (32_767, False), (1 << 22, True)]
)
def test_a_piece_length_is_a_power_of_two_from_16_kib(length: int, valid: bool) -> None:
    assert is_valid_piece_length(length) == valid
    assert ("bad_piece_length" in flags_of(v2({b"a": leaf(5)}, piece_length=length))) == (not valid)


def hybrid(v1_files: list[dict[bytes, Any]], tree: dict[bytes, Any], pieces: int) -> dict[bytes, Any]:
    return v2(tree, files=v1_files, pieces=PIECES * pieces)


def test_a_hybrid_whose_lists_match_is_read_with_its_roots() -> None:
    value = hybrid(
        [
            {b"length": 5, b"path": [b"a"]},
            {b"length": 16_379, b"path": [b".pad", b"16379"], b"attr": b"p"},
            {b"length": 7, b"path": [b"d", b"b"]},
        ],
        {b"a": leaf(5, b"A" * 32), b"d": {b"b": leaf(7, b"B" * 32)}},
        2,
    )
    parsed = parse_torrent(torrent(value))
    assert parsed.hybrid
    assert parsed.flags == ()
    assert [(file.path, file.pieces_root) for file in parsed.files] == [
        (("a",), (b"A" * 32).hex()),
        (("d", "b"), (b"B" * 32).hex()),
    ]
    assert parsed.size == 12


@pytest.mark.parametrize(
    "v1_files",
    [
        [{b"length": 6, b"path": [b"a"]}],
        [{b"length": 5, b"path": [b"z"]}],
        [{b"length": 5, b"path": [b"a"]}, {b"length": 1, b"path": [b"b"]}],
        [
            {b"length": 1, b"path": [b"p"], b"attr": b"p"},
            {b"length": 5, b"path": [b"a"]},
        ],
    ],
)
def test_a_hybrid_whose_lists_differ_is_flagged(v1_files: list[dict[bytes, Any]]) -> None:
    assert "hybrid_mismatch" in flags_of(hybrid(v1_files, {b"a": leaf(5)}, 1))


def test_a_hybrid_of_one_file_takes_its_name_from_the_tree() -> None:
    assert flags_of(v2({b"n": leaf(5)}, length=5, pieces=PIECES)) == set()
    assert "hybrid_mismatch" in flags_of(v2({b"other": leaf(5)}, length=5, pieces=PIECES))
