"""One visit: fetch a URL, recognise what came, and say what follows from it.

Nothing is decided here about order or time; what a visit finds goes into `Findings`, which the engine
commits.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace

import xxhash

from harvester.access import points
from harvester.crawl.admission import host_of, origin_of, robots_refusal
from harvester.crawl.analysis import Analysis, Body, OtherBody, Page, TorrentBody, analyse_body
from harvester.crawl.committer import Committer
from harvester.crawl.context import VisitContext
from harvester.crawl.findings import Findings
from harvester.crawl.going_on import PARAMETERS, TRAP
from harvester.crawl.harvest import PageGave, PageHarvest
from harvester.crawl.roles import guess_role
from harvester.crawl.taken import take_torrent
from harvester.errors import ConnectFailed, FetchError, NameNotResolved, Refused, TimedOut
from harvester.links import key_hash
from harvester.links.canonical import is_alias
from harvester.model.crawl import FoundUrl, FrontierItem, LeftUrl, Retry, UrlState, Visited
from harvester.model.http import OFFSITE, JarKey, Request, Response
from harvester.model.order import Came, PageSeen
from harvester.model.redact import redact_url
from harvester.model.site import Role
from harvester.model.stored import Event, PageVersion, Parked, Source
from harvester.model.text import Fingerprint
from harvester.model.wall import Wall, WallKind, WallScope
from harvester.policy import never_fetch
from harvester.policy.trapwatch import kind_of

LARGE_PAGE = 256 * 1024
"""Bytes from which a page is read in another process, so that it does not hold up the others."""

BUDGET = "max_requests"
NO_ANSWER = (ConnectFailed, NameNotResolved, TimedOut)
"""Errors that say something about the host and not only about one URL."""
MAX_ATTEMPTS = 3
MAX_TIMEOUTS = 2
"""A URL that is only slow costs its host much time: it gets one more chance."""
_HEADERS_OF_WALLS = frozenset(
    [
        b"cf-mitigated",
        b"server",
        b"content-type",
        b"content-disposition",
        b"location",
        b"www-authenticate",
        b"set-cookie",
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
_GONE = frozenset({404, 410})
_CAME = {"torrent": Came.TORRENT, "redirect": Came.REDIRECT}
_CAME_TO = {"parked": Came.WALL, "gone": Came.GONE, "left": Came.OTHER, "failed": Came.FAILED}
_COME_BACK = frozenset({408, 425, 429, 500, 502, 503, 504, 507, 509, 520, 521, 522, 523, 524})


@dataclass(frozen=True, slots=True)
class Answer:
    """What the host's patience needs to know: the status (None: no answer) and how long it took."""

    status: int | None
    seconds: float
    retry_after: str = ""


class Visit:
    """One URL from the frontier, from the request to the findings."""

    def __init__(self, context: VisitContext, item: FrontierItem, committer: Committer, now: float) -> None:
        self._context = context
        self._item = item
        self._committer = committer
        self._now = now
        self._is_new_torrent = False
        self._off_site = item.host not in context.site.hosts
        self._generation = 0
        self._parked = False

    @property
    def _findings(self) -> Findings:
        """The batch that is open now: others may have been committed while this visit waited."""
        return self._committer.findings

    async def run(self) -> Answer:
        """Send the request and take in what comes; errors of the network are findings, not exceptions."""
        try:
            response = await self._ask(self._item.url)
        except Refused as error:
            self._refused(error)
            return Answer(200, 0.0)
        except FetchError as error:
            self._failed(error.kind, transient=error.transient)
            return Answer(None if isinstance(error, NO_ANSWER) else 200, 0.0)
        answer = Answer(response.status, response.latency, response.headers.get("retry-after"))
        try:
            await self._take(response)
        except FetchError as error:  # of a request that was sent once more
            self._failed(error.kind, transient=error.transient)
        return answer

    async def _ask(self, url: str) -> Response:
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
        self._findings.figures.requests += 1
        return None

    @property
    def _is_download(self) -> bool:
        return self._item.role == Role.DOWNLOAD.value

    # What came -------------------------------------------------------------------------------------

    async def _take(self, response: Response) -> None:
        if response.stopped == OFFSITE:
            self._redirected_away(response)
            return
        if response.status == 304:
            self._end("done", "not_modified", response)
            return
        if response.status in _COME_BACK:
            self._failed(f"http_{response.status}", transient=True, response=response)
            return
        response, analysis = await self._past_the_walls(response, await self._analyse(response))
        match analysis:
            case TorrentBody():
                self._torrent(analysis, response)
            case Page():
                self._page(analysis, response)
            case OtherBody():
                self._other(analysis, response)

    async def _past_the_walls(self, response: Response, analysis: Analysis) -> tuple[Response, Analysis]:
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
            locked = {link.url for link in analysis.links.links}
            response, analysis = await self._once_more(url)
            if isinstance(analysis, Page):
                for link in analysis.links.links:
                    if link.url not in locked:
                        account.parked.behind[self._context.admissions.judge(link, 0).key_hash] = (
                            WallKind.REPLY.value
                        )
        return response, analysis

    async def _once_more(self, url: str) -> tuple[Response, Analysis]:
        assert self._context.account is not None
        await self._context.account.turn(url)
        response = await self._ask(url)
        return response, await self._analyse(response)

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
        page = await self._analyse(response)
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

    async def _analyse(self, response: Response) -> Analysis:
        headers: dict[bytes, bytes] = {}
        for field, value in response.headers.raw:
            if (name := field.lower()) in _HEADERS_OF_WALLS:
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

    def _torrent(self, body: TorrentBody, response: Response) -> None:
        source = Source(
            page_url=self._item.referrer or self._item.url,
            page_hash=self._context.admissions.key(self._item.referrer or self._item.url),
            download_url=self._item.url,
            download_hash=self._item.key_hash,
            title=self._item.hint,
            anchor=self._item.hint,
            rule=self._item.rule,
            wall=self._wall_behind,
        )
        taken = take_torrent(body.torrent, body.content, source)
        infohash = body.torrent.infohash_v1 or body.torrent.infohash_v2 or ""
        self._is_new_torrent = self._context.torrents.add(key_hash(infohash))
        self._findings.torrents += [taken, *self._context.downloads.taken(taken)]
        digest = bytes.fromhex(body.torrent.md5)
        self._end("done", "torrent", response, role=Role.DOWNLOAD.value, digest=digest)

    @property
    def _wall_behind(self) -> str:
        account = self._context.account
        return account.parked.behind.get(self._item.key_hash, "") if account is not None else ""

    def _page(self, page: Page, response: Response) -> None:
        walls = [wall for wall in page.walls if wall.scope is WallScope.PAGE]
        if walls:
            self._walled(walls[0], response)
        elif response.status in _GONE:
            self._end("gone", f"http_{response.status}", response)
            self._leave("gone")
        elif response.status >= 400:
            self._http_error(response)
        elif self._off_site or (self._is_download and page.kind == "html" and not page.links.links):
            self._leave("not_a_torrent")
            self._end("left", "not_a_torrent", response)
        elif page.soft_404:
            if page.text is not None:
                self._watch_for_traps(response.url, page.text.fingerprint, PageGave())
            self._leave("soft_404")
            self._end("gone", "soft_404", response)
        else:
            self._read(page, response)

    def _read(self, page: Page, response: Response) -> None:
        """Take in a readable document: its links, magnets, walled parts and text."""
        item, findings = self._item, self._findings
        if not self._off_site:
            self._context.look_at(page)
        if response.redirects:
            self._read_as(response.url, "read_by_redirect", response)
        canonical = page.links.canonical
        if canonical is not None and not self._off_site and is_alias(response.url, canonical):
            self._read_as(canonical, "read_by_canonical", response)
        findings.figures.pages += 1
        gave = PageHarvest(self._context, item, page, response.url, findings, self._now).take()
        if self._context.guide.relearn_keys():
            findings.met += self._context.rekey()
            detail = {"ignored": sorted(self._context.guide.ignored)}
            findings.events.append(Event(self._now, PARAMETERS, self._context.site.site, detail))
        fingerprint = page.text.fingerprint if page.text is not None else None
        if fingerprint is not None and not page.walls:
            self._watch_for_traps(response.url, fingerprint, gave)
        for wall in page.walls:
            if wall.scope is WallScope.PART:
                self._park(wall.kind.value, wall.opens_by)
        digest = (fingerprint.exact & (2**64 - 1)).to_bytes(8, "big") if fingerprint is not None else b""
        if not digest:
            digest = xxhash.xxh3_64_digest(response.body)
        is_copy = self._is_copy(page)
        self._end(
            "done",
            "near_duplicate" if is_copy else "page",
            response,
            role=item.role or guess_role(page.links),
            digest=digest,
            fingerprint=_signed(fingerprint.simhash) if fingerprint is not None else None,
        )
        if page.text is not None and not is_copy:
            account = self._context.account
            version = _page_version(item, page, response.url, digest, self._now)
            findings.pages.append(_without_keys(version) if account and account.member else version)

    def _read_as(self, url: str, outcome: str, response: Response) -> None:
        """The page has another address, which is read with it: a link there need not be followed any more."""
        key = self._context.admissions.key(url)
        if key == self._item.key_hash:
            return
        self._context.redirected_to.add(key)
        self._findings.visited.append(
            Visited(
                key_hash=key,
                url=url,
                at=self._now,
                state="done",
                outcome=outcome,
                role=self._item.role,
                rule=self._item.rule,
                depth=self._item.depth,
                status=response.status,
            )
        )

    def _is_copy(self, page: Page) -> bool:
        """Whether another page of this run said the same before; that one is kept."""
        text = page.text
        if text is None or self._off_site:
            return False
        key = str(self._item.key_hash)
        if self._context.copies.first_like(key, text.fingerprint, title=text.title) is None:
            return False
        self._leave("near_duplicate")
        return True

    def _watch_for_traps(self, url: str, fingerprint: Fingerprint, gave: PageGave) -> None:
        verdict = self._context.traps.observe(
            url,
            _signed(fingerprint.simhash),
            useful=gave.torrents > 0,
            feeds_itself=bool(gave.links) and all(kind_of(link) == kind_of(url) for link in gave.links),
        )
        if verdict is not None:
            self._context.admissions.forget()
            detail = {"pattern": verdict.pattern, "reason": verdict.reason}
            self._findings.events.append(Event(self._now, TRAP, self._context.site.site, detail))
            self._findings.left.append(LeftUrl(f"trap:{verdict.reason}", url))
            self._findings.figures.left[f"trap:{verdict.reason}"] += 1

    def _other(self, body: OtherBody, response: Response) -> None:
        if response.status in _GONE:
            self._end("gone", f"http_{response.status}", response)
            self._leave("gone")
        elif response.status in (401, 403):
            kind = WallKind.LOGIN if response.status == 401 else WallKind.PERMISSION
            self._park(kind.value, "an account that may see it")
            self._end("parked", kind.value, response)
        elif response.status >= 400:
            self._http_error(response)
        elif body.kind in ("empty", "truncated", "broken_torrent") and (
            self._is_download or body.kind != "empty"
        ):
            self._failed(body.kind, transient=body.kind != "broken_torrent", response=response)
        else:
            self._leave(f"type:{body.kind}")
            self._end("left", body.kind, response)

    # What did not come -----------------------------------------------------------------------------

    def _http_error(self, response: Response) -> None:
        self._failed(f"http_{response.status}", transient=False, response=response)

    def _refused(self, error: Refused) -> None:
        """A redirect that was not followed, or an address that may not be asked."""
        if error.reason == BUDGET:
            self._findings.returned.append(self._item.ref)
            return
        if error.reason.startswith("robots"):
            self._park("robots", "the operator's recorded decision in the site file")
            self._end("parked", "robots", None)
            return
        if self._is_download and points.spends(error.url):
            refusal = points.spending_refusal(self._context.site.points, None)
            self._park(WallKind.PAY.value, refusal)
            self._end("parked", WallKind.PAY.value, None)
            return
        self._leave(error.reason)
        self._end("left", error.reason, None)

    def _failed(self, kind: str, *, transient: bool, response: Response | None = None) -> None:
        """Try again later if that makes sense, else count the error and go on."""
        attempt = self._item.attempt + 1
        if transient and attempt < (MAX_ATTEMPTS if kind != TimedOut.kind else MAX_TIMEOUTS):
            due = self._now + self._context.patience * 2 ** (attempt - 1)
            self._findings.retries.append(Retry(self._item.ref, due, attempt))
            self._findings.visits += 1
            return
        self._findings.figures.errors[kind] += 1
        self._end("failed", kind, response)

    def _redirected_away(self, response: Response) -> None:
        """A redirect that leaves the host: to another host of the site, a torrent elsewhere, or off topic."""
        target, host = response.next_url, host_of(response.next_url)
        own = host in self._context.site.hosts
        if (own or self._is_download) and not self._off_site:
            self._findings.found.append(
                FoundUrl(
                    url=target,
                    host=host,
                    key_hash=self._context.admissions.key(target),
                    priority=float(self._item.depth),
                    depth=self._item.depth,
                    role=self._item.role,
                    rule=self._item.rule,
                    hint=self._item.hint,
                )
            )
        else:
            self._findings.left.append(LeftUrl("redirect_off_site", target))
            self._findings.figures.left["redirect_off_site"] += 1
        self._end("left" if not own else "done", "redirect", response)

    def _walled(self, wall: Wall, response: Response) -> None:
        self._park(wall.kind.value, wall.opens_by)
        self._end("parked", wall.kind.value, response)

    # The book-keeping ------------------------------------------------------------------------------

    def _park(self, kind: str, opens: str) -> None:
        item = self._item
        self._parked = True
        if self._context.account is not None:
            opens = self._context.account.opens_by(kind, opens)
        self._findings.figures.walls[kind] += 1
        self._findings.parked.append(
            Parked(
                key_hash=item.key_hash,
                url=item.url,
                kind=kind,
                since=self._now,
                opens=opens,
                page_url=item.referrer,
                anchor=item.hint,
                role=item.role,
                rule=item.rule,
                depth=item.depth,
            )
        )

    def _leave(self, reason: str) -> None:
        self._findings.figures.left[reason] += 1
        self._findings.left.append(LeftUrl(reason, self._item.url))

    def _tell(self, state: UrlState, outcome: str) -> None:
        """Let the guide know of a visit that brought no readable page (those tell it themselves)."""
        came = _CAME.get(outcome) or _CAME_TO.get(state)
        if came is None or self._off_site:
            return
        item = self._item
        self._context.guide.seen(
            PageSeen(
                url=item.url,
                host=item.host,
                key_hash=item.key_hash,
                came=came,
                depth=item.depth,
                role=item.role,
                rule=item.rule,
                note=item.tunnel,
                priority=item.ref.priority,
                torrents=came is Came.TORRENT and self._is_new_torrent,
                repeated=came is Came.TORRENT and not self._is_new_torrent,
            )
        )

    def _end(
        self,
        state: UrlState,
        outcome: str,
        response: Response | None,
        *,
        role: str = "",
        digest: bytes = b"",
        fingerprint: int | None = None,
    ) -> None:
        """The URL is done with for this crawl."""
        item, findings = self._item, self._findings
        self._tell(state, outcome)
        findings.done.append(item.ref)
        findings.visits += 1
        account = self._context.account
        if account is not None and not self._parked and item.key_hash in account.parked:
            findings.unparked.append(item.key_hash)
        keep = response is not None and response.status == 200
        findings.visited.append(
            Visited(
                key_hash=item.key_hash,
                url=item.url,
                at=self._now,
                state=state,
                outcome=outcome,
                role=role or item.role,
                rule=item.rule,
                depth=item.depth,
                status=response.status if response is not None else None,
                size=len(response.body) if response is not None else 0,
                seconds=response.elapsed if response is not None else 0.0,
                etag=response.headers.get("etag")[:200] if keep and response is not None else None,
                last_modified=response.headers.get("last-modified")[:64]
                if keep and response is not None
                else None,
                digest=digest,
                fingerprint=fingerprint,
            )
        )


def _signed(value: int) -> int:
    """An unsigned 64-bit number as the signed one that a database column holds."""
    return value - (1 << 64) if value >= 1 << 63 else value


def _without_keys(version: PageVersion) -> PageVersion:
    """A member's page without the keys of the member's session in its links."""
    return replace(version, links=[(redact_url(url), anchor) for url, anchor in version.links])


def _page_version(item: FrontierItem, page: Page, url: str, digest: bytes, now: float) -> PageVersion:
    assert page.text is not None
    return PageVersion(
        key_hash=item.key_hash,
        url=url,
        reversed_host=".".join(reversed(item.host.partition(":")[0].split("."))),
        at=now,
        digest=digest,
        title=page.text.title,
        text=page.text.main_text,
        links=[(link.url, link.anchor) for link in page.links.links],
        language=page.text.language,
        fingerprint=_signed(page.text.fingerprint.simhash),
        heading=page.text.heading,
    )
