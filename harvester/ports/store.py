"""The store's contract, by topic.

Every method is synchronous and may block on disk or network: an asyncio program calls it from a thread.
A store object may be used by several threads, one writer thread a process is the intended use.

Times: UTC seconds since the epoch, as floats, always passed in; the store never reads a clock.

Atomicity: `BatchWriter.write` commits a whole batch or nothing. Every other writing method is one
transaction of its own. A reader sees committed data only.

Errors (all `StoreError`): `StoreBusy` another process held the database longer than the store waits
(10 s; nothing was written, try again); `StoreFull` no space left (nothing was written); `StoreUnreachable`
the database or blob store does not answer; `StoreDamaged` what is stored contradicts itself or the
schema is not this version's; `NotFound` where a method says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from harvester.model.crawl import (
    Batch,
    BatchResult,
    Crawl,
    CrawlKind,
    CrawlState,
    DownloadsMet,
    FrontierItem,
    FrontierRef,
    HostState,
    KnownUrl,
    Left,
    Reprioritised,
    RobotsText,
    Site,
    SiteState,
)
from harvester.model.order import Turn
from harvester.model.query import FoundRow, Searchable
from harvester.model.stored import (
    Block,
    Event,
    ExportedTorrent,
    Finding,
    LinkFound,
    PageVersion,
    Parked,
    QueryCount,
    Sighting,
    StoredFile,
    StoredTorrent,
    TorrentChange,
    Variant,
)


class BatchWriter(Protocol):
    """The one way in for what a crawl found."""

    def write(self, batch: Batch) -> BatchResult:
        """Commit the whole batch in one transaction.

        Raw torrents are written as blobs before the transaction: a crash in between leaves blobs with
        no row, which the next write of the same file takes up and `Doctor.check` names. Writing the same
        batch twice (after an error that left its fate unknown) changes nothing but last-seen times,
        sighting counts, visits and the caller's figures.
        """
        ...


class FrontierStore(Protocol):
    """The queue of URLs, one back queue a host."""

    def claim(
        self,
        crawl: Crawl,
        *,
        now: float,
        limit: int,
        owner: str,
        lease_seconds: float,
        per_host: int = 1,
        skip_hosts: Collection[str] = (),
        horizon: float = 0.0,
        band: tuple[float, float] | None = None,
    ) -> list[FrontierItem]:
        """Lease up to `limit` URLs to `owner`, at most `per_host` of each host, and commit.

        Hosts take turns: the one that was served longest ago comes first. Of a host, the smallest
        priority comes first and within it the oldest (see `Batch.lifo`). Left out: URLs that are due later
        or leased, hosts whose `next_at` is after `now + horizon`, and `skip_hosts` (those the caller
        holds enough of); with a `band`, priorities that are not low <= priority < high. A lease ends at
        `now + lease_seconds`; then the URL can be claimed again. The result is grouped by turns: the first
        URL of each host, then the second of each, and so on.
        """
        ...

    def claim_turns(
        self,
        crawl: Crawl,
        turns: Sequence[Turn],
        *,
        now: float,
        limit: int,
        owner: str,
        lease_seconds: float,
        enough: int = 1,
        horizon: float = 0.0,
    ) -> dict[int, list[FrontierItem]]:
        """Lease what the turns ask for, one after the other, `limit` URLs in all, and commit.

        Every turn names its hosts. A host that has brought `enough` is asked by no later turn. What each
        turn brought, by its place in `turns`; those that were not asked (the host has enough, may not be
        asked before `now + horizon`, or has nothing that is due) are not in it. For the rest as `claim`.
        """
        ...

    def release(self, owner: str) -> int:
        """Give back every claim of `owner` at once (a restart under the same name); how many."""
        ...

    def next_due(self, crawl: Crawl) -> float | None:
        """When the next URL may become claimable, None: none is left.

        A lower bound that counts in the hosts' `next_at`. Leased URLs count with the end of their lease.
        """
        ...

    def reprioritise(self, crawl: Crawl, updates: Sequence[Reprioritised]) -> int:
        """Move queued URLs to other priorities; how many were still queued."""
        ...

    def queued(self, crawl: Crawl, limit: int = 1000) -> list[tuple[FrontierRef, str]]:
        """Some of what is queued, the first of each host first: for the operator and for re-prioritising."""
        ...

    def unseen(self, crawl: Crawl, key_hashes: Sequence[int]) -> set[int]:
        """Those of `key_hashes` that this crawl has not seen. Reads only."""
        ...


class CrawlStore(Protocol):
    """Runs, what they counted, and what is known of URLs and hosts."""

    def open_crawl(self, site: str, kind: CrawlKind, *, now: float) -> Crawl:
        """Go on with the site's unfinished crawl of that kind (`running` or `stopped`) or begin a new one.

        `NotFound` when there is no such site. Claims of the crawl's former owners stay until their
        lease ends or `release` is called.
        """
        ...

    def finish_crawl(self, crawl: Crawl, *, state: CrawlState, reason: str, now: float) -> Crawl:
        """End a run: `stopped` keeps its queue and seen-set to go on with, `finished` and `failed` drop them.

        The seen-set is emptied when no unfinished crawl is left that needs it.
        """
        ...

    def downloads_met(self, crawl: Crawl, *, limit: int = 100_000) -> DownloadsMet:
        """What an unfinished crawl knows of its downloads, at most `limit` of each kind."""
        ...

    def crawl(self, crawl_id: int) -> Crawl:
        """One run with its figures as of the last commit; `NotFound`."""
        ...

    def crawls(self, site: str | None = None, *, limit: int = 50) -> list[Crawl]:
        """Runs, newest first."""
        ...

    def left(self, crawl: Crawl) -> list[Left]:
        """Why the run left what it left, most frequent first."""
        ...

    def host(self, name: str) -> HostState | None:
        """What politeness remembers of a host."""
        ...

    def robots(self, host: str) -> RobotsText | None:
        """The host's robots.txt as last recorded; None: never asked."""
        ...

    def hosts(self, crawl: Crawl) -> list[HostState]:
        """The hosts that the run has queues for."""
        ...

    def known_url(self, site: str, key_hash: int) -> KnownUrl | None:
        """What is known of one URL of a site."""
        ...

    def due_urls(self, site: str, *, now: float, limit: int, roles: Collection[str] = ()) -> list[KnownUrl]:
        """Visited URLs whose planned revisit is due, the longest overdue first; no `roles`: all of them."""
        ...

    def urls(
        self, site: str, *, roles: Collection[str] = (), after: int = 0, limit: int = 1000
    ) -> list[KnownUrl]:
        """Visited URLs in order of first visit, skipping the first `after`."""
        ...

    def parked(self, site: str | None = None, *, kind: str | None = None, limit: int = 1000) -> list[Parked]:
        """What waits behind walls and rules, oldest first."""
        ...

    def walls(self, site: str | None = None) -> dict[str, int]:
        """How many URLs wait, by kind."""
        ...

    def prune_visits(self, *, before: float) -> int:
        """Drop history older than `before`; how many lines. What is known of the URLs stays."""
        ...


class SiteStore(Protocol):
    """Sites by name."""

    def add_site(self, name: str, *, start: str, now: float) -> Site:
        """Add a site, or return it when it is there (a removed one becomes active again)."""
        ...

    def site(self, name: str) -> Site:
        """One site; `NotFound`."""
        ...

    def sites(self) -> list[Site]:
        """All sites but removed ones, by name."""
        ...

    def set_site_state(self, name: str, state: SiteState, *, reason: str = "", now: float) -> Site:
        """Pause, resume or remove; running crawls see it in their next `BatchResult`. `NotFound`.

        What a removed site gave stays stored.
        """
        ...


class TorrentStore(Protocol):
    """What was harvested."""

    def find_torrent(self, digest: str) -> StoredTorrent | None:
        """By any hash in hex, in any case: v1 (40), v2 (64), v2 truncated (40), MD5 of a file (32)."""
        ...

    def torrents(self, ids: Sequence[int]) -> list[StoredTorrent]:
        """By id, in the order asked; ids that are gone are left out."""
        ...

    def exported(self, ids: Sequence[int]) -> list[ExportedTorrent]:
        """Torrents with their sightings by id, in the order asked; ids that are gone are left out."""
        ...

    def files(self, torrent_id: int) -> tuple[StoredFile, ...]:
        """The file list, () when it is not known."""
        ...

    def files_of(self, ids: Sequence[int]) -> dict[int, tuple[StoredFile, ...]]:
        """The file lists of many torrents at once."""
        ...

    def variants(self, torrent_id: int) -> list[Variant]:
        """Its .torrent files, the first seen first."""
        ...

    def sightings(self, torrent_id: int) -> list[Sighting]:
        """Where it was seen, the first place first."""
        ...

    def raw(self, variant: Variant) -> bytes:
        """The file's bytes. `StoreDamaged` when the blob is missing or not what its address says."""
        ...

    def search_names(
        self, words: Sequence[str], *, site: str | None = None, limit: int = 20
    ) -> list[StoredTorrent]:
        """Torrents whose name contains every word (ASCII case ignored), newest first. A table scan."""
        ...

    def count_torrents(self) -> tuple[int, int]:
        """How many are stored, and how many of them with a file."""
        ...

    def iter_torrents(self, *, since: float = 0.0) -> Iterator[ExportedTorrent]:
        """Every torrent last seen at or after `since`, with its sightings, by id.

        Reads page by page: no transaction is held open while the caller works.
        """
        ...

    def iter_files(self, *, since: float = 0.0) -> Iterator[tuple[StoredTorrent, StoredFile]]:
        """Every file of every torrent last seen at or after `since`, by torrent id."""
        ...

    def iter_sightings(self, *, since: float = 0.0) -> Iterator[tuple[StoredTorrent, Sighting]]:
        """Every sighting last seen at or after `since`, by torrent id."""
        ...

    def links_found(
        self, *, site: str | None = None, scheme: str | None = None, limit: int = 1000
    ) -> list[LinkFound]:
        """Recorded links that are not fetched, oldest first."""
        ...


class ChangeFeed(Protocol):
    """How a derived index follows."""

    def searchable(self, ids: Sequence[int]) -> list[Searchable]:
        """What is searched of each torrent, in the order asked; ids that are gone are left out."""
        ...

    def rows(self, ids: Sequence[int]) -> tuple[tuple[int, float], list[FoundRow]]:
        """See `harvester.ports.index.SearchStore`."""
        ...

    def blocks_state(self) -> tuple[int, float]:
        """How many blocks there are and when the newest was made: other than before when blocks changed."""
        ...

    def changes_since(self, sequence: int, limit: int = 1000) -> list[TorrentChange]:
        """The changes after `sequence`, ascending; a torrent appears once, with its last change.

        Sequences become visible in order: whoever read up to N never finds a new one below N later.
        """
        ...

    def last_sequence(self) -> int:
        """The sequence of the newest change (0: none yet)."""
        ...


class PageStore(Protocol):
    """Pages in versions."""

    def page(self, site: str, key_hash: int, *, at: float | None = None) -> PageVersion | None:
        """The version that was current at `at` (None: the newest), with the anchors met until then."""
        ...

    def page_versions(self, site: str, key_hash: int) -> list[float]:
        """The times of its versions, oldest first."""
        ...

    def pages_of_host(self, reversed_host: str, *, limit: int = 1000) -> list[PageVersion]:
        """The newest versions of a host's pages and of the hosts below it, in key order."""
        ...

    def texts_read(self, crawl: Crawl, *, limit: int) -> list[tuple[int, str, str]]:
        """Key hash, title and main text of the `limit` page versions a crawl wrote last, oldest first."""
        ...


class NoteStore(Protocol):
    """The audit log, what people searched, and what was taken out."""

    def record(self, event: Event) -> None:
        """Append to the audit log."""
        ...

    def events(self, *, site: str | None = None, kind: str | None = None, limit: int = 100) -> list[Event]:
        """The audit log, newest first."""
        ...

    def count_query(self, query: str, *, opened: bool, now: float, times: int = 1) -> None:
        """Count a query that was asked `times` times, or (`opened`) one whose results were opened."""
        ...

    def query_counts(self, *, limit: int = 1000) -> list[QueryCount]:
        """Queries, the most frequent first."""
        ...

    def add_block(self, block: Block) -> None:
        """Block, or change the reason of a block."""
        ...

    def remove_block(self, kind: str, value: str) -> bool:
        """Lift a block; whether there was one."""
        ...

    def blocks(self) -> list[Block]:
        """All blocks, oldest first."""
        ...


class StoreDoctor(Protocol):
    """What is wrong, and mending it."""

    def check(self, *, now: float, deep: bool = False) -> list[Finding]:
        """Look for everything in `Finding.kind`; `deep` also reads every blob and all of the database."""
        ...

    def size(self) -> int:
        """Bytes of the database and of the stored torrent files, about."""
        ...

    def mend(self, finding: Finding, *, now: float) -> str:
        """Mend one finding; what was done, in words. Mending what is no longer wrong does nothing."""
        ...


class Store(
    BatchWriter,
    FrontierStore,
    CrawlStore,
    SiteStore,
    TorrentStore,
    ChangeFeed,
    PageStore,
    NoteStore,
    StoreDoctor,
    Protocol,
):
    """Everything. A use case asks for the smallest of the above that it needs."""

    def close(self) -> None:
        """Let go of every connection; the object cannot be used after."""
        ...
