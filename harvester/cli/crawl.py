"""`harvest full`, `refresh` and `learn`: the batch crawl, the incremental pass, and learning alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from harvester import wiring
from harvester.cli.options import Data, Json, SiteOption, settings_for
from harvester.cli.progress import shown_progress
from harvester.cli.tables import safe
from harvester.crawl.full import failure_of
from harvester.crawl.options import CrawlOptions, CrawlReport, Obstacle
from harvester.crawl.run import INTERRUPTED
from harvester.model.site import SiteFile
from harvester.ordering import DEFAULT_ORDER, check_order
from harvester.settings import Settings

MaxRequests = Annotated[
    int | None, typer.Option("--max-requests", min=1, help="Stop after so many requests.")
]
MaxSeconds = Annotated[
    float | None, typer.Option("--max-seconds", min=0.1, help="Stop after so many seconds.")
]
Delay = Annotated[
    float | None, typer.Option("--delay", min=0, help="Seconds between two requests to one host.")
]

Warc = Annotated[
    Path | None,
    typer.Option(
        "--warc", file_okay=False, help="Keep every request and answer as WARC files in this folder."
    ),
]
OrderName = Annotated[
    str, typer.Option("--order", help="Which URL next: bandit, breadth-first, best-first, opic, …")
]


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("full")(full)
    app.command("refresh")(refresh)
    app.command("learn")(learn)


def full(
    site: SiteOption,
    data: Data = None,
    max_requests: MaxRequests = None,
    max_seconds: MaxSeconds = None,
    delay: Delay = None,
    order: OrderName = DEFAULT_ORDER,
    warc: Warc = None,
    as_json: Json = False,
) -> None:
    """Crawl a whole site: a name, a URL or a site file. An unfinished crawl goes on."""
    options = CrawlOptions(max_requests=max_requests, max_seconds=max_seconds, order=order, warc=warc)
    _run(wiring.full_crawl, site, data, delay, options, as_json=as_json)


def refresh(
    site: SiteOption,
    data: Data = None,
    max_requests: MaxRequests = None,
    max_seconds: MaxSeconds = None,
    delay: Delay = None,
    warc: Warc = None,
    as_json: Json = False,
) -> None:
    """Visit the lists of a site again and take what is new."""
    options = CrawlOptions(max_requests=max_requests, max_seconds=max_seconds, warc=warc)
    _run(wiring.refresh, site, data, delay, options, as_json=as_json)


def learn(
    site: SiteOption,
    data: Data = None,
    max_requests: MaxRequests = 300,
    max_seconds: MaxSeconds = None,
    delay: Delay = None,
    order: OrderName = DEFAULT_ORDER,
    as_json: Json = False,
) -> None:
    """Learn a site's rules in a few requests; see them with: harvest rules show."""
    options = CrawlOptions(max_requests=max_requests, max_seconds=max_seconds, order=order)
    _run(wiring.learn, site, data, delay, options, as_json=as_json)


def _run(
    crawl: Callable[..., CrawlReport],
    site: str,
    data: Path | None,
    delay: float | None,
    options: CrawlOptions,
    *,
    as_json: bool,
) -> None:
    """Find the site that is meant, crawl it with live progress, and end with the report."""
    settings = settings_for(data)
    with wiring.opened_store(settings, create=True) as store:
        site_file = wiring.with_delay(wiring.find_site(site, wiring.SiteFolder(settings), store), delay)
        check_order(options.order)
        say_doubts(settings, site_file)
        with shown_progress(Console(stderr=True)) as on_progress:
            report = crawl(settings, store, site_file, options, on_progress)
    _end(report, as_json=as_json)


def say_doubts(settings: Settings, site: SiteFile) -> None:
    """Say what is wrong or contradicts itself in the rules; a crawl goes on with what is right."""
    for doubt in wiring.doubts(settings, site):
        print(safe(f"harvest: {doubt}"), file=sys.stderr)


def _end(report: CrawlReport, *, as_json: bool) -> None:
    """Print the report and turn it into the exit code."""
    print_report(report, as_json=as_json)
    error = failure_of(report)
    if error is not None:
        raise error
    if report.reason == INTERRUPTED:
        raise typer.Exit(130)


def print_report(report: CrawlReport, *, as_json: bool) -> None:
    """The last words of a crawl: one JSON line, or a few lines for a person."""
    figures = report.figures.to_json()
    left = figures.pop("left")
    if as_json:
        line = {"site": report.site, **figures, "seconds": round(report.seconds, 3)}
        line |= {"state": report.state, "reason": report.reason, "crawl": report.crawl_id}
        print(json.dumps(line, ensure_ascii=False), flush=True)
        return
    console = Console(highlight=False, soft_wrap=True, file=sys.stdout)
    went_on = "went on and " if report.resumed else ""
    console.print(f"{report.site}: {went_on}{report.state} ({report.reason})", markup=False)
    console.print(
        f"  {figures['torrents_new']:,} new torrents, {figures['torrents_known']:,} known, "
        f"{figures['duplicates']:,} duplicates, {figures['magnets']:,} magnets",
        markup=False,
    )
    console.print(
        f"  {figures['requests']:,} requests, {figures['pages']:,} pages, {report.seconds:.1f} s",
        markup=False,
    )
    if report.state == "stopped" and report.obstacle is Obstacle.NONE:
        console.print("  what is left waits; the same command goes on from here")
    for title, counts in (("behind walls", figures["walls"]), ("errors", figures["errors"]), ("left", left)):
        if counts:
            words = ", ".join(f"{kind} {count:,}" for kind, count in counts.items())
            console.print(f"  {title}: {words}", markup=False)
