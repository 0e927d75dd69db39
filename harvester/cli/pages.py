"""`harvest pages URL`: a stored page, as it is now or was at some time."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer
from rich.console import Console

from harvester import wiring
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import print_table, safe
from harvester.model.redact import redact_url
from harvester.search.export import parse_since
from harvester.search.records import timestamp

SHOWN_LINKS = 50
"""Links that people are shown; `--json` has them all."""


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("pages")(pages)


def pages(
    url: Annotated[str, typer.Argument(help="The page's URL, as in `harvest status` or `harvest show`.")],
    at: Annotated[str | None, typer.Option("--at", help="As it was then: 2026-11-30, or 7d ago.")] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Show a stored page: title, heading, text, links, the links that point to it, and its versions."""
    settings = settings_for(data)
    moment = parse_since(at, time.time()) if at else None
    with wiring.opened_store(settings) as store:
        site, page, versions = wiring.stored_page(settings, store, url, at=moment)
    if as_json:
        record = {
            "site": site,
            "url": redact_url(page.url),
            "at": timestamp(page.at),
            "title": page.title,
            "heading": page.heading,
            "language": page.language,
            "text": page.text,
            "links": [{"url": redact_url(link), "anchor": anchor} for link, anchor in page.links],
            "anchors": list(page.anchors),
            "versions": [timestamp(version) for version in versions],
        }
        print(json.dumps(record, ensure_ascii=False))
        return
    console = Console(highlight=False, soft_wrap=True)

    def tell(text: str) -> None:
        console.print("\n".join(safe(line) for line in text.splitlines()), markup=False, emoji=False)

    tell(page.title or "(no title)")
    if page.heading and page.heading != page.title:
        tell(page.heading)
    tell(f"{redact_url(page.url)}\nversion of {timestamp(page.at)}, language {page.language or 'unknown'}")
    if len(versions) > 1:
        tell("versions: " + ", ".join(str(timestamp(version)) for version in versions))
    if page.anchors:
        tell("links to it say: " + "; ".join(page.anchors))
    tell(f"\n{page.text or '(no main text)'}\n")
    rows = ((anchor, redact_url(link)) for link, anchor in page.links[:SHOWN_LINKS])
    print_table(console, (("link", "left"), ("leads to", "left")), rows)
    if len(page.links) > SHOWN_LINKS:
        tell(f"… and {len(page.links) - SHOWN_LINKS:,} more links (--json has them all)")
