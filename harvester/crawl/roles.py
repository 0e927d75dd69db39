"""What a page is for, guessed from what stands on it, where no rule says so."""

from __future__ import annotations

from collections import defaultdict

from harvester.model.link import LinkKind, PageLinks
from harvester.model.site import Role

LIST_ROWS = 5
"""Rows of one table or list that make a page a list."""

_TORRENT_KINDS = frozenset({LinkKind.DOWNLOAD, LinkKind.MAGNET, LinkKind.INFOHASH})


def guess_role(links: PageLinks) -> str:
    """`list`, `detail` or "" for a page with these links.

    A page that shows torrents in many rows, or rows of pages, is a list; one that shows a few torrents is
    a detail page.
    """
    torrent_rows: set[object] = set()
    page_rows: defaultdict[int, set[int]] = defaultdict(set)
    for link in links.links:
        if link.kind in _TORRENT_KINDS or link.chain:
            torrent_rows.add(link.row or link.url)
        elif link.row is not None and link.kind is LinkKind.PAGE:
            page_rows[link.row.group].add(link.row.index)
    if 0 < len(torrent_rows) < LIST_ROWS:
        return Role.DETAIL.value
    if torrent_rows or any(len(rows) >= LIST_ROWS for rows in page_rows.values()):
        return Role.LIST.value
    return ""
