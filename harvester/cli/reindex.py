"""`harvest reindex`: the search index, made anew."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console

from harvester import wiring
from harvester.cli.options import Data, settings_for


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("reindex")(reindex)


def reindex(
    follow: Annotated[
        bool, typer.Option("--follow", help="Keep the index up to date until stopped, instead.")
    ] = False,
    data: Data = None,
) -> None:
    """Make the search index anew from the database; searches go on with the old one meanwhile."""
    settings = settings_for(data)
    if follow:
        wiring.follow_changes(settings, until_closed=sys.stdin)
        return
    console = Console(stderr=True, highlight=False)
    start = time.monotonic()
    with wiring.opened_store(settings) as store:
        taken = wiring.index_follower(settings, store).rebuild(shown(console))
    seconds = time.monotonic() - start
    console.print(f"{taken:,} torrents indexed in {seconds:.1f} s")


def shown(console: Console) -> Callable[[int, int], None]:
    """Progress on one line of a terminal; nothing elsewhere."""

    def show(sequence: int, newest: int) -> None:
        if console.is_terminal:
            end = "\n" if sequence >= newest else ""
            share = 100 * sequence // max(newest, 1)
            print(f"\rindexing … {share:3} %", end=end, file=sys.stderr, flush=True)

    return show
