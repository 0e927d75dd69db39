"""Keeping the index up to date with the store.

The store's change feed is followed from where the build has come to; any number of machines keep a copy of
their own in this way. What the blocklist takes out is not in the index; a lifted block puts it back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from harvester.errors import StoreBusy
from harvester.index.failures import mapped
from harvester.index.folder import IndexFolder, read_followed
from harvester.index.writing import BuildWriter, block_key
from harvester.model.query import Is, Searchable, Word
from harvester.model.stored import Block
from harvester.policy.blocking import Blocklist, publisher_key, subject_of_searchable
from harvester.ports.index import FollowedStore

CHUNK = 1000
"""Changes that are read at once."""
COMMIT_SECONDS = 1.0
"""How long a change waits for its commit while others keep coming."""
FOLLOWER_NICE = 10
"""How far a process that only follows steps back for those that search (nice)."""
REBUILD_HEAP_BYTES = 256_000_000
"""What is gathered before a segment is written while the whole index is made anew: nobody reads it yet, so
nothing is committed before the end, and few large segments are searched faster and take less space."""
FAR_BEHIND = 20_000
FAR_COMMIT_SECONDS = 10.0
"""With more than `FAR_BEHIND` changes to go, commits are further apart: larger segments, less merging."""


class Stop(Protocol):
    """What ends `Follower.run`: an event of `threading` or of `multiprocessing`."""

    def is_set(self) -> bool:
        """Whether to end."""
        ...

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, `timeout` seconds at most."""
        ...


OnFollowed = Callable[[int, int], None]
"""Called with (up to which sequence, the newest sequence)."""


class Follower:
    """Writes the index of one folder from one store."""

    def __init__(self, root: Path, store: FollowedStore) -> None:
        self._folder = IndexFolder(root)
        self._store = store
        self._blocklist = Blocklist(())
        self._blocks_state: tuple[int, float] | None = None

    def catch_up(self, on_progress: OnFollowed | None = None) -> int:
        """Follow to the newest change; how many were taken over. Makes the index where there is none.

        `StoreBusy` when another process is doing it.
        """
        with self._writer() as writer:
            return self._follow(writer, on_progress)

    def is_behind(self) -> bool:
        """Whether the store has changes that are not in the index, or there is no usable index."""
        with mapped(self._folder.root):
            build = self._folder.current()
            followed = read_followed(build) if build else None
        return (
            followed is None
            or followed.sequence != self._store.last_sequence()
            or followed.blocks != self._store.blocks_state()
        )

    def rebuild(self, on_progress: OnFollowed | None = None) -> int:
        """Make the index anew, and let readers use it once it is complete; how many changes it took."""
        with self._folder.writing(), mapped(self._folder.root):
            self._folder.tidy()
            build = self._folder.new_build()
            writer = BuildWriter(build, create=True, heap=REBUILD_HEAP_BYTES)
            try:
                self._blocks_state = None
                taken = self._follow(writer, on_progress, between=math.inf)
            finally:
                writer.close()
            self._folder.publish(build)
            return taken

    def run(self, stop: Stop, *, pause: float = 0.3) -> None:
        """Follow until `stop` is set; waits while another process writes the index, and takes over then."""
        while not stop.is_set():
            try:
                with self._writer() as writer:
                    while not stop.is_set():
                        self._follow(writer, stop=stop)
                        stop.wait(pause)
            except StoreBusy:
                stop.wait(pause * 5)

    # --- inside -----------------------------------------------------------------------------------

    @contextmanager
    def _writer(self) -> Iterator[BuildWriter]:
        """The writer of the current build, or of a new one when that is of another version or store."""
        with self._folder.writing(), mapped(self._folder.root):
            build = self._usable()
            if build is None:
                build = self._folder.new_build()
                BuildWriter(build, create=True).close()
                self._folder.publish(build)
            writer = BuildWriter(build)
            try:
                yield writer
            finally:
                writer.close()

    def _usable(self) -> Path | None:
        build = self._folder.current()
        followed = read_followed(build) if build else None
        if followed is None or followed.sequence > self._store.last_sequence():
            return None
        if followed.anchor:
            anchor = self._store.torrents([followed.anchor])
            hashes = [one.infohash_v1 or one.infohash_v2 or b"" for one in anchor]
            if [one.hex() for one in hashes] != [followed.anchor_hash] and not self._was_merged(
                followed.anchor
            ):
                return None
        return build

    def _was_merged(self, torrent_id: int) -> bool:
        """Whether a torrent that is gone is one that the feed says so of: it is the same store."""
        changes = self._store.changes_since(torrent_id, CHUNK)
        while changes:
            if any(change.torrent_id == torrent_id for change in changes):
                return True
            changes = self._store.changes_since(changes[-1].sequence, CHUNK)
        return False

    def _follow(
        self,
        writer: BuildWriter,
        on_progress: OnFollowed | None = None,
        stop: Stop | None = None,
        between: float = 0.0,
    ) -> int:
        """Everything up to the newest change, committed at the end; commits are `between` seconds apart."""
        self._heed_blocks(writer)
        sequence, taken = writer.followed.sequence, 0
        newest = self._store.last_sequence()
        committed = time.monotonic()
        while not (stop and stop.is_set()):
            changes = self._store.changes_since(sequence, CHUNK)
            if not changes:
                break
            wanted = [change.torrent_id for change in changes if not change.gone]
            writer.apply(changes, self._store.searchable(wanted), self._blocklist)
            sequence = changes[-1].sequence
            taken += len(changes)
            far = newest - sequence > FAR_BEHIND
            if time.monotonic() - committed > max(between, FAR_COMMIT_SECONDS if far else COMMIT_SECONDS):
                writer.commit(sequence, self._blocks_state or (0, 0.0))
                committed = time.monotonic()
                newest = self._store.last_sequence()
            if on_progress:
                on_progress(sequence, max(newest, sequence))
        if writer.waiting:
            writer.commit(sequence, self._blocks_state or (0, 0.0))
        return taken

    def _heed_blocks(self, writer: BuildWriter) -> None:
        """Take out what new blocks match, and put back what lifted ones took out."""
        state = self._store.blocks_state()
        if state == self._blocks_state == writer.followed.blocks:
            return
        blocks = self._store.blocks()
        self._blocklist = Blocklist(blocks)
        for key in writer.taken_out.keys() - {block_key(block) for block in blocks}:
            writer.lift(key, self._store.searchable(writer.taken_out[key]), self._blocklist)
        for block in blocks:
            if block_key(block) not in writer.taken_out:
                only = Blocklist([block])
                found = (
                    torrent.id
                    for torrent in self._candidates(writer, block)
                    if only.match(subject_of_searchable(torrent))
                )
                writer.heed(block, found)
        writer.commit(writer.followed.sequence, state)
        self._blocks_state = state

    def _candidates(self, writer: BuildWriter, block: Block) -> Iterator[Searchable]:
        """What a block may match: asked of the index where it can be, else everything."""
        match block.kind:
            case "infohash":
                torrent = self._store.find_torrent(block.value)
                ids = [] if torrent is None else [torrent.id]
            case "word":
                ids = writer.matching(Word(block.value))
            case "publisher":
                ids = writer.matching(Is("publisher", publisher_key(block.value)))
            case "pattern":
                yield from self._up_to(writer.followed.sequence)
                return
        for start in range(0, len(ids), CHUNK):
            yield from self._store.searchable(ids[start : start + CHUNK])

    def _up_to(self, last: int) -> Iterator[Searchable]:
        """Every torrent whose last change is in the index."""
        sequence = 0
        while sequence < last:
            changes = self._store.changes_since(sequence, CHUNK)
            if not changes:
                return
            yield from self._store.searchable([one.torrent_id for one in changes if not one.gone])
            sequence = changes[-1].sequence
