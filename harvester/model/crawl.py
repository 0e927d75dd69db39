"""What a crawl hands to the store and gets back: found URLs, claims, visits, one batch and its result.

All times are UTC seconds since the epoch as floats. All hashes of keys are signed 64-bit integers
(`-2**63 … 2**63-1`), because that is what both databases hold in one integer column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, field

from harvester.model.stored import AnchorFound, Event, LinkFound, PageVersion, Parked, Source, TakenTorrent

CrawlKind = Literal["full", "refresh", "learn"]
CrawlState = Literal["running", "finished", "stopped", "failed"]
SiteState = Literal["active", "paused", "removed"]
UrlState = Literal["done", "parked", "gone", "failed", "left"]
Outcome = Literal["new", "known", "duplicate"]


class Site(Struct, frozen=True):
    """A site as the store knows it; its rules and politeness are in its site file.

    `reason` says why it is paused or removed ("" when active); `changed_at` is when its state last
    changed.
    """

    id: int
    name: str
    state: SiteState
    start: str
    added_at: float
    changed_at: float
    reason: str = ""


class Crawl(Struct, frozen=True):
    """One run over one site.

    `seed` is random and mixed into the seen-set by the store, so that a new snapshot sees nothing of
    the one before. `figures` are the counters of committed batches only (names in `Batch.figures`, plus
    those the store keeps itself: `torrents_new`, `torrents_known`, `duplicates`, `magnets`, `queue`
    (URLs waiting or claimed) and `left.<reason>`). `resumed` is true when `open_crawl` found it unfinished.
    """

    id: int
    site_id: int
    site: str
    kind: CrawlKind
    state: CrawlState
    seed: int
    started_at: float
    updated_at: float
    ended_at: float | None = None
    reason: str = ""
    figures: Mapping[str, int] = field(default_factory=dict)
    resumed: bool = False


class FrontierRef(NamedTuple):
    """The identity of one queued URL: its back queue, priority and place. Opaque to callers."""

    queue: int
    priority: float
    sequence: int


class FoundUrl(Struct, frozen=True):
    """A URL to be fetched, if its key was not seen in this crawl before.

    `key_hash` is the 64-bit hash of its canonical key (the same function for every crawl: the store
    mixes the crawl's seed in). `host` is its politeness identity (`host` or `host:port`), one back queue
    each. Smaller `priority` is fetched first. `page_hash` is the key hash of the page it was found on:
    that page's fetch URL comes back as `FrontierItem.referrer` once it was recorded as visited.
    `due` > now holds the URL back until then. `seen` false queues it although it was seen before (a URL to
    be fetched again).
    """

    url: str
    host: str
    key_hash: int
    priority: float = 0.0
    depth: int = 0
    role: str = ""
    rule: str = ""
    hint: str = ""
    page_hash: int | None = None
    tunnel: int = 0
    due: float = 0.0
    attempt: int = 0
    seen: bool = True


class FrontierItem(Struct, frozen=True):
    """A claimed URL: what `FoundUrl` said, its reference, and what the last visit left behind.

    `lease_until`: after it, somebody else may claim it. `etag`, `last_modified` and `digest` are those of
    the last visit of this key on this site, in whatever crawl ("" / b"" when there was none), and
    `last_visit` is when that was (0: never).
    """

    ref: FrontierRef
    url: str
    host: str
    key_hash: int
    depth: int
    role: str
    rule: str
    hint: str
    referrer: str
    attempt: int
    tunnel: int
    lease_until: float
    etag: str = ""
    last_modified: str = ""
    digest: bytes = b""
    last_visit: float = 0.0


class Retry(Struct, frozen=True):
    """A claimed URL that goes back: not before `due`, its attempt count set to `attempt`."""

    ref: FrontierRef
    due: float
    attempt: int


class Reprioritised(Struct, frozen=True):
    """A queued URL that gets another priority. Nothing happens when it is no longer queued."""

    ref: FrontierRef
    priority: float


class Visited(Struct, frozen=True):
    """One visit of one URL, for the history (`visit`) and for what is known of the URL (`url`).

    `outcome` is a stable word of the caller (`page`, `torrent`, `not_modified`, `timeout`, …);
    `state` is where this leaves the URL. `digest` (any bytes, usually 8 to 16) identifies the content: when
    it differs from the last visit's, the URL's change count goes up; b"" leaves digest, fingerprint and
    counts as they were. `etag` and `last_modified` None leave what is stored, "" clears it.
    `next_due` None leaves the planned revisit as it is.
    """

    key_hash: int
    url: str
    at: float
    state: UrlState
    outcome: str
    role: str = ""
    rule: str = ""
    depth: int = 0
    status: int | None = None
    size: int = 0
    seconds: float = 0.0
    etag: str | None = None
    last_modified: str | None = None
    digest: bytes = b""
    fingerprint: int | None = None
    next_due: float | None = None


class KnownUrl(Struct, frozen=True):
    """What the crawl database knows of one URL of a site, from all crawls."""

    key_hash: int
    url: str
    role: str
    rule: str
    depth: int
    state: UrlState
    first_visit: float
    last_visit: float
    visits: int
    changes: int
    last_change: float
    etag: str
    last_modified: str
    digest: bytes
    fingerprint: int | None
    next_due: float | None


class HostState(Struct, frozen=True):
    """What politeness remembers of one host between batches and runs.

    `next_at`: no claim before it. `failures` in a row, `open_until` the time the breaker holds it. The
    counters are requests since `hour_start` and `day_start`.
    """

    name: str
    next_at: float = 0.0
    delay: float = 0.0
    failures: int = 0
    open_until: float = 0.0
    hour_start: float = 0.0
    hour_count: int = 0
    day_start: float = 0.0
    day_count: int = 0


class RobotsText(Struct, frozen=True):
    """A host's robots.txt as fetched, with the HTTP status it came with (0: unreachable) and when."""

    host: str
    text: str
    status: int
    fetched_at: float


class LeftUrl(Struct, frozen=True):
    """A URL that was not fetched, or whose content was not taken, and why.

    `reason` is a stable word; counted per crawl, with the last `url` kept as the example.
    """

    reason: str
    url: str


class Left(Struct, frozen=True):
    """How often a crawl left something for one reason, and one example."""

    reason: str
    times: int
    example: str
    last_at: float


class DownloadsMet(Struct, frozen=True):
    """What an unfinished crawl knows of its downloads: enough to go on without losing a sighting.

    `taken`: download hash -> infohashes (v1, v2) of the file that was behind it; `waiting`: pages that
    showed one whose file is still to come; `queued`: the key hashes of downloads in the frontier; `pages`:
    some URLs of pages that showed a torrent; `met`: key hashes of URLs that are queued or were visited;
    `read`: the pages read last, oldest first, with the digests of their contents.
    """

    taken: Mapping[int, tuple[bytes | None, bytes | None]] = field(default_factory=dict)
    waiting: tuple[Source, ...] = ()
    queued: frozenset[int] = frozenset()
    pages: tuple[str, ...] = ()
    met: frozenset[int] = frozenset()
    read: tuple[tuple[str, bytes], ...] = ()


class Batch(Struct, frozen=True):
    """Everything that one stretch of a crawl decided, committed in one transaction or not at all.

    Order of effect: blobs, visits and pages, torrents, links, parked, frontier (done, retries, returned,
    reprioritised, then found), hosts and robots, events, figures. `figures` are increments under the
    caller's names; a dot makes a group (`requests`, `pages`, `walls.login`, `errors.timeout`); `left.…`
    and those the store keeps itself are its own. `lifo` makes the found URLs go before, not behind, those
    of equal priority (the last of `found` comes first). `unparked` are key hashes.
    `returned` are claims given back untouched. `met` are key hashes that count as seen from now on, queued
    or not. `only_unknown` leaves out of `found` what any crawl of this site has visited. `shown` are pages
    that show a download met before whose file is still to come (see `DownloadsMet`).
    """

    crawl: Crawl
    now: float
    found: Sequence[FoundUrl] = ()
    met: Sequence[int] = ()
    done: Sequence[FrontierRef] = ()
    retries: Sequence[Retry] = ()
    returned: Sequence[FrontierRef] = ()
    reprioritised: Sequence[Reprioritised] = ()
    visited: Sequence[Visited] = ()
    pages: Sequence[PageVersion] = ()
    anchors: Sequence[AnchorFound] = ()
    torrents: Sequence[TakenTorrent] = ()
    links: Sequence[LinkFound] = ()
    shown: Sequence[Source] = ()
    parked: Sequence[Parked] = ()
    unparked: Sequence[int] = ()
    left: Sequence[LeftUrl] = ()
    hosts: Sequence[HostState] = ()
    robots: Sequence[RobotsText] = ()
    events: Sequence[Event] = ()
    figures: Mapping[str, int] = field(default_factory=dict)
    lifo: bool = False
    only_unknown: bool = False


class BatchResult(Struct, frozen=True):
    """What the commit made of a batch.

    `outcomes[i]` belongs to `batch.torrents[i]`. With a file: `new`, this infohash was not stored with a
    file before; `known`, it was, before this crawl; `duplicate`, this crawl had taken it already (another
    page or URL, or other bytes: a variant). A magnet: `new`, the infohash was not stored at all;
    `known` and `duplicate` likewise.
    `queued` of `batch.found` were new to the crawl. `site_state` is the site's state at the commit: a crawl
    of a site that is not `active` stops.
    """

    outcomes: tuple[Outcome, ...]
    torrent_ids: tuple[int, ...]
    queued: int
    site_state: SiteState
