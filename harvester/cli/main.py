"""The `harvest` command: finds the verb that is meant and turns errors into one line and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong use, 3 done in part, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core
import typer.main
from rich.console import Console

from harvester import __version__
from harvester.errors import HarvestError

VERBS = {
    "demo": "demo",
    "init": "init",
    "full": "crawl",
    "refresh": "crawl",
    "learn": "crawl",
    "rules": "rules",
    "schedule": "queue",
    "worker": "queue",
    "sites": "sites",
    "status": "status",
    "doctor": "status",
    "account": "account",
    "captcha": "captcha",
    "search": "collection",
    "show": "collection",
    "export": "collection",
    "pages": "pages",
    "reindex": "reindex",
    "block": "block",
    "serve": "serve",
    "keys": "keys",
    "inspect": "inspect",
    "decode": "decode",
}
"""The module of this package that has each verb, in the order in which help lists them.

A module is imported when its verb is used, so that `harvest inspect` doesn't wait for a web server.
"""


class LazyVerbs(typer.core.TyperGroup):
    """Looks verbs up in `VERBS`; each module adds its own with `register`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The verbs, without importing any of them."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The verb, imported now; None when there is no such verb."""
        if cmd_name not in VERBS:
            return None
        found = typer.Typer()
        import_module(f"harvester.cli.{VERBS[cmd_name]}").register(found)
        return typer.main.get_group(found).get_command(ctx, cmd_name)


app = typer.Typer(
    name="harvest",
    cls=LazyVerbs,
    help="Collects BitTorrent seed files from sites and forums, politely, and makes them searchable.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"harvest {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version


def main() -> None:
    """Run the command line and exit."""
    try:
        app()
    except HarvestError as error:
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        console.print(f"harvest: {error}", markup=False, emoji=False)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
