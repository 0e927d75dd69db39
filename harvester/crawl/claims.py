"""Claiming URLs from the frontier into the window, as many as the order allows, and giving them back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import groupby

from harvester.crawl.admission import origin_of
from harvester.crawl.committer import Committer
from harvester.crawl.hosts import Hosts
from harvester.crawl.learning import Guide
from harvester.crawl.options import CrawlOptions
from harvester.crawl.window import Window
from harvester.model.crawl import Crawl, FrontierItem
from harvester.model.order import EVERYTHING, Turn

WINDOW = 64
"""URLs claimed at once."""
PER_HOST = 24
"""URLs of one host that are held in memory."""
CLOSE_WINDOW = 8
"""An order that looks no further ahead than this waits for what the last visits found."""
TURNS = 4
"""Arms of one host that are offered at once: the later ones in case that the first hold nothing."""
LEASE_SECONDS = 600.0
HORIZON = 10.0
"""Hosts that may be asked within this many seconds are claimed for."""
LONG_HOLD = 90.0
"""A host that may not be asked for so many seconds gives its URLs back: others need the room, and a lease is
no place to wait in."""


class Claims:
    """Keeps the window filled. `drained`: the last claim found nothing, and nothing was committed since."""

    def __init__(
        self, window: Window, hosts: Hosts, committer: Committer, guide: Guide, options: CrawlOptions
    ) -> None:
        self._window = window
        self._hosts = hosts
        self._committer = committer
        self._guide = guide
        self._options = options
        self._full_before: set[str] = set()
        self.drained = False

    async def refill(
        self, crawl: Crawl, in_flight: Iterable[FrontierItem], commit: Callable[[], Awaitable[None]]
    ) -> None:
        """Claim URLs when few are left, or all wait for busy hosts. `commit` puts in what was found."""
        under_way = Counter(item.host for item in in_flight)
        room = self._options.concurrency - under_way.total()
        if self._window.size >= WINDOW // 4 and self._window.waiting >= room:
            return
        ahead = self._guide.order.window
        is_close = ahead <= CLOSE_WINDOW
        full = self._full(under_way, 1 if is_close else min(PER_HOST, ahead), is_close=is_close)
        if self.drained and full >= self._full_before:
            return
        findings = self._committer.findings
        if is_close and (findings.found or findings.reprioritised):
            await commit()
        self._full_before = full
        items = await self._by_turns(crawl, full, min(PER_HOST, ahead * self._window.connections))
        self.drained = not items
        for item in items:
            if item.host not in self._hosts:
                await self._recall(item)
            self._window.push(item, self._hosts.next_allowed(item.host, time.time()))
        for host in {item.host for item in items}:
            self._give_back_if_held(host)

    def free(self, host: str) -> None:
        """A connection to `host` is free again."""
        self._window.free(host, self._hosts.next_allowed(host, time.time()))
        self._give_back_if_held(host)

    def _full(self, under_way: Counter[str], most: int, *, is_close: bool) -> set[str]:
        """The hosts that have enough: `most` URLs here, or that many connections in use."""
        full = set(self._window.hosts(at_least=most))
        if is_close:
            half = self._window.connections // 2
            full |= {host for host, count in under_way.items() if count > half}
        return full

    async def _by_turns(self, crawl: Crawl, full: set[str], per_host: int) -> list[FrontierItem]:
        """What the order's turns bring; those that follow each other and name their hosts are one claim."""
        connections = self._window.connections
        wanted = WINDOW - self._window.size
        turns = self._guide.turns(full, hosts=wanted, each=max(TURNS, connections))
        hosts = len({turn.hosts for turn in turns if turn.hosts})
        share = max(1, min(per_host, wanted // max(1, hosts)))
        for named, group in groupby(turns, key=lambda turn: bool(turn.hosts)):
            if named:
                offered = [turn._replace(limit=min(turn.limit, share)) for turn in group]
                items = await self._claim_turns(crawl, offered, wanted, min(connections, share))
            else:
                items = await self._claim_wide(crawl, list(group), full, per_host)
            if items:
                return items
        return await self._claim(crawl, EVERYTHING._replace(limit=WINDOW), full, per_host)

    async def _claim_turns(
        self, crawl: Crawl, turns: Sequence[Turn], limit: int, enough: int
    ) -> list[FrontierItem]:
        owner = self._options.owner
        brought = await self._committer.call(
            lambda store: store.claim_turns(
                crawl,
                turns,
                now=time.time(),
                limit=limit,
                owner=owner,
                lease_seconds=LEASE_SECONDS,
                enough=enough,
                horizon=HORIZON,
            )
        )
        for place, items in brought.items():
            self._guide.claimed(turns[place], len(items))
        return [item for items in brought.values() for item in items]

    async def _claim_wide(
        self, crawl: Crawl, turns: Sequence[Turn], full: set[str], per_host: int
    ) -> list[FrontierItem]:
        for turn in turns:
            wanted = turn._replace(limit=min(turn.limit, WINDOW))
            items = await self._claim(crawl, wanted, full, per_host)
            self._guide.claimed(wanted, len(items))
            if items:
                return items
        return []

    async def _claim(self, crawl: Crawl, turn: Turn, full: set[str], per_host: int) -> list[FrontierItem]:
        owner = self._options.owner
        band = None if turn.low == EVERYTHING.low and turn.high == EVERYTHING.high else (turn.low, turn.high)
        return await self._committer.call(
            lambda store: store.claim(
                crawl,
                now=time.time(),
                limit=turn.limit,
                owner=owner,
                lease_seconds=LEASE_SECONDS,
                per_host=per_host,
                skip_hosts=full,
                horizon=HORIZON,
                band=band,
            )
        )

    async def _recall(self, item: FrontierItem) -> None:
        host = item.host
        stored = await self._committer.call(lambda store: store.host(host))
        robots = await self._committer.call(lambda store: store.robots(host))
        self._hosts.recall(host, stored, robots, origin_of(item.url))

    def _give_back_if_held(self, host: str) -> None:
        """What waits for a host stays in memory only if the host may be asked soon."""
        now = time.time()
        if self._hosts.next_allowed(host, now) > now + LONG_HOLD:
            self._committer.findings.returned.extend(item.ref for item in self._window.remove(host))
            self._hosts.remember(host)
