"""Folding and tokens agree with themselves and find what people type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.text.cjk import bigrams, fold, release_parts, release_words, tokens


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＦＵＬＬ　Ｗｉｄｔｈ １２３", "full width 123"),
        ("Straße", "strasse"),
        ("ｶﾞﾝﾀﾞﾑ", "ガンダム"),
        ("  a \t\n b\u3000c ", "a b c"),
        ("①２Ⅳ", "12iv"),
    ],
)
def test_writings_of_the_same_word_fold_to_the_same_text(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("流浪地球", ["流浪", "浪地", "地球"]),
        ("流浪地球2 4K", ["流浪", "浪地", "地球", "2", "4k"]),
        ("球", ["球"]),
        ("Ubuntu-24.04 桌面版", ["ubuntu", "24", "04", "桌面", "面版"]),
        ("進撃の巨人", ["進撃", "撃の", "の巨", "巨人"]),
        ("Привет, мир!", ["привет", "мир"]),
        ("", []),
    ],
)
def test_words_stay_whole_and_cjk_runs_become_pairs(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_release_names_are_split_at_their_punctuation() -> None:
    assert release_words("[Group] Some.Film_2019.1080p-x264 (HEVC)") == "group some film 2019 1080p x264 hevc"
    assert release_parts("Show.S01E02") == ["show", "s01e02", "s", "01", "e", "02"]
    assert release_words("【字幕组】《山海情》第28集") == "字幕组 山海情 第28集"


def test_any_two_characters_of_a_title_are_found() -> None:
    title = "甄嬛传全集双语字幕"
    assert all(set(bigrams(title[n : n + 2])) <= set(tokens(title)) for n in range(len(title) - 1))


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_tokens_hold_no_blank_and_are_never_empty(text: str) -> None:
    for token in tokens(text) + release_parts(text):
        assert token
        assert not any(character.isspace() for character in token)
