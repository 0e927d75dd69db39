"""The `harvest` command: gathers the verbs and turns errors into one line and an exit code.

Exit codes: 0 done, 1 failed, 2 wrong use, 3 done in part, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated

import typer
from rich.console import Console

import harvester.cli
from harvester import __version__
from harvester.errors import HarvestError

app = typer.Typer(
    name="harvest",
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


def _mount_verbs() -> None:
    """Let every module of this package that has a `register` add its verbs."""
    for module in iter_modules(harvester.cli.__path__):
        register = getattr(import_module(f"harvester.cli.{module.name}"), "register", None)
        if register is not None:
            register(app)


_mount_verbs()


def main() -> None:
    """Run the command line and exit."""
    try:
        app()
    except HarvestError as error:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"harvest: {error}", markup=False)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
