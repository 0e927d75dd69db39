"""Putting changes into one build of the index."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import tantivy

from harvester.index.compiling import Compiler
from harvester.index.document import document_of
from harvester.index.folder import (
    Followed,
    read_followed,
    read_taken_out,
    write_followed,
    write_taken_out,
)
from harvester.index.schema import VERSION, open_index
from harvester.model.query import Node, Searchable
from harvester.model.stored import Block, TorrentChange
from harvester.policy.blocking import Blocklist, subject_of_searchable

HEAP_BYTES = 96_000_000
"""What the writer gathers before it writes a segment of its own accord."""


class BuildWriter:
    """The one writer of a build; needs the folder's lock.

    Nothing is seen by readers, or survives a crash, before `commit`. Following a change twice is harmless.
    """

    def __init__(self, build: Path, *, create: bool = False, heap: int = HEAP_BYTES) -> None:
        self.build = build
        self._index = open_index(str(build), create=create)
        if create:
            write_followed(build, Followed())
        self.followed = read_followed(build) or Followed()
        self.taken_out = read_taken_out(build)
        self._writer = self._index.writer(heap, 1)
        self._newest = self._newest_id()
        self._anchor: tuple[int, str] | None = None
        self._noted = True
        self.waiting = 0
        """Changes since the last commit."""

    def apply(
        self, changes: Iterable[TorrentChange], torrents: Iterable[Searchable], blocklist: Blocklist
    ) -> None:
        """Take over changes, with what the store has of those torrents."""
        now = {one.id: one for one in torrents}
        for change in changes:
            # A new torrent's sequence is its id: it cannot be in the index yet, and looking for it is dear.
            if change.gone or change.torrent_id <= self._newest or change.sequence != change.torrent_id:
                self._writer.delete_documents_by_term("id", change.torrent_id)
            torrent = None if change.gone else now.get(change.torrent_id)
            if torrent is not None and not self._is_taken_out(torrent, blocklist):
                self._writer.add_document(document_of(torrent))
                infohash = torrent.infohash_v1 or torrent.infohash_v2 or b""
                self._anchor = (torrent.id, infohash.hex())
            self.waiting += 1

    def heed(self, block: Block, ids: Iterable[int]) -> None:
        """Drop what a new block takes out, and remember it."""
        gone = list(ids)
        for one in gone:
            self._writer.delete_documents_by_term("id", one)
        self.taken_out[block_key(block)] = gone
        self._noted = False

    def lift(self, key: str, torrents: Iterable[Searchable], blocklist: Blocklist) -> None:
        """Put back what a block took out that is no longer there."""
        self.taken_out.pop(key, None)
        self._noted = False
        for torrent in torrents:
            self._writer.delete_documents_by_term("id", torrent.id)
            if not self._is_taken_out(torrent, blocklist):
                self._writer.add_document(document_of(torrent))

    def matching(self, node: Node) -> list[int]:
        """The ids of all that matches in the last commit."""
        searcher = self._index.searcher()
        query = Compiler(self._index.schema).matching(node)
        hits = searcher.search(query, max(searcher.num_docs, 1)).hits
        ids = searcher.fast_field_values("id", [address for _, address in hits]) if hits else []
        return [int(one) for one in ids if one is not None]

    def commit(self, sequence: int, blocks: tuple[int, float]) -> None:
        """Make everything so far visible and lasting.

        The build has come up to `sequence` and heeds the blocklist of state `blocks`.
        """
        if not self._noted:
            # Before the commit: an id that is noted and still there is only dropped again.
            write_taken_out(self.build, self.taken_out)
            self._noted = True
        self._writer.commit()
        anchor, anchor_hash = self._anchor or (self.followed.anchor, self.followed.anchor_hash)
        self.followed = Followed(VERSION, sequence, anchor, anchor_hash, blocks)
        write_followed(self.build, self.followed)
        self.waiting = 0

    def close(self) -> None:
        """End the writer; what was not committed is dropped."""
        self._writer.rollback()
        self._writer.wait_merging_threads()

    def _is_taken_out(self, torrent: Searchable, blocklist: Blocklist) -> bool:
        block = blocklist.match(subject_of_searchable(torrent)) if blocklist else None
        if block is None:
            return False
        ids = self.taken_out.setdefault(block_key(block), [])
        if torrent.id not in ids:
            ids.append(torrent.id)
            self._noted = False
        return True

    def _newest_id(self) -> int:
        """The largest torrent id that is already in the build."""
        self._index.reload()
        searcher = self._index.searcher()
        newest = searcher.search(tantivy.Query.all_query(), 1, order_by_field="id").hits
        return int(newest[0][0]) if newest else 0


def block_key(block: Block) -> str:
    """What a block is called in `taken_out`."""
    return f"{block.kind}:{block.value}"
