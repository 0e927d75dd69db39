"""`harvest serve`: the API and the search page."""

from __future__ import annotations

import socket
from typing import Annotated

import typer
import uvicorn

from harvester import wiring
from harvester.cli.options import Data, settings_for
from harvester.errors import UsageError
from harvester.ports.store import Store
from harvester.web.app import build_app


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("serve")(serve)


def serve(
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")
    ] = None,
    data: Data = None,
) -> None:
    """Serve the JSON API and the search page."""
    settings = settings_for(data)
    with wiring.opened_store(settings, create=True) as store:
        serve_store(store, host or settings.web_host, settings.web_port if port is None else port)


def serve_store(store: Store, host: str, port: int) -> None:
    """Serve an open store until Ctrl-C, and say where."""
    listener = listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    typer.echo(f"serving on http://{shown}:{listener.getsockname()[1]}/  (Ctrl-C stops)")
    config = uvicorn.Config(
        build_app(store), log_level="warning", access_log=False, timeout_keep_alive=15, server_header=False
    )
    uvicorn.Server(config).run(sockets=[listener])


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
