"""Torrents, sightings, pages and notes as they go into the store and come out of it.

All times are UTC seconds since the epoch as floats; all sizes are bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, field

BlockKind = Literal["infohash", "word", "pattern", "publisher"]


class StoredFile(NamedTuple):
    """One file of a torrent: its display path (`/` between components) and length; pad files are left out."""

    path: str
    size: int


class Source(Struct, frozen=True):
    """Where a torrent was seen: the page that showed it and the link that leads to it.

    `page_hash` is the key hash of the page, `download_hash` that of the link's key: with the torrent they
    are the identity of a sighting. `wall` is the kind of wall the file stood behind ("" for none).
    """

    page_url: str
    page_hash: int
    download_url: str
    download_hash: int
    title: str = ""
    anchor: str = ""
    rule: str = ""
    wall: str = ""


class TakenTorrent(Struct, frozen=True):
    """A torrent that a crawl came by, with its file (`raw`) or only as a magnet (`raw` None).

    At least one infohash is set: v1 20 bytes, v2 32 bytes. Names and paths are display forms. `size` None
    and no `files`: not known (a magnet). `created` is the creation date when it is a sane one. `metadata`
    is anything JSON can hold that is worth keeping (comment, piece length, …); `flags` are stable words
    of the parser about this very file; `trackers` may hold a person's passkey and leave the store only
    for torrents that are not private.
    """

    source: Source
    infohash_v1: bytes | None = None
    infohash_v2: bytes | None = None
    raw: bytes | None = None
    name: str = ""
    size: int | None = None
    files: Sequence[StoredFile] = ()
    private: bool = False
    created: float | None = None
    category: str = ""
    metadata: Mapping[str, object] = field(default_factory=dict)
    trackers: Sequence[str] = ()
    flags: Sequence[str] = ()


class StoredTorrent(Struct, frozen=True):
    """A torrent as stored. `has_file` false: known by magnet or bare infohash only, with no variant.

    `sequence` is the change sequence of its last change that a reader of `changes_since` cares about.
    """

    id: int
    infohash_v1: bytes | None
    infohash_v2: bytes | None
    name: str
    size: int | None
    n_files: int
    has_file: bool
    private: bool
    created: float | None
    category: str
    metadata: Mapping[str, object]
    first_seen: float
    last_seen: float
    sequence: int


class Variant(Struct, frozen=True):
    """One .torrent file, byte for byte: several with one infohash differ in trackers and the like.

    `blob` is its address in the blob store: the SHA-256 of its bytes in hex.
    """

    id: int
    torrent_id: int
    md5: bytes
    blob: str
    size: int
    trackers: tuple[str, ...]
    flags: tuple[str, ...]
    first_seen: float


class Sighting(Struct, frozen=True):
    """One place where a torrent was seen, how often and when; `crawl_id` is the last crawl that saw it."""

    torrent_id: int
    variant_id: int | None
    site: str
    page_url: str
    download_url: str
    title: str
    anchor: str
    rule: str
    wall: str
    crawl_id: int
    first_seen: float
    last_seen: float
    times: int


class ExportedTorrent(Struct, frozen=True):
    """What an export row of a torrent needs, in one piece; `md5` of its first variant, None for a magnet."""

    torrent: StoredTorrent
    md5: bytes | None
    sightings: tuple[Sighting, ...]


class TorrentChange(NamedTuple):
    """One entry of the change feed: a torrent is new, other than before, or `gone` (merged or blocked)."""

    sequence: int
    torrent_id: int
    gone: bool


class LinkFound(Struct, frozen=True):
    """A link that is recorded and not fetched (ed2k, ftp, …). `link_hash` is the hash of its key."""

    link_hash: int
    scheme: str
    link: str
    page_url: str
    anchor: str = ""


class Parked(Struct, frozen=True):
    """A URL that waits for something: behind a wall, closed by robots, over a limit.

    `kind` is the wall's name or another stable word; `opens` says in words what would open it.
    `page_url` is the page it was found on. One entry a key; parking it again keeps the first `since`.
    """

    key_hash: int
    url: str
    kind: str
    since: float
    opens: str = ""
    page_url: str = ""
    anchor: str = ""
    role: str = ""
    rule: str = ""
    depth: int = 0


class PageVersion(Struct, frozen=True):
    """The content of a page at one time. A version is written only when `digest` differs from the last one's.

    `reversed_host` (`org.example.forum`) leads the key, so that a domain's pages lie together.
    `links` are (URL, anchor text). `heading` is what the page calls itself, where that is not its title.
    `anchors` are the texts of the site's links that lead to it, the earliest first: filled in when one page
    is read, not written with it.
    """

    key_hash: int
    url: str
    reversed_host: str
    at: float
    digest: bytes
    title: str = ""
    text: str = ""
    links: Sequence[tuple[str, str]] = ()
    language: str = ""
    fingerprint: int | None = None
    heading: str = ""
    anchors: Sequence[str] = ()


class AnchorFound(NamedTuple):
    """A text by which a link of the site leads to the URL whose key has this hash."""

    key_hash: int
    text: str


class Event(Struct, frozen=True):
    """One line of the audit log: a login, a reply, a refusal, a takedown. No secrets in `detail`."""

    at: float
    kind: str
    site: str = ""
    detail: Mapping[str, object] = field(default_factory=dict)
    crawl_id: int | None = None


class Block(Struct, frozen=True):
    """Something the operator took out for good, with the reason.

    `infohash` in hex, `word` one or more words of a name, title or path, `pattern` an RE2 pattern on these,
    `publisher` who the file says made or published it.
    """

    kind: BlockKind
    value: str
    reason: str
    since: float


class QueryCount(Struct, frozen=True):
    """How often a query was asked and a result of it was opened. No persons."""

    query: str
    asked: int
    opened: int
    last_at: float


class Finding(Struct, frozen=True):
    """One thing that is wrong with the store, and what `mend` would do about it.

    `kind` is a stable word: `orphan_blob`, `unfinished_blob`, `missing_blob`, `damaged_blob`,
    `missing_variant`, `stale_lease`, `counter`, `migration`, `integrity`. `subject` names the one row or
    file it is about. `mendable` false: only a person can (the hint says how).
    """

    kind: str
    subject: str
    what: str
    hint: str
    mendable: bool = True
