"""What was asked for stands out in a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.search.highlight import highlighted
from harvester.search.query import parse_query


@pytest.mark.parametrize(
    ("query", "name", "shown"),
    [
        ("ubuntu", "Ubuntu.22.04 ubuntustudio", "[Ubuntu].22.04 ubuntustudio"),
        ("ubun*", "Ubuntu.22.04 xubuntu", "[Ubun]tu.22.04 xubuntu"),
        ("22.04", "Ubuntu.22.04", "Ubuntu.[22].[04]"),
        ("遊戲 -權力", "权力的游戏", "权力的[游戏]"),
        ("amelie", "AMÉLIE 2001", "[AMÉLIE] 2001"),
        ("strasse", "Straße", "[Straße]"),
        ("ａ OR 第8季", "a 第8季", "[a] [第8季]"),
        ("size:>1GB", "1GB", "1GB"),
        ("x", "", ""),
    ],
)
def test_words_stand_out_as_they_were_found(query: str, name: str, shown: str) -> None:
    pieces = highlighted(name, parse_query(query, now=0.0))
    assert "".join(f"[{piece}]" if mark else piece for piece, mark in pieces) == shown


@given(st.text(max_size=40), st.text("ab权力 <&\"'", max_size=10))
def test_the_pieces_are_the_text(text: str, words: str) -> None:
    query = parse_query(words.replace('"', ""), now=0.0)
    assert "".join(piece for piece, _ in highlighted(text, query)) == text
