"""What waits behind walls, and its way back into the queue of a crawl."""

from __future__ import annotations

from collections.abc import Callable, Collection

from harvester.access.points import may_have_changed
from harvester.access.reply import thread_of
from harvester.crawl.admission import host_of
from harvester.crawl.committer import Committer
from harvester.crawl.replying import Replier
from harvester.model.crawl import FoundUrl, FrontierItem
from harvester.model.site import Role, SiteFile
from harvester.model.stored import Parked

_MOST_PARKED = 100_000
DOWNLOAD_FIRST = -1000.0


class ParkedItems:
    """The parked URLs of one site during one run.

    `behind` says by key hash which wall a URL stood behind, for the sightings of what it gives.
    """

    def __init__(self, site: SiteFile, committer: Committer, key: Callable[[str], int]) -> None:
        self._site = site
        self._committer = committer
        self._key = key
        self._parked: set[int] = set()
        self.behind: dict[int, str] = {}

    async def recall(self) -> None:
        """Take in what was parked before this run."""
        site = self._site.site
        parked = await self._committer.call(lambda store: store.parked(site, limit=_MOST_PARKED))
        self._parked = {item.key_hash for item in parked}

    def __contains__(self, key: int) -> bool:
        """Whether the URL was parked when the run began."""
        return key in self._parked

    def visit_start_pages(self) -> None:
        """Visit the start pages once more, with other eyes."""
        for url in self._site.start:
            self._committer.findings.found.append(
                FoundUrl(url, host_of(url), self._key(url), role=Role.START.value, seen=False, attempt=1)
            )

    def visit_later(self, item: FrontierItem, at: float) -> None:
        """Visit a URL again, not before `at` (UTC seconds)."""
        self._committer.findings.found.append(
            FoundUrl(
                url=item.url,
                host=item.host,
                key_hash=item.key_hash,
                priority=float(item.depth),
                depth=item.depth,
                role=item.role,
                rule=item.rule,
                hint=item.hint,
                due=at,
                attempt=1,
                seen=False,
            )
        )

    async def requeue(self, *kinds: str) -> None:
        """Put what was parked behind these walls back into the queue."""
        site = self._site.site
        findings = self._committer.findings
        waiting = [item for item in findings.parked if item.kind in kinds and item.role != Role.LOGIN.value]
        findings.parked = [item for item in findings.parked if item not in waiting]
        for item in waiting:
            self.behind[item.key_hash] = item.kind
            findings.found.append(_found(item, self._key(item.page_url) if item.page_url else None))
        for kind in kinds:
            parked = await self._committer.call(
                lambda store, kind=kind: store.parked(site, kind=kind, limit=_MOST_PARKED)  # type: ignore[misc]  # the loop's value is bound
            )
            for item in parked:
                if item.role == Role.LOGIN.value:
                    self._committer.findings.unparked.append(item.key_hash)
                    continue
                self.behind[item.key_hash] = item.kind
                self._committer.findings.unparked.append(item.key_hash)
                page_hash = self._key(item.page_url) if item.page_url else None
                self._committer.findings.found.append(_found(item, page_hash))

    async def requeue_replies(self, replier: Replier, approved: Collection[str]) -> None:
        """Visit again the threads that a reply may open now: approved ones, and as many as the cap leaves."""
        if not self._site.reply.allowed:
            return
        site = self._site.site
        room = await replier.room_today()
        for item in await self._committer.call(
            lambda store: store.parked(site, kind="reply", limit=_MOST_PARKED)
        ):
            if await replier.has_replied(item.url) or (thread_of(item.url) not in approved and room <= 0):
                continue
            room -= 1
            self._committer.findings.found.append(_found(item, self._key(item.page_url)))

    async def requeue_thread(self, thread: str) -> None:
        """Visit again what waits in one thread."""
        site = self._site.site
        for item in await self._committer.call(
            lambda store: store.parked(site, kind="reply", limit=_MOST_PARKED)
        ):
            if thread_of(item.url) == thread:
                self._committer.findings.found.append(
                    _found(item, self._key(item.page_url) if item.page_url else None)
                )

    async def requeue_for_points(self) -> None:
        """Visit again what is for points, where the limits of the site file may have let it in meanwhile."""
        site, policy = self._site.site, self._site.points
        for item in await self._committer.call(
            lambda store: store.parked(site, kind="pay", limit=_MOST_PARKED)
        ):
            if may_have_changed(policy, item.opens):
                self._committer.findings.found.append(
                    _found(item, self._key(item.page_url) if item.page_url else None)
                )

    def park_login(self, url: str, now: float) -> None:
        """The login page itself waits for the operator's decision on robots.txt."""
        self._committer.findings.figures.walls["robots"] += 1
        self._committer.findings.parked.append(
            Parked(
                key_hash=self._key(url),
                url=url,
                kind="robots",
                since=now,
                opens="the operator's recorded decision in the site file (robots: account_actions)",
                role=Role.LOGIN.value,
            )
        )


def _found(item: Parked, page_hash: int | None) -> FoundUrl:
    is_download = item.role == Role.DOWNLOAD.value
    return FoundUrl(
        url=item.url,
        host=host_of(item.url),
        key_hash=item.key_hash,
        priority=item.depth + (DOWNLOAD_FIRST if is_download else 0.0),
        depth=item.depth,
        role=item.role,
        rule=item.rule,
        hint=item.anchor,
        page_hash=page_hash,
        attempt=1,
        seen=False,
    )
