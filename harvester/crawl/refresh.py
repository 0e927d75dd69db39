"""Incremental refresh: the lists of a site are visited again, and what is new behind them is taken."""

from __future__ import annotations

from harvester.crawl.admission import host_of
from harvester.model.crawl import FoundUrl
from harvester.model.site import Role, SiteFile
from harvester.ports.store import Store

_LISTS = (Role.START.value, Role.LIST.value, Role.FLIP.value, Role.DATA.value)
_FIRST = -10_000.0


def pages_to_refresh(store: Store, site: SiteFile, limit: int) -> list[FoundUrl]:
    """What a refresh begins with: start pages, known lists and sitemaps, those near the start first.

    `limit` bounds how many lists are taken; start pages are always among them.
    """
    lists = store.urls(site.site, roles=_LISTS, limit=10_000)
    live = [known for known in lists if known.state == "done"]
    live.sort(key=lambda known: (known.depth, -known.changes, known.first_visit))
    return [
        FoundUrl(
            url=known.url,
            host=host_of(known.url),
            key_hash=known.key_hash,
            priority=_FIRST + known.depth,
            depth=known.depth,
            role=known.role,
            rule=known.rule,
            seen=False,
        )
        for known in live[:limit]
    ]
