"""The one writer: gathers findings and commits them in batches from a thread of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from harvester.crawl.figures import Figures
from harvester.crawl.findings import Findings
from harvester.model.crawl import BatchResult, Crawl, HostState
from harvester.policy.blocking import Blocklist, subject_of_taken
from harvester.ports.store import Store

BATCH_VISITS = 20
BATCH_SECONDS = 1.0
"""A batch closes after this many visits or seconds, whichever comes first."""

T = TypeVar("T")


class Committer:
    """Owns the findings that are not committed yet, and the thread that talks to the store.

    `figures` counts this run, committed or not; what became of torrents is known after their commit.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="store")
        self._committed = Figures()
        self._since = time.monotonic()
        self.findings = Findings()
        self.queue = 0
        self._blocks_state: tuple[int, float] | None = None
        self._blocklist = Blocklist(())

    async def call(self, work: Callable[[Store], T]) -> T:
        """Run `work` with the store in the writer thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, self._store)

    @property
    def figures(self) -> Figures:
        """What this run has done so far."""
        total = Figures()
        total.add(self._committed)
        total.add(self.findings.figures)
        return total

    @property
    def pages(self) -> int:
        """Pages read in this run."""
        return self._committed.pages + self.findings.figures.pages

    def seconds_to_commit(self) -> float:
        """How long the findings may still wait; 0 when a batch is due."""
        if self.findings.visits >= BATCH_VISITS:
            return 0.0
        return max(0.0, self._since + BATCH_SECONDS - time.monotonic())

    async def commit(self, crawl: Crawl, hosts: list[HostState], *, only_unknown: bool = False) -> None:
        """Commit everything found so far in one transaction. Raises `StoreError`; nothing is lost then."""
        findings, self.findings = self.findings, Findings()

        def write(store: Store) -> BatchResult:
            self._drop_blocked(store, findings)
            return store.write(findings.batch(crawl, time.time(), hosts, only_unknown=only_unknown))

        try:
            result = await self.call(write)
        finally:
            self._since = time.monotonic()
        self._count(findings, result)

    def close(self) -> None:
        """End the writer thread."""
        self._thread.shutdown(wait=True)

    def _drop_blocked(self, store: Store, findings: Findings) -> None:
        """Leave out what the operator took out for good, also when that was a second ago."""
        if not findings.torrents:
            return
        state = store.blocks_state()
        if state != self._blocks_state:
            self._blocks_state, self._blocklist = state, Blocklist(store.blocks())
        kept = []
        for taken in findings.torrents:
            if self._blocklist.match(subject_of_taken(taken)) is None:
                kept.append(taken)
            else:
                findings.leave("blocked", taken.source.download_url)
        findings.torrents = kept

    def _count(self, findings: Findings, result: BatchResult) -> None:
        figures = findings.figures
        for torrent, outcome in zip(findings.torrents, result.outcomes, strict=True):
            if torrent.raw is None:
                figures.magnets += outcome != "duplicate"
            elif outcome == "new":
                figures.torrents_new += 1
            elif outcome == "known":
                figures.torrents_known += 1
            else:
                figures.duplicates += 1
        self._committed.add(figures)
        self.queue += result.queued - len(findings.done)
