"""One query on one state of the index.

Counting goes over columns and takes a nanosecond a document; ordering by a column takes fifteen. Where much
matches, only one end of the order is looked at, further and further until the page is full.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tantivy
from tantivy import Occur, Query

from harvester.index.compiling import Compiler
from harvester.index.schema import UNKNOWN
from harvester.model.query import Facet, FacetCount, Hits, IndexQuery

MANY = 5_000
"""Matches from which looking at one end of the order pays."""

_COLUMNS: dict[Facet, str] = {"ext": "main"}
# One value for each document: the sum of its counts is the total.
_COMPLETE = "private"


def answer(compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery) -> Hits:
    """What `harvester.ports.index.SearchIndex.search` promises."""
    matching = compiler.matching(wanted.node)
    total, facets = _counted(searcher, matching, wanted)
    ranking = compiler.ranking(wanted.node) if wanted.sort == "relevance" else None
    if total == 0 or wanted.limit == 0:
        return Hits((), (), total, facets)
    if ranking is not None:
        found: Any = searcher.search(ranking, wanted.limit, count=False, offset=wanted.offset)
        hits = [(0, address) for _, address in found.hits]
    else:
        hits = _ordered(compiler, searcher, matching, wanted, total)
    ids = searcher.fast_field_values("id", [address for _, address in hits]) if hits else []
    keys = () if wanted.sort == "relevance" else tuple(int(key) for key, _ in hits)
    return Hits(tuple(int(one) for one in ids if one is not None), keys, total, facets)


def _counted(
    searcher: tantivy.Searcher, matching: Query, wanted: IndexQuery
) -> tuple[int, dict[Facet, tuple[FacetCount, ...]]]:
    """The exact total, and the facets asked for."""
    asked = {
        facet: {"terms": {"field": _COLUMNS.get(facet, facet), "size": wanted.facet_limit + 1}}
        for facet in wanted.facets
    }
    counts: Any = searcher.aggregate(matching, {**asked, "total": {"terms": {"field": _COMPLETE, "size": 2}}})
    total = sum(int(one["doc_count"]) for one in counts["total"]["buckets"])
    facets = {}
    for facet in wanted.facets:
        known = [one for one in counts[facet]["buckets"] if one["key"] != UNKNOWN]
        facets[facet] = tuple(
            FacetCount(str(one["key"]), int(one["doc_count"])) for one in known[: wanted.facet_limit]
        )
    return total, facets


def _ordered(
    compiler: Compiler, searcher: tantivy.Searcher, matching: Query, wanted: IndexQuery, total: int
) -> list[tuple[int, tantivy.DocAddress]]:
    """The page by date or size; with nothing to rank by, relevance is newest first."""
    field = "date" if wanted.sort == "relevance" else wanted.sort
    order = tantivy.Order.Asc if wanted.ascending else tantivy.Order.Desc
    needed = wanted.offset + wanted.limit
    hits: list[tuple[int, tantivy.DocAddress]] = []
    for low, high in _reaches(searcher, field, wanted, total):
        page = _both(matching, compiler.between(field, low, high))
        found: Any = searcher.search(page, needed, count=False, order_by_field=field, order=order)
        hits = found.hits
        if len(hits) >= needed:
            break
    return hits[wanted.offset :]


def _reaches(
    searcher: tantivy.Searcher, field: str, wanted: IndexQuery, total: int
) -> Iterator[tuple[int | None, int | None]]:
    """The part of the order to look at, wider each time; the last is all that is left."""
    after = wanted.after
    if total >= MANY:
        least, most = _ends(searcher, field)
        if wanted.ascending:
            start = least if after is None else after + 1
            for reach in _widths(field, start, most):
                yield (None if after is None else start), start + reach
        else:
            start = most if after is None else after - 1
            for reach in _widths(field, start, least):
                yield start - reach, (None if after is None else start)
    if after is None:
        yield None, None
    else:
        yield (after + 1, None) if wanted.ascending else (None, after - 1)


def _widths(field: str, start: int, end: int) -> Iterator[int]:
    """How far from `start` to look. Sizes span many powers of two, dates are spread more evenly."""
    span = abs(end - start)
    if field == "size" and end < start:
        # From above: down to a half of it, an eighth, and so on.
        yield from (start - (start >> shift) for shift in (1, 3, 5, 7) if start > 0)
    else:
        yield from (span >> shift for shift in (12, 9, 6, 3))


def _ends(searcher: tantivy.Searcher, field: str) -> tuple[int, int]:
    asked = {"least": {"min": {"field": field}}, "most": {"max": {"field": field}}}
    ends: Any = searcher.aggregate(Query.all_query(), asked)
    # As floats they may be off by a little; `_reaches` leaves the outer end open.
    return int(ends["least"]["value"] or 0), int(ends["most"]["value"] or 0)


def _both(one: Query, other: Query) -> Query:
    return Query.boolean_query([(Occur.Must, one), (Occur.Must, other)])
