"""What each kind of block takes out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import UsageError
from harvester.model.stored import Block
from harvester.policy.blocking import Blocklist, Subject, checked_block, subject_of_taken
from tests.store.builders import NOW, source, torrent, v1, v2


def blocks(kind: str, value: str, subject: Subject) -> bool:
    return Blocklist([checked_block(kind, value, "", now=NOW)]).match(subject) is not None


def test_an_empty_blocklist_is_false_and_takes_nothing_out() -> None:
    assert not Blocklist([])
    assert Blocklist([]).match(Subject(texts=["anything"])) is None


@pytest.mark.parametrize("digest", [v1("a"), v2("a"), v2("a")[:20]])
def test_any_infohash_of_a_hybrid_takes_it_out(digest: bytes) -> None:
    assert blocks("infohash", digest.hex().upper(), Subject(v1("a"), v2("a")))
    assert not blocks("infohash", digest.hex(), Subject(v1("b"), v2("b")))


@pytest.mark.parametrize(
    ("words", "text", "taken_out"),
    [
        ("spam", "Free.SPAM.now", True),
        ("spam", "spammer", False),
        ("free spam", "get free_spam", True),
        ("free spam", "spam free", False),
        ("free spam", "free\nspam", True),
        ("遊戲", "权力的游戏", True),
        ("力的", "权力的游戏", True),
        ("戏", "权力的游戏", True),
        ("权", "权力的游戏", True),
        ("冰", "权力的游戏", False),
        ("第8季", "全集 第8季节", True),
        ("第8季", "第8集", False),
        ("游戏 第8季", "权力的游戏 第8季", True),
    ],
)
def test_words_are_looked_for_as_search_looks_for_a_phrase(words: str, text: str, taken_out: bool) -> None:
    assert blocks("word", words, Subject(texts=["", text])) is taken_out


@given(
    st.text(st.sampled_from("权力的游戏a 1."), min_size=1, max_size=8), st.text("权力的游戏a 1.", max_size=20)
)
def test_a_word_is_found_in_a_text_that_has_it_between_blanks(word: str, text: str) -> None:
    try:
        block = checked_block("word", word, "", now=NOW)
    except UsageError:
        return
    assert Blocklist([block]).match(Subject(texts=[f"{text} {word} {text}"])) is block


def test_a_pattern_is_searched_with_case_ignored() -> None:
    assert blocks("pattern", r"^s0\d", Subject(texts=["S01"]))
    assert not blocks("pattern", r"^s0\d", Subject(texts=["xS01"]))


def test_a_pattern_that_would_take_forever_elsewhere_does_not_here() -> None:
    assert not blocks("pattern", "(a+)+$", Subject(texts=["a" * 50_000 + "b"]))


@pytest.mark.parametrize("value", ["ACME  Ltd", "acme ltd", "acme.example"])
def test_a_publisher_is_named_by_name_or_by_the_host_of_its_address(value: str) -> None:
    assert blocks("publisher", value, Subject(publishers=["Acme Ltd", "https://acme.example/x"]))
    assert not blocks("publisher", value, Subject(publishers=["Acme", "https://www.acme.example/"]))


def test_a_torrent_is_judged_before_it_is_stored_by_name_title_link_paths_and_publisher() -> None:
    taken = torrent(
        "name", source("p", title="the title", anchor="the link"), metadata={"publisher": "someone"}
    )
    for kind, value in (
        ("infohash", v1("name").hex()),
        ("word", "name"),
        ("word", "the title"),
        ("word", "the link"),
        ("pattern", r"/b\.bin$"),
        ("publisher", "Someone"),
    ):
        assert blocks(kind, value, subject_of_taken(taken)), (kind, value)
    assert not blocks("word", "else", subject_of_taken(taken))


def test_the_block_that_matched_is_named() -> None:
    first, second = Block("word", "one", "reason 1", NOW), Block("pattern", "two", "reason 2", NOW)
    assert Blocklist([first, second]).match(Subject(texts=["two"])) is second
