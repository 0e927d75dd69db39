"""The search index's contract.

The index is derived: everything in it comes from the store's change feed, and it can be thrown away at any
time. Any number of processes read one copy; one process at a time writes it. Methods block on the disk; an
asyncio program calls them from a thread. A reader may be used by several threads at once.

Errors (all `StoreError`): `NotFound` there is no index yet; `StoreBusy` another process writes it;
`StoreFull` no space left; `StoreDamaged` it cannot be read (`harvest reindex` makes it anew).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from harvester.model.query import FoundRow, Hits, IndexQuery, Searchable
from harvester.model.stored import Block, StoredTorrent, TorrentChange


class SearchIndex(Protocol):
    """Reading."""

    def search(self, wanted: IndexQuery) -> Hits:
        """Answer a query from the newest commit."""
        ...

    def count(self) -> int:
        """How many torrents are in it."""
        ...

    def sequence(self) -> int:
        """Up to which change of the store it has come (0: none)."""
        ...

    def blocks_state(self) -> tuple[int, float]:
        """The state of the blocklist (`SearchStore.blocks_state`) that it heeds: nothing that these blocks
        take out is in it."""
        ...


class SearchStore(Protocol):
    """What answering a query asks of the store."""

    def find_torrent(self, digest: str) -> StoredTorrent | None:
        """By any hash in hex; see `harvester.ports.store.TorrentStore`."""
        ...

    def torrents(self, ids: Sequence[int]) -> list[StoredTorrent]:
        """By id, in the order asked; ids that are gone are left out."""
        ...

    def rows(self, ids: Sequence[int]) -> tuple[tuple[int, float], list[FoundRow]]:
        """The state of the blocklist, and each torrent with the names of the sites that showed it.

        The state is not newer than the rows. These are in the order asked, ids that are gone are left out.
        """
        ...

    def searchable(self, ids: Sequence[int]) -> list[Searchable]:
        """What is searched of each, in the order asked; ids that are gone are left out."""
        ...

    def blocks(self) -> list[Block]:
        """All blocks, oldest first."""
        ...

    def blocks_state(self) -> tuple[int, float]:
        """How many blocks there are and when the newest was made: other than before when blocks changed."""
        ...


class FollowedStore(SearchStore, Protocol):
    """What keeping an index asks of the store."""

    def changes_since(self, sequence: int, limit: int = 1000) -> list[TorrentChange]:
        """See `harvester.ports.store.ChangeFeed`."""
        ...

    def last_sequence(self) -> int:
        """See `harvester.ports.store.ChangeFeed`."""
        ...
