"""`harvest init`: asks for the few settings and writes them."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from harvester.errors import HarvestError, SettingsError, UsageError
from harvester.settings import FILE_NAME, KEYS, PREFIX, load_settings

_ASKED = {
    "data": "Data folder",
    "contact": "Contact for the sites you visit (mail address or web page; may stay empty until you crawl)",
    "database_url": "Database URL (empty: SQLite in the data folder)",
    "redis_url": "Redis URL (empty: none; only for several machines)",
    "web_host": "Address the search page listens on",
    "web_port": "Port of the search page",
}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("init")(init)


def init(
    file: Annotated[Path, typer.Option("--file", help="Where to write the settings.")] = Path(FILE_NAME),
    data: Annotated[str | None, typer.Option(help="Data folder.")] = None,
    contact: Annotated[
        str | None, typer.Option(help="Mail address or web page, sent in the user agent.")
    ] = None,
    database_url: Annotated[str | None, typer.Option(help="SQLAlchemy URL; default SQLite.")] = None,
    redis_url: Annotated[str | None, typer.Option(help="Redis URL, for several machines.")] = None,
    web_host: Annotated[str | None, typer.Option(help="Address the search page listens on.")] = None,
    web_port: Annotated[int | None, typer.Option(help="Its port.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing; take the defaults.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Ask for the few settings and write a commented harvest.toml."""
    if file.is_dir():
        file /= FILE_NAME
    if file.exists() and not force:
        raise UsageError(f"{file} is there already", hint="edit it, or use --force to write it anew")
    given: dict[str, str | int | None] = {
        "data": data,
        "contact": contact,
        "database_url": database_url,
        "redis_url": redis_url,
        "web_host": web_host,
        "web_port": web_port,
    }
    ask = not yes and sys.stdin.isatty()
    values = {key: _answer(key, value, ask=ask) for key, value in given.items()}
    _write(file, _document(values), force=force)
    typer.echo(f"wrote {file}")
    if not values["contact"]:
        typer.echo("set `contact` in it before you crawl a site that is not on this machine", err=True)


def _default(key: str) -> str:
    value = KEYS[key].default
    return "" if value is None else str(value)


def _answer(key: str, given: str | int | None, *, ask: bool) -> str:
    """The flag, else what the person says, else the default; a wrong answer is asked for again."""
    if given is not None:
        _check(key, str(given))
        return str(given)
    if not ask:
        return _default(key)
    while True:
        answer: str = typer.prompt(
            _ASKED[key], default=_default(key), show_default=bool(_default(key)), err=True
        )
        try:
            _check(key, answer.strip())
        except SettingsError as error:
            typer.echo(str(error), err=True)
            continue
        return answer.strip()


def _check(key: str, value: str) -> None:
    """Refuse what could not be loaded again."""
    try:
        load_settings(Path(os.devnull), {PREFIX + key.upper(): value})
    except SettingsError as error:
        raise SettingsError(f"--{key.replace('_', '-')}", why=error.why, hint=error.hint) from None


def _document(values: dict[str, str]) -> str:
    """`harvest.toml`: every setting with its meaning; those left at their defaults commented out."""
    lines = [
        "# Settings of Harvest. Each can be overridden by an environment variable:",
        f"# `web_port` by {PREFIX}WEB_PORT, and so on. Passwords are better off there than here.",
    ]
    for key, field in KEYS.items():
        description = field.description or ""
        value = values.get(key, "")
        active = bool(value) and (key in ("data", "contact") or value != _default(key))
        shown = value or _default(key)
        number = field.annotation is int
        literal = shown if number else json.dumps(shown, ensure_ascii=False).replace("\x7f", "\\u007f")
        lines += [
            "",
            f"# {description[:1].upper()}{description[1:]}.",
            f"{'' if active else '# '}{key} = {literal}",
        ]
    return "\n".join(lines) + "\n"


def _write(file: Path, text: str, *, force: bool) -> None:
    """Write the whole file or nothing, readable by its owner only (it may come to hold a password)."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if not force:
            with os.fdopen(
                os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
            ) as new:
                new.write(text)
            return
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=file.parent, prefix=".harvest-", delete=False
        ) as stream:
            stream.write(text)
        Path(stream.name).replace(file)
    except FileExistsError:
        raise UsageError(
            f"{file} is there already", hint="edit it, or use --force to write it anew"
        ) from None
    except OSError as error:
        raise HarvestError(f"{file} cannot be written", why=error.strerror or str(error)) from None
