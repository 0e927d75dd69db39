"""Scrapy as it comes: every link followed, nothing else done, its log at errors only."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse

from benchmarks.crawl_peers import CONCURRENCY, site_to_crawl

SITE = site_to_crawl()


class FollowAll(Spider):  # type: ignore[misc]  # Scrapy is not typed for us
    """Follows every `<a href>`."""

    name = "follow_all"
    read = 0

    async def start(self) -> AsyncIterator[Request]:
        """The first pages; asked for in this way they are not read again when they are linked to."""
        for url in SITE.starts():
            yield Request(url)

    def parse(self, response: HtmlResponse) -> Iterator[Request]:
        """Count the page and follow its links."""
        type(self).read += 1
        yield from response.follow_all(css="a")


def main() -> None:
    settings: dict[str, Any] = {
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "DOWNLOAD_DELAY": 0,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(FollowAll)
    process.start()
    print(FollowAll.read, flush=True)


if __name__ == "__main__":
    main()
