"""Marking what a query found in a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import QueryError
from harvester.search.query import parse_query
from harvester.web.highlight import Highlighter, NamePart, around_match


def marked(text: str, query: str) -> tuple[NamePart, ...]:
    return Highlighter(parse_query(query, now=0.0)).marked(text)


def shown(name: str, query: str) -> str:
    """The name with brackets around what is marked."""
    pieces = marked(name, query)
    return "".join(f"[{part.text}]" if part.match else part.text for part in pieces)


@pytest.mark.parametrize(
    ("name", "query", "wanted"),
    [
        ("Ubuntu-24.04-server.iso", "ubuntu server", "[Ubuntu]-24.04-[server].iso"),
        ("Ubuntu-24.04", "24.04", "Ubuntu-[24].[04]"),
        ("kubuntu", "ubuntu", "kubuntu"),
        ("ubuntukylin", "ubun*", "[ubuntukylin]"),
        ("經典電視劇.Classic", "电视剧", "經典[電視劇].Classic"),
        ("Ｕｂｕｎｔｕ", "ubuntu", "[Ｕｂｕｎｔｕ]"),
        ("Café", "cafe", "[Café]"),
        ("Æther ﬁle", "aether file", "[Æther] [ﬁle]"),
        ("a b", '"a b"', "[a] [b]"),
        ("debian fedora", "debian OR suse", "[debian] fedora"),
        ("debian fedora", "debian -fedora", "[debian] fedora"),
        ("name", "size:>1GB", "name"),
        ("", "x", ""),
    ],
)
def test_words_are_marked_as_search_folds_them(name: str, query: str, wanted: str) -> None:
    assert shown(name, query) == wanted


@given(st.text(max_size=60), st.text(max_size=30))
def test_the_pieces_are_the_name(name: str, query: str) -> None:
    try:
        pieces = marked(name, query)
    except QueryError:
        return
    assert "".join(part.text for part in pieces) == name
    assert all(part.text for part in pieces)


def test_a_long_text_is_cut_around_what_was_found() -> None:
    pieces = marked("x " * 200 + "needle" + " y" * 200, "needle")
    cut = around_match(pieces, 10)
    text = "".join(part.text for part in cut)
    assert text.startswith("…")
    assert text.endswith("…")
    assert "needle" in text
    assert len(text) < 50
