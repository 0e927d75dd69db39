"""Answering queries."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tantivy

from harvester.errors import NotFound
from harvester.index.compiling import Compiler
from harvester.index.failures import mapped
from harvester.index.folder import Followed, IndexFolder, read_followed
from harvester.index.schema import open_index
from harvester.model.query import Facet, FacetCount, Hits, IndexQuery


@dataclass(slots=True)
class _Open:
    """An open build."""

    build: Path
    index: tantivy.Index
    compiler: Compiler
    state: tuple[int, int]
    commit: tuple[int, int]
    followed: Followed


class IndexReader:
    """Reads the newest commit of the current build. May be used by several threads at once."""

    def __init__(self, root: Path) -> None:
        self._folder = IndexFolder(root)
        self._open: _Open | None = None
        self._lock = threading.Lock()

    def search(self, wanted: IndexQuery) -> Hits:
        """See `harvester.ports.index.SearchIndex`."""
        with mapped(self._folder.root):
            opened = self._fresh()
            return _search(opened.compiler, opened.index.searcher(), wanted)

    def count(self) -> int:
        """See `harvester.ports.index.SearchIndex`."""
        with mapped(self._folder.root):
            return self._fresh().index.searcher().num_docs

    def sequence(self) -> int:
        """See `harvester.ports.index.SearchIndex`."""
        with mapped(self._folder.root):
            return self._fresh().followed.sequence

    def blocks_state(self) -> tuple[int, float]:
        """See `harvester.ports.index.SearchIndex`."""
        with mapped(self._folder.root):
            return self._fresh().followed.blocks

    def _fresh(self) -> _Open:
        """The current build at its newest commit: two looks at files when nothing changed."""
        state = self._folder.state()
        opened = self._open
        if opened is None or opened.state != state:
            with self._lock:
                opened = self._open
                if opened is None or opened.state != state:
                    opened = self._open = self._opened(state)
        commit = _commit_of(opened.build)
        if commit != opened.commit:
            with self._lock:
                followed = read_followed(opened.build)
                opened.index.reload()
                opened.commit, opened.followed = commit, followed or opened.followed
        return opened

    def _opened(self, state: tuple[int, int]) -> _Open:
        build = self._folder.current()
        followed = read_followed(build) if build else None
        if build is None or followed is None:
            raise NotFound("there is no search index of this version", hint="make it with: harvest reindex")
        commit = _commit_of(build)
        index = open_index(str(build))
        index.reload()
        return _Open(build, index, Compiler(index.schema), state, commit, followed)


def _commit_of(build: Path) -> tuple[int, int]:
    """Other than before after each commit: its note is written right after it."""
    seen = (build / "followed.json").stat()
    return seen.st_mtime_ns, seen.st_ino


def _search(compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery) -> Hits:
    matching = compiler.matching(wanted.node)
    if wanted.sort == "relevance":
        hits, total = _ranked(compiler, searcher, wanted, matching)
        keys: tuple[int, ...] = ()
    else:
        hits, keys, total = _sorted(compiler, searcher, wanted, matching)
    ids = searcher.fast_field_values("id", hits) if hits else []
    facets = _facets(searcher, matching, wanted) if wanted.facets else {}
    return Hits(tuple(int(one) for one in ids if one is not None), keys, total, facets)


def _ranked(
    compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery, matching: tantivy.Query
) -> tuple[list[tantivy.DocAddress], int]:
    ranking = compiler.ranking(wanted.node)
    # With nothing to rank by (filters only), the newest come first.
    by_date = None if ranking is not None else "date"
    # Tantivy refuses a limit of 0.
    found: Any = searcher.search(
        ranking or matching, max(wanted.limit, 1), offset=wanted.offset, order_by_field=by_date
    )
    return [address for _, address in found.hits[: wanted.limit]], found.count


def _sorted(
    compiler: Compiler, searcher: tantivy.Searcher, wanted: IndexQuery, matching: tantivy.Query
) -> tuple[list[tantivy.DocAddress], tuple[int, ...], int]:
    order = tantivy.Order.Asc if wanted.ascending else tantivy.Order.Desc
    page = matching
    if wanted.after is not None:
        low, high = (wanted.after + 1, None) if wanted.ascending else (None, wanted.after - 1)
        beyond = compiler.between(wanted.sort, low, high)
        page = tantivy.Query.boolean_query([(tantivy.Occur.Must, matching), (tantivy.Occur.Must, beyond)])
    found: Any = searcher.search(
        page, max(wanted.limit, 1), offset=wanted.offset, order_by_field=wanted.sort, order=order
    )
    hits = found.hits[: wanted.limit]
    # Pages after the first know only what is left; the total is that of the whole.
    total = found.count if wanted.after is None else _count(searcher, matching)
    return [address for _, address in hits], tuple(int(key) for key, _ in hits), total


def _count(searcher: tantivy.Searcher, matching: tantivy.Query) -> int:
    found: Any = searcher.search(tantivy.Query.const_score_query(matching, 1.0), 1)
    return int(found.count)


def _facets(
    searcher: tantivy.Searcher, matching: tantivy.Query, wanted: IndexQuery
) -> dict[Facet, tuple[FacetCount, ...]]:
    asked = {facet: {"terms": {"field": facet, "size": wanted.facet_limit}} for facet in wanted.facets}
    answer: Any = searcher.aggregate(matching, asked)
    return {
        facet: tuple(FacetCount(str(one["key"]), int(one["doc_count"])) for one in answer[facet]["buckets"])
        for facet in wanted.facets
    }
