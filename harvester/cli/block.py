"""`harvest block`: what is taken out of search, files, exports and future crawls, and put back."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer
from rich.console import Console

from harvester import wiring
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import print_table, safe
from harvester.search.blocked import add_block, remove_block
from harvester.search.records import timestamp

Kind = Annotated[str, typer.Argument(help="infohash, word, pattern or publisher.")]
Value = Annotated[str, typer.Argument(help="A hash, words, an RE2 pattern, a name or address.")]

block = typer.Typer(help="Take torrents out, with a reason, and put them back.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.add_typer(block, name="block")


@block.command("add")
def add(
    kind: Kind,
    value: Value,
    reason: Annotated[str, typer.Option("--reason", help="Why; kept with the block.")],
    data: Data = None,
) -> None:
    """Block: at once gone from search, files and exports, and not taken again by crawls."""
    settings = settings_for(data)
    with wiring.opened_store(settings, create=True) as store:
        made = add_block(store, kind, value, reason, now=time.time())
        wiring.caught_up_index(settings, store)
    print(f"blocked: {made.kind} {safe(made.value)}")


@block.command("list")
def list_blocks(data: Data = None, as_json: Json = False) -> None:
    """List all blocks with their reasons and dates, oldest first."""
    with wiring.opened_store(settings_for(data), create=True) as store:
        blocks = store.blocks()
    rows = [
        {"kind": one.kind, "value": one.value, "reason": one.reason, "since": timestamp(one.since)}
        for one in blocks
    ]
    if as_json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
        return
    columns = (("kind", "left"), ("value", "left"), ("since", "left"), ("reason", "left"))
    print_table(
        Console(highlight=False),
        columns,
        ((one.kind, one.value, (timestamp(one.since) or "")[:10], one.reason) for one in blocks),
    )


@block.command("remove")
def remove(kind: Kind, value: Value, data: Data = None) -> None:
    """Lift a block: what it took out is found again."""
    settings = settings_for(data)
    with wiring.opened_store(settings) as store:
        remove_block(store, kind, value, now=time.time())
        wiring.caught_up_index(settings, store)
    print(f"no longer blocked: {kind} {safe(value)}")
