"""Whether a claimed URL may be asked for: robots.txt, refused hosts, traps, and what was read already."""

from __future__ import annotations

import time
from typing import NamedTuple

from harvester.crawl.admission import OPENED_BY_DECISION, origin_of, robots_refusal
from harvester.crawl.committer import Committer
from harvester.crawl.context import VisitContext
from harvester.crawl.hosts import Hosts
from harvester.crawl.options import Obstacle
from harvester.model.crawl import FrontierItem, Retry, RobotsText
from harvester.model.http import RobotsAnswer
from harvester.model.site import Role
from harvester.policy.robots import parse_robots


class Closed(NamedTuple):
    """A host of the site is closed before anything of it was read; `reason` says it in words."""

    obstacle: Obstacle
    reason: str


class Clearance:
    """Judges the URLs that come out of the window; what is not asked for is recorded with its reason."""

    def __init__(self, context: VisitContext, hosts: Hosts, committer: Committer) -> None:
        self._context = context
        self._hosts = hosts
        self._committer = committer

    def knows_robots(self, item: FrontierItem, now: float) -> bool:
        """Whether the robots.txt of the item's host was asked for and is fresh."""
        return self._hosts.policy(origin_of(item.url), now) is not None

    async def ask_robots(self, item: FrontierItem) -> Closed | None:
        """Fetch the robots.txt of the item's host; says so when that leaves nothing to wait for now."""
        origin = origin_of(item.url)
        own = item.host in self._context.site.hosts
        answer = await self._context.fetcher.robots(origin)
        now = time.time()
        policy = parse_robots(answer.body, answer.status, now=now)
        self._hosts.learn_robots(origin, policy)
        if answer.refused:
            self._hosts.refused[origin] = answer.refused
            return None
        if own or answer.status is not None:
            self._hosts.answered(item.host, now, status=answer.status, seconds=0.0)
        text = answer.body.decode("latin-1").replace("\0", "")
        self._committer.findings.robots.append(RobotsText(item.host, text, answer.status or 0, now))
        if policy.closed and self._committer.pages == 0 and own:
            return self._closed(origin, answer)
        return None

    def _closed(self, origin: str, answer: RobotsAnswer) -> Closed:
        errors = self._committer.findings.figures.errors
        if answer.status is None:
            kind, _, why = answer.why.partition(": ")
            errors[kind] += 1
            return Closed(Obstacle.UNREACHABLE, f"{origin} does not answer: {why or kind}")
        errors[f"robots_{answer.status}"] += 1
        reason = f"{origin}/robots.txt answers {answer.status}, which closes the site for now"
        return Closed(Obstacle.ROBOTS, reason)

    def may_visit(self, item: FrontierItem, began: float, now: float) -> bool:
        """Whether the URL is to be fetched; `began` is when the crawl did. Its host's robots.txt is known."""
        findings, own = self._committer.findings, item.host in self._context.site.hosts
        if self._was_read(item, began):
            findings.done.append(item.ref)
            findings.figures.left["already_read"] += 1
            return False
        origin = origin_of(item.url)
        if origin in self._hosts.refused:
            findings.pass_by(item, self._hosts.refused[origin], now)
            return False
        download = item.role == Role.DOWNLOAD.value
        trap = self._context.admissions.trap(item.url, is_download=download)
        if trap and own:
            findings.pass_by(item, f"trap:{trap}", now)
            return False
        policy = self._hosts.policy(origin, now)
        assert policy is not None
        context = self._context
        refused = robots_refusal(context.site, item.url, policy, context.agent, download=download)
        if not refused:
            return True
        if policy.closed and own:
            findings.retries.append(Retry(item.ref, policy.expires_at, item.attempt))
        elif download and not policy.closed:
            findings.done.append(item.ref)
            findings.park(item, "robots", OPENED_BY_DECISION, now)
        else:
            findings.pass_by(item, refused, now)
        return False

    def _was_read(self, item: FrontierItem, began: float) -> bool:
        context = self._context
        read_before = item.last_visit >= began and not item.attempt
        if read_before or item.key_hash in context.redirected_to:
            return True
        if item.attempt:
            return False
        return context.guide.was_read(item.url) or not context.guide.begins(item.key_hash)
