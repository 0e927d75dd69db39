"""Words that name a change are known, words that look like them are not."""

from __future__ import annotations

import pytest

from harvester.policy.verbs import READ_ACTIONS, VERBS, Strength, verb


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("logout", "logout"),
        ("do_editpost", "edit"),
        ("removepost2", "delete"),
        ("addbookmark", "bookmark"),
        ("mark-all", "mark_read"),
        ("quotepost", "post_form"),
        ("签到", "check_in"),
        ("退出", "logout"),
    ],
)
def test_a_verb_and_its_compounds_are_known(word: str, reason: str) -> None:
    found = verb(word)
    assert found is not None
    assert found[0] == reason


@pytest.mark.parametrize(
    "word", ["", "logouts", "deleted", "editorial", "voters", "lastpost", "markets", "x" * 500]
)
def test_other_words_are_none(word: str) -> None:
    assert verb(word) is None


def test_reading_and_changing_words_are_apart() -> None:
    assert {word for word in READ_ACTIONS if verb(word)} <= {"new", "unread"}


def test_words_that_are_common_in_titles_never_count_anywhere_in_a_path() -> None:
    for word in ("edit", "vote", "report", "like", "rate", "pay", "new", "post", "watch", "sign"):
        assert VERBS[word][1] < Strength.ANYWHERE
