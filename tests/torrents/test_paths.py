"""Display paths never leave their folder, never mislead, never hide one file behind another."""

from __future__ import annotations

import ntpath
import posixpath
import sys
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.torrents.paths import MAX_COMPONENT_BYTES, MAX_DEPTH, safe_name, safe_paths

NASTY = st.sampled_from(
    [
        "..",
        ".",
        "",
        "/",
        "\\",
        "C:",
        "c:\\x",
        "con",
        "NUL.txt",
        "aux ",
        "a",
        "A",
        "a ",
        "a.",
        "a (2)",
        "ß",
        "SS",
        "é",
        "e\u0301",
        "\u202egpj.exe",
        "\u200b",
        "\x00",
        "\x1b[31m",
        "\ufeff",
        "x" * 300 + ".mkv",
        "語" * 100,
        " ",
        "\u3000",
        "COM¹",
        "\ufe0f",
    ]
)
TEXT = st.text(alphabet=st.characters(), max_size=12) | NASTY
COMPONENT = TEXT | st.tuples(TEXT, TEXT).map("".join)
PATHS = st.lists(st.lists(COMPONENT, max_size=5), max_size=12)


def _caseless(path: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", path).casefold())


def _assert_safe(path: str) -> None:
    assert path
    assert not path.startswith("/")
    assert posixpath.normpath(path) == path
    assert ntpath.splitdrive(path)[0] == ""
    assert not ntpath.isabs(path)
    assert "\\" not in path
    parts = path.split("/")
    assert len(parts) <= MAX_DEPTH
    for part in parts:
        assert part not in ("", ".", "..")
        assert len(part.encode()) <= MAX_COMPONENT_BYTES
        assert part == part.strip()
        assert not part.endswith(".")
        assert not any(unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") for char in part)
        assert part.partition(".")[0].rstrip().lower() not in ("con", "nul", "prn", "aux", "com1", "lpt9")


@settings(max_examples=400, deadline=None)
@given(PATHS)
def test_no_path_escapes_or_misleads(paths: list[list[str]]) -> None:
    for path in safe_paths(paths).paths:
        _assert_safe(path)


@settings(max_examples=400, deadline=None)
@given(PATHS)
def test_no_two_files_collide_with_each_other_or_with_a_folder(paths: list[list[str]]) -> None:
    result = safe_paths(paths).paths
    assert len(result) == len(paths)
    keys = [_caseless(path) for path in result]
    assert len(set(keys)) == len(keys)
    folders = {key[:end] for key in keys for end in range(len(key)) if key[end] == "/"}
    assert not folders & set(keys)


@settings(max_examples=300, deadline=None)
@given(PATHS)
def test_paths_once_safe_stay_as_they_are_and_raise_no_flag(paths: list[list[str]]) -> None:
    once = safe_paths(paths).paths
    again = safe_paths([path.split("/") for path in once])
    assert again.paths == once
    assert again.flags == frozenset()


@settings(max_examples=300, deadline=None)
@given(COMPONENT)
def test_names_once_safe_stay_as_they_are(text: str) -> None:
    name, _ = safe_name(text, "0" * 40)
    _assert_safe(name)
    assert safe_name(name) == (name, frozenset())


def test_every_invisible_format_character_is_taken_out() -> None:
    visible = {*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD}
    for point in range(sys.maxunicode + 1):
        if unicodedata.category(chr(point)) == "Cf" and point not in visible:
            assert safe_name(f"a{chr(point)}b") == ("ab", frozenset({"invisible_characters"})), hex(point)


@pytest.mark.parametrize(
    ("given_name", "shown", "flag"),
    [
        ("..", "_", "unsafe_path"),
        ("../../etc/passwd", ".._.._etc_passwd", "unsafe_path"),
        ("C:\\Windows", "C__Windows", "unsafe_path"),
        ("a\x00b\x1b[2J", "a_b_[2J", "control_characters"),
        ("invoice\u202efdp.exe", "invoicefdp.exe", "invisible_characters"),
        ("con.txt", "_con.txt", "reserved_name"),
        ("LPT1", "_LPT1", "reserved_name"),
        ("com1 .tar.gz", "_com1 .tar.gz", "reserved_name"),
        ("\u200b\u200d", "_", "empty_name"),
        ("\ud800", "\ufffd", None),
        ("Movie: the return", "Movie: the return", None),
        (".bashrc", ".bashrc", None),
        ("name. . .", "name", None),
    ],
)
def test_a_name_is_made_safe(given_name: str, shown: str, flag: str | None) -> None:
    name, flags = safe_name(given_name)
    assert name == shown
    assert flag is None or flag in flags


def test_a_long_name_keeps_its_extension_and_whole_characters() -> None:
    name, flags = safe_name("語" * 200 + ".mkv")
    assert name == "語" * 78 + ".mkv"
    assert flags == {"name_shortened"}


def test_the_first_of_equal_files_keeps_its_name_and_free_numbers_are_used() -> None:
    result = safe_paths([["a.txt"], ["A.TXT"], ["a (2).txt"], ["a.txt"], ["dir", "x"], ["dir"]])
    assert result.paths == ["a.txt", "A (3).TXT", "a (2).txt", "a (4).txt", "dir/x", "dir (2)"]
    assert result.flags == {"duplicate_path"}


def test_empty_and_dot_folders_mean_nothing_and_parents_become_harmless() -> None:
    result = safe_paths([["", "etc", "passwd"], [".", "a"], ["..", "..", "b"], []])
    assert result.paths == ["etc/passwd", "a", "_/_/b", "_ (2)"]
    assert "unsafe_path" in result.flags


def test_a_path_deeper_than_the_limit_is_cut_and_stays_apart() -> None:
    deep = [str(level) for level in range(150)]
    result = safe_paths([[*deep, "a"], [*deep, "more", "a"]])
    assert result.paths[0].count("/") == MAX_DEPTH - 1
    assert result.paths[1] == result.paths[0].removesuffix("a") + "a (2)"
    assert result.flags == {"path_too_deep", "duplicate_path"}


@pytest.mark.parametrize(
    "paths",
    [
        [["same"]] * 100_000,
        [[f"{'x' * 230}{number % 50_000:05}.mkv"] for number in range(100_000)],
        [[f"a ({number})"] for number in range(2, 50_000)] + [["a"]] * 50_000,
        [["A" if number % 2 else "a", f"{number // 2}"] for number in range(100_000)],
    ],
    ids=["one name", "equal after cutting", "suffixes taken", "case only"],
)
def test_a_hundred_thousand_collisions_take_linear_time(paths: list[list[str]]) -> None:
    start = time.process_time()
    result = safe_paths(paths).paths
    assert time.process_time() - start < 5
    assert len({_caseless(path) for path in result}) == len(paths)
