"""Torznab's own values, and how they are written (Torznab 1.3, Newznab, RSS 2.0). No store here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

from msgspec import Struct

NAMESPACE = "http://torznab.com/schemas/2015/feed"
MEDIA_TYPE = "application/xml; charset=utf-8"
TORRENT_TYPE = "application/x-bittorrent"
PAGE = 100
"""Items of a page, at most and by default: clients page by it."""

CATEGORIES: Mapping[int, tuple[str, tuple[tuple[int, str], ...]]] = {
    1000: ("Console", ()),
    2000: ("Movies", ()),
    3000: ("Audio", ()),
    4000: ("PC", ((4050, "PC/Games"),)),
    5000: ("TV", ()),
    7000: ("Books", ()),
    8000: ("Other", ()),
}
SEARCHES: tuple[tuple[str, str], ...] = (
    ("search", "q"),
    ("tv-search", "q,season,ep"),
    ("movie-search", "q"),
    ("music-search", "q"),
    ("audio-search", "q"),
    ("book-search", "q"),
)
"""What `caps` offers, with the parameters of each."""
_FORBIDDEN = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
"""What XML 1.0 has no place for, escaped or not."""


class Fault(Exception):
    """An answer that says what is wrong: 100-199 who asks, 200 and 201 parameters, 202 no such function."""

    def __init__(self, code: int, text: str) -> None:
        self.code = code
        self.text = text
        super().__init__(text)


class Item(Struct, frozen=True):
    """One release: `published` is UTC seconds, `length` in bytes, `guid` the same for ever.

    `attributes` are Torznab's, in order; only `category` may be there more than once, and has a field of its
    own. `enclosure` is where the file is.
    """

    title: str
    guid: str
    link: str
    enclosure: str
    length: int
    published: float
    categories: tuple[int, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


def clean(text: str) -> str:
    """Text as XML may hold it: escaped, without what no escape helps."""
    return escape(_FORBIDDEN.sub("", text))


def moment(seconds: float) -> str:
    """`Mon, 02 Jan 2006 15:04:05 +0000`: clients want the zone as a number."""
    return format_datetime(datetime.fromtimestamp(min(max(seconds, 0.0), 4e9), UTC))


def caps(title: str) -> str:
    """What the indexer can do. Clients keep it for days."""
    searches = "".join(
        f'<{name} available="yes" supportedParams="{parameters}"/>' for name, parameters in SEARCHES
    )
    categories = "".join(
        f'<category id="{number}" name="{clean(name)}">'
        + "".join(f'<subcat id="{child}" name="{clean(called)}"/>' for child, called in children)
        + "</category>"
        for number, (name, children) in CATEGORIES.items()
    )
    return _document(
        f'<caps><server version="1.3" title="{clean(title)}"/><limits default="{PAGE}" max="{PAGE}"/>'
        f"<searching>{searches}</searching><categories>{categories}</categories></caps>"
    )


def indexers(title: str) -> str:
    """The one indexer that there is, as Jackett lists its own."""
    return _document(
        f'<indexers><indexer id="harvest" configured="true"><title>{clean(title)}</title>'
        "<description>Harvested torrents</description><type>public</type></indexer></indexers>"
    )


def error(code: int, text: str) -> str:
    """What is wrong, in Torznab's form."""
    return _document(f'<error code="{code}" description="{clean(text)}"/>')


def feed(title: str, link: str, items: Sequence[Item], *, built: float | None = None) -> str:
    """An RSS 2.0 channel of items, with their Torznab attributes."""
    told = f"<lastBuildDate>{moment(built)}</lastBuildDate>" if built is not None else ""
    return _document(
        f'<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:torznab="{NAMESPACE}"><channel>'
        f"<title>{clean(title)}</title><link>{clean(link)}</link><description>{clean(title)}</description>"
        f'<atom:link href="{clean(link)}" rel="self" type="application/rss+xml"/>{told}'
        f"{''.join(map(_item, items))}</channel></rss>"
    )


def _item(item: Item) -> str:
    attributes = _attributes([*(("category", str(one)) for one in item.categories), *item.attributes])
    categories = "".join(f"<category>{one}</category>" for one in item.categories)
    return (
        f'<item><title>{clean(item.title)}</title><guid isPermaLink="false">{clean(item.guid)}</guid>'
        f"<link>{clean(item.link)}</link><pubDate>{moment(item.published)}</pubDate>"
        f"<size>{item.length}</size>{categories}"
        f'<enclosure url="{clean(item.enclosure)}" length="{item.length}" type="{TORRENT_TYPE}"/>'
        f"{attributes}</item>"
    )


def _attributes(pairs: Iterable[tuple[str, str]]) -> str:
    return "".join(f'<torznab:attr name="{clean(name)}" value="{clean(value)}"/>' for name, value in pairs)


def _document(body: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'
