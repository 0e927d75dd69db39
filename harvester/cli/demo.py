"""`harvest demo`: two bundled sites on loopback, harvested before your eyes, then searchable."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from harvester import wiring
from harvester.cli.crawl import print_report
from harvester.cli.options import Data, settings_for
from harvester.cli.progress import shown_progress
from harvester.cli.serve import serve_store
from harvester.crawl.full import failure_of
from harvester.crawl.options import CrawlOptions
from harvester.crawl.run import INTERRUPTED
from harvester.demo import DemoSite, start_demo
from harvester.errors import HarvestError
from harvester.model.site import Politeness, SiteFile
from harvester.patterns.sitefile import site_from_url
from harvester.ports.store import Store
from harvester.search.present import human_size
from harvester.settings import Settings

_SAMPLE = ("ubuntu", "电影")


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("demo")(demo)


def demo(
    once: Annotated[bool, typer.Option("--once", help="Harvest, show some, and end.")] = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the search page.")] = 0,
    data: Data = None,
) -> None:
    """Harvest two bundled sites on this machine and serve what was found."""
    folder = data or Path(tempfile.mkdtemp(prefix="harvest-demo-"))
    settings = settings_for(folder)
    console = Console(highlight=False, soft_wrap=True)
    with wiring.opened_store(settings, create=True) as store:
        with start_demo() as sites:
            for site in (sites.forum, sites.index):
                console.print(f"\n[bold]{site.name}[/bold] at {site.url}")
                _harvest(settings, store, site)
        _show_some(console, store)
        try_next = f"harvest search ubuntu --data {folder}"
        if once or not sys.stdout.isatty():
            console.print(f"Try next: {try_next}", markup=False)
            return
        console.print(f"Try in another terminal: {try_next}", markup=False)
        serve_store(settings, store, "127.0.0.1", port)


def _harvest(settings: Settings, store: Store, site: DemoSite) -> None:
    site_file = _site_file(site)
    with shown_progress(Console(stderr=True)) as on_progress:
        report = wiring.full_crawl(settings, store, site_file, CrawlOptions(), on_progress)
    print_report(report, as_json=False)
    if report.reason == INTERRUPTED:
        raise typer.Exit(130)
    error = failure_of(report)
    if error is not None:
        raise HarvestError("the demo failed", why=str(error))


def _site_file(site: DemoSite) -> SiteFile:
    """The demo site under its own name; everything else is found out on the way, as for a bare URL."""
    from_url = site_from_url(site.url)
    return SiteFile(
        site=site.name, start=from_url.start, hosts=from_url.hosts, politeness=Politeness(delay=0.0)
    )


def _show_some(console: Console, store: Store) -> None:
    total, with_file = store.count_torrents()
    console.print(f"\n{total} torrents are stored, {with_file} with their file. Some of them:")
    for word in _SAMPLE:
        for torrent in store.search_names([word], limit=3):
            console.print(f"  {torrent.name}  ({human_size(torrent.size)})", markup=False)
    console.print()
