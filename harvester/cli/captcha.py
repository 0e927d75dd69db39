"""`harvest captcha`: a site's question, shown to the operator and answered in time."""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.console import Console

from harvester import wiring
from harvester.cli.account import report
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import safe
from harvester.errors import AccessError, UsageError
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import Challenge, ChallengeKind, Verdict
from harvester.settings import Settings

_WAIT_FOR_CRAWL = 60.0
_COLUMNS = 100


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("captcha")(captcha)


def captcha(
    site: Annotated[
        str | None, typer.Argument(metavar="[SITE]", help="The site; left out: list who waits.")
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(help="The answer; a security question's is NUMBER:ANSWER. Asked for when left out."),
    ] = None,
    image: Annotated[Path | None, typer.Option(help="Write the image to this file, too.")] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Answer what a site asks before it lets the account in: a captcha, a code, a question."""
    settings = settings_for(data)
    files = AccountFiles(settings.data / "sessions")
    if site is None:
        _list(files, as_json=as_json)
        return
    found = wiring.find_site(site, wiring.SiteFolder(settings))
    challenge = _current(settings, files, found.site)
    if challenge is None:
        challenge = _fetch(settings, files, site, as_json=as_json)
        if challenge is None:
            return
    _show(challenge, found.site, image)
    said = answer if answer is not None else _ask()
    if not said.strip():
        raise UsageError("no answer was given", hint=f"harvest captcha {site} --answer TEXT")
    if challenge.kind is ChallengeKind.SECURITY_QUESTION:
        said = "\t".join(part.strip() for part in said.split(":", 1))
    if time.time() >= challenge.deadline:
        raise AccessError(
            "the answer came after the deadline", hint=f"ask for a new one: harvest captcha {site}"
        )
    files.change(found.site, lambda state: replace(state, challenge=replace(challenge, answer=said.strip())))
    if wiring.is_crawling(settings, found.site):
        _wait_for_crawl(files, found.site)
        return
    with wiring.opened_store(settings, create=True) as store:
        result = wiring.at_the_desk(settings, store, found, lambda desk: desk.answer())
    report(result, found.site, as_json=as_json)


def _current(settings: Settings, files: AccountFiles, name: str) -> Challenge | None:
    del settings
    challenge = files.load(name).challenge
    return challenge if challenge is not None and time.time() < challenge.deadline else None


def _fetch(settings: Settings, files: AccountFiles, site: str, *, as_json: bool) -> Challenge | None:
    """Go to the login page for a fresh question; None when the login needed none."""
    found = wiring.find_site(site, wiring.SiteFolder(settings))
    if not found.account.configured:
        raise UsageError(f"{found.site} has no account", hint=f"harvest account add {site}")
    if wiring.is_crawling(settings, found.site):
        files.change(found.site, lambda state: replace(state, wanted=True, challenge=None))
        end = time.monotonic() + _WAIT_FOR_CRAWL
        while time.monotonic() < end:
            time.sleep(0.5)
            challenge = _current(settings, files, found.site)
            if challenge is not None:
                return challenge
        raise AccessError(
            "the crawl that is running has not asked the site yet", hint="try again in a minute"
        )
    with wiring.opened_store(settings, create=True) as store:
        result = wiring.at_the_desk(settings, store, found, lambda desk: desk.test())
    if result.challenge is None or result.verdict is Verdict.OK:
        report(result, found.site, as_json=as_json)
        return None
    return result.challenge


def _wait_for_crawl(files: AccountFiles, name: str) -> None:
    end = time.monotonic() + _WAIT_FOR_CRAWL
    while time.monotonic() < end:
        state = files.load(name)
        if state.challenge is None and state.proved_at:
            typer.echo(f"{name}: logged in; the crawl goes on as a member")
            return
        if state.challenge is None or not state.challenge.answer:
            break
        time.sleep(0.5)
    raise AccessError(f"{name}: not logged in", hint=f"see: harvest account log {name}")


def _list(files: AccountFiles, *, as_json: bool) -> None:
    now = time.time()
    for name in files.sites():
        challenge = files.load(name).challenge
        if challenge is None or now >= challenge.deadline:
            continue
        if as_json:
            line = {"site": name, "kind": challenge.kind.value, "prompt": challenge.prompt}
            print(json.dumps(line | {"seconds_left": round(challenge.deadline - now)}, ensure_ascii=False))
        else:
            left = f"{challenge.deadline - now:.0f} s left"
            typer.echo(f"{name}: {challenge.kind.value}, {left}: harvest captcha {name}")


def _ask() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline()
    return str(typer.prompt("Answer", prompt_suffix=": "))


def _show(challenge: Challenge, site: str, path: Path | None) -> None:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    left = max(0.0, challenge.deadline - time.time())
    console.print(f"{site} asks for {safe(challenge.prompt)} ({left:.0f} s left)", markup=False)
    for value, text in challenge.choices:
        console.print(f"  {safe(value)}: {safe(text)}", markup=False)
    if challenge.image:
        if path is not None:
            path.write_bytes(challenge.image)
            console.print(f"the image is in {path}", markup=False)
        console.print(_blocks(challenge.image, min(console.width - 1, _COLUMNS)), markup=False)


def _blocks(png: bytes, columns: int) -> str:
    """The image as half-block characters, two pixels a character."""
    from PIL import Image

    with Image.open(io.BytesIO(png), formats=("PNG",)) as opened:
        width = max(1, min(columns, opened.width))
        height = max(2, min(120, round(opened.height * width / opened.width) // 2 * 2))
        grey = opened.convert("L").resize((width, height))
    middle = sum(grey.getextrema()) / 2  # type: ignore[arg-type]  # two numbers, of a grey image
    dark = [[grey.getpixel((x, y)) < middle for x in range(width)] for y in range(height)]  # type: ignore[operator]
    signs = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return "\n".join(
        "".join(signs[dark[y][x], dark[y + 1][x]] for x in range(width)).rstrip() for y in range(0, height, 2)
    )
