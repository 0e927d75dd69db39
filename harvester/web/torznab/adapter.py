"""Between Torznab and a search: parameters to a query, rows to items."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import urlencode

from msgspec import Struct

from harvester.model.query import MAX_OFFSET, Facet
from harvester.model.stored import StoredTorrent
from harvester.web.searching import Wanted
from harvester.web.torrents import short_magnet
from harvester.web.torznab.protocol import CATEGORIES, PAGE, Fault, Item

Function = Literal["search", "tvsearch", "movie", "music", "book"]
FUNCTIONS: Mapping[str, Function] = {
    **{"search": "search", "tvsearch": "tvsearch", "tv-search": "tvsearch", "movie": "movie"},
    **{"moviesearch": "movie", "movie-search": "movie", "music": "music", "audio": "music"},
    **{"music-search": "music", "audio-search": "music", "book": "book", "book-search": "book"},
}
"""The functions by every name that clients call them."""
_MAX_WORDS = 500
_KINDS: Mapping[int, str] = {
    **{1000: "games", 2000: "video", 3000: "audio", 4000: "software", 5000: "video", 7000: "books"},
    **{8000: "other"},
}
"""What the index calls a category; films and series are one kind to it."""
_NUMBERS: Mapping[str, tuple[int, ...]] = {
    "games": (1000, 4000, 4050), "video": (2000, 5000), "audio": (3000,), "software": (4000,),
    "books": (7000,), "images": (8000,), "other": (8000,),
}  # fmt: skip
_OF_FUNCTION: Mapping[Function, tuple[str, ...]] = {
    "search": (), "tvsearch": ("video",), "movie": ("video",), "music": ("audio",), "book": ("books",),
}  # fmt: skip
_NUMBER = re.compile(r"0*(\d{1,5})$")
_EPISODE = re.compile(r"\b[Ss](\d{1,2}) ?[Ee](\d{1,3})\b")
_SYNTAX = re.compile(r"[\"():*]|(?<!\w)-")
"""What the query language gives a meaning that a release name does not want."""


def wanted(function: Function, given: Mapping[str, str]) -> Wanted | None:
    """The search that is asked for, the newest first; None when nothing of ours can match.

    `Fault` 201 for a number that is none. An id of a film or series alone matches nothing: no row has one.
    """
    limit, offset = _count(given, "limit", PAGE), _count(given, "offset", 0)
    kinds = _kinds(given.get("cat", ""), function)
    words = _words(given)
    by_id = any(given.get(name) for name in ("imdbid", "tmdbid", "tvdbid", "rid", "tvmazeid"))
    limit = min(limit, PAGE)
    if kinds is None or (by_id and not words) or offset + limit > MAX_OFFSET or not limit:
        return None
    filters: dict[Facet, tuple[str, ...]] = {"type": kinds} if kinds else {}
    return Wanted(text=words, filters=filters, sort="date", limit=limit, offset=offset)


def _kinds(text: str, function: Function) -> tuple[str, ...] | None:
    """The kinds of the categories that are asked for; () for all, None when only unknown ones are."""
    numbers = [int(one) for one in text.replace(" ", "").split(",") if one.isdecimal() and len(one) < 7]
    kinds = [kind for number in numbers for kind in _of_number(number)]
    if numbers and not kinds:
        return None
    return tuple(dict.fromkeys(kinds)) or _OF_FUNCTION[function]


def _of_number(number: int) -> tuple[str, ...]:
    if number in (4050, 1000) or 1000 < number < 2000:
        return ("games",)
    if number == 8000:
        return ("other", "images")
    kind = _KINDS.get(number // 1000 * 1000)
    if number == 4000:
        return ("software", "games")
    return (kind,) if kind is not None else ()


def _words(given: Mapping[str, str]) -> str:
    """The words of a client, without syntax of ours; season and episode as names have them."""
    words = [_SYNTAX.sub(" ", given.get(name, "")) for name in ("q", "artist", "album", "title", "author")]
    season, episode = _NUMBER.match(given.get("season", "")), given.get("ep", "").strip()
    number = _NUMBER.match(episode)
    if season is not None and len(season[1]) == 4:  # the year of a daily show, `ep` is month/day
        words.append(f"{season[1]} {episode.replace('/', ' ')}")
    elif season is not None and number is not None:
        words.append(f"S{int(season[1]):02d}E{int(number[1]):02d}")
    elif season is not None:
        words.append(f"S{int(season[1]):02d}*")
    elif number is not None:
        words.append(f"E{int(number[1]):02d}")
    return " ".join(" ".join(words).split())[:_MAX_WORDS]


def _count(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name, "").strip()
    if not text:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise Fault(201, f"{name} is no number")
    return int(text)


class Address(Struct, frozen=True):
    """Where this server is reached (no slash at the end), and the key that files are asked for with."""

    origin: str
    key: str = ""


def item_of(
    torrent: StoredTorrent, kind: str, address: Address, *, has_file: bool, length: int | None = None
) -> Item:
    """A row as an item. `has_file`: its file is handed out; a magnet leads to it otherwise.

    `length` instead of the content's size is for readers of plain RSS, who compare it with what they fetch.
    """
    digest = (torrent.infohash_v1 or torrent.infohash_v2 or b"").hex()
    magnet = short_magnet(torrent)
    file = f"{address.origin}/torrents/{digest}.torrent"
    where = file + (f"?{urlencode({'apikey': address.key})}" if address.key else "")
    where = where if has_file else magnet
    size = torrent.size or 0
    attributes = [("size", str(size)), ("magneturl", magnet)]
    if torrent.infohash_v1 is not None:
        attributes.append(("infohash", torrent.infohash_v1.hex()))
    if torrent.n_files:
        attributes.append(("files", str(torrent.n_files)))
    if found := _EPISODE.search(torrent.name):
        attributes += [("season", str(int(found[1]))), ("episode", str(int(found[2])))]
    attributes += [("downloadvolumefactor", "1"), ("uploadvolumefactor", "1")]
    return Item(
        title=torrent.name or digest,
        guid=f"urn:btih:{digest}",
        link=where,
        enclosure=where,
        length=size if length is None else length,
        published=torrent.first_seen,
        categories=_NUMBERS.get(kind, (8000,)),
        attributes=tuple(attributes),
    )


assert set(_KINDS) == set(CATEGORIES)
