"""The crawlers that `bench crawl` compares, each a program of its own.

`python -m benchmarks.crawl_peers.NAME PAGES HOSTS PORT` crawls the site of `benchmarks.crawl_site` and prints
how many of its pages it read.
"""

from __future__ import annotations

import sys

from benchmarks.crawl_site import Site

CONCURRENCY = 16


def site_to_crawl() -> Site:
    """The site that the command line names."""
    pages, hosts, port = map(int, sys.argv[1:4])
    return Site(pages, hosts, port)
