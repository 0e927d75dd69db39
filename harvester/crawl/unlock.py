"""The operator's account in a crawl: logging in, staying logged in, and opening what was parked for it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection

from msgspec.structs import replace

from harvester.access.expiry import session_ended
from harvester.access.membership import Seen, seen_as
from harvester.access.opened import opened_blocks
from harvester.access.reply import Decision, ReplyDecision, ReplyResult
from harvester.crawl.account_work import AccountWork
from harvester.crawl.analysis import Analysis, OtherBody, Page
from harvester.crawl.parked import ParkedItems
from harvester.crawl.replying import Replier, hides_for_reply
from harvester.crawl.session import AccountMeans, AccountSession
from harvester.crawl.spending import Buyer, sells
from harvester.errors import AccessError
from harvester.model.account import AccountState, Verdict
from harvester.model.crawl import FrontierItem
from harvester.model.http import JarKey
from harvester.model.wall import WallKind, WallScope
from harvester.text.tree import parse_tree

_TRUST_SECONDS = 60.0
"""For so long a page that was asked for to see whether we are logged in speaks for those that refuse us."""
_ON_EVERY_PAGE = 5
"""Pages that showed a link of members' only, after which one without it is doubted."""


class Unlocker:
    """The account of one site during one run. `generation` counts the sessions of the run.

    Without an account (no `account` in the site file, no imported cookies) it does nothing, and `jar` is
    the guest's.
    """

    def __init__(
        self,
        work: AccountWork,
        means: AccountMeans,
        *,
        key: Callable[[str], int],
    ) -> None:
        self._site = work.site
        self._turns = work.turns
        self._fetcher = work.fetcher
        self._clock = work.clock
        self._lock = asyncio.Lock()
        self._verified_at = 0.0
        self._marked = 0
        self._hinted = False
        self.generation = 0
        self._next_slot = 0.0
        self._slots = 0
        self.parked = ParkedItems(work.site, work.committer, key)
        self.session = AccountSession(
            work, means, on_robots=lambda url: self.parked.park_login(url, work.clock())
        )
        self._replier = Replier(
            work, load=self.session.load, change=self.session.change, alert=self.session.alert
        )
        self._buyer = Buyer(work, alert=self.session.alert)
        self._opens_reply = self._opens_pay = ""
        """What would open the thread, the item for points, that was met last."""

    @property
    def member(self) -> bool:
        """Whether requests go out as a member's."""
        return self.session.member

    @property
    def jar(self) -> JarKey:
        """The cookies to ask with."""
        return self.session.jar if self.session.member else JarKey(self._site.site)

    @property
    def has_account(self) -> bool:
        """Whether there is an account at all."""
        return self._site.account.configured or self.member

    # The beginning ---------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Take up the session of the last run, or log in; then queue what was parked for it.

        Raises `AccessError` only where going on would be wrong: the account file is open to others.
        """
        self.session.recall()
        await self.parked.recall()
        if not self.member and self._site.account.configured:
            waiting = self.session.state.challenge
            is_login = waiting is not None and waiting.reply is None
            if waiting is not None and is_login and waiting.answer and self._clock() < waiting.deadline:
                await self.session.answer()
            else:
                await self.session.log_in()
        if self.member:
            await self.parked.requeue("login", "second_factor")
        if self._site.robots.account_actions_allowed:
            await self.parked.requeue("robots")
        if self.member:
            await self.parked.requeue_replies(self._replier, self.session.state.approved)
            await self.parked.requeue_for_points()

    async def look(self) -> None:
        """See whether the operator answered, approved or brought something meanwhile, and act on it."""
        if not self.has_account:
            return
        try:
            state = self.session.load()
        except AccessError:
            return
        known = self.session.state
        if state == known:
            return
        self.session.state = state
        if self.member:
            await self._answer_reply()
            if set(state.approved) - set(known.approved):
                await self.parked.requeue_replies(self._replier, state.approved)
            return
        if await self._took_up(state):
            await self._entered()

    async def _answer_reply(self) -> None:
        """Send the reply whose captcha was answered, and visit its thread."""
        waiting = self.session.state.challenge
        if waiting is None or not waiting.answer or waiting.reply is None:
            return
        async with self._lock:
            result = await self._replier.answer(waiting, self.jar)
        if result.sent:
            await self.parked.requeue_thread(waiting.reply.thread)

    async def _took_up(self, state: AccountState) -> bool:
        """Go on with a login as the operator's word in `state` allows; whether we are a member now."""
        challenge = state.challenge
        if challenge is not None and challenge.answer and challenge.reply is None:
            await self.session.answer()
        elif state.wanted:
            self.session.change(lambda kept: replace(kept, wanted=False))
            await self.session.log_in(by_operator=True)
        elif state.cookies and state.imported:
            self.session.use_cookies()
            self.session.member = True
        return self.session.member

    async def _entered(self) -> None:
        """In the middle of a crawl: what was closed is visited now, and the start pages once more."""
        self.generation += 1
        await self.parked.requeue("login", "second_factor")
        await self.parked.requeue_replies(self._replier, self.session.state.approved)
        self.parked.visit_start_pages()

    # During the crawl ------------------------------------------------------------------------------

    async def reopened(self, url: str, landed: str, analysis: Analysis, generation: int) -> bool:
        """Whether the session had ended and is open again, so that the request is to be sent once more.

        `landed` is where the request led, `generation` that of the session with which it was sent.
        """
        if not self.member and generation == self.generation:
            return await self._shown_the_way(url, landed, analysis)
        why = self._ended(analysis)
        if not why:
            return False
        async with self._lock:
            if generation != self.generation:
                return self.member
            if self._verified_at > self._clock() - _TRUST_SECONDS and not why.startswith("the page"):
                return False
            return await self._log_in_again(url, why)

    async def _shown_the_way(self, url: str, landed: str, analysis: Analysis) -> bool:
        """A wall leads to the login page that was not found before: try once more from there."""
        if self._hinted or self.session.last is not Verdict.NO_FORM or not isinstance(analysis, Page):
            return False
        if not any(wall.kind is WallKind.LOGIN and wall.scope is WallScope.PAGE for wall in analysis.walls):
            return False
        async with self._lock:
            if not self._hinted:
                self._hinted = True
                if (await self.session.log_in(hint=landed, probe=url)).verdict is Verdict.OK:
                    await self._entered()
        return self.member

    async def _log_in_again(self, url: str, why: str) -> bool:
        if not self._site.account.configured:
            self.session.record("session_expired", why=why)
            self.session.ended(imported=True)
            self.session.tell(
                "expired", "the imported session has ended (import fresh cookies: harvest account add)"
            )
            return False
        result = await self.session.log_in(probe=url)
        if result.verdict is Verdict.OK and not result.sent:
            self._verified_at = self._clock()  # still logged in: the wall is there for members, too
            return False
        self.session.record("session_expired", why=why, again=result.verdict.value)
        if result.verdict is not Verdict.OK:
            self.session.ended()
            self.generation += 1
            return False
        self.generation += 1
        await self.parked.requeue("login")
        return True

    def _ended(self, analysis: Analysis) -> str:
        match analysis:
            case Page():
                if analysis.kind != "html":
                    return ""
                seen, _ = seen_as(analysis.html, link=self.session.state.member_link)
                if seen is Seen.MEMBER:
                    self.session.proved = True
                    self.session.proved_at = self._clock()
                    self._marked += 1
                elif (
                    seen is Seen.UNKNOWN and self.session.state.member_link and self._marked >= _ON_EVERY_PAGE
                ):
                    seen = Seen.GUEST
                return session_ended(analysis.walls, seen, proved=self.session.proved)
            case OtherBody(kind="empty"):
                return ""
        return ""

    def opens_by(self, kind: str, otherwise: str) -> str:
        """What would open a wall of this kind."""
        if kind == WallKind.LOGIN.value and self._site.account.configured and not self.member:
            return self.session.closed_because or otherwise
        if kind == WallKind.LOGIN.value and self.member:
            return "more rights than the account has"
        if kind == WallKind.REPLY.value:
            said, self._opens_reply = self._opens_reply, ""
            return said or otherwise
        if kind == WallKind.PAY.value:
            said, self._opens_pay = self._opens_pay, ""
            return said or otherwise
        return otherwise

    async def end(self) -> None:
        """Keep the session for the next run."""
        if not self.member:
            return
        cookies = self._fetcher.cookies(self.session.jar)
        with contextlib.suppress(AccessError):
            self.session.change(
                lambda state: replace(
                    state, cookies=cookies, proved_at=max(state.proved_at, self.session.proved_at)
                )
            )

    async def turn(self, url: str) -> None:
        """Wait until the host may be asked once more; counts the request."""
        await self._turns.turn(url)

    async def replied(self, item: FrontierItem, url: str, page: Page) -> bool:
        """Whether a reply was sent that should open what the page hides."""
        if not (self.member and hides_for_reply(page)):
            return False
        if not self._site.reply.allowed:
            self._opens_reply = "a reply in this thread, and replying is not allowed in the site file (reply)"
            return False
        async with self._lock:
            decision = await self._replier.decide(item, url, page)
            match decision.decision:
                case Decision.GO:
                    result = await self._replier.reply(item, url, page, self.jar, decision.text)
                    if result.asked is not None:
                        result = await self._solved(result)
                    if result.verdict in ("posted", "unknown") and result.sent:
                        return True
                    self._opens_reply = f"the reply was not accepted ({result.verdict})"
                    if result.asked is not None or result.verdict == "waits":
                        self._opens_reply = f"a captcha that waits for you: harvest captcha {self._site.site}"
                    if result.verdict == "flood":
                        self.parked.visit_later(item, self._clock() + result.seconds + 1.0)
                case Decision.WAIT:
                    await self._take_a_slot(item, decision)
                case Decision.ASK:
                    self._replier.propose(url, decision.text)
                    self._opens_reply = f"{decision.why} {self._site.site}"
                case Decision.NO:
                    self._opens_reply = decision.why
        return False

    async def _solved(self, asked: ReplyResult) -> ReplyResult:
        """The reply, sent with the answer of the site's plugged-in solver; as it was where it has none."""
        waiting = self.session.state.challenge
        if waiting is None or not await self.session.solved(waiting):
            return asked
        answered = self.session.state.challenge
        return await self._replier.answer(answered, self.jar) if answered is not None else asked

    async def opened_by_reply(self, url: str, page: Page) -> list[str]:
        """The blocks of a page that an earlier reply of ours has opened; most pages have none."""
        if not (self.member and self._site.reply.allowed and page.html) or hides_for_reply(page):
            return []
        return list(opened_blocks(parse_tree(page.html))) if await self._replier.has_replied(url) else []

    async def bought(self, url: str, page: Page) -> bool:
        """Whether points were spent on what the page sells, so that it is to be looked at once more."""
        if not (self.member and sells(page)):
            return False
        async with self._lock:
            bought, self._opens_pay = await self._buyer.buy_on(url, page, self.jar)
        return bought

    def for_points(self, url: str, page: Page, downloads: Collection[str]) -> dict[str, str]:
        """The files on a page that would take points of ours by being asked for, and what would open each."""
        return self._buyer.for_points(url, page, downloads) if self.member and page.html else {}

    async def _take_a_slot(self, item: FrontierItem, decision: ReplyDecision) -> None:
        """Visit a thread again when its turn to be replied in has come; threads take turns."""
        gap = max(self._site.reply.min_gap, self.session.state.flood_seconds, 1.0)
        at = max(decision.until, self._next_slot)
        if self._slots >= await self._replier.room_today():
            self._opens_reply = "the cap of replies a day (reply: per_day)"
            return
        self._slots += 1
        self._next_slot = at + gap
        when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at))
        self._opens_reply = f"its turn to be replied in, not before {when}"
        self.parked.visit_later(item, at)
