"""Serving the application: the listening socket, the limits of uvicorn, and the index that follows."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from harvester import wiring
from harvester.errors import UsageError
from harvester.model.site import is_loopback
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.web.app import build_app
from harvester.web.keys import KeyFile
from harvester.web.slow_clients import ImpatientProtocol

MAX_CONNECTIONS = 512
_MAX_HEADERS = 32 * 1024
_FIRST_INDEX_SECONDS = 3.0


def check_exposure(settings: Settings) -> None:
    """Refuse to listen to strangers while there is no key. Raises `UsageError` with what to do."""
    if is_loopback(settings.web_host) or settings.web_api_key is not None or KeyFile(settings.data).keys():
        return
    raise UsageError(
        f"not listening on {settings.web_host}, where others can reach it, without an API key",
        why="nobody could be told from the operator",
        hint="make one with `harvest keys add NAME --scope admin`, or set HARVEST_WEB_API_KEY; "
        "or listen on 127.0.0.1 only",
    )


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on `host`:`port`; `UsageError` says why it can't."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise UsageError(
            f"cannot listen on {host}:{port}",
            why=error.strerror or str(error),
            hint="choose another --port; 0 takes a free one",
        ) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Where to point a browser."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def server_for(settings: Settings, store: Store) -> uvicorn.Server:
    """The server, not running yet."""
    config = uvicorn.Config(
        build_app(settings, store),
        http=ImpatientProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
        limit_concurrency=MAX_CONNECTIONS,
        h11_max_incomplete_event_size=_MAX_HEADERS,
    )
    return uvicorn.Server(config)


def run(settings: Settings, store: Store, listener: socket.socket) -> None:
    """Serve until Ctrl-C, with the search index following what crawls store."""
    with following(settings, store):
        server_for(settings, store).run(sockets=[listener])


@contextmanager
def following(settings: Settings, store: Store) -> Iterator[None]:
    """Keep the search index up to date in a thread; waits a moment for the first of it."""
    follower = wiring.index_follower(settings, store)
    stop = threading.Event()
    thread = threading.Thread(target=follower.run, args=(stop,), name="index", daemon=True)
    thread.start()
    until = time.monotonic() + _FIRST_INDEX_SECONDS
    while follower.is_behind() and time.monotonic() < until and thread.is_alive():
        stop.wait(0.05)
    try:
        yield
    finally:
        stop.set()
        thread.join(10)
