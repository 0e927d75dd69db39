"""Running whole crawls in tests, and what they harvested in plain sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harvester import wiring
from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.model.site import ReplyPolicy, SiteFile
from harvester.patterns.sitefile import site_from_url
from harvester.ports.store import Store
from harvester.settings import Settings
from tests.replay.harvest import harvested

__all__ = ["REPLIES", "SECONDS", "crawl", "harvested", "settings_in", "store_in"]

SECONDS = 120.0
"""No crawl of a test may take longer."""
REPLIES = ReplyPolicy(
    allowed=True,
    templates=tuple(f"Thank you for sharing, this is number {number}." for number in range(5)),
    per_day=5,
    min_gap=0.0,
    approve_first=0,
    boards=("/",),
    rule_text="Reply to see hidden content.",
)
"""Replies are allowed everywhere, at once and without being approved."""


def settings_in(folder: Path) -> Settings:
    """Settings whose data folder is `folder`, whatever the environment says."""
    return Settings(data=folder)


@contextmanager
def store_in(folder: Path) -> Iterator[Store]:
    """The store of a data folder."""
    with wiring.opened_store(settings_in(folder), create=True) as store:
        yield store


def crawl(
    folder: Path,
    site: str | SiteFile,
    *,
    options: CrawlOptions | None = None,
    run: Callable[..., CrawlReport] = wiring.full_crawl,
) -> CrawlReport:
    """One crawl into the data folder; it stops by itself after `SECONDS`."""
    site_file = site_from_url(site) if isinstance(site, str) else site
    with store_in(folder) as store:
        return run(settings_in(folder), store, site_file, options or CrawlOptions(max_seconds=SECONDS))
