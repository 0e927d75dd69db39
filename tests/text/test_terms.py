"""What is indexed and what is asked for meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.text.terms import MAX_TERM, Part, distinct_terms, index_terms, phrase_terms, query_parts

CJK = st.text(st.sampled_from("权力的游戏三体进撃の巨人ガンダム한국어"), min_size=2, max_size=12)


def finds(query: str, text: str) -> bool:
    """Whether a text's terms have all that a query's word asks for."""
    terms = index_terms(text)
    return all(
        any(term.startswith(part.term) if part.prefix else term == part.term for term in terms)
        for part in query_parts(query)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("流浪地球", ["流浪", "浪地", "地球", "球"]),
        ("流浪地球2 4K", ["流浪", "浪地", "地球", "球", "2", "4k"]),
        ("Ubuntu-24.04_桌面版", ["ubuntu", "24", "04", "桌面", "面版", "版"]),
        (
            "[Group] Some.Film_2019.1080p-x264 (HEVC)",
            ["group", "some", "film", "2019", "1080p", "x264", "hevc"],
        ),
        ("Привет, мир!", ["привет", "мир"]),
        ("हिन्दी फ़िल्म", ["हिन्दी", "फ़िल्म"]),
        ("…", []),
        ("", []),
    ],
)
def test_words_stay_whole_and_cjk_runs_become_pairs_and_their_last_character(
    text: str, expected: list[str]
) -> None:
    assert index_terms(text) == expected


@given(CJK, st.data())
def test_any_part_of_a_cjk_text_finds_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert finds(text[start:end], text)


@pytest.mark.parametrize("character", "权力的游戏")
def test_one_character_finds_the_text_wherever_it_stands(character: str) -> None:
    assert finds(character, "x权力的游戏1")


def test_traditional_and_simplified_writing_find_each_other() -> None:
    assert finds("遊戲", "权力的游戏")
    assert finds("游戏", "權力的遊戲")


def test_a_character_that_is_not_there_finds_nothing() -> None:
    assert not finds("冰", "权力的游戏")
    assert not finds("力权", "权力的游戏")


def test_a_prefix_is_of_the_last_word_and_never_of_a_pair() -> None:
    assert query_parts("big bu", prefix=True) == [Part("big"), Part("bu", prefix=True)]
    assert query_parts("权力", prefix=True) == [Part("权力")]


@given(st.text(max_size=200))
def test_the_terms_of_a_text_are_bounded_and_hold_nothing_a_pattern_could_mean(text: str) -> None:
    for term in index_terms(text):
        assert 0 < len(term) <= MAX_TERM
        assert not set(term) & set(".*+?()[]{}|^$\\/& \n")


@given(st.lists(st.text(max_size=30), max_size=6))
def test_distinct_terms_are_those_of_each_text(texts: list[str]) -> None:
    joined = "\n".join(texts)
    assert distinct_terms(texts) == set(index_terms(joined))


def test_an_endless_word_is_found_by_itself() -> None:
    assert finds("a" * 200, f"see {'a' * 200} there")


@pytest.mark.parametrize(
    ("phrase", "terms"),
    [
        ("Big Buck", ["big", "buck"]),
        ("权力的", ["权力", "力的"]),
        ("权力 游戏", ["权力", "力", "游戏"]),
        ("第8季", ["第", "8"]),
        ("季", []),
    ],
)
def test_a_phrase_is_what_stands_next_to_each_other_in_the_text(phrase: str, terms: list[str]) -> None:
    assert phrase_terms(phrase) == terms
