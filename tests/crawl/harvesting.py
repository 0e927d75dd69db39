"""Running whole crawls in tests, and what they harvested in plain sets."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from harvester import wiring
from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.model.site import SiteFile
from harvester.patterns.sitefile import site_from_url
from harvester.ports.store import Store
from harvester.settings import Settings
from tests.replay.truth import Harvested

SECONDS = 120.0
"""No crawl of a test may take longer."""


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


def harvested(store: Store) -> Harvested:
    """Everything a store holds, as the truth checks want it."""
    exported = list(store.iter_torrents())
    known = [item.torrent for item in exported]

    def infohash(v1: bytes | None, v2: bytes | None) -> str:
        return (v1 or v2 or b"").hex()

    parked = store.parked(limit=1_000_000)
    walls = {(item.kind, item.url) for item in parked} | {(item.kind, item.page_url) for item in parked}
    links = {link.link for link in store.links_found(limit=1_000_000)}
    links |= {sighting.download_url for item in exported for sighting in item.sightings}
    return Harvested(
        files=frozenset(infohash(t.infohash_v1, t.infohash_v2) for t in known if t.has_file),
        hashes=frozenset(infohash(t.infohash_v1, t.infohash_v2) for t in known),
        links=frozenset(links),
        walls=frozenset(walls),
    )


def in_thread(work: Callable[[], None]) -> threading.Thread:
    """Run `work` beside the test; the caller joins it."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
