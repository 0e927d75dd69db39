"""Ours: the whole job, as `harvest full` does it, on SQLite in a new folder."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.crawl_peers import CONCURRENCY, site_to_crawl
from benchmarks.crawl_site import Site
from harvester import wiring
from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.model.site import Politeness, SiteFile
from harvester.settings import Settings


def site_file(site: Site) -> SiteFile:
    """The site as an operator would describe it, with no delay, which loopback allows."""
    return SiteFile(
        site="bench",
        start=tuple(site.starts()),
        hosts=tuple(site.host(number) for number in range(site.hosts)),
        politeness=Politeness(delay=0.0, connections=CONCURRENCY),
    )


def crawl(site: Site, folder: Path) -> CrawlReport:
    """Crawl it into `folder`."""
    settings = Settings(data=folder)
    with wiring.opened_store(settings, create=True) as store:
        return wiring.full_crawl(settings, store, site_file(site), CrawlOptions(concurrency=CONCURRENCY))


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="harvest-bench-") as folder:
        report = crawl(site_to_crawl(), Path(folder))
    print(report.figures.pages, flush=True)


if __name__ == "__main__":
    main()
