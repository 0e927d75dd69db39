"""`harvest keys`: who may use the API for more than reading."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer
from rich.console import Console

from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import print_table
from harvester.search.records import timestamp
from harvester.web.keys import KeyFile

keys = typer.Typer(help="Make, list and revoke API keys.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.add_typer(keys, name="keys")


@keys.command("add")
def add(
    name: Annotated[str, typer.Argument(help="Whom or what the key is for.")],
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            help="read: search; operate: also private torrents, pause and resume; admin: also block.",
        ),
    ] = "read",
    data: Data = None,
) -> None:
    """Make a key and print it, once: it is kept as a hash only."""
    key, text = KeyFile(settings_for(data).data).add(name, scope, now=time.time())
    Console(stderr=True, highlight=False).print(
        f"key {key.name!r} (scope {key.scope}); keep it now, it is not shown again:", markup=False
    )
    print(text)


@keys.command("list")
def list_keys(data: Data = None, as_json: Json = False) -> None:
    """List the keys: names and scopes, never the keys themselves."""
    rows = [
        {"id": key.id, "name": key.name, "scope": key.scope, "created": timestamp(key.created)}
        for key in KeyFile(settings_for(data).data).all()
    ]
    if as_json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
        return
    columns = (("id", "left"), ("name", "left"), ("scope", "left"), ("created", "left"))
    print_table(Console(highlight=False), columns, ([str(value) for value in row.values()] for row in rows))


@keys.command("revoke")
def revoke(
    name: Annotated[str, typer.Argument(help="The key's name or id.")],
    data: Data = None,
) -> None:
    """Make a key useless from now on; whoever is logged in with it is logged out."""
    key = KeyFile(settings_for(data).data).revoke(name)
    typer.echo(f"key {key.name!r} is revoked")
