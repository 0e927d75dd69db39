"""`harvest sites`: the sites that are known, and a switch for each."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from harvester import wiring
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import print_table
from harvester.model.crawl import Site, SiteState
from harvester.patterns.sitefile import dump_site_file
from harvester.search.records import timestamp

Name = Annotated[str, typer.Argument(help="The site's name.")]

sites = typer.Typer(help="See, add, pause, resume and remove sites.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.add_typer(sites, name="sites")


@sites.command("list")
def list_sites(data: Data = None, as_json: Json = False) -> None:
    """List every site: those with a file and those crawled before."""
    settings = settings_for(data)
    files = wiring.SiteFolder(settings).names()
    with wiring.opened_store(settings, create=True) as store:
        known = {site.name: site for site in store.sites()}
        last = {name: crawls[0] for name in known if (crawls := store.crawls(name, limit=1))}
    rows = []
    for name in sorted({*files, *known}):
        site, crawl = known.get(name), last.get(name)
        rows.append(
            {
                "site": name,
                "state": site.state if site else "never crawled",
                "last_crawl": timestamp(crawl.started_at) if crawl else None,
                "last_crawl_state": crawl.state if crawl else None,
                "torrents_new": crawl.figures.get("torrents_new", 0) if crawl else None,
                "file": files.get(name),
            }
        )
    if as_json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
        return
    columns = (
        ("site", "left"),
        ("state", "left"),
        ("last crawl", "left"),
        ("ended", "left"),
        ("file", "left"),
    )
    keys = ("site", "state", "last_crawl", "last_crawl_state", "file")
    print_table(Console(highlight=False), columns, ([str(row[key] or "-") for key in keys] for row in rows))


@sites.command("add")
def add(
    source: Annotated[str, typer.Argument(help="A site file, or the URL to start from.")], data: Data = None
) -> None:
    """Add a site from a file or a URL; its file is kept in the data folder."""
    settings = settings_for(data)
    folder = wiring.SiteFolder(settings)
    site = wiring.find_site(source, folder)
    text = dump_site_file(site) if "://" in source else Path(source).read_text(encoding="utf-8-sig")
    with wiring.opened_store(settings, create=True) as store:
        store.add_site(site.site, start=site.start[0], now=time.time())
    path = folder.keep(site, text)
    typer.echo(f"{site.site} is added; its file is {path}. Crawl it with: harvest full --site {site.site}")


@sites.command("pause")
def pause(
    name: Name,
    reason: Annotated[str, typer.Option("--reason", help="Why, for those who look later.")] = "",
    data: Data = None,
) -> None:
    """Pause a site: a running crawl stops within seconds, and none begins."""
    _set_state(data, name, "paused", reason)
    typer.echo(f"{name} is paused")


@sites.command("resume")
def resume(name: Name, data: Data = None) -> None:
    """Let a paused site be crawled again."""
    _set_state(data, name, "active", "")
    typer.echo(f"{name} may be crawled again")


@sites.command("remove")
def remove(name: Name, data: Data = None) -> None:
    """Remove a site; its file in the data folder is set aside. What it gave stays stored."""
    settings = settings_for(data)
    dropped = wiring.SiteFolder(settings).drop(name)
    with wiring.opened_store(settings) as store:
        if not dropped or any(site.name == name for site in store.sites()):
            store.set_site_state(name, "removed", now=time.time())
    aside = f"; its file is now {dropped}" if dropped else ""
    typer.echo(f"{name} is removed; what it gave stays searchable{aside}")


def _set_state(data: Path | None, name: str, state: SiteState, reason: str) -> Site:
    with wiring.opened_store(settings_for(data), create=True) as store:
        if name in wiring.SiteFolder(settings_for(data)).names():
            site_file = wiring.SiteFolder(settings_for(data)).read(name)
            if all(site.name != name for site in store.sites()):
                store.add_site(name, start=site_file.start[0], now=time.time())
        return store.set_site_state(name, state, reason=reason, now=time.time())
