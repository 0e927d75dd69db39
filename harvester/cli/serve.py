"""`harvest serve`: the API and the search page."""

from __future__ import annotations

from typing import Annotated

import typer

from harvester import wiring
from harvester.cli.options import Data, settings_for
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.web.server import address_of, check_exposure, listen, run


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
        serve_store(settings, store, host or settings.web_host, settings.web_port if port is None else port)


def serve_store(settings: Settings, store: Store, host: str, port: int) -> None:
    """Serve an open store until Ctrl-C, and say where."""
    settings = settings.model_copy(update={"web_host": host, "web_port": port})
    check_exposure(settings)
    listener = listen(host, port)
    typer.echo(f"serving on {address_of(listener)}  (Ctrl-C stops)")
    run(settings, store, listener)
