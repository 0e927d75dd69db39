"""The blocklist as use cases need it: making and lifting blocks, and leaving out what they take out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol, TypeVar

from harvester.errors import NotFound
from harvester.model.query import Searchable
from harvester.model.stored import Block, Event
from harvester.policy.blocking import Blocklist, checked_block, subject_of_searchable

_AT_ONCE = 500

T = TypeVar("T")


class BlockStore(Protocol):
    """What making and lifting blocks asks of the store."""

    def add_block(self, block: Block) -> None:
        """See `harvester.ports.store.NoteStore`."""
        ...

    def remove_block(self, kind: str, value: str) -> bool:
        """See `harvester.ports.store.NoteStore`."""
        ...

    def record(self, event: Event) -> None:
        """See `harvester.ports.store.NoteStore`."""
        ...


class BlockedStore(Protocol):
    """What leaving out asks of the store."""

    def blocks(self) -> list[Block]:
        """See `harvester.ports.store.NoteStore`."""
        ...

    def searchable(self, ids: Sequence[int]) -> list[Searchable]:
        """See `harvester.ports.store.ChangeFeed`."""
        ...


def add_block(store: BlockStore, kind: str, value: str, reason: str, *, now: float) -> Block:
    """Block for good, and note it in the audit log; `UsageError` when it makes no sense."""
    block = checked_block(kind, value, reason, now=now)
    store.add_block(block)
    detail = {"kind": block.kind, "value": block.value, "reason": reason}
    store.record(Event(now, "block_added", detail=detail))
    return block


def remove_block(store: BlockStore, kind: str, value: str, *, now: float) -> None:
    """Lift a block, and note it in the audit log; `NotFound` when there is none like it."""
    value = value.strip().lower() if kind == "infohash" else value.strip()
    if not store.remove_block(kind, value):
        raise NotFound(f"there is no block of {kind} {value!r}", hint="see: harvest block list")
    store.record(Event(now, "block_removed", detail={"kind": kind, "value": value}))


def block_of(store: BlockedStore, torrent_id: int) -> Block | None:
    """What takes a stored torrent out, None: nothing. For pages and files of one torrent."""
    blocklist = Blocklist(store.blocks())
    if not blocklist:
        return None
    found = store.searchable([torrent_id])
    return blocklist.match(subject_of_searchable(found[0])) if found else None


def unblocked(store: BlockedStore, items: Iterable[T], id_of: Callable[[T], int]) -> Iterator[T]:
    """Those items whose torrent no block takes out, in order, read ahead by a few hundred."""
    blocklist = Blocklist(store.blocks())
    if not blocklist:
        yield from items
        return
    rest = iter(items)
    while some := list(islice(rest, _AT_ONCE)):
        ids = list(dict.fromkeys(id_of(item) for item in some))
        gone = {one.id for one in store.searchable(ids) if blocklist.match(subject_of_searchable(one))}
        yield from (item for item in some if id_of(item) not in gone)
