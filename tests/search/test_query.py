"""The query language: what it means, and what it says when it is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import QueryError
from harvester.model.query import And, Everything, HasHash, Is, Node, Not, Or, Range, Word
from harvester.search.query import MAX_PREFIXES, MAX_QUERY, MAX_TERMS, parse_query

NOW = 1_800_000_000.0
GB = 10**9


def parse(text: str) -> Node:
    return parse_query(text, now=NOW)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("", Everything()),
        ("  \t", Everything()),
        ("ubuntu", Word("ubuntu")),
        ("ubuntu server", And((Word("ubuntu"), Word("server")))),
        ("ubuntu AND server", And((Word("ubuntu"), Word("server")))),
        ('"big buck"', Word("big buck", phrase=True)),
        ("ubun*", Word("ubun", prefix=True)),
        ("ubuntu -server", And((Word("ubuntu"), Not(Word("server"))))),
        ("NOT server", Not(Word("server"))),
        ('-"big buck"', Not(Word("big buck", phrase=True))),
        ("a OR b c", Or((Word("a"), And((Word("b"), Word("c")))))),
        ("a | b", Or((Word("a"), Word("b")))),
        ("x (a OR -b)", And((Word("x"), Or((Word("a"), Not(Word("b"))))))),
        ("Film (2019)", And((Word("Film"), Word("2019")))),
        ("Artist - Album", And((Word("Artist"), Word("Album")))),
        ("Artist – Album", And((Word("Artist"), Word("Album")))),
        ("22.04-LTS", Word("22.04-LTS")),
        ("or and not", And((Word("or"), Word("and"), Word("not")))),
        ("ext:.ISO", Is("ext", "iso")),
        ("Site:Forum", Is("site", "forum")),
        ('site:"my forum"', Is("site", "my forum")),
        ("private:true", Is("private", "yes")),
        ("lang:ZH", Is("lang", "zh")),
        ("publisher:ＡＣＭＥ", Is("publisher", "acme")),
    ],
)
def test_a_query_means_what_a_person_expects(text: str, node: Node) -> None:
    assert parse(text) == node


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("size:>1GB", GB + 1, None),
        ("size:>=1.5gb", 3 * GB // 2, None),
        ("size:<4GiB", None, 4 * 2**30 - 1),
        ("size:<=700M", None, 700_000_000),
        ("size:1GB..2GB", GB, 2 * GB),
        ("size:..2GB", None, 2 * GB),
        ("size:12345", 12345, 12345),
        ("files:>10", 11, None),
        ("files:3", 3, 3),
        ("date:2024", 1704067200, 1735689599),
        ("date:2024-02", 1706745600, 1709251199),
        ("date:>2024-01-31", 1706745600, None),
        ("date:>=2024-01-31", 1706659200, None),
        ("date:<2024-01-31", None, 1706659199),
        ("date:2024-12..2025", 1733011200, 1767225599),
        ("created:>7d", 1_800_000_000 - 7 * 86_400 + 1, None),
        ("date:>2023-12-31", 1704067200, None),
    ],
)
def test_numbers_and_dates_are_ranges_with_both_ends_included(
    text: str, low: int | None, high: int | None
) -> None:
    node = parse(text)
    assert isinstance(node, Range)
    assert (node.low, node.high) == (low, high)


V1 = "0123456789abcdef0123456789abcdef01234567"
V2 = V1 + "0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "digests"),
    [
        (V1.upper(), (V1,)),
        (f"hash:{V1}", (V1,)),
        (V2, (V2,)),
        (f"hash:1220{V2}", (V2,)),
        ("hash:AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH", (V1,)),
        ("d41d8cd98f00b204e9800998ecf8427e", ("d41d8cd98f00b204e9800998ecf8427e",)),
        (f"magnet:?xt=urn:btih:{V1}&dn=x", (V1,)),
        (f"magnet:?dn=x&xt.1=urn:btih:{V1}&xt.2=urn:btmh:1220{V2}", (V1, V2)),
    ],
)
def test_hashes_are_seen_however_they_are_written(text: str, digests: tuple[str, ...]) -> None:
    node = parse(text)
    assert isinstance(node, HasHash)
    assert node.digests == digests


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ('say "cheese', 4, "has no second"),
        ('say ""', 4, "no word between these quotes"),
        ("a OR", 2, "nothing after this OR"),
        ("OR a", 0, "nothing before this OR"),
        ("a OR OR b", 5, "nothing before this OR"),
        ("a --", 2, "nothing after it"),
        ("a NOT", 2, "nothing after it"),
        ("NOT -a", 4, "already left out"),
        ("(a b", 0, "not closed"),
        ("(", 0, "not closed"),
        ("a )", 2, "closes no ("),
        (")", 0, "closes no ("),
        ("()", 0, "nothing between these brackets"),
        ("x colour:red", 2, "there is no field colour:"),
        ("szie:>1GB", 0, "did you mean size:?"),
        ("size:", 5, "nothing after size:"),
        ("size:>big", 5, "no size"),
        ("size:1GB", 5, "size:>1GB"),
        ("size:2GB..1GB", 5, "ends before it begins"),
        ("size:..", 5, "needs a number"),
        ("date:>yesterday", 5, "no date"),
        ("date:2024-13", 5, "no date"),
        ("date:>0000", 5, "no date"),
        ("date:7d", 5, "date:>7d"),
        ("files:many", 6, "no number of files"),
        ("private:maybe", 8, "yes or no"),
        ("hash:xyz", 5, "no hash"),
        ("u*u", 1, "end of a word"),
        ("a *", 2, "nothing before this *"),
        ("magnet:?dn=x", 0, "no BitTorrent infohash"),
        ("(" * 40 + "a" + ")" * 40, 16, "brackets"),
        ("a " * (MAX_TERMS + 1), 2 * MAX_TERMS, "more than"),
        ("a* " * (MAX_PREFIXES + 1), 3 * MAX_PREFIXES, "beginnings of words"),
        ("第1" * (MAX_PREFIXES + 1), 0, "single characters"),
        ("a" * (MAX_QUERY + 1), MAX_QUERY, "longer than"),
    ],
)
def test_a_wrong_query_is_explained_where_it_is_wrong(text: str, position: int, reason: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert reason in caught.value.reason
    assert caught.value.position == position


@given(st.text(max_size=60) | st.text('ab"()-*:. |ORNT>', max_size=25))
def test_any_text_is_a_query_or_explained(text: str) -> None:
    if wrong(text) is None:
        assert parse(text) == parse(text)


@given(st.text('ab"()-*:. |ORNT>', max_size=25))
def test_an_explanation_points_into_the_query(text: str) -> None:
    error = wrong(text)
    assert error is None or (0 <= error.position <= len(text) and error.reason)


def wrong(text: str) -> QueryError | None:
    try:
        parse(text)
    except QueryError as error:
        return error
    return None
