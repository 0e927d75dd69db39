"""Ours: the whole job, as `harvest full` does it, on SQLite in a new folder or in the one named last."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.crawl_peers import CONCURRENCY, site_to_crawl
from benchmarks.crawl_site import Site
from harvester import wiring
from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.model.site import Politeness, SiteFile
from harvester.settings import Settings


def site_file(site: Site, connections: int = CONCURRENCY) -> SiteFile:
    """The site as an operator would describe it, with no delay, which loopback allows."""
    return SiteFile(
        site="bench",
        start=tuple(site.starts()),
        hosts=tuple(site.host(number) for number in range(site.hosts)),
        politeness=Politeness(delay=0.0, connections=connections),
    )


def crawl(site: Site, folder: Path, connections: int = CONCURRENCY) -> CrawlReport:
    """Crawl it into `folder`, with so many connections to each host."""
    settings, described = Settings(data=folder), site_file(site, connections)
    with wiring.opened_store(settings, create=True) as store:
        return wiring.full_crawl(settings, store, described, CrawlOptions(concurrency=CONCURRENCY))


def prepare(folder: str) -> None:
    """Make an empty store in a folder."""
    with wiring.opened_store(Settings(data=Path(folder)), create=True):
        pass


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="harvest-bench-") as folder:
        report = crawl(site_to_crawl(), Path(sys.argv[4] if len(sys.argv) > 4 else folder))
    print(report.figures.pages, flush=True)


if __name__ == "__main__":
    main()
