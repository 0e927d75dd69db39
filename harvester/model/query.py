"""A search query as a tree, and what a search gives back.

The tree is what `harvester.search.query.parse_query` makes of what a person typed. Every node is a frozen
value; text is as typed, folding is the index's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct, field

from harvester.model.stored import StoredTorrent

Sort = Literal["relevance", "date", "size"]
"""`date` is when the torrent was first seen. Newest and largest come first unless asked otherwise."""

Facet = Literal["site", "ext", "lang", "type", "private", "wall"]
"""What can be counted. `ext` counts torrents by their largest file; as a filter it looks at all files."""
FACETS: tuple[Facet, ...] = ("site", "ext", "lang", "type", "private", "wall")

NumberField = Literal["size", "date", "created", "files"]
KeywordField = Literal["site", "ext", "lang", "type", "private", "wall", "publisher"]

MAX_OFFSET = 10_000
"""How deep relevance can be paged by number; date and size page on by `after` without an end."""


class Everything(Struct, frozen=True):
    """Every torrent."""


class Word(Struct, frozen=True):
    """A word in a name, title, comment or path. Chinese, Japanese, Korean: any substring.

    `prefix`: anything that begins so (`ubun*`). `phrase`: its parts next to each other and in order.
    """

    text: str
    prefix: bool = False
    phrase: bool = False


class Range(Struct, frozen=True):
    """`low <= field <= high`: bytes, UTC seconds, or number of files; None is open.

    A torrent whose value is not known (the size of a magnet) is in no range.
    """

    field: NumberField
    low: int | None = None
    high: int | None = None


class Is(Struct, frozen=True):
    """One of a field's values is `value` (in lower case; `private` has `yes` and `no`)."""

    field: KeywordField
    value: str


class HasHash(Struct, frozen=True):
    """The torrent with one of these hashes, in lower-case hex: infohash v1, v2, v2 truncated, MD5 of a file.

    `text` is what was typed, which may also be a word of a name when it was not said to be a hash.
    """

    digests: tuple[str, ...]
    text: str = ""


class TorrentIs(Struct, frozen=True):
    """One of these torrent ids: what `HasHash` becomes when the store was asked."""

    ids: tuple[int, ...]


class Not(Struct, frozen=True):
    """Everything but."""

    part: Node


class And(Struct, frozen=True):
    """All of the parts."""

    parts: tuple[Node, ...]


class Or(Struct, frozen=True):
    """At least one of the parts."""

    parts: tuple[Node, ...]


Node: TypeAlias = Everything | Word | Range | Is | HasHash | TorrentIs | Not | And | Or


class IndexQuery(Struct, frozen=True):
    """What the index is asked: no `HasHash` is left in `node`.

    `after`: only what comes after this sort key (`Hits.keys`), for `date` and `size`. `offset` is for
    `relevance`. `facets`: the fields to count, the `facet_limit` most frequent values each.
    """

    node: Node
    sort: Sort = "relevance"
    ascending: bool = False
    limit: int = 20
    offset: int = 0
    after: int | None = None
    facets: tuple[Facet, ...] = ()
    facet_limit: int = 20


class FacetCount(Struct, frozen=True):
    """One value of a field and how many of the torrents found have it."""

    value: str
    count: int


class Hits(Struct, frozen=True):
    """What the index found: torrent ids in order, the sort key of each (empty for `relevance`), the exact
    total, and the facets asked for."""

    ids: tuple[int, ...]
    keys: tuple[int, ...]
    total: int
    facets: Mapping[Facet, tuple[FacetCount, ...]] = field(default_factory=dict)


class FindOptions(Struct, frozen=True):
    """How a search is answered.

    `after` is the `next` of the page before (date and size only). `private` false leaves private torrents
    out. `limit` is at most 1,000; `offset + limit` at most `MAX_OFFSET` for relevance.
    """

    sort: Sort = "relevance"
    ascending: bool = False
    limit: int = 20
    offset: int = 0
    after: str | None = None
    facets: tuple[Facet, ...] = ()
    facet_limit: int = 20
    private: bool = True


class FoundRow(Struct, frozen=True):
    """One torrent of a page, with the names of the sites that showed it."""

    torrent: StoredTorrent
    sites: tuple[str, ...]


class Found(Struct, frozen=True):
    """One page of results.

    `total` counts all that match. `next` leads to the next page (`FindOptions.after`), None at the end and
    for relevance, which pages by `offset`.
    """

    rows: tuple[FoundRow, ...]
    total: int
    facets: Mapping[Facet, tuple[FacetCount, ...]]
    next: str | None = None


class Searchable(Struct, frozen=True):
    """Everything of a stored torrent that the index wants, in one piece.

    `main_path` is that of the largest file. `titles` are those of the pages it was seen on and the names of
    linked files, `sites` and `walls` those of its sightings ("" is no wall).
    """

    id: int
    sequence: int
    infohash_v1: bytes | None
    infohash_v2: bytes | None
    name: str
    size: int | None
    n_files: int
    has_file: bool
    private: bool
    created: float | None
    first_seen: float
    category: str
    comment: str
    publishers: tuple[str, ...]
    paths: tuple[str, ...]
    main_path: str
    titles: tuple[str, ...]
    sites: tuple[str, ...]
    walls: tuple[str, ...]
