"""The v1 file list, before anything is decoded."""

from __future__ import annotations

from harvester.torrents.files import read_files
from tests.torrents.building import info, multi


def test_a_single_file_has_no_path_of_its_own() -> None:
    (entry,) = read_files(info(), set())
    assert (entry.raw, entry.size) == ([], 5)


def test_a_twin_stands_in_for_a_missing_path() -> None:
    flags: set[str] = set()
    entries = read_files(multi([{b"length": 1, b"path.utf-8": [b"a"]}, (2, b"b")]), flags)
    assert [(entry.raw, entry.twins) for entry in entries] == [([b"a"], None), ([b"b"], None)]
    assert flags == set()


def test_a_twin_of_another_length_is_the_path() -> None:
    (entry,) = read_files(multi([{b"length": 1, b"path": [b"x"], b"path.utf-8": [b"a", b"b"]}]), set())
    assert (entry.raw, entry.twins) == ([b"a", b"b"], None)


def test_a_pad_file_needs_no_path() -> None:
    entries = read_files(multi([{b"length": 9, b"attr": b"p"}, (1, b"a")]), set())
    assert (entries[0].padding, entries[0].size, entries[0].raw) == (True, 9, [b".pad", b"9"])


def test_a_folder_named_pad_is_no_padding_when_its_file_has_a_name() -> None:
    entries = read_files(multi([(1, b".pad", b"readme"), (1, b"x", b".pad", b"7")]), set())
    assert [entry.padding for entry in entries] == [False, False]


def test_unknown_attributes_are_ignored() -> None:
    (entry,) = read_files(multi([{b"length": 1, b"attr": b"?!q", b"path": [b"a"]}]), set())
    assert not entry.padding
    assert entry.target is None
