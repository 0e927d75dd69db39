"""A raw server in a thread of its own, for whole crawls, which have a loop of theirs."""

from __future__ import annotations

import asyncio
import hashlib
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

from tests.servers.raw import Exchange, Handler, RawServer, replies, routes

HTML = "Content-Type: text/html; charset=utf-8"
TORRENT = "Content-Type: application/x-bittorrent"
NO_ROBOTS = {"/robots.txt": replies(404, b"")}


@dataclass(slots=True)
class Seen:
    """What a server saw: (monotonic time, target) of each request, and how many at once at most."""

    requests: list[tuple[float, str]] = field(default_factory=list)
    under_way: int = 0
    most_at_once: int = 0

    @property
    def targets(self) -> list[str]:
        return [target for _, target in self.requests]

    def times(self, target: str) -> list[float]:
        return [at for at, asked in self.requests if asked == target]

    def gaps(self) -> list[float]:
        times = [at for at, _ in self.requests]
        return [later - earlier for earlier, later in pairwise(times)]


def page(*links: str, text: str = "", title: str = "A page") -> Handler:
    """A page with links, and with nothing in its text that another page has."""
    body = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    html = f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}<p>{text}</p></body></html>"
    return replies(200, html.encode(), HTML)


@contextmanager
def raw_site(table: dict[str, Handler], *, no_robots: bool = True) -> Iterator[tuple[str, RawServer, Seen]]:
    """(origin, server, what it saw) of a server for the time of a `with` block."""
    seen = Seen()
    handler = routes((NO_ROBOTS if no_robots else {}) | table)

    async def watch(exchange: Exchange) -> None:
        seen.requests.append((time.monotonic(), exchange.request.target))
        seen.under_way += 1
        seen.most_at_once = max(seen.most_at_once, seen.under_way)
        try:
            await handler(exchange)
        finally:
            seen.under_way -= 1

    server = RawServer(watch)
    ready, stop = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        await server.start()
        loops.append(asyncio.get_running_loop())
        ready.set()
        await stop.wait()
        await server.stop()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="raw site")
    thread.start()
    try:
        assert ready.wait(10)
        yield server.url("").rstrip("/"), server, seen
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join()


def torrent(name: str) -> tuple[bytes, str]:
    """A small torrent file and its infohash."""
    title = name.encode()
    info = b"d6:lengthi1000e4:name%d:%s12:piece lengthi16384e6:pieces20:%se" % (
        len(title),
        title,
        hashlib.sha1(title).digest(),
    )
    return b"d4:info" + info + b"e", hashlib.sha1(info).hexdigest()


def torrents(**places: str) -> tuple[dict[str, Handler], set[str]]:
    """Handlers of torrents by name and path, and their infohashes."""
    files = {path: torrent(name) for name, path in places.items()}
    table = {path: replies(200, data, TORRENT) for path, (data, _) in files.items()}
    return table, {infohash for _, infohash in files.values()}


def words(seed: str) -> str:
    """Text that no other page has."""
    chosen = random.Random(seed)
    return " ".join("".join(chosen.choices("abcdefghij", k=6)) for _ in range(60))
