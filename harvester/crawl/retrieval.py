"""Getting what a URL gives: the request, its redirects, reading the answer, and the way past walls."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable

from harvester.crawl.admission import host_of, origin_of, robots_refusal
from harvester.crawl.analysis import Analysis, Body, Page, TorrentBody, analyse_body
from harvester.crawl.committer import Committer
from harvester.crawl.context import VisitContext
from harvester.links import extract_links
from harvester.model.crawl import FrontierItem
from harvester.model.http import OFFSITE, JarKey, Request, Response
from harvester.model.link import Link
from harvester.model.site import Role
from harvester.model.wall import WallKind
from harvester.policy import never_fetch

LARGE_PAGE = 256 * 1024
"""Bytes from which a page is read in another process, so that it does not hold up the others."""

BUDGET = "max_requests"
_TELLING_HEADERS = frozenset(
    [
        b"cf-mitigated",
        b"server",
        b"content-type",
        b"content-disposition",
        b"location",
        b"www-authenticate",
        b"set-cookie",
        b"link",
        b"refresh",
        b"x-pingback",
        b"x-powered-by",
    ]
)
_TOKEN = re.compile(
    r"[?&;](?:aid|token|key|sign|hash|dlkey|downhash|auth|expires?|ts|sid)=[^&;#]*|/[0-9a-f]{32}(?=/|$)",
    re.IGNORECASE,
)
"""Parameters that make a download's address good for a while, or for one visitor."""
_NO_TOKEN_HELPS = frozenset(
    {WallKind.PAY, WallKind.BAN, WallKind.CHALLENGE, WallKind.ROBOTS, WallKind.PERMISSION}
)


class Retrieval:
    """Asks for one claimed URL, and again where the account opened a wall; raises `FetchError`."""

    def __init__(self, context: VisitContext, item: FrontierItem, committer: Committer) -> None:
        self._context = context
        self._item = item
        self._committer = committer
        self._off_site = item.host not in context.site.hosts
        self._is_download = item.role == Role.DOWNLOAD.value
        self._generation = 0

    async def ask(self, url: str) -> Response:
        """Send the visit's request, or the same for a fresh address of the same thing."""
        context = self._context
        request = Request(url, headers=self._conditional_headers(), referer=self._item.referrer)
        account = context.account
        self._generation = account.generation if account is not None else 0
        jar = account.jar if account is not None else JarKey(context.site.site)
        return await context.fetcher.fetch(
            request, vet=self._vet, limits=context.limits, jar=None if self._off_site else jar
        )

    def _conditional_headers(self) -> tuple[tuple[str, str], ...]:
        headers: list[tuple[str, str]] = []
        if not self._context.conditional:
            return ()
        if self._item.etag:
            headers.append(("If-None-Match", self._item.etag))
        if self._item.last_modified:
            headers.append(("If-Modified-Since", self._item.last_modified))
        return tuple(headers)

    def _vet(self, url: str) -> str | None:
        """May the redirect to `url` be followed?"""
        action = never_fetch.refusal(url)
        if action:
            return f"action:{action}"
        host = host_of(url)
        if host != self._item.host:
            return OFFSITE
        policy = self._context.robots.get(origin_of(url))
        if policy is not None:
            refused = robots_refusal(
                self._context.site, url, policy, self._context.agent, download=self._is_download
            )
            if refused:
                return refused
        if not self._context.budget.spend():
            return BUDGET
        self._committer.findings.figures.requests += 1
        return None

    async def past_the_walls(self, response: Response, analysis: Analysis) -> tuple[Response, Analysis]:
        """What came, or what came once the account had opened the wall before it."""
        account = self._context.account
        if account is None or self._off_site:
            return response, analysis
        url = self._item.url
        if await account.reopened(url, response.url, analysis, self._generation):
            response, analysis = await self._once_more(url)
        if self._is_download and not isinstance(analysis, TorrentBody):
            fresh = await self._fresh_address(analysis)
            if fresh:
                response, analysis = await self._once_more(fresh)
        elif isinstance(analysis, Page) and await account.replied(self._item, response.url, analysis):
            response, analysis = await self._opened(analysis, WallKind.REPLY)
        if isinstance(analysis, Page) and await account.bought(response.url, analysis):
            response, analysis = await self._opened(analysis, WallKind.PAY)
        if isinstance(analysis, Page):
            for block in await account.opened_by_reply(response.url, analysis):
                ignore = self._context.guide.ignored
                found = extract_links(block, response.url, encoding=analysis.encoding, ignore=ignore)
                self._stood_behind(found.links, WallKind.REPLY)
        return response, analysis

    async def _opened(self, closed: Page, wall: WallKind) -> tuple[Response, Analysis]:
        """Look at a page again that was opened; what it shows only now stood behind `wall`."""
        locked = {link.url for link in closed.links.links}
        response, analysis = await self._once_more(self._item.url)
        if isinstance(analysis, Page):
            self._stood_behind((link for link in analysis.links.links if link.url not in locked), wall)
        return response, analysis

    def _stood_behind(self, links: Iterable[Link], wall: WallKind) -> None:
        account = self._context.account
        assert account is not None
        for link in links:
            account.parked.behind[self._context.admissions.identity(link)] = wall.value

    async def _once_more(self, url: str) -> tuple[Response, Analysis]:
        assert self._context.account is not None
        await self._context.account.turn(url)
        response = await self.ask(url)
        return response, await self.analyse(response)

    async def _fresh_address(self, analysis: Analysis) -> str:
        """Another address of the same download, from the page that shows it: its token may be used up.

        "" when the address has no token, or the page shows no other one.
        """
        item, account = self._item, self._context.account
        assert account is not None
        if not item.referrer or not _TOKEN.search(item.url) or host_of(item.referrer) != item.host:
            return ""
        if isinstance(analysis, Page) and any(wall.kind in _NO_TOKEN_HELPS for wall in analysis.walls):
            return ""
        await account.turn(item.referrer)
        response = await self._context.fetcher.fetch(
            Request(item.referrer), vet=self._vet, limits=self._context.limits, jar=account.jar
        )
        page = await self.analyse(response)
        if not isinstance(page, Page):
            return ""
        bare = _TOKEN.sub("", item.url)
        for link in page.links.links:
            if link.url == item.url:
                continue
            same = self._context.admissions.judge(link, 0).key_hash == item.key_hash
            if same or _TOKEN.sub("", link.url) == bare:
                return link.url
        return ""

    async def analyse(self, response: Response) -> Analysis:
        headers: dict[bytes, bytes] = {}
        for field, value in response.headers.raw:
            if (name := field.lower()) in _TELLING_HEADERS:
                headers.setdefault(name, value)
        body = Body(
            content=response.body,
            url=response.url,
            asked=self._item.url,
            status=response.status,
            content_type=headers.get(b"content-type", b"").decode("latin-1"),
            headers=tuple(
                (name.decode("latin-1"), value.decode("latin-1")) for name, value in headers.items()
            ),
            encoding=self._context.site.encoding,
            engine=self._context.engine,
            ignore=self._context.guide.ignored,
        )
        if len(response.body) < LARGE_PAGE:
            return analyse_body(body, self._context.links)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._context.parser(), analyse_body, body)
