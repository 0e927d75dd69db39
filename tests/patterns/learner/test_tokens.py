"""URLs as tokens."""

from __future__ import annotations

import re2
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.patterns.learner.tokens import (
    ANY,
    SLUG,
    TOKEN,
    common_form,
    form_of,
    pattern_of,
    shape_of,
)


def test_numbers_are_taken_out_of_a_segment() -> None:
    assert form_of("thread-12-1-1") == "thread-#-#-#"
    assert form_of("18.20") == "#.#"
    assert form_of("page2") == "page#"


def test_a_title_is_a_slug_that_keeps_the_number_beside_it() -> None:
    assert form_of("my-holiday-in-spring.123") == f"{SLUG}.#"
    assert form_of("123-my-holiday-in-spring") == f"#-{SLUG}"


def test_identifiers_of_letters_and_digits_are_tokens() -> None:
    assert form_of("7r8et993") == TOKEN
    assert form_of("about") == "about"


def test_the_group_is_host_depth_names_and_extension() -> None:
    one = shape_of("http://h/viewtopic.php?t=5&f=2")
    other = shape_of("http://h/viewtopic.php?f=9&t=1")
    assert one == other
    assert one.group != shape_of("http://h/viewtopic.php?t=5").group
    assert one.group != shape_of("http://other/viewtopic.php?f=2&t=5").group


def test_a_common_form_keeps_what_all_share() -> None:
    assert common_form(["topic-a", "topic-b"]) == f"topic-{ANY}"
    assert common_form(["alice", "bob"]) == ANY


@settings(max_examples=200)
@given(st.text(alphabet="abcXYZ0189-_.~,%()[]+*'!$ é", max_size=60))
def test_the_pattern_of_a_form_finds_the_segment(segment: str) -> None:
    segment = segment.replace("/", "")
    pattern = f"^{pattern_of(form_of(segment))}$"
    assert re2.compile(pattern.encode()).search(segment.encode())
