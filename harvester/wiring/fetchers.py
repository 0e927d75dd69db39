"""The fetcher of one crawl."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import harvester
from harvester.fetch.exchange import Archive
from harvester.fetch.fetcher import HttpFetcher
from harvester.links import parse_url
from harvester.model.site import SiteFile
from harvester.settings import Settings


def build_fetcher(settings: Settings, site: SiteFile, archive: Archive | None = None) -> HttpFetcher:
    """The fetcher for a crawl of `site`; belongs to the running event loop."""
    proxies = {site.site: site.politeness.proxy} if site.politeness.proxy else {}
    return HttpFetcher(contact=settings.contact, allowed=_own_places(site), proxies=proxies, archive=archive)


@contextmanager
def opened_archive(folder: Path | None) -> Iterator[Archive | None]:
    """The WARC files of a crawl, closed at its end; None without a folder."""
    if folder is None:
        yield None
        return
    from harvester.fetch.warc import WarcFolder

    with closing(WarcFolder(folder, f"harvest/{harvester.__version__}")) as archive:
        yield archive


def _own_places(site: SiteFile) -> frozenset[tuple[str, int]]:
    """The (host, port) that the operator configured, which may be private addresses."""
    places = set()
    for host in site.hosts:
        parsed = parse_url(f"http://{host}/")
        if parsed is not None:
            places |= {(parsed.host, parsed.port)} if parsed.port else {(parsed.host, 80), (parsed.host, 443)}
    return frozenset(places)
