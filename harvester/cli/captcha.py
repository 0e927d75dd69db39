"""`harvest captcha`: a site's question, shown to the operator and answered in time."""

from __future__ import annotations

import io
import json
import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from harvester import wiring
from harvester.cli.account import report
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import safe
from harvester.errors import AccessError
from harvester.model.account import Challenge, ChallengeKind, Verdict
from harvester.model.site import SiteFile

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
    challenges = wiring.Challenges(settings)
    if site is None:
        _list(challenges, as_json=as_json)
        return
    found = wiring.find_site(site, wiring.SiteFolder(settings))
    challenge = challenges.current(found.site)
    if challenge is None:
        challenge = _fetch(challenges, found, as_json=as_json)
        if challenge is None:
            return
    _show(challenge, found.site, image)
    said = answer if answer is not None else _ask()
    if challenge.kind is ChallengeKind.SECURITY_QUESTION:
        said = "\t".join(said.split(":", 1))
    challenges.give(found.site, said, asked=challenge)
    result = challenges.send(found)
    if result is None:
        _wait_for_crawl(challenges, found.site)
        return
    report(result, found.site, as_json=as_json)


def _fetch(challenges: wiring.Challenges, site: SiteFile, *, as_json: bool) -> Challenge | None:
    """Go to the login page for a fresh question; None when the login needed none."""
    result = challenges.ask_anew(site)
    if result is None:
        end = time.monotonic() + _WAIT_FOR_CRAWL
        while time.monotonic() < end:
            time.sleep(0.5)
            challenge = challenges.current(site.site)
            if challenge is not None:
                return challenge
        raise AccessError(
            "the crawl that is running has not asked the site yet", hint="try again in a minute"
        )
    if result.challenge is None or result.verdict is Verdict.OK:
        report(result, site.site, as_json=as_json)
        return None
    return result.challenge


def _wait_for_crawl(challenges: wiring.Challenges, name: str) -> None:
    end = time.monotonic() + _WAIT_FOR_CRAWL
    while time.monotonic() < end:
        state = challenges.files.load(name)
        if state.challenge is None and state.proved_at:
            typer.echo(f"{name}: logged in; the crawl goes on as a member")
            return
        if state.challenge is None or not state.challenge.answer:
            break
        time.sleep(0.5)
    raise AccessError(f"{name}: not logged in", hint=f"see: harvest account log {name}")


def _list(challenges: wiring.Challenges, *, as_json: bool) -> None:
    now, waiting = time.time(), 0
    for name in challenges.files.sites():
        challenge = challenges.current(name)
        if challenge is None:
            continue
        waiting += 1
        if as_json:
            line = {"site": name, "kind": challenge.kind.value, "prompt": challenge.prompt}
            print(json.dumps(line | {"seconds_left": round(challenge.deadline - now)}, ensure_ascii=False))
        else:
            left = f"{challenge.deadline - now:.0f} s left"
            typer.echo(f"{name}: {challenge.kind.value}, {left}: harvest captcha {name}")
    if not waiting:
        typer.echo("no site waits for an answer", err=True)


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
