"""Who may crawl a site now: it must not be paused, and one process at a time has it."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager

from harvester.errors import UsageError
from harvester.model.site import SiteFile
from harvester.ports.store import Store
from harvester.settings import Settings


def require_active(store: Store, site: SiteFile) -> None:
    """Make the site known; `UsageError` when the operator paused it."""
    known = store.add_site(site.site, start=site.start[0], now=time.time())
    if known.state == "paused":
        raise UsageError(f"{site.site} is paused", why=known.reason, hint=f"harvest sites resume {site.site}")


@contextmanager
def crawling(settings: Settings, site: str) -> Iterator[None]:
    """Hold the right to crawl `site` from this data folder; `UsageError` when another process has it."""
    folder = settings.data / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{site}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise UsageError(
                f"{site} is being crawled by another process",
                hint="see `harvest status`; stop it with Ctrl-C there, or with: harvest sites pause",
            ) from error
        yield


def is_crawling(settings: Settings, site: str) -> bool:
    """Whether a process of this data folder is crawling the site now."""
    try:
        with crawling(settings, site):
            return False
    except UsageError:
        return True
