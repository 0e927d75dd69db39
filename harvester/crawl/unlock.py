"""The operator's account in a crawl: logging in, staying logged in, and opening what was parked for it."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from harvester.access.captcha import Solver
from harvester.access.expiry import session_ended
from harvester.access.flow import Flow
from harvester.access.lockout import after_login, hint_for, may_try
from harvester.access.login import answer, log_in, prepare
from harvester.access.login_plan import LoginPlan, LoginResult, Prepared
from harvester.access.membership import Seen, seen_as
from harvester.access.reply import Decision, ReplyDecision
from harvester.access.secrets import Login
from harvester.crawl.analysis import Analysis, OtherBody, Page
from harvester.crawl.committer import Committer
from harvester.crawl.parked import ParkedItems
from harvester.crawl.replying import Replier, hides_for_reply
from harvester.crawl.turns import RobotsForbid, Turns
from harvester.errors import AccessError, FetchError
from harvester.model.account import ACCOUNT, AccountState, Attempt, Challenge, ChallengeKind, Verdict
from harvester.model.crawl import FrontierItem
from harvester.model.http import JarKey
from harvester.model.site import SiteFile, is_loopback
from harvester.model.stored import Event
from harvester.model.wall import WallKind, WallScope
from harvester.patterns.engines import Engine
from harvester.ports.accounts import AccountKeeper, CredentialSource
from harvester.ports.fetch import Fetcher

Alert = Callable[[str, str, str], None]
"""Told what a person should know: the site, a stable word, and the message."""

_PATIENCE = 3.0
_LOOPBACK_PATIENCE = 1.2
"""Seconds between reading a form and sending it; forums refuse what comes within the same second."""
_TRUST_SECONDS = 60.0
"""For so long a page that was asked for to see whether we are logged in speaks for those that refuse us."""
_ON_EVERY_PAGE = 5
"""Pages that showed a link of members' only, after which one without it is doubted."""


class AccountMeans(Struct, frozen=True):
    """What an account needs from outside: where it is kept, where its secrets are, who is told."""

    keeper: AccountKeeper
    credentials: CredentialSource
    alert: Alert
    solver: Callable[[str], Solver | None] = lambda _name: None
    """Finds a plugged-in captcha solver by its name."""


class Unlocker:
    """The account of one site during one run. `generation` counts the sessions of the run.

    Without an account (no `account` in the site file, no imported cookies) it does nothing, and `jar` is
    the guest's.
    """

    def __init__(
        self,
        site: SiteFile,
        means: AccountMeans,
        *,
        turns: Turns,
        fetcher: Fetcher,
        committer: Committer,
        engines: Mapping[str, Engine],
        key: Callable[[str], int],
        engine: Callable[[], str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._site = site
        self._means = means
        self._turns = turns
        self._fetcher = fetcher
        self._committer = committer
        self._engines = engines
        self._clock = clock
        self._lock = asyncio.Lock()
        self._state = AccountState()
        self._proved = False
        self._proved_at = 0.0
        self._verified_at = 0.0
        self._marked = 0
        self._last = Verdict.HELD
        """What became of the last login of this run."""
        self._hinted = False
        self._told: set[str] = set()
        self.parked = ParkedItems(site, committer, key)
        self._engine = engine
        self.member = False
        self.generation = 0
        self._next_slot = 0.0
        self._slots = 0
        self._replier = Replier(
            site,
            turns=turns,
            committer=committer,
            engines=engines,
            engine=engine,
            load=lambda: means.keeper.load(site.site),
            change=self._change,
            alert=lambda word, message: self._alert(word, message),
            patience=_patience(site),
            clock=clock,
        )
        self.opens: dict[str, str] = {}
        """What would open a wall now, by kind, where the account knows better than the wall itself."""

    @property
    def jar(self) -> JarKey:
        """The cookies to ask with."""
        return JarKey(self._site.site, ACCOUNT if self.member else "")

    @property
    def state(self) -> AccountState:
        """What is remembered of the account."""
        return self._state

    @property
    def has_account(self) -> bool:
        """Whether there is an account at all."""
        return self._site.account.configured or self.member

    # The beginning ---------------------------------------------------------------------------------

    async def begin(self) -> None:
        """Take up the session of the last run, or log in; then queue what was parked for it.

        Raises `AccessError` only where going on would be wrong: the account file is open to others.
        """
        self.recall()
        await self.parked.recall()
        if not self.member and self._site.account.configured:
            await self.log_in()
        if self.member:
            await self.parked.requeue("login", "second_factor")
        if self._site.robots.account_actions_allowed:
            await self.parked.requeue("robots")
        if self.member:
            await self.parked.requeue_replies(self._replier, self._state.approved)

    def recall(self) -> None:
        """Take up what was kept of the account: its session, if it had one. `AccessError` as the keeper's."""
        self._state = self._means.keeper.load(self._site.site)
        if self._state.cookies and (self._state.proved_at or self._state.imported):
            self._fetcher.set_cookies(JarKey(self._site.site, ACCOUNT), self._state.cookies)
            self.member = True
            self._proved = bool(self._state.proved_at)

    async def look(self) -> None:
        """See whether the operator answered a question meanwhile, and go on with the login then."""
        if self.member or not self._site.account.configured:
            return
        try:
            state = self._means.keeper.load(self._site.site)
        except AccessError:
            return
        if state == self._state:
            return
        self._state = state
        if state.challenge is not None and state.challenge.answer:
            await self.answer()
        elif state.wanted:
            self._change(lambda kept: replace(kept, wanted=False))
            await self.log_in(by_operator=True)
        elif state.cookies and state.imported:
            self._fetcher.set_cookies(JarKey(self._site.site, ACCOUNT), state.cookies)
            self.member = True
        if self.member:
            await self._entered()

    async def _entered(self) -> None:
        """In the middle of a crawl: what was closed is visited now, and the start pages once more."""
        self.generation += 1
        await self.parked.requeue("login", "second_factor")
        await self.parked.requeue_replies(self._replier, self._state.approved)
        self.parked.visit_start_pages()

    # Logging in ------------------------------------------------------------------------------------

    async def log_in(self, *, by_operator: bool = False, hint: str = "", probe: str = "") -> LoginResult:
        """One attempt, if the account may try; the result says what became of it. Never raises."""
        try:
            login = self._means.credentials.find(self._site.account)
        except AccessError as error:
            return self._held(Verdict.REFUSED, str(error))
        if not self._state.salt:
            self._change(lambda state: replace(state, salt=state.salt or secrets.token_hex(16)))
        mark = login.mark(self._state.salt)
        hold = may_try(self._state, mark, self._clock(), by_operator=by_operator)
        if hold is not None:
            until = time.strftime(" until %Y-%m-%d %H:%M UTC", time.gmtime(hold.until)) if hold.until else ""
            last = self._state.attempts[-1].verdict if self._state.attempts else Verdict.UNKNOWN
            advice = hint_for(last, self._site.site) if not hold.until else "nothing to do; it is tried later"
            if self.member and await self._is_still_good(login):
                return LoginResult(Verdict.OK, "the kept session is good")
            return self._held(Verdict.HELD, f"no login is sent{until}: {hold.why} ({advice})")
        plan = self._plan(login, hint=hint, probe=probe)
        result = await self._attempt(lambda: log_in(plan), mark)
        if not result.sent and result.challenge is not None and await self._solved(result.challenge):
            return await self.answer()
        return result

    async def _solved(self, challenge: Challenge) -> bool:
        """Whether the site's plugged-in solver has an answer to a captcha; it is asked once a challenge."""
        solvable = challenge.kind in (ChallengeKind.IMAGE, ChallengeKind.QUESTION)
        if not (solvable and self._site.account.solver):
            return False
        solver = self._means.solver(self._site.account.solver)
        if solver is None:
            self._tell("solver", f"the captcha solver {self._site.account.solver} is not installed")
            return False
        content = challenge.image or challenge.prompt.encode()
        try:
            said = await asyncio.to_thread(solver, challenge.kind.value, content)
        except Exception as error:  # noqa: BLE001 - other people's code, which must not end a crawl
            self._tell("solver", f"the captcha solver failed: {type(error).__name__}")
            return False
        if not said:
            return False
        self._change(lambda state: replace(state, challenge=replace(challenge, answer=said)))
        return True

    async def _is_still_good(self, login: Login) -> bool:
        """Whether the site still takes us for a member, by one page; no answer counts as no."""
        plan = replace(self._plan(login), only_look=True)
        try:
            result = await self._turns.drive(log_in(plan), JarKey(self._site.site, ACCOUNT))
        except (FetchError, AccessError):
            return False
        return result.verdict is Verdict.OK

    async def prepare(self) -> Prepared | LoginResult:
        """What a login would send: the form is fetched and filled, and nothing is sent. Never raises."""
        try:
            login = self._means.credentials.find(self._site.account)
            plan, jar = self._plan(login), JarKey(self._site.site, ACCOUNT)
            return await self._turns.drive(prepare(plan), jar)
        except RobotsForbid as error:
            return LoginResult(Verdict.ROBOTS, f"{error.url}: {error}")
        except FetchError as error:
            return LoginResult(Verdict.UNREACHABLE, f"{error.kind}: {error.why}")
        except AccessError as error:
            return LoginResult(Verdict.REFUSED, str(error))

    async def answer(self) -> LoginResult:
        """Send the answer that the operator gave. Never raises."""
        challenge = self._state.challenge
        if challenge is None or not challenge.answer:
            return LoginResult(Verdict.UNKNOWN, "nothing waits for an answer")
        try:
            login = self._means.credentials.find(self._site.account)
        except AccessError as error:
            return self._held(Verdict.REFUSED, str(error))
        mark = login.mark(self._state.salt)
        hold = may_try(self._state, mark, self._clock(), by_operator=True)
        if hold is not None:
            return self._held(Verdict.HELD, f"no login is sent: {hold.why}")
        self._fetcher.set_cookies(JarKey(self._site.site, ACCOUNT), self._state.cookies)
        said, kind = challenge.answer, challenge.kind
        self._record("captcha", asked=kind.value)
        self._change(lambda state: replace(state, challenge=None))
        return await self._attempt(lambda: answer(self._plan(login), challenge, said), mark)

    def _plan(self, login: Login, *, hint: str = "", probe: str = "") -> LoginPlan:
        site = self._site
        return LoginPlan(
            start=site.start[0],
            hosts=site.hosts,
            login=login,
            now=self._clock(),
            engines=self._engines,
            engine=self._engine(),
            encoding=site.encoding,
            allow_insecure=site.account.allow_insecure,
            hint=hint,
            probe=probe,
            member_link=self._state.member_link,
            patience=_patience(site),
        )

    async def _attempt(self, make: Callable[[], Flow[LoginResult]], mark: str) -> LoginResult:
        jar = JarKey(self._site.site, ACCOUNT)
        sent = False

        async def about_to_send() -> None:
            nonlocal sent
            if not sent:  # counted before it goes out: a killed process must not forget a try
                sent = True
                tried = Attempt(self._clock(), Verdict.UNREACHABLE)
                self._change(lambda state: replace(state, attempts=(*state.attempts, tried)[-50:], mark=mark))

        try:
            result = await self._turns.drive(make(), jar, before_body=about_to_send)
        except RobotsForbid as error:
            result = LoginResult(Verdict.ROBOTS, str(error), sent)
            if error.reason == "robots":
                self.parked.park_login(error.url, self._clock())
        except FetchError as error:
            result = LoginResult(Verdict.UNREACHABLE, f"{error.kind}: {error.why}", sent)
        except AccessError as error:
            result = LoginResult(Verdict.UNREACHABLE, str(error), sent)
        self._conclude(result, mark, sent)
        return result

    def _conclude(self, result: LoginResult, mark: str, sent: bool) -> None:
        now = self._clock()
        self._last = result.verdict
        cookies = self._fetcher.cookies(JarKey(self._site.site, ACCOUNT))

        def concluded(state: AccountState) -> AccountState:
            if sent:  # the try that was counted in advance has its verdict now
                state = replace(state, attempts=state.attempts[:-1])
            state = after_login(state, result.verdict, mark, now, sent=sent, left=result.tries_left)
            link = result.member_link if result.verdict is Verdict.OK and result.sent else state.member_link
            return replace(
                state, cookies=cookies, challenge=result.challenge, imported=False, member_link=link
            )

        self._change(concluded)
        site = self._site.site
        ok = result.verdict is Verdict.OK
        if sent or not ok:
            self._record("login" if sent else "login_refused", verdict=result.verdict.value, why=result.why)
        if ok:
            self.member = True
            self._proved, self._proved_at = True, now
            self.opens.clear()
            return
        self.member = False
        advice = hint_for(result.verdict, site)
        self._tell(result.verdict.value, f"not logged in: {result.why}" + (f" ({advice})" if advice else ""))

    def _held(self, verdict: Verdict, why: str) -> LoginResult:
        self._tell("held", why)
        return LoginResult(verdict, why)

    def _tell(self, word: str, message: str) -> None:
        """Tell the operator, once a run for each message; what is parked for the login says it too."""
        self.opens["login"] = message
        if message in self._told:
            return
        self._told.add(message)
        self._alert(word, message)

    def _alert(self, word: str, message: str) -> None:
        self._means.alert(self._site.site, word, message)

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
        if self._hinted or self._last is not Verdict.NO_FORM or not isinstance(analysis, Page):
            return False
        if not any(wall.kind is WallKind.LOGIN and wall.scope is WallScope.PAGE for wall in analysis.walls):
            return False
        async with self._lock:
            if not self._hinted:
                self._hinted = True
                if (await self.log_in(hint=landed, probe=url)).verdict is Verdict.OK:
                    await self._entered()
        return self.member

    async def _log_in_again(self, url: str, why: str) -> bool:
        if not self._site.account.configured:
            self.member = False
            self._record("session_expired", why=why)
            self._change(lambda state: replace(state, cookies=(), imported=False, proved_at=0.0))
            self._tell(
                "expired", "the imported session has ended (import fresh cookies: harvest account add)"
            )
            return False
        result = await self.log_in(probe=url)
        if result.verdict is Verdict.OK and not result.sent:
            self._verified_at = self._clock()  # still logged in: the wall is there for members, too
            return False
        self._record("session_expired", why=why, again=result.verdict.value)
        if result.verdict is not Verdict.OK:
            self.member = False
            self._change(lambda state: replace(state, proved_at=0.0))
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
                seen, _ = seen_as(analysis.html, link=self._state.member_link)
                if seen is Seen.MEMBER:
                    self._proved = True
                    self._proved_at = self._clock()
                    self._marked += 1
                elif seen is Seen.UNKNOWN and self._state.member_link and self._marked >= _ON_EVERY_PAGE:
                    seen = Seen.GUEST
                return session_ended(analysis.walls, seen, proved=self._proved)
            case OtherBody(kind="empty"):
                return ""
        return ""

    def opens_by(self, kind: str, otherwise: str) -> str:
        """What would open a wall of this kind."""
        if kind == WallKind.LOGIN.value and self._site.account.configured and not self.member:
            return self.opens.get("login", otherwise)
        if kind == WallKind.LOGIN.value and self.member:
            return "more rights than the account has"
        if kind == WallKind.REPLY.value:
            return self.opens.pop("reply", otherwise)
        return otherwise

    async def end(self) -> None:
        """Keep the session for the next run."""
        if not self.member:
            return
        cookies = self._fetcher.cookies(JarKey(self._site.site, ACCOUNT))
        with contextlib.suppress(AccessError):
            self._change(
                lambda state: replace(state, cookies=cookies, proved_at=max(state.proved_at, self._proved_at))
            )

    async def turn(self, url: str) -> None:
        """Wait until the host may be asked once more; counts the request."""
        await self._turns.turn(url)

    async def replied(self, item: FrontierItem, url: str, page: Page) -> bool:
        """Whether a reply was sent that should open what the page hides."""
        if not (self.member and self._site.reply.allowed and hides_for_reply(page)):
            return False
        async with self._lock:
            decision = await self._replier.decide(item, url, page)
            match decision.decision:
                case Decision.GO:
                    result = await self._replier.reply(item, url, page, self.jar, decision.text)
                    if result.verdict in ("posted", "unknown") and result.sent:
                        return True
                    self.opens["reply"] = f"the reply was not accepted ({result.verdict})"
                    if result.verdict == "flood":
                        self.parked.visit_later(item, self._clock() + result.seconds + 1.0)
                case Decision.WAIT:
                    await self._take_a_slot(item, decision)
                case Decision.ASK:
                    self._replier.propose(url, decision.text)
                    self.opens["reply"] = f"{decision.why} {self._site.site}"
                case Decision.NO:
                    self.opens["reply"] = decision.why
        return False

    async def _take_a_slot(self, item: FrontierItem, decision: ReplyDecision) -> None:
        """Visit a thread again when its turn to be replied in has come; threads take turns."""
        gap = max(self._site.reply.min_gap, self._state.flood_seconds, 1.0)
        at = max(decision.until, self._next_slot)
        if self._slots >= await self._replier.room_today():
            self.opens["reply"] = "the cap of replies a day (reply: per_day)"
            return
        self._slots += 1
        self._next_slot = at + gap
        when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at))
        self.opens["reply"] = f"its turn to be replied in, not before {when}"
        self.parked.visit_later(item, at)

    def _record(self, kind: str, **detail: object) -> None:
        self._committer.findings.events.append(Event(self._clock(), kind, self._site.site, detail))

    def _change(self, change: Callable[[AccountState], AccountState]) -> AccountState:
        self._state = self._means.keeper.change(self._site.site, change)
        return self._state


def _patience(site: SiteFile) -> float:
    return _LOOPBACK_PATIENCE if all(map(is_loopback, site.hosts)) else _PATIENCE
