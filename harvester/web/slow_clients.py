"""HTTP/1.1 as uvicorn speaks it, without patience for clients that send or read at a crawl."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 20.0
"""A whole request, headers and body, has to arrive within it."""
STALL_SECONDS = 30.0
"""A client that takes nothing of its answer for so long is dropped."""


class ImpatientProtocol(H11Protocol):
    """One connection.

    Idle connections between two requests are uvicorn's business (`timeout_keep_alive`); here are the other
    two ways to hold one: to send a request slowly, and not to read the answer.
    """

    request_seconds = REQUEST_SECONDS
    stall_seconds = STALL_SECONDS
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """A connection, which has to say what it wants soon."""
        super().connection_made(transport)
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end of it."""
        self._disarm()
        self._resumed()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """More of a request: the first bytes of it start its deadline, its end takes it away."""
        if self._deadline is None:
            self._arm()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._disarm()

    def pause_writing(self) -> None:
        """The client does not read as fast as we write."""
        super().pause_writing()
        self._watch(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        """It does again."""
        self._resumed()
        super().resume_writing()

    def _arm(self) -> None:
        self._deadline = self.loop.call_later(self.request_seconds, self._drop)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _watch(self, waiting: int) -> None:
        self._resumed()
        self._stalled = self.loop.call_later(self.stall_seconds, self._look_again, waiting)

    def _look_again(self, before: int) -> None:
        waiting = self.transport.get_write_buffer_size()
        if waiting >= before:
            self._drop()
        else:
            self._watch(waiting)

    def _resumed(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _drop(self, *_: Any) -> None:
        if self.transport is not None:
            self.transport.abort()
