"""Requests of account actions: each waits for its host's turn, under robots and within the budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from harvester.access.flow import Authorise, Flow, Wait
from harvester.crawl.admission import host_of, origin_of
from harvester.crawl.committer import Committer
from harvester.crawl.hosts import Hosts
from harvester.errors import AccessError, FetchError
from harvester.model.crawl import RobotsText
from harvester.model.http import OFFSITE, JarKey, Request, Response
from harvester.model.site import SiteFile
from harvester.policy.robots import ActionClass, gate, parse_robots
from harvester.ports.fetch import Fetcher

LONGEST_TURN = 120.0
"""A host that wants more patience than so many seconds is left for later."""

T = TypeVar("T")


class RobotsForbid(AccessError):
    """robots.txt forbids an account action, and the operator has recorded no decision."""

    def __init__(self, url: str, reason: str) -> None:
        self.url = url
        self.reason = reason
        hint = (
            "nothing to do; it is asked for again later"
            if reason == "robots_unavailable"
            else "record your decision in the site file (robots: account_actions: allowed, date, terms_url)"
        )
        super().__init__("robots.txt forbids it", hint=hint)


class Turns:
    """Sends what flows ask for, one request at a time."""

    def __init__(
        self,
        site: SiteFile,
        *,
        fetcher: Fetcher,
        hosts: Hosts,
        committer: Committer,
        spend: Callable[[], bool],
        agent: str,
    ) -> None:
        self._site = site
        self._fetcher = fetcher
        self._hosts = hosts
        self._committer = committer
        self._spend = spend
        self._agent = agent

    async def drive(
        self,
        flow: Flow[T],
        jar: JarKey,
        action: ActionClass = ActionClass.ACCOUNT,
        *,
        before_body: Callable[[], Awaitable[None]] | None = None,
    ) -> T:
        """Run a flow to its result. `before_body` is awaited when a form, or a password, is about to go out.

        Raises what the flow raises: `FetchError` where no answer came, `RobotsForbid`, `AccessError`.
        """
        try:
            step = next(flow)
            while True:
                if isinstance(step, Wait):
                    await asyncio.sleep(step.seconds)
                    step = flow.send(None)
                    continue
                if isinstance(step, Authorise):
                    if step.login is not None and before_body is not None:
                        await before_body()
                    self._fetcher.authorise(jar, step.origin, step.scheme, step.login)
                    step = flow.send(None)
                    continue
                try:
                    response = await self.send(step, jar, action, before_body=before_body)
                except (FetchError, AccessError) as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(response)
        except StopIteration as stop:
            result: T = stop.value
            return result
        finally:
            flow.close()

    async def send(
        self,
        request: Request,
        jar: JarKey,
        action: ActionClass = ActionClass.ACCOUNT,
        *,
        before_body: Callable[[], Awaitable[None]] | None = None,
    ) -> Response:
        """Send one request in its host's turn."""
        await self._allowed(request.url, action)
        await self.turn(request.url)
        if request.body is not None and before_body is not None:
            await before_body()

        def vet(url: str) -> str | None:
            return self._vet(url, action)

        host = host_of(request.url)
        try:
            response = await self._fetcher.fetch(request, vet=vet, jar=jar)
        except FetchError:
            self._hosts.answered(host, time.time(), status=None, seconds=0.0)
            raise
        self._hosts.answered(
            host,
            time.time(),
            status=response.status,
            seconds=response.latency,
            retry_after=response.headers.get("retry-after"),
        )
        return response

    def _vet(self, url: str, action: ActionClass) -> str | None:
        if host_of(url) not in self._site.hosts:
            return OFFSITE
        policy = self._hosts.policy(origin_of(url), time.time())
        refused = gate(self._site, action, url, policy, self._agent) if policy is not None else None
        if refused:
            return refused
        return None if self._count() else "max_requests"

    async def _allowed(self, url: str, action: ActionClass) -> None:
        origin, host = origin_of(url), host_of(url)
        if host not in self._hosts:
            stored = await self._committer.call(lambda store: store.host(host))
            robots = await self._committer.call(lambda store: store.robots(host))
            self._hosts.recall(host, stored, robots, origin)
        policy = self._hosts.policy(origin, time.time())
        if policy is None:
            await self.turn(url)
            answer = await self._fetcher.robots(origin)
            now = time.time()
            policy = parse_robots(answer.body, answer.status, now=now)
            self._hosts.learn_robots(origin, policy)
            self._hosts.answered(host, now, status=answer.status, seconds=0.0)
            text = answer.body.decode("latin-1").replace("\0", "")
            self._committer.findings.robots.append(RobotsText(host, text, answer.status or 0, now))
        refused = gate(self._site, action, url, policy, self._agent)
        if refused:
            raise RobotsForbid(url, refused)

    async def turn(self, url: str) -> None:
        """Wait until the host of `url` may be asked, and count the request.

        `AccessError` when that is far off, or the limit of requests is reached.
        """
        host = host_of(url)
        wait = self._hosts.next_allowed(host, time.time()) - time.time()
        if wait > LONGEST_TURN:
            raise AccessError(
                f"{host} wants to be left alone for {wait:.0f} s", hint="it is tried again in a later run"
            )
        if wait > 0:
            await asyncio.sleep(wait)
        if not self._count():
            raise AccessError("the limit of requests is reached", hint="the next run goes on")
        self._hosts.asked(host, time.time())

    def _count(self) -> bool:
        if not self._spend():
            return False
        self._committer.findings.figures.requests += 1
        return True
