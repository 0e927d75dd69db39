"""One search as the API and the page ask it: words and filters in, a page of rows with facets out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from harvester.errors import NotFound, UsageError
from harvester.model.query import (
    FACETS,
    And,
    Everything,
    Facet,
    FacetCount,
    FindOptions,
    Found,
    Is,
    Node,
    Or,
    Sort,
)
from harvester.search.find import find
from harvester.search.query import parse_query
from harvester.web.problems import unavailable
from harvester.web.services import Services

FACET_VALUES = 12
_MAX_KEY = 2**62
"""What no sort key of the index is beyond."""
SECRET_FACETS: frozenset[Facet] = frozenset({"private"})
"""Facets that only an operator is shown."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked. `filters`: any of the values of each field. `sort` None: by relevance when there are
    words, else the newest first."""

    text: str = ""
    filters: Mapping[Facet, tuple[str, ...]] = field(default_factory=dict)
    sort: Sort | None = None
    ascending: bool = False
    limit: int = 20
    offset: int = 0
    after: str | None = None
    facets: bool = False

    @property
    def order(self) -> Sort:
        """The order that comes of it."""
        return self.sort or ("relevance" if self.text.strip() else "date")


@dataclass(frozen=True, slots=True)
class Answer:
    """The page of rows and the tree that found it (for highlights)."""

    found: Found
    node: Node


def run(services: Services, wanted: Wanted, *, private: bool) -> Answer:
    """Search; `private` is whether private torrents may be shown.

    The facets of a field that is filtered by are counted as if it was not, so that its other values can
    be added. Raises `QueryError`, `UsageError`, and `Problem` 503 while there is no index yet.
    """
    words = parse_query(wanted.text, now=time.time())
    if wanted.after is not None and abs(int(wanted.after.partition(".")[2])) > _MAX_KEY:
        raise UsageError(f"{wanted.after!r} leads to no page", hint="use the `next` of the page before")
    facets = _facets(private) if wanted.facets else ()
    options = FindOptions(
        sort=wanted.order,
        ascending=wanted.ascending and wanted.order != "relevance",
        limit=wanted.limit,
        offset=wanted.offset,
        after=wanted.after,
        facets=facets,
        facet_limit=FACET_VALUES,
        private=private,
    )
    try:
        found = find(_tree(words, wanted.filters), options, index=services.index, store=services.store)
        counts = dict(found.facets)
        for one in facets:
            if wanted.filters.get(one):
                others = {name: values for name, values in wanted.filters.items() if name != one}
                counts[one] = _counted(services, _tree(words, others), one, private=private)
    except NotFound as error:
        raise unavailable("the search index is not there yet") from error
    return Answer(replace(found, facets=counts), words)


def _counted(services: Services, node: Node, facet: Facet, *, private: bool) -> tuple[FacetCount, ...]:
    options = FindOptions(sort="date", limit=0, facets=(facet,), facet_limit=FACET_VALUES, private=private)
    return find(node, options, index=services.index, store=services.store).facets.get(facet, ())


def _facets(private: bool) -> tuple[Facet, ...]:
    return FACETS if private else tuple(one for one in FACETS if one not in SECRET_FACETS)


def _tree(words: Node, filters: Mapping[Facet, tuple[str, ...]]) -> Node:
    clauses: list[Node] = []
    for name, values in filters.items():
        options = tuple(Is(name, value.lower()) for value in values)
        if options:
            clauses.append(options[0] if len(options) == 1 else Or(options))
    if not clauses:
        return words
    return And((words, *clauses)) if not isinstance(words, Everything) else _joined(clauses)


def _joined(clauses: list[Node]) -> Node:
    return clauses[0] if len(clauses) == 1 else And(tuple(clauses))
