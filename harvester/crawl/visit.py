"""One visit: fetch a URL, recognise what came, and say what follows from it.

Nothing is decided here about order or time; what a visit finds goes into `Findings`, which the engine
commits.
"""

from __future__ import annotations

import xxhash
from msgspec import Struct
from msgspec.structs import replace

from harvester.access import points
from harvester.crawl.admission import Fate, host_of
from harvester.crawl.analysis import OtherBody, Page, TorrentBody
from harvester.crawl.committer import Committer
from harvester.crawl.context import VisitContext
from harvester.crawl.findings import Findings, visited
from harvester.crawl.going_on import PARAMETERS, TRAP
from harvester.crawl.harvest import PageGave, PageHarvest
from harvester.crawl.retrieval import BUDGET, Retrieval
from harvester.crawl.roles import guess_role
from harvester.crawl.taken import take_torrent
from harvester.errors import ConnectFailed, FetchError, NameNotResolved, Refused, TimedOut
from harvester.links import canonical_key, key_hash
from harvester.links.canonical import is_alias
from harvester.model.crawl import FoundUrl, FrontierItem, Retry, UrlState, Visited
from harvester.model.http import OFFSITE, Response
from harvester.model.link import Link
from harvester.model.order import Came, PageSeen
from harvester.model.redact import redact_url
from harvester.model.site import Role
from harvester.model.stored import Event, PageVersion, Source
from harvester.model.text import Fingerprint
from harvester.model.wall import Wall, WallKind, WallScope
from harvester.policy.trapwatch import kind_of

NO_ANSWER = (ConnectFailed, NameNotResolved, TimedOut)
"""Errors that say something about the host and not only about one URL."""
MAX_ATTEMPTS = 3
MAX_TIMEOUTS = 2
"""A URL that is only slow costs its host much time: it gets one more chance."""
_GONE = frozenset({404, 410})
_CAME = {"torrent": Came.TORRENT, "redirect": Came.REDIRECT}
_CAME_TO = {"parked": Came.WALL, "gone": Came.GONE, "left": Came.OTHER, "failed": Came.FAILED}
_COME_BACK = frozenset({408, 425, 429, 500, 502, 503, 504, 507, 509, 520, 521, 522, 523, 524})


class Answer(Struct, frozen=True):
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
        self._retrieval = Retrieval(context, item, committer)
        self._parked = False
        self._asked = item.url

    @property
    def _findings(self) -> Findings:
        """The batch that is open now: others may have been committed while this visit waited."""
        return self._committer.findings

    async def run(self) -> Answer:
        """Send the request and take in what comes; errors of the network are findings, not exceptions."""
        try:
            response = await self._retrieval.ask(self._address())
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

    def _address(self) -> str:
        """Where the URL is asked for: since the site moved, maybe elsewhere, if that may be asked for."""
        url = self._context.guide.address(self._item.url)
        if url == self._item.url:
            return url
        link = Link(url=url, key=canonical_key(url))
        fate = self._context.admissions.judge(link, self._item.depth).fate
        self._asked = url if fate is Fate.FETCH and host_of(url) == self._item.host else self._item.url
        return self._asked

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
        response, analysis = await self._retrieval.past_the_walls(
            response, await self._retrieval.analyse(response)
        )
        match analysis:
            case TorrentBody():
                self._torrent(analysis, response)
            case Page():
                self._page(analysis, response)
            case OtherBody():
                self._other(analysis, response)

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
        if response.url != self._item.url:
            self._read_as(response.url, "read_by_redirect", response)
        canonical = page.links.canonical
        if canonical is not None and not self._off_site and is_alias(response.url, canonical):
            self._read_as(canonical, "read_by_canonical", response)
        findings.figures.pages += 1
        gave = PageHarvest(
            self._context, item, page, response.url, findings, self._now, self._led_to(response)
        ).take()
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
            replace(
                visited(self._item, self._now, "done", outcome),
                key_hash=key,
                url=url,
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
            leads_to=gave.links,
        )
        if verdict is not None:
            self._context.admissions.forget()
            detail = {"pattern": verdict.pattern, "reason": verdict.reason}
            self._findings.events.append(Event(self._now, TRAP, self._context.site.site, detail))
            self._findings.leave(f"trap:{verdict.reason}", url)

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
            self._findings.leave("redirect_off_site", target)
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
        self._findings.park(item, kind, opens, self._now)

    def _leave(self, reason: str) -> None:
        self._findings.leave(reason, self._item.url)

    def _led_to(self, response: Response | None) -> tuple[str, ...]:
        """Where the URL led: a new address of the site's, and redirects from there."""
        moved = (self._asked,) if self._asked != self._item.url else ()
        hops = response.redirects if response is not None else ()
        return (*moved, *(hop.location for hop in hops))

    def _tell(self, state: UrlState, outcome: str, response: Response | None) -> None:
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
                redirects=self._led_to(response),
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
        self._tell(state, outcome, response)
        findings.done.append(item.ref)
        findings.visits += 1
        account = self._context.account
        if account is not None and not self._parked and item.key_hash in account.parked:
            findings.unparked.append(item.key_hash)
        visit = visited(item, self._now, state, outcome)
        visit = replace(visit, role=role or item.role, digest=digest, fingerprint=fingerprint)
        findings.visited.append(_answered(visit, response) if response is not None else visit)


def _signed(value: int) -> int:
    """An unsigned 64-bit number as the signed one that a database column holds."""
    return value - (1 << 64) if value >= 1 << 63 else value


def _answered(visit: Visited, response: Response) -> Visited:
    """The visit with what is worth keeping of its answer; validators only of a whole one."""
    visit = replace(visit, status=response.status, size=len(response.body), seconds=response.elapsed)
    if response.status != 200:
        return visit
    return replace(
        visit,
        etag=response.headers.get("etag")[:200],
        last_modified=response.headers.get("last-modified")[:64],
    )


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
