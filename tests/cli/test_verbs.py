from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import typer
import typer.main

import harvester.cli
from harvester.cli.main import VERBS


def test_every_verb_stands_in_the_table_with_its_module() -> None:
    found = {}
    for module in iter_modules(harvester.cli.__path__):
        register = getattr(import_module(f"harvester.cli.{module.name}"), "register", None)
        if register is not None:
            app = typer.Typer()
            register(app)
            found |= dict.fromkeys(typer.main.get_group(app).commands, module.name)
    assert found == VERBS


def test_the_version_is_told_without_loading_servers_and_databases() -> None:
    code = (
        "import sys; sys.argv = ['harvest', '--version']\n"
        "from harvester.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'fastapi', 'sqlalchemy', 'aiohttp', 'lxml', 'redis'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "[]"


def test_help_lists_every_verb() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "harvester", "--help"], capture_output=True, text=True, check=True
    )
    for verb in VERBS:
        assert f" {verb} " in done.stdout


def test_an_unknown_verb_is_wrong_use() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "harvester", "dance"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "dance" in done.stderr
