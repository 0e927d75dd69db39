"""What the operator took out for good: matching torrents against the blocklist.

Pure: everything that shows, serves, exports or stores a torrent asks the same compiled `Blocklist`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harvester.model.stored import Block, TakenTorrent


@dataclass(frozen=True, slots=True)
class Subject:
    """What a block looks at. `publishers`: who made or published it, as the file says."""

    infohash_v1: bytes | None = None
    infohash_v2: bytes | None = None
    texts: Sequence[str] = ()
    publishers: Sequence[str] = ()


def subject_of_taken(taken: TakenTorrent) -> Subject:
    """A torrent that a crawl came by."""
    raise NotImplementedError


class Blocklist:
    """All blocks, compiled once."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        raise NotImplementedError

    def __bool__(self) -> bool:
        raise NotImplementedError

    def match(self, subject: Subject) -> Block | None:
        """The first block that takes the torrent out, None: it stays."""
        raise NotImplementedError
