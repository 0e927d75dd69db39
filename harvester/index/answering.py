"""One query on one state of the index.

Counting goes over columns and takes a nanosecond a document; ordering by a column takes fifteen. Where much
matches, only one end of the order is looked at, further and further until the page is full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import tantivy
from tantivy import Occur, Query

from harvester.index.compiling import Compiler
from harvester.index.schema import TIERS, UNKNOWN, tier_of_key
from harvester.model.query import Facet, FacetCount, Hits, IndexQuery

MANY = 50_000
"""Matches from which looking at one end of the order pays: the query is answered once more for each look."""

# Parts of the whole span of time, as powers of two.
_SPAN_SHIFTS = (12, 9, 6, 3)
# How many times what a page needs should be in the tiers that are looked at.
_TIER_MARGINS = (4, 64)

_COLUMNS: dict[Facet, str] = {"ext": "main"}
# One value for each document: the sum of its counts is the total.
_COMPLETE = "private"


def answer(compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery, ends: Ends) -> Hits:
    """What `harvester.ports.index.SearchIndex.search` promises. `ends` are kept by the caller."""
    matching = compiler.matching(wanted.node)
    total, facets = _counted(searcher, matching, wanted)
    ranking = compiler.ranking(wanted.node) if wanted.sort == "relevance" else None
    if total == 0 or wanted.limit == 0:
        return Hits((), (), total, facets)
    if ranking is not None:
        found: Any = searcher.search(ranking, wanted.limit, count=False, offset=wanted.offset)
        hits = [(0, address) for _, address in found.hits]
    else:
        hits = _ordered(compiler, searcher, wanted, _Asked(matching, total, ends))
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
    compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery, state: _Asked
) -> list[tuple[int, tantivy.DocAddress]]:
    """The page by date or size; with nothing to rank by, relevance is newest first."""
    field = "date" if wanted.sort == "relevance" else wanted.sort
    order = tantivy.Order.Asc if wanted.ascending else tantivy.Order.Desc
    needed = wanted.offset + wanted.limit
    everything = state.matching
    if wanted.after is not None:
        low, high = (wanted.after + 1, None) if wanted.ascending else (None, wanted.after - 1)
        everything = _both(everything, compiler.between(field, low, high))
    hits: list[tuple[int, tantivy.DocAddress]] = []
    for part in _parts(compiler, searcher, field, wanted, state):
        page = everything if part is None else _both(everything, part)
        found: Any = searcher.search(page, needed, count=False, order_by_field=field, order=order)
        hits = found.hits
        if len(hits) >= needed:
            break
    return hits[wanted.offset :]


def _parts(
    compiler: Compiler, searcher: tantivy.Searcher, field: str, wanted: IndexQuery, state: _Asked
) -> Iterator[Query | None]:
    """The part of the order to look at, wider each time; the last (None) is all of it."""
    if state.total >= MANY:
        if field == "size":
            yield from _tiers(compiler, searcher, wanted, state.total)
        else:
            yield from _spans(compiler, wanted, state.ends.of(searcher, field))
    yield None


def _spans(compiler: Compiler, wanted: IndexQuery, ends: tuple[int, int]) -> Iterator[Query]:
    """Spans of time from the end that is asked for, or from where the page before ended.

    New torrents come last into the index: a span of the newest is in its smallest segments.
    """
    least, most = ends
    for shift in _SPAN_SHIFTS:
        if wanted.ascending:
            start = least if wanted.after is None else wanted.after
            yield compiler.between("date", None, start + (max(most - start, 1) >> shift))
        else:
            start = most if wanted.after is None else wanted.after
            yield compiler.between("date", start - (max(start - least, 1) >> shift), None)


def _tiers(compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery, total: int) -> Iterator[Query]:
    """Powers of two from the end that is asked for, as many as should have what is needed, and then more."""
    tiers = (UNKNOWN, *TIERS)
    if wanted.after is not None:
        at = tiers.index(tier_of_key(wanted.after))
        tiers = tiers[at:] if wanted.ascending else tiers[: at + 1]
    needed = (wanted.offset + wanted.limit) * searcher.num_docs / total
    for margin in _TIER_MARGINS:
        chosen, documents = [], 0
        for tier in tiers if wanted.ascending else reversed(tiers):
            chosen.append(tier)
            documents += searcher.doc_freq("tier", tier)
            if documents > margin * needed:
                break
        yield compiler.any_of("tier", chosen)


def _both(one: Query, other: Query) -> Query:
    return Query.boolean_query([(Occur.Must, one), (Occur.Must, other)])


class Ends:
    """The smallest and the largest sort key of an index, remembered until it has grown by a tenth.

    They may lie behind the newest documents: those who ask leave the outer end open.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, int, int]] = {}

    def of(self, searcher: tantivy.Searcher, field: str) -> tuple[int, int]:
        """(smallest, largest), as floats hold them."""
        documents, least, most = self._known.get(field, (0, 0, 0))
        if not documents <= searcher.num_docs <= documents * 1.1:
            asked = {"least": {"min": {"field": field}}, "most": {"max": {"field": field}}}
            found: Any = searcher.aggregate(Query.all_query(), asked)
            least, most = int(found["least"]["value"] or 0), int(found["most"]["value"] or 0)
            self._known[field] = searcher.num_docs, least, most
        return least, most


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query that was counted."""

    matching: Query
    total: int
    ends: Ends
