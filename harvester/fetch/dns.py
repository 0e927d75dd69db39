"""Names to addresses, remembered for a while, also that there are none.

The system's resolver tells no TTL, so an answer is kept for a fixed time. A name that fails is not asked for
again until its give-up time has passed, which doubles with each failure in a row: dead DNS costs a crawl one
look-up, not hours.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from harvester.errors import NameNotResolved

Lookup = Callable[[str], Awaitable[tuple[str, ...]]]
"""Host to its addresses as literals, best first; raises `OSError` when there are none."""


class SystemLookup:
    """The operating system's resolver, in threads of its own so that hung look-ups delay nothing else."""

    def __init__(self, threads: int = 4) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="dns")

    async def __call__(self, host: str) -> tuple[str, ...]:
        """Every address of `host`, in the resolver's order (RFC 6724)."""
        found = await asyncio.get_running_loop().run_in_executor(self._threads, _getaddrinfo, host)
        return tuple(dict.fromkeys(found))

    def close(self) -> None:
        """Let the threads end; a look-up that is under way is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _getaddrinfo(host: str) -> list[str]:
    return [str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


class _Answer(Struct):
    addresses: tuple[str, ...]
    why: str
    until: float
    failures: int


class DnsCache:
    """Addresses by host name. Times in seconds, `clock` monotonic; at most `size` names are remembered."""

    def __init__(
        self,
        lookup: Lookup,
        *,
        ttl: float = 300.0,
        negative_ttl: float = 30.0,
        negative_ttl_max: float = 3600.0,
        timeout: float = 10.0,
        size: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lookup = lookup
        self._ttl = ttl
        self._negative_ttl = negative_ttl
        self._negative_ttl_max = negative_ttl_max
        self._timeout = timeout
        self._size = size
        self._clock = clock
        self._answers: OrderedDict[str, _Answer] = OrderedDict()
        self._running: dict[str, asyncio.Task[_Answer]] = {}

    async def addresses(self, host: str) -> tuple[str, ...]:
        """The addresses of `host`, at least one. Raises `NameNotResolved` (its `url` is the host).

        Calls for one name at the same time share one look-up; cancelling one does not end it.
        """
        answer = self._answers.get(host)
        if answer is None or self._clock() >= answer.until:
            task = self._running.get(host)
            if task is None:
                failures = answer.failures if answer else 0
                task = asyncio.get_running_loop().create_task(self._ask(host, failures))
                self._running[host] = task
                task.add_done_callback(lambda _: self._running.pop(host, None))
            answer = await asyncio.shield(task)
        if not answer.addresses:
            raise NameNotResolved(host, answer.why, hint="check the host name and the DNS of this machine")
        return answer.addresses

    async def _ask(self, host: str, failures: int) -> _Answer:
        addresses: tuple[str, ...] = ()
        try:
            async with asyncio.timeout(self._timeout):
                addresses = await self._lookup(host)
            why = "" if addresses else "the name has no address"
        except TimeoutError:
            why = f"DNS did not answer within {self._timeout:g} s"
        except socket.gaierror as error:
            why = "DNS did not answer" if error.errno == socket.EAI_AGAIN else "no such name"
        except (OSError, UnicodeError) as error:
            why = str(error)
        failures = 0 if addresses else failures + 1
        wait = (
            self._ttl
            if addresses
            else min(self._negative_ttl * 2 ** min(failures - 1, 30), self._negative_ttl_max)
        )
        answer = _Answer(addresses, why, self._clock() + wait, failures)
        self._answers[host] = answer
        self._answers.move_to_end(host)
        if len(self._answers) > self._size:
            self._answers.popitem(last=False)
        return answer

    async def aclose(self) -> None:
        """End the look-ups that run and forget everything."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._answers.clear()
