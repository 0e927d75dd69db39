"""Requests to the torrents of a live forum: django-machina on loopback, the default order and others.

    ./dev bench live
    ./dev bench live --orders bandit breadth-first opic --engines

The forum of the tests (`tests/machina`), served by Django itself, crawled as a guest over real HTTP with
neither site file nor, unless asked for, the engine pack. Every order has a fresh copy of the forum. Counted:
every request, robots.txt and the hops of redirects too.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks._harness import machine, say
from benchmarks.bench_rules import markdown, shown
from harvester import wiring
from harvester.access.secrets import Login
from harvester.crawl.engine import CrawlEngine
from harvester.crawl.options import CrawlOptions
from harvester.crawl.run import run_crawl
from harvester.errors import NotATorrent
from harvester.model.http import Cookie, FetchLimits, JarKey, Request, Response, RobotsAnswer
from harvester.ordering import DEFAULT_ORDER
from harvester.patterns.engines import shipped_engines
from harvester.patterns.sitefile import site_from_url
from harvester.ports.fetch import DEFAULT_LIMITS, Fetcher, Vet
from harvester.settings import Settings
from harvester.torrents import parse_torrent
from tests.machina.site import MachinaSite, seed_folder

MOST_SECONDS = 300.0


class CountingFetcher:
    """The fetch port around another fetcher: counts, and notes which request brought which torrent."""

    def __init__(self, inner: Fetcher) -> None:
        self._inner = inner
        self.requests = 0
        self.found: dict[str, int] = {}

    async def fetch(
        self,
        request: Request,
        *,
        vet: Vet | None = None,
        limits: FetchLimits = DEFAULT_LIMITS,
        jar: JarKey | None = None,
    ) -> Response:
        """As the inner one; a failed request counts too."""
        self.requests += 1
        response = await self._inner.fetch(request, vet=vet, limits=limits, jar=jar)
        self.requests += len(response.redirects)
        if response.body[:1] == b"d":
            try:
                torrent = parse_torrent(response.body)
            except NotATorrent:
                return response
            self.found.setdefault(torrent.infohash_v1 or torrent.infohash_v2 or "", self.requests)
        return response

    async def robots(self, origin: str, *, jar: JarKey | None = None) -> RobotsAnswer:
        """Counted as one request."""
        self.requests += 1
        return await self._inner.robots(origin, jar=jar)

    def cookies(self, jar: JarKey) -> tuple[Cookie, ...]:
        """As the inner one."""
        return self._inner.cookies(jar)

    def set_cookies(self, jar: JarKey, cookies: Iterable[Cookie]) -> None:
        """As the inner one."""
        self._inner.set_cookies(jar, cookies)

    def forget_cookies(self, jar: JarKey) -> None:
        """As the inner one."""
        self._inner.forget_cookies(jar)

    def authorise(self, jar: JarKey, origin: str, scheme: str, login: Login | None) -> None:
        """As the inner one."""
        self._inner.authorise(jar, origin, scheme, login)

    async def close_host(self, host: str) -> None:
        """As the inner one."""
        await self._inner.close_host(host)

    async def aclose(self) -> None:
        """As the inner one."""
        await self._inner.aclose()


def crawl(url: str, order: str, folder: Path, *, engines: bool) -> CountingFetcher:
    """Crawl the forum at `url` to its end in one order."""
    site = site_from_url(url)
    settings = Settings.model_validate({"data": folder})
    made: list[CountingFetcher] = []

    def build_fetcher() -> Fetcher:
        made.append(CountingFetcher(wiring.build_fetcher(settings, site)))
        return made[0]

    with wiring.opened_store(settings, create=True) as store:
        store.add_site(site.site, start=url, now=time.time())
        run_crawl(
            build_fetcher,
            lambda fetcher: CrawlEngine(
                site,
                store=store,
                fetcher=fetcher,
                agent="harvest-bench/1 (+http://bench.example/)",
                engines=shipped_engines() if engines else {},
                options=CrawlOptions(max_seconds=MOST_SECONDS, order=order),
            ),
        )
    return made[0]


def _row(order: str, fetcher: CountingFetcher, wanted: frozenset[str]) -> list[str]:
    numbers = sorted(number for infohash, number in fetcher.found.items() if infohash in wanted)
    needed = math.ceil(0.9 * len(wanted))
    ninety = numbers[needed - 1] if len(numbers) >= needed else math.inf
    hundred = numbers[-1] if len(numbers) == len(wanted) else math.inf
    first = numbers[0] if numbers else math.inf
    return [
        order,
        f"{len(numbers)} of {len(wanted)}",
        shown(first, 0),
        shown(ninety, 0),
        shown(hundred, 0),
        shown(fetcher.requests, 0),
    ]


def main(argv: Sequence[str]) -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(prog="./dev bench live", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--orders", nargs="+", default=[DEFAULT_ORDER, "breadth-first"])
    parser.add_argument("--engines", action="store_true", help="with the shipped engine pack")
    asked = parser.parse_args(argv)
    rows = [["order", "torrents", "first", "90 %", "100 %", "whole crawl"]]
    with tempfile.TemporaryDirectory(prefix="harvest-bench-") as name:
        folder = Path(name)
        (folder / "seed").mkdir()
        seeded = seed_folder(folder / "seed")
        for number, order in enumerate(asked.orders):
            with MachinaSite(seeded, folder / f"site{number}") as site:
                fetcher = crawl(site.url, order, folder / f"data{number}", engines=asked.engines)
                rows.append(_row(order, fetcher, site.for_guests))
    say(machine())
    say()
    say(markdown(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
