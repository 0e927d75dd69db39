"""Serving the application: the listening socket, the limits of uvicorn, and the index that follows."""

from __future__ import annotations

import socket
import time

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
    if is_loopback(settings.web_host) or settings.web_api_key is not None or KeyFile(settings.data).all():
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
        listener.listen(128)
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
        # Its own handlers would write to standard error past the filter that takes secrets out.
        log_config=None,
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
    with wiring.following(settings):
        _wait_for_index(settings, store)
        server_for(settings, store).run(sockets=[listener])


def _wait_for_index(settings: Settings, store: Store) -> None:
    """Give the index a moment to come up with a small store; a large one is served while it does."""
    follower = wiring.index_follower(settings, store)
    until = time.monotonic() + _FIRST_INDEX_SECONDS
    while follower.is_behind() and time.monotonic() < until:
        time.sleep(0.05)
