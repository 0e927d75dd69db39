"""Writing down now and then what a run has learned, so that a kill loses little of it."""

from __future__ import annotations

import time

from harvester.crawl.committer import Committer
from harvester.crawl.going_on import ORDER
from harvester.crawl.learning import Guide, OnLearned
from harvester.model.crawl import Crawl
from harvester.model.stored import Event

LEARNED_SECONDS = 60.0
"""Seconds between two times at which the rules are handed out."""
KEPT_SECONDS = 300.0
"""Seconds between two times at which what the order knows is written down."""
REVIEWED = 5000
"""Queued URLs that an order may put in order at once."""


class Keeper:
    """Lets the order look at the queue, writes down what it knows, and hands out rules.

    `order` is its name. What it writes goes into the findings that are open, to be committed with them.
    """

    def __init__(self, guide: Guide, committer: Committer, order: str, on_learned: OnLearned) -> None:
        self._guide = guide
        self._committer = committer
        self._order = order
        self._on_learned = on_learned
        self._learned_at = self._kept_at = time.monotonic()

    async def after_commit(self, crawl: Crawl) -> None:
        """What is due by now."""
        if self._guide.review_is_due:
            queued = await self._committer.call(lambda store: store.queued(crawl, limit=REVIEWED))
            self._committer.findings.reprioritised.extend(self._guide.review(queued))
        if self._guide.memory_is_due or time.monotonic() - self._kept_at >= KEPT_SECONDS:
            self.keep(crawl)
        if time.monotonic() - self._learned_at >= LEARNED_SECONDS:
            self.hand_out()

    def keep(self, crawl: Crawl) -> None:
        """Write down what the order knows, for the run that goes on."""
        self._kept_at = time.monotonic()
        memory = self._guide.memory()
        if memory:
            detail = {"name": self._order, "memory": memory}
            self._committer.findings.events.append(Event(time.time(), ORDER, crawl.site, detail, crawl.id))

    def hand_out(self) -> None:
        """Say which rules were learned so far."""
        self._learned_at = time.monotonic()
        self._on_learned(self._guide.rules())
