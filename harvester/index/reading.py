"""Answering queries."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import tantivy

from harvester.errors import NotFound
from harvester.index.answering import Ends, answer
from harvester.index.compiling import Compiler
from harvester.index.failures import mapped
from harvester.index.folder import Followed, IndexFolder, read_followed
from harvester.index.schema import open_index
from harvester.model.query import Hits, IndexQuery


@dataclass(slots=True)
class _Open:
    """An open build."""

    build: Path
    index: tantivy.Index
    compiler: Compiler
    state: tuple[int, int]
    commit: tuple[int, int]
    followed: Followed
    ends: Ends


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
            return answer(opened.compiler, opened.index.searcher(), wanted, opened.ends)

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
        return _Open(build, index, Compiler(index.schema), state, commit, followed, Ends())


def _commit_of(build: Path) -> tuple[int, int]:
    """Other than before after each commit: its note is written right after it."""
    seen = (build / "followed.json").stat()
    return seen.st_mtime_ns, seen.st_ino
