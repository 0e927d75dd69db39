"""What a fetcher hands to an archive: one request and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class Exchange(Struct, frozen=True):
    """One request and its answer as they went over the wire.

    `target` is the text after the method, `wire` the body as it came (still compressed), `at` UTC seconds
    when the answer was complete, `peer` the address that answered. `secret`: neither body is kept.
    """

    url: str
    target: str
    method: str
    request_headers: Sequence[tuple[bytes, bytes]]
    request_body: bytes
    status: int
    headers: Sequence[tuple[bytes, bytes]]
    wire: bytes
    peer: str
    at: float
    secret: bool = False


class Archive(Protocol):
    """Keeps exchanges; raises `StoreError` when it cannot."""

    def add(self, exchange: Exchange) -> None:
        """Keep one exchange."""
        ...
