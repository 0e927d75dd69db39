"""File lists come out of their column as they went in, and a damaged one is an error of the store."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.errors import StoreDamaged
from harvester.store.file_lists import MOST, NAMED, PLAIN, FileListPacker, unpack_files
from harvester.store.values import INT64_MAX, Packer, clean

TEXT = st.text(max_size=12).map(clean)
SIZES = st.integers(0, INT64_MAX)


@settings(max_examples=150, deadline=None)
@given(TEXT, st.lists(st.tuples(TEXT, SIZES, st.booleans()), max_size=12), st.booleans())
def test_what_is_packed_is_unpacked(name: str, rows: list[tuple[str, int, bool]], all_named: bool) -> None:
    files = [(f"{name}{path}" if all_named or named else path, size) for path, size, named in rows]
    if files:
        assert unpack_files(FileListPacker().pack(files, name), name) == files


def test_a_name_in_front_of_every_path_takes_no_place() -> None:
    name = "Some.Long.Name.Of.A.Torrent.2024.1080p"
    files = [(f"{name}/{at}.mkv", 10**9 + at * 7**9) for at in range(6)]
    packed = FileListPacker().pack(files, name)
    assert packed[0] == NAMED
    assert len(packed) * 3 < len(Packer().pack(files)) * 2
    assert len(packed) + len(name) < len(FileListPacker().pack(files, ""))
    assert unpack_files(packed, name) == files


def test_one_file_that_is_the_torrent_takes_a_few_bytes() -> None:
    packed = FileListPacker().pack([("ubuntu.iso", 4_000_000_000)], "ubuntu.iso")
    assert len(packed) < 10
    assert unpack_files(packed, "ubuntu.iso") == [("ubuntu.iso", 4_000_000_000)]


@pytest.mark.parametrize("count", [MOST, MOST + 1, 20_000])
def test_long_lists_come_back(count: int) -> None:
    files = [(f"folder/{at}.bin", at) for at in range(count)]
    assert unpack_files(FileListPacker().pack(files, "folder"), "folder") == files


def test_a_list_in_the_first_format_is_read() -> None:
    files = [("a/b.txt", 3), ("a/c.txt", 4)]
    assert unpack_files(Packer().pack(files), "a") == files


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60), st.sampled_from([bytes([PLAIN]), bytes([NAMED]), b"", b"\x28\xb5\x2f\xfd"]))
def test_no_bytes_do_more_than_be_refused(body: bytes, head: bytes) -> None:
    try:
        files = unpack_files(head + body, "name")
    except StoreDamaged:
        return
    except (ValueError, TypeError):
        # JSON of another shape; only the first format can hold it.
        assert head not in (bytes([PLAIN]), bytes([NAMED]))
        return
    assert all(len(file) == 2 for file in files)


def test_a_list_that_claims_much_is_refused_before_it_is_unpacked() -> None:
    packed = bytearray(FileListPacker().pack([("a" * 300, 1)], ""))
    bomb = bytes([PLAIN, 1, 1]) + b"\xff\xff\xff\xff\x7f" + bytes(packed[6:])
    with pytest.raises(StoreDamaged, match="claims"):
        unpack_files(bomb, "")
