"""A deadline around a piece of work, as `asyncio.timeout` is one, at a quarter of its cost.

Every fetch has one, so that cost is paid for every page.
"""

from __future__ import annotations

import asyncio
from types import TracebackType


class Deadline:
    """Cancels what runs inside `with` after `seconds` and turns that into `TimeoutError`.

    To be used in a task and once. A cancellation from outside stays one (the reckoning of
    `Task.cancelling`, as in `asyncio.timeout`).
    """

    __slots__ = ("_cancelling", "_expired", "_handle", "_seconds", "_task")

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._expired = False

    def __enter__(self) -> Deadline:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._cancelling = task.cancelling()
        self._handle = task.get_loop().call_later(self._seconds, self._expire)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._handle.cancel()
        if self._expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _expire(self) -> None:
        self._expired = True
        self._task.cancel()
