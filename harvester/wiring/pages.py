"""Stored pages by their URL."""

from __future__ import annotations

from harvester.crawl.kept import page_keys
from harvester.errors import HarvestError, NotFound
from harvester.links import parse_url
from harvester.model.stored import PageVersion
from harvester.patterns.engines import shipped_engines
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.wiring.sites import SiteFolder, find_site, learned_files


def stored_page(
    settings: Settings, store: Store, url: str, *, at: float | None = None
) -> tuple[str, PageVersion, list[float]]:
    """A stored page by its URL: its site, the version current at `at`, the times of all; `NotFound`."""
    folder = SiteFolder(settings)
    parsed = parse_url(url)
    host = f"{parsed.host}:{parsed.port}" if parsed and parsed.port else parsed.host if parsed else ""
    for known in store.sites():
        try:
            site = find_site(known.name, folder, store)
        except HarvestError:  # its file is wrong; `harvest rules check` says how
            continue
        if host not in site.hosts:
            continue
        learned, _ = learned_files(settings).read(site.site)
        for key in page_keys(store, site, url, shipped_engines(), learned):
            page = store.page(site.site, key, at=at)
            if page is not None:
                return site.site, page, store.page_versions(site.site, key)
    raise NotFound(
        f"no page {url} is stored" + (" from that time" if at is not None else ""),
        why="it was not read, is a near-duplicate of another, or is behind a wall",
        hint="see: harvest status",
    )
