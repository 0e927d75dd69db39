"""Texts beside the names, and the private mark."""

from __future__ import annotations

from typing import Any

import pytest

from harvester.torrents.texts import cut, is_private, printable, printable_text, read_texts


@pytest.mark.parametrize(
    ("root", "info", "private", "odd"),
    [
        ({}, {}, False, False),
        ({}, {b"private": 1}, True, False),
        ({}, {b"private": 0}, False, False),
        ({}, {b"private": 7}, True, True),
        ({}, {b"private": b"1"}, True, True),
        ({}, {b"private": b"0"}, False, True),
        ({}, {b"private": []}, False, True),
        ({b"private": 1}, {}, True, True),
        ({b"private": 0}, {}, False, True),
        ({b"private": 1}, {b"private": 0}, False, False),
    ],
)
def test_private_is_taken_as_meant(
    root: dict[bytes, Any], info: dict[bytes, Any], private: bool, odd: bool
) -> None:
    flags: set[str] = set()
    assert is_private(root, info, flags) == private
    assert ("odd_private" in flags) == odd


def test_a_text_of_the_root_counts_before_one_in_info() -> None:
    texts = read_texts({b"publisher": b"root"}, {b"publisher": b"info", b"title": b"t"}, set())
    assert texts.raw == {"publisher": b"root", "title": b"t"}


def test_a_twin_alone_is_the_text() -> None:
    texts = read_texts({b"comment.utf-8": b"x", b"comment": b""}, {}, set())
    assert (texts.raw, texts.twins) == ({"comment": b"x"}, {"comment": None})


def test_what_is_no_text_is_left_out() -> None:
    assert read_texts({b"comment": 7, b"title": []}, {b"source": {}}, set()).raw == {}


def test_a_cut_never_ends_inside_a_character() -> None:
    text = "é種" * 10
    for longest in range(1, 60):
        kept = cut(text.encode(), longest)
        assert text.startswith(kept.decode())
        assert len(kept) <= longest


def test_shown_texts_have_no_control_characters() -> None:
    assert printable("a\x1b\n\u202eb\u3000c") == "a b\u3000c"
    assert printable_text("a\r\nb\tc\x07\u200e") == "a\nb\tc"
