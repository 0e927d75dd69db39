"""The search index of these settings, and the process that keeps it up to date."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

from harvester.errors import StoreBusy
from harvester.ports.index import SearchIndex
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.wiring.stores import opened_store

if TYPE_CHECKING:
    from harvester.index.following import Follower

_FOLLOWER_SECONDS = 20.0
"""How long the follower may take to finish its commit."""


def search_index(settings: Settings) -> SearchIndex:
    """The search index of these settings, to read; it may be used by several threads at once."""
    from harvester.index.reading import IndexReader  # here, because most verbs have no use for it

    return IndexReader(settings.data / "index")


def index_follower(settings: Settings, store: Store) -> Follower:
    """What keeps the search index of these settings up to date with `store`."""
    from harvester.index.following import Follower  # here, because most verbs have no use for it

    return Follower(settings.data / "index", store)


def follow_changes(settings: Settings, until_closed: TextIO | None = None) -> None:
    """Keep the search index up to date until SIGINT or SIGTERM, or until a pipe is closed, in this process.

    Searching is a matter for other processes: indexing keeps the interpreter busy, and this one is made nice.
    """
    from harvester.index.following import FOLLOWER_NICE  # here, because most verbs have no use for it

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if until_closed is not None and stat.S_ISFIFO(os.fstat(until_closed.fileno()).st_mode):
        # Whoever started this holds the other end: when it is gone, however it went, so is this.
        threading.Thread(target=_set_at_end, args=(until_closed, stop), daemon=True).start()
    os.nice(FOLLOWER_NICE)
    with opened_store(settings, create=True) as store:
        index_follower(settings, store).run(stop)


def _set_at_end(pipe: TextIO, stop: threading.Event) -> None:
    pipe.read()
    stop.set()


@contextmanager
def following(settings: Settings) -> Iterator[None]:
    """A process beside this one that keeps the search index up to date: for servers.

    It ends with the block, and also when this process is killed. Where another process already follows, it
    waits, and takes over when that one ends.
    """
    command = [sys.executable, "-m", "harvester", "reindex", "--follow"]
    environment = {**os.environ, **_as_environment(settings)}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, env=environment)  # noqa: S603 - our own command
    try:
        yield
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_FOLLOWER_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _as_environment(settings: Settings) -> dict[str, str]:
    """What a process of ours needs to know to open the same store and index."""
    return {
        "HARVEST_DATA": str(settings.data.absolute()),
        "HARVEST_DATABASE_URL": settings.database_url,
        "HARVEST_BLOBS": settings.blobs_url,
    }


def caught_up_index(
    settings: Settings, store: Store, on_progress: Callable[[int, int], None] | None = None
) -> SearchIndex:
    """The search index with everything in it that is stored now, or as much as another process put there.

    `on_progress` is called with (changes followed, newest change).
    """
    follower = index_follower(settings, store)
    if follower.is_behind():
        with suppress(StoreBusy):  # whoever has it follows the same changes
            follower.catch_up(on_progress)
    return search_index(settings)
