"""`harvest schedule` and `harvest worker`: refreshes through a queue that several machines share."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from harvester import wiring
from harvester.cli.options import Data, settings_for
from harvester.errors import SettingsError
from harvester.queue.jobs import connected, enqueue_refresh, work
from harvester.settings import Settings

HOUR = 3600.0


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("schedule")(schedule)
    app.command("worker")(worker)


def schedule(
    interval: Annotated[
        float, typer.Option("--interval", min=0, help="Hours after which a site is due again.")
    ] = 6.0,
    once: Annotated[bool, typer.Option("--once", help="Look once and end, for cron.")] = False,
    data: Data = None,
) -> None:
    """Put the sites that are due on the queue, now and every minute."""
    settings = settings_for(data)
    while True:
        queued = _enqueue_due(settings, interval * HOUR)
        typer.echo(f"queued: {', '.join(queued) or 'nothing is due'}")
        if once:
            return
        time.sleep(60)


def worker(
    burst: Annotated[bool, typer.Option("--burst", help="End when the queue is empty.")] = False,
    data: Data = None,
) -> None:
    """Take refreshes from the queue and run them, one at a time."""
    settings = settings_for(data)
    with connected(_redis_url(settings)) as connection:
        typer.echo("waiting for work (Ctrl-C ends after the present job)")
        work(connection, burst=burst)


def _enqueue_due(settings: Settings, interval: float) -> list[str]:
    with wiring.opened_store(settings) as store, connected(_redis_url(settings)) as connection:
        due = [site.name for site in store.sites() if wiring.is_due(store, site, interval, time.time())]
        return [name for name in due if enqueue_refresh(connection, name)]


def _redis_url(settings: Settings) -> str:
    if settings.redis_url is None:
        raise SettingsError(
            "no Redis is set", why="the queue lives there", hint="set HARVEST_REDIS_URL=redis://HOST:6379/0"
        )
    return settings.redis_url
