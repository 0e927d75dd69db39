"""The same text is known again; another text is not mistaken for it."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.text.fingerprint import (
    MAX_CHARACTERS,
    NearDuplicates,
    fingerprint,
    hamming,
    is_near_duplicate,
    jaccard,
    text_tokens,
)

random_words = random.Random(7)
VOCABULARY = [
    "".join(random_words.choices(string.ascii_lowercase, k=random_words.randint(3, 9))) for _ in range(3_000)
]


def article(seed: int, words: int = 200) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=words)


def test_counters_dates_and_tokens_make_no_difference() -> None:
    text = "Viewed {} times, last post {}. Session {}. " + " ".join(article(1))
    a = fingerprint(text.format(12, "2026-11-30 12:00", "a3f09be77c"))
    b = fingerprint(text.format(98_311, "2026-12-01 08:15", "77e0b1ff3d"))
    assert a.exact != b.exact
    assert (a.simhash, a.imatch, a.sketch) == (b.simhash, b.imatch, b.sketch)
    assert is_near_duplicate(a, b)


def test_digits_make_the_exact_hash_differ_and_white_space_does_not() -> None:
    assert fingerprint("part 1 of it all").exact != fingerprint("part 2 of it all").exact
    assert fingerprint("part 1 of\n it all").exact == fingerprint("part 1  of it all").exact


def test_one_word_changed_in_two_hundred_is_a_near_duplicate() -> None:
    words = article(2)
    changed = [*words[:100], "changed", *words[101:]]
    assert is_near_duplicate(fingerprint(" ".join(words)), fingerprint(" ".join(changed)))


def test_different_articles_are_never_near_duplicates() -> None:
    pages = [fingerprint(" ".join(article(seed, 120))) for seed in range(120)]
    for number, page in enumerate(pages):
        assert not any(is_near_duplicate(page, other) for other in pages[:number])


def test_short_texts_that_differ_in_a_word_are_different() -> None:
    a = fingerprint("Release notes for Debian, posted by anna")
    b = fingerprint("Release notes for Fedora, posted by anna")
    assert not is_near_duplicate(a, b)


def test_chinese_pages_are_told_apart_by_their_characters() -> None:
    notes = "剧情简介：这是一个关于家族与命运的故事，主人公离开故乡，走过了漫长的道路，终于找到了答案。"
    a = fingerprint("流浪地球 蓝光原盘 大小 1799MB " + notes * 2)
    same = fingerprint("流浪地球 蓝光原盘 大小 2400MB " + notes * 2)
    other = fingerprint(
        "山海情 双语字幕 西部的村庄在干旱中迁移，乡亲们用双手建设新的家园，孩子们走进了学校，生活一天天好起来。"
    )
    assert is_near_duplicate(a, same)
    assert not is_near_duplicate(a, other)


def test_a_whole_page_needs_the_same_words() -> None:
    menu = " ".join(article(3, 400))
    a = fingerprint(menu + " sintel", whole_page=True)
    b = fingerprint(menu + " cosmos laundromat", whole_page=True)
    again = fingerprint(menu + " sintel 12", whole_page=True)
    assert is_near_duplicate(a, again)
    assert not is_near_duplicate(a, b)


def test_pages_without_text_are_never_duplicates() -> None:
    assert not is_near_duplicate(fingerprint(""), fingerprint(""))
    assert not is_near_duplicate(fingerprint("123 456"), fingerprint("789"))


def test_jaccard_is_exact_for_short_texts() -> None:
    a = fingerprint("one two three four five")
    b = fingerprint("one two three four six")
    assert jaccard(a, b) == pytest.approx(2 / 4)
    assert jaccard(a, a) == 1.0


def test_jaccard_of_long_texts_is_near_the_truth() -> None:
    words = article(4, 2_000)
    mixed = words[:1_000] + article(5, 1_000)
    estimated = jaccard(fingerprint(" ".join(words)), fingerprint(" ".join(mixed)))
    assert estimated == pytest.approx(1 / 3, abs=0.2)


def test_hamming_counts_differing_bits() -> None:
    assert hamming(0b1011, 0b0001) == 2


def test_the_first_seen_is_kept() -> None:
    seen = NearDuplicates()
    words = article(6)
    assert seen.first_like("a", fingerprint(" ".join(words))) is None
    assert seen.first_like("b", fingerprint(" ".join([*words, "12", "13"]))) == "a"
    assert seen.first_like("c", fingerprint(" ".join(words[:-1]))) == "a"
    assert seen.first_like("a", fingerprint(" ".join(words))) is None
    assert len(seen) == 1


def test_every_near_duplicate_by_simhash_is_found_among_thousands() -> None:
    seen = NearDuplicates()
    for seed in range(1_000):
        assert seen.first_like(str(seed), fingerprint(" ".join(article(1_000 + seed, 60)))) is None
    for seed in range(0, 1_000, 50):
        words = article(1_000 + seed, 60)
        assert seen.first_like("again", fingerprint(" ".join([*words, "2026", "x1"]))) == str(seed)


def test_the_oldest_is_forgotten_beyond_the_capacity() -> None:
    seen = NearDuplicates(capacity=3)
    for seed in range(5):
        seen.first_like(str(seed), fingerprint(" ".join(article(seed))))
    assert len(seen) == 3
    assert seen.first_like("again", fingerprint(" ".join(article(0)))) is None
    assert seen.first_like("again", fingerprint(" ".join(article(4)))) == "4"


def test_a_text_without_end_is_cut() -> None:
    text = "word " * MAX_CHARACTERS
    assert fingerprint(text).simhash == fingerprint(text[:MAX_CHARACTERS]).simhash


@given(st.text())
def test_any_text_has_a_fingerprint(text: str) -> None:
    page = fingerprint(text)
    assert 0 <= page.simhash < 2**64
    hashes = list(memoryview(page.sketch).cast("Q"))
    assert hashes == sorted(set(hashes))
    if page.shingles:
        assert is_near_duplicate(page, page)


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_the_fast_way_for_ascii_gives_the_same_tokens(text: str) -> None:
    assert text_tokens(text) == text_tokens(text + " \u00b7")


def test_pages_with_different_titles_are_never_near_duplicates() -> None:
    kept = NearDuplicates()
    page = fingerprint(" ".join(article(1)))
    assert kept.first_like("episode 1", page, title="Episode 1") is None
    assert kept.first_like("episode 2", page, title="Episode 2") is None
    assert kept.first_like("mirror", page, title="Episode 1") == "episode 1"
