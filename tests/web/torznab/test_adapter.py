"""What Torznab's clients ask becomes a search that finds it."""

from __future__ import annotations

import pytest

from harvester.web.torznab.adapter import FUNCTIONS, wanted
from harvester.web.torznab.protocol import PAGE, Fault


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"q": "Title 07"}, "Title 07"),
        ({"q": "Show", "season": "01", "ep": "2"}, "Show S01E02"),
        ({"q": "Show", "season": "00"}, "Show S00*"),
        ({"q": "Show", "season": "2026", "ep": "05/12"}, "Show 2026 05 12"),
        ({"q": 'a "b" (c): -d x-y*'}, "a b c d x-y"),
        ({"artist": "Somebody", "album": "Something"}, "Somebody Something"),
        ({"q": "Film", "imdbid": "tt0123456"}, "Film"),
    ],
)
def test_words_are_put_together_without_our_syntax(given: dict[str, str], words: str) -> None:
    asked = wanted("tvsearch", given)
    assert asked is not None
    assert (asked.text, asked.sort, asked.limit) == (words, "date", PAGE)


@pytest.mark.parametrize(
    ("cat", "kinds"),
    [
        ("", ("video",)),
        ("5000", ("video",)),
        ("5030,5040", ("video",)),
        ("4000", ("software", "games")),
        ("4050", ("games",)),
        ("3030,7020,99", ("audio", "books")),
        ("8000", ("other", "images")),
    ],
)
def test_a_parent_and_its_children_are_the_kind_that_the_index_has(cat: str, kinds: tuple[str, ...]) -> None:
    asked = wanted("movie", {"cat": cat})
    assert asked is not None
    assert asked.filters["type"] == kinds


@pytest.mark.parametrize(
    "given", [{"cat": "6000"}, {"imdbid": "tt1"}, {"tmdbid": "7"}, {"offset": "10000"}, {"limit": "0"}]
)
def test_what_nothing_of_ours_can_match_finds_nothing(given: dict[str, str]) -> None:
    assert wanted("search", given) is None


def test_a_page_is_never_larger_than_is_promised_and_a_number_must_be_one() -> None:
    asked = wanted("search", {"limit": "5000", "offset": "200"})
    assert asked is not None
    assert (asked.limit, asked.offset) == (PAGE, 200)
    with pytest.raises(Fault) as fault:
        wanted("search", {"offset": "-1"})
    assert fault.value.code == 201
    assert {FUNCTIONS[name] for name in ("tvsearch", "movie", "music", "audio", "book", "search")} == {
        "tvsearch", "movie", "music", "book", "search",
    }  # fmt: skip
