"""Crawlee with Parsel, everything in memory: every link enqueued, nothing else done, its log off."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from benchmarks.crawl_peers import CONCURRENCY, site_to_crawl

SITE = site_to_crawl()


async def crawl() -> int:
    """Crawl; how many pages were read."""
    read = 0
    crawler = ParselCrawler(
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=CONCURRENCY, desired_concurrency=CONCURRENCY, max_concurrency=CONCURRENCY
        ),
        configure_logging=False,
        statistics_log_format="inline",
        request_handler_timeout=timedelta(minutes=1),
    )

    @crawler.router.default_handler
    async def follow(context: ParselCrawlingContext) -> None:
        nonlocal read
        read += 1
        await context.enqueue_links(strategy="all")

    await crawler.run(SITE.starts())
    return read


def main() -> None:
    logging.disable(logging.CRITICAL)
    print(asyncio.run(crawl()), flush=True)


if __name__ == "__main__":
    main()
