"""URLs that no page of this run gave: where it begins, what it returns to, and what it guesses at the end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from harvester.crawl.admission import Fate, host_of
from harvester.crawl.context import VisitContext
from harvester.links import canonical_key
from harvester.links.urls import join
from harvester.model.crawl import Crawl, CrawlKind, FoundUrl
from harvester.model.link import Link
from harvester.model.site import Role

MOST_SITEMAPS = 20
"""Sitemaps that are asked for of those that the robots.txt of a host names."""

_FIRST = -1.0
"""The priority of what comes before everything that waits."""


class Starts:
    """The start pages of one run; `seeds` take their place in a refresh."""

    def __init__(self, context: VisitContext, kind: CrawlKind, seeds: Sequence[FoundUrl]) -> None:
        self._context = context
        self._kind = kind
        self._seeds = list(seeds)

    def first(self, crawl: Crawl) -> list[FoundUrl]:
        """What a run begins with; a refresh that goes on has its pages in the frontier already."""
        pages = self._pages(self._context.site.start)
        if self._kind != "refresh":
            return pages
        return [] if crawl.resumed else self._seeds or [replace(page, seen=False) for page in pages]

    def again(self) -> list[FoundUrl]:
        """Start pages to visit once more, first of all, because the site seems to have moved; and what was
        gone, where its new address is known."""
        guide = self._context.guide
        pages = self._pages(guide.again())
        pages += [replace(page, role="") for page in self._pages(guide.found_again())]
        return [replace(page, priority=_FIRST, seen=False, attempt=1) for page in pages]

    def beyond(self) -> list[FoundUrl]:
        """URLs that no page linked to, once all others were visited; of a full crawl only.

        First pages whose links were too deep and are not, now that a shorter way is known. Then the sitemaps
        that the robots.txt of the site's hosts name, then numbers that are missing among the files of a site
        whose lists end before its files do.
        """
        if self._kind != "full":
            return []
        return (
            self._nearer()
            or self._new(self._sitemaps(), 0, Role.DATA)
            or self._new(self._context.guide.beyond(), 1, Role.DOWNLOAD)
        )

    def _nearer(self) -> list[FoundUrl]:
        return [
            FoundUrl(
                page.url,
                page.host,
                page.key_hash,
                _FIRST,
                depth=page.depth,
                role=page.role,
                rule=page.rule,
                seen=False,
                attempt=1,
            )
            for page in self._context.depths.nearer(self._context.met)
        ]

    def _sitemaps(self) -> list[str]:
        """The sitemaps named by the site's hosts and kept there; others are nobody's to read."""
        named = []
        for origin, policy in self._context.robots.items():
            if host_of(origin) in self._context.site.hosts:
                urls = (join(f"{origin}/", address) for address in policy.sitemaps[:MOST_SITEMAPS])
                named += [url for url in urls if url and host_of(url) in self._context.site.hosts]
        return named

    def _new(self, urls: Sequence[str], depth: int, role: Role) -> list[FoundUrl]:
        """Those that may be fetched and were not met before."""
        found = []
        for url in urls:
            admitted = self._context.admissions.judge(Link(url=url, key=canonical_key(url)), 1)
            if admitted.fate is Fate.FETCH and self._context.met.add(admitted.key_hash):
                key = admitted.key_hash
                found.append(FoundUrl(url, admitted.host, key, _FIRST, depth=depth, role=role.value))
        return found

    def _pages(self, urls: Sequence[str]) -> list[FoundUrl]:
        key = self._context.admissions.key
        return [
            FoundUrl(url=url, host=host_of(url), key_hash=key(url), role=Role.START.value) for url in urls
        ]
