"""One query on one state of the index.

Counting goes over columns and takes a nanosecond a document; ordering by a column takes fifteen, ranking all
that matches twenty. Where much matches, only one end of the order is looked at, further and further until
the page is full. With words, the end of the order is what ranks highest whether or not it matches, which the
index knows how to find without looking at the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import tantivy
from tantivy import Occur, Query

from harvester.index.compiling import Compiler
from harvester.index.schema import TIERS, UNKNOWN, tier_of_key
from harvester.model.query import And, Facet, FacetCount, Hits, IndexQuery, Node, TorrentIs

MANY = 50_000
"""Matches from which looking at one end of the order pays: the query is answered once more for each look."""

MANY_RANKED = 20_000
"""Matches from which it pays to ask for what ranks highest first, and then whether it matches."""
_CANDIDATES = (2, 16)
"""How many times what a page needs is asked for, one after the other."""

# Parts of the whole span of time, as powers of two.
_SPAN_SHIFTS = (12, 9, 6, 3)
# How many times what a page needs should be in the tiers that are looked at.
_TIER_MARGINS = (4, 64)

_COLUMNS: dict[Facet, str] = {"ext": "main"}
_COMPLETE: tuple[Facet, ...] = ("private", "lang", "type", "ext")
"""Columns with one value for each document: the sum of their counts is the total."""


def answer(compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery, ends: Ends) -> Hits:
    """What `harvester.ports.index.SearchIndex.search` promises. `ends` are kept by the caller."""
    matching = compiler.matching(wanted.node)
    total, facets = _counted(searcher, matching, wanted)
    ranking = compiler.ranking(wanted.node) if wanted.sort == "relevance" else None
    if total == 0 or wanted.limit == 0:
        return Hits((), (), total, facets)
    if ranking is not None:
        return Hits(_ranked(compiler, searcher, wanted, ranking, total), (), total, facets)
    hits = _ordered(compiler, searcher, wanted, _Asked(matching, total, ends))
    keys = () if wanted.sort == "relevance" else tuple(int(key) for key, _ in hits)
    return Hits(_ids(searcher, hits), keys, total, facets)


def _ids(searcher: tantivy.Searcher, hits: Sequence[tuple[Any, tantivy.DocAddress]]) -> tuple[int, ...]:
    found = searcher.fast_field_values("id", [address for _, address in hits]) if hits else []
    return tuple(int(one) for one in found if one is not None)


def _counted(
    searcher: tantivy.Searcher, matching: Query, wanted: IndexQuery
) -> tuple[int, dict[Facet, tuple[FacetCount, ...]]]:
    """The exact total, and the facets asked for."""
    asked: dict[Facet, Any] = {
        facet: {"terms": {"field": _COLUMNS.get(facet, facet), "size": wanted.facet_limit + 1}}
        for facet in wanted.facets
    }
    complete = next((facet for facet in _COMPLETE if facet in asked), None)
    if complete is None:
        complete = "private"
        asked[complete] = {"terms": {"field": complete, "size": 2}}
    counts: Any = searcher.aggregate(matching, asked)
    every = counts[complete]
    total = sum(int(one["doc_count"]) for one in every["buckets"]) + int(every["sum_other_doc_count"])
    facets = {}
    for facet in wanted.facets:
        known = [one for one in counts[facet]["buckets"] if one["key"] != UNKNOWN]
        facets[facet] = tuple(
            FacetCount(str(one["key"]), int(one["doc_count"])) for one in known[: wanted.facet_limit]
        )
    return total, facets


def _ranked(
    compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery, ranking: Query, total: int
) -> tuple[int, ...]:
    """The ids of the page by relevance.

    What ranks highest of all that has the words is found fast; what of it matches (filters, words that are
    left out) comes in that order, and is the page when it is enough.
    """
    needed = wanted.offset + wanted.limit
    if compiler.is_one_term(wanted.node):
        found: Any = searcher.search(
            compiler.highest(wanted.node), wanted.limit, count=False, offset=wanted.offset
        )
        if len(found.hits) == wanted.limit:
            return _ids(searcher, found.hits)
    elif total >= MANY_RANKED:
        highest = compiler.highest(wanted.node)
        for times in _CANDIDATES:
            asked = times * needed
            found = searcher.search(highest, asked, count=False)
            ids = _ids(searcher, found.hits)
            matching = set(_matching(compiler, searcher, wanted.node, ids))
            kept = [one for one in ids if one in matching]
            if len(kept) >= needed:
                return tuple(kept[wanted.offset : needed])
            if len(ids) < asked:
                break
    found = searcher.search(ranking, wanted.limit, count=False, offset=wanted.offset)
    return _ids(searcher, found.hits)


def _matching(
    compiler: Compiler, searcher: tantivy.Searcher, node: Node, ids: tuple[int, ...]
) -> tuple[int, ...]:
    """Those of `ids` that match, in no order."""
    if not ids:
        return ()
    found: Any = searcher.search(compiler.matching(And((TorrentIs(ids), node))), len(ids), count=False)
    return _ids(searcher, found.hits)


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
