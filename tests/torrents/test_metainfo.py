"""Everything a torrent file says comes out, as it is and as it is safe to show."""

from __future__ import annotations

from hashlib import md5
from typing import Any

import pytest

from harvester.torrents import identify, parse_torrent
from tests.torrents.building import PIECES, encode, info, leaf, multi, torrent, v2
from tests.torrents.fuzzing import mutants


def flags_of(value: dict[bytes, Any], **outer: Any) -> set[str]:
    return set(parse_torrent(torrent(value, **outer)).flags)


def test_a_plain_torrent_says_all_it_has() -> None:
    body = torrent(
        info(private=1, source=b"HERE"),
        announce=b"http://a.example/announce",
        comment="Grüße\nzwei".encode(),
        created_by=b"maker/1.0",
        creation_date=1_448_572_711,
        publisher=b"me",
        title=b"t",
        **{"publisher-url": b"http://p.example/"},
    )
    parsed = parse_torrent(body)
    assert parsed.md5 == md5(body).hexdigest()
    assert parsed.content_length == len(body)
    assert (parsed.name, parsed.display_name, parsed.raw_name) == ("n", "n", b"n")
    assert (parsed.size, parsed.piece_length, parsed.piece_count) == (5, 16_384, 1)
    assert [(file.path, file.raw_path, file.size) for file in parsed.files] == [(("n",), (b"n",), 5)]
    assert parsed.trackers == (("http://a.example/announce",),)
    assert parsed.private
    assert parsed.source == "HERE"
    assert (parsed.comment, parsed.created_by, parsed.created) == ("Grüße\nzwei", "maker/1.0", 1_448_572_711)
    assert (parsed.publisher, parsed.publisher_url, parsed.title) == ("me", "http://p.example/", "t")
    assert parsed.flags == ()
    assert parsed.encoding == "utf-8"
    assert not parsed.hybrid


def test_what_is_absent_is_none() -> None:
    parsed = parse_torrent(torrent())
    assert parsed.comment is parsed.created is parsed.created_by is parsed.source is parsed.title is None
    assert parsed.trackers == parsed.webseeds == parsed.nodes == ()
    assert not parsed.private


def test_files_keep_their_order_and_pad_files_and_links_are_set_apart() -> None:
    parsed = parse_torrent(
        torrent(
            multi(
                [
                    (3, b"d", b"z.txt"),
                    {b"length": 7, b"attr": b"p", b"path": [b".pad", b"7"]},
                    {b"length": 2, b"attr": b"xh", b"path": [b"run"]},
                    {b"attr": b"l", b"path": [b"link"], b"symlink path": [b"d", b"z.txt"], b"length": 99},
                    {b"length": 4, b"path": [b"_____padding_file_0_"]},
                ]
            )
        )
    )
    assert [file.path for file in parsed.files] == [("d", "z.txt"), ("run",)]
    assert [file.size for file in parsed.padding] == [7, 4]
    assert [(file.path, file.symlink, file.size) for file in parsed.symlinks] == [
        (("link",), ("d", "z.txt"), 0)
    ]
    assert parsed.files[1].executable
    assert parsed.files[1].hidden
    assert not parsed.files[0].executable
    assert parsed.size == 5
    assert "piece_count_mismatch" not in parsed.flags


def test_names_are_decoded_together_and_kept_raw() -> None:
    name, folder, file = ("种子文件".encode("gbk"), "电影合集".encode("gbk"), "第一集.mkv".encode("gbk"))
    parsed = parse_torrent(torrent(multi([(5, folder, file)], name=name), encoding=b"GBK"))
    assert parsed.name == "种子文件"
    assert parsed.files[0].path == ("电影合集", "第一集.mkv")
    assert parsed.raw_name == name
    assert parsed.files[0].raw_path == (folder, file)
    assert "encoding_declared" in parsed.flags


def test_twins_count_before_names() -> None:
    value = multi(
        [{b"length": 5, b"path": [b"\xd6\xd6"], b"path.utf-8": ["种".encode()]}],
        name=b"\xd7\xd3",
        **{"name.utf-8": "子".encode()},
    )
    parsed = parse_torrent(torrent(value, comment=b"\xff", **{"comment.utf-8": "评".encode()}))
    assert (parsed.name, parsed.files[0].path, parsed.comment) == ("子", ("种",), "评")
    assert parsed.raw_name == b"\xd7\xd3"
    assert parsed.files[0].raw_path == (b"\xd6\xd6",)


def test_a_path_never_leaves_its_folder() -> None:
    parsed = parse_torrent(torrent(multi([(5, b"..", b"..", b"etc", b"passwd"), (1, b"/abs"), (1, b"a\\b")])))
    for file in parsed.files:
        assert ".." not in file.path
        assert all("/" not in part and "\\" not in part for part in file.path)
    assert "unsafe_path" in parsed.flags


@pytest.mark.parametrize("name", [b"", b"..", b"/", b"\x00\x01"])
def test_a_name_with_nothing_to_show_gives_way(name: bytes) -> None:
    parsed = parse_torrent(torrent(info(name=name)))
    assert parsed.display_name not in ("", ".", "..")
    assert parsed.name
    assert parsed.raw_name == name


def test_an_empty_name_becomes_the_infohash() -> None:
    parsed = parse_torrent(torrent(info(name=b"")))
    assert parsed.name == parsed.display_name == parsed.infohash_v1
    assert "name_is_infohash" in parsed.flags


def test_control_characters_are_not_shown() -> None:
    parsed = parse_torrent(torrent(info(name=b"a\x1b[31mb\nc"), comment=b"x\x1b[0m\r\ny\x07"))
    assert parsed.name.isprintable()
    assert parsed.comment == "x[0m\ny"


@pytest.mark.parametrize(
    ("value", "flag"),
    [
        (info(length=50_000), "piece_count_mismatch"),
        (info(pieces=b""), "piece_count_mismatch"),
        (info(length=0, pieces=b""), "no_content"),
        (info(piece_length=2**31), "bad_piece_length"),
        (info(file_tree={}), "file_tree_unversioned"),
        (info(pieces=None, root_hash=PIECES), "merkle"),
        (info(**{"ssl-cert": b"x"}), "ssl"),
        (info(**{"update-url": b"http://u.example/"}), "feed"),
        (multi([(5, b"a")]), "single_file_as_list"),
        (multi([(5, b"a"), (1, b"b")]) | {b"length": 6}, "length_and_files"),
        (multi([(5, b"a"), (-1, b"b")]), "bad_file_entry"),
        (multi([(5, b"a"), (0, b"A")]), "duplicate_path"),
        (multi([(2**62, b"a"), (2**62, b"b")]), "size_overflow"),
        (multi([(5, b"a"), {b"attr": b"l", b"path": [b"b"]}]), "missing_symlink_target"),
        (multi([(5, b"a"), {b"attr": b"l", b"path": [b"b"], b"symlink path": [b".."]}]), "unsafe_symlink"),
        (v2({b"a": leaf(5)}, pieces=b"x", length=5), "bad_pieces"),
    ],
)
def test_what_is_odd_about_info_is_flagged(value: dict[bytes, Any], flag: str) -> None:
    assert flag in flags_of(value)


@pytest.mark.parametrize(
    ("outer", "flag"),
    [
        ({"creation date": 1_448_572_711_000}, "date_milliseconds"),
        ({"creation date": b"26.11.2015 21:18:31 UTC"}, "date_text"),
        ({"creation date": -1}, "bad_date"),
        ({"signatures": {}}, "signed"),
        ({"libtorrent_resume": {}}, "client_data"),
        ({"azureus_properties": {}}, "client_data"),
        ({"bep49": b"x"}, "feed"),
        ({"comment": b"x" * 20_000}, "text_cut"),
    ],
)
def test_what_is_odd_beside_info_is_flagged(outer: dict[str, Any], flag: str) -> None:
    assert flag in flags_of(info(), **outer)


def test_an_odd_creation_date_does_not_hide_the_torrent() -> None:
    body = torrent(creation_date=5).replace(b"i5e4:info", b"i-2.69E+18e4:info")
    parsed = parse_torrent(body)
    assert parsed.created is None
    assert {"odd_integer", "bad_date"} <= set(parsed.flags)


def test_similar_torrents_and_collections_are_merged() -> None:
    parsed = parse_torrent(
        torrent(
            info(similar=[PIECES], collections=[b"one"]),
            similar=[PIECES, b"\x02" * 20, b"short"],
            collections=[b"two", 7],
        )
    )
    assert parsed.similar == ("01" * 20, "02" * 20)
    assert parsed.collections == ("one", "two")


def test_identify_and_parse_torrent_agree_on_mutants_and_show_nothing_unsafe() -> None:
    from harvester.errors import HarvestError

    read = 0
    for number, body in mutants(700_000, 3_000):
        try:
            identity = identify(body)
        except HarvestError as error:
            with pytest.raises(type(error)):
                parse_torrent(body)
            continue
        parsed = parse_torrent(body)
        assert (parsed.infohash_v1, parsed.infohash_v2) == (identity.infohash_v1, identity.infohash_v2), (
            number
        )
        for file in (*parsed.files, *parsed.symlinks, *parsed.padding):
            for part in (*file.path, *(file.symlink or ())):
                assert part not in ("", ".", ".."), number
                assert "/" not in part, number
                assert part.isprintable(), number
        read += 1
    assert read > 800


def test_the_same_bytes_give_the_same_value() -> None:
    body = torrent(multi([(5, b"a"), (7, b"b")]), announce=b"udp://a.example:1/")
    assert parse_torrent(body) == parse_torrent(body)
    assert hash(parse_torrent(body)) == hash(parse_torrent(body))
    assert encode({}) == b"de"
