"""Logging in as the operator: one attempt at a time, counted before it is sent, its outcome remembered."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from harvester.access.captcha import Solver
from harvester.access.flow import Flow
from harvester.access.lockout import after_login, by_this_clock, hint_for, may_try
from harvester.access.login import answer, log_in, prepare
from harvester.access.login_plan import LoginPlan, LoginResult, Prepared
from harvester.access.secrets import Login, Secret
from harvester.crawl.account_work import AccountWork
from harvester.crawl.admission import origin_of
from harvester.crawl.turns import RobotsForbid
from harvester.errors import AccessError, FetchError
from harvester.model.account import ACCOUNT, AccountState, Attempt, Challenge, ChallengeKind, Verdict
from harvester.model.http import JarKey
from harvester.model.stored import Event
from harvester.ports.accounts import AccountKeeper, CredentialSource

Alert = Callable[[str, str, str], None]
"""Told what a person should know: the site, a stable word, and the message."""

_NOBODY = Login(Secret(""), Secret(""))


class AccountMeans(Struct, frozen=True):
    """What an account needs from outside: where it is kept, where its secrets are, who is told."""

    keeper: AccountKeeper
    credentials: CredentialSource
    alert: Alert
    solver: Callable[[str], Solver | None] = lambda _name: None
    """Finds a plugged-in captcha solver by its name."""


class AccountSession:
    """The account of one site for one run: whether it is a member, and how it becomes one.

    `member` says whether requests go out as one, `proved` whether a page of this site has shown it. Without
    an account (no `account` in the site file, no imported cookies) nothing is ever sent.
    """

    def __init__(
        self,
        work: AccountWork,
        means: AccountMeans,
        *,
        on_robots: Callable[[str], None] = lambda _url: None,
    ) -> None:
        self._work = work
        self._site = work.site
        self._means = means
        self._turns = work.turns
        self._fetcher = work.fetcher
        self._committer = work.committer
        self._on_robots = on_robots
        self._clock = work.clock
        self._told: set[str] = set()
        self.state = AccountState()
        """What is remembered of the account."""
        self.member = False
        self.proved = False
        self.proved_at = 0.0
        self.last = Verdict.HELD
        """What became of the last login of this run."""
        self.closed_because = ""
        """Why what is parked for the login stays parked, "" when there is nothing to say."""

    def recall(self) -> None:
        """Take up what was kept of the account: its session, if it had one. `AccessError` as the keeper's."""
        self.state = self.load()
        if by_this_clock(self.state, self._clock()) != self.state:
            self.change(lambda state: by_this_clock(state, self._clock()))
        if self.state.cookies and (self.state.proved_at or self.state.imported):
            self.use_cookies()
            self.member = True
            self.proved = bool(self.state.proved_at)
        if self.state.http_auth and self.state.proved_at:
            self.member = self._authorise_again()

    def _authorise_again(self) -> bool:
        """Whether credentials that were good with every request before go out with them again."""
        try:
            login = self._means.credentials.find(self._site.account)
        except AccessError:
            return False
        if self.state.frozen or login.mark(self.state.salt) != self.state.mark:
            return False
        self._fetcher.authorise(self.jar, origin_of(self._site.start[0]), self.state.http_auth, login)
        return True

    async def log_in(self, *, by_operator: bool = False, hint: str = "", probe: str = "") -> LoginResult:
        """One attempt, if the account may try; the result says what became of it. Never raises."""
        if self.member and self.state.imported:
            if await self._is_still_good(_NOBODY):
                return self._confirmed()
            if not self._site.account.configured:
                return self._held(
                    Verdict.HELD, "the imported session is not good (any more); import fresh cookies"
                )
        try:
            login = self._means.credentials.find(self._site.account)
        except AccessError as error:
            return self._held(Verdict.REFUSED, str(error))
        if not self.state.salt:
            self.change(lambda state: replace(state, salt=state.salt or secrets.token_hex(16)))
        mark = login.mark(self.state.salt)
        hold = may_try(self.state, mark, self._clock(), by_operator=by_operator)
        if hold is not None:
            until = time.strftime(" until %Y-%m-%d %H:%M UTC", time.gmtime(hold.until)) if hold.until else ""
            last = self.state.attempts[-1].verdict if self.state.attempts else Verdict.UNKNOWN
            advice = hint_for(last, self._site.site) if not hold.until else "nothing to do; it is tried later"
            if self.member and await self._is_still_good(login):
                return LoginResult(Verdict.OK, "the kept session is good")
            return self._held(Verdict.HELD, f"no login is sent{until}: {hold.why} ({advice})")
        plan = self._plan(login, hint=hint, probe=probe)
        result = await self._attempt(lambda: log_in(plan), mark)
        if not result.sent and result.challenge is not None and await self.solved(result.challenge):
            return await self.answer()
        return result

    def _confirmed(self) -> LoginResult:
        """The imported session is a member's."""
        now = self._clock()
        self.proved, self.proved_at = True, now
        self.change(lambda state: replace(state, proved_at=now, ended_at=0.0))
        return LoginResult(Verdict.OK, "the imported session is good")

    async def solved(self, challenge: Challenge) -> bool:
        """Whether the site's plugged-in solver has an answer to a captcha; it is asked once a challenge."""
        solvable = challenge.kind in (ChallengeKind.IMAGE, ChallengeKind.QUESTION)
        if not (solvable and self._site.account.solver):
            return False
        solver = self._means.solver(self._site.account.solver)
        if solver is None:
            self.tell("solver", f"the captcha solver {self._site.account.solver} is not installed")
            return False
        content = challenge.image or challenge.prompt.encode()
        try:
            said = await asyncio.to_thread(solver, challenge.kind.value, content)
        except Exception as error:  # noqa: BLE001 - other people's code, which must not end a crawl
            self.tell("solver", f"the captcha solver failed: {type(error).__name__}")
            return False
        if not said:
            return False
        self.change(lambda state: replace(state, challenge=replace(challenge, answer=said)))
        return True

    async def _is_still_good(self, login: Login) -> bool:
        """Whether the site still takes us for a member, by one page; no answer counts as no."""
        plan = replace(self._plan(login), only_look=True)
        try:
            result = await self._turns.drive(log_in(plan), self.jar)
        except (FetchError, AccessError):
            return False
        return result.verdict is Verdict.OK

    async def prepare(self) -> Prepared | LoginResult:
        """What a login would send: the form is fetched and filled, and nothing is sent. Never raises."""
        try:
            login = self._means.credentials.find(self._site.account)
            plan = self._plan(login)
            return await self._turns.drive(prepare(plan), self.jar)
        except RobotsForbid as error:
            return LoginResult(Verdict.ROBOTS, f"{error.url}: {error}")
        except FetchError as error:
            return LoginResult(Verdict.UNREACHABLE, f"{error.kind}: {error.why}")
        except AccessError as error:
            return LoginResult(Verdict.REFUSED, str(error))

    async def answer(self) -> LoginResult:
        """Send the answer that the operator gave. Never raises."""
        challenge = self.state.challenge
        if challenge is None or not challenge.answer or challenge.reply is not None:
            return LoginResult(Verdict.UNKNOWN, "no login waits for an answer")
        try:
            login = self._means.credentials.find(self._site.account)
        except AccessError as error:
            return self._held(Verdict.REFUSED, str(error))
        mark = login.mark(self.state.salt)
        hold = may_try(self.state, mark, self._clock(), by_operator=True)
        if hold is not None:
            return self._held(Verdict.HELD, f"no login is sent: {hold.why}")
        self.use_cookies()
        said, kind = challenge.answer, challenge.kind
        self.record("captcha", asked=kind.value)
        self.change(lambda state: replace(state, challenge=None))
        return await self._attempt(lambda: answer(self._plan(login), challenge, said), mark)

    def _plan(self, login: Login, *, hint: str = "", probe: str = "") -> LoginPlan:
        site = self._site
        return LoginPlan(
            start=site.start[0],
            hosts=site.hosts,
            login=login,
            now=self._clock(),
            engines=self._work.engines,
            engine=self._work.engine(),
            encoding=site.encoding,
            allow_insecure=site.account.allow_insecure,
            hint=hint,
            probe=probe,
            member_link=self.state.member_link,
            http_auth=self.state.http_auth if self.member else "",
            patience=self._work.patience,
        )

    async def _attempt(self, make: Callable[[], Flow[LoginResult]], mark: str) -> LoginResult:
        sent = False

        async def about_to_send() -> None:
            nonlocal sent
            if not sent:  # counted before it goes out: a killed process must not forget a try
                sent = True
                tried = Attempt(self._clock(), Verdict.UNREACHABLE)
                self.change(lambda state: replace(state, attempts=(*state.attempts, tried)[-50:], mark=mark))

        try:
            result = await self._turns.drive(make(), self.jar, before_body=about_to_send)
        except RobotsForbid as error:
            result = LoginResult(Verdict.ROBOTS, str(error), sent)
            if error.reason == "robots":
                self._on_robots(error.url)
        except FetchError as error:
            result = LoginResult(Verdict.UNREACHABLE, f"{error.kind}: {error.why}", sent)
        except AccessError as error:
            result = LoginResult(Verdict.UNREACHABLE, str(error), sent)
        if result.sent:
            await about_to_send()  # what every request carried was a try, too
        self._conclude(result, mark, sent)
        return result

    def _conclude(self, result: LoginResult, mark: str, sent: bool) -> None:
        now = self._clock()
        self.last = result.verdict
        cookies = self._fetcher.cookies(self.jar)

        def concluded(state: AccountState) -> AccountState:
            if sent:  # the try that was counted in advance has its verdict now
                state = replace(state, attempts=state.attempts[:-1])
            state = after_login(state, result.verdict, mark, now, sent=sent, left=result.tries_left)
            link = result.member_link if result.verdict is Verdict.OK and result.sent else state.member_link
            scheme = state.http_auth if result.verdict is Verdict.OK and not result.sent else result.http_auth
            return replace(
                state,
                cookies=cookies,
                challenge=result.challenge,
                imported=False,
                member_link=link,
                http_auth=scheme,
            )

        self.change(concluded)
        site = self._site.site
        ok = result.verdict is Verdict.OK
        if sent or not ok:
            self.record("login" if sent else "login_refused", verdict=result.verdict.value, why=result.why)
        if ok:
            self.member = True
            self.proved, self.proved_at = True, now
            self.closed_because = ""
            return
        self.member = False
        advice = hint_for(result.verdict, site)
        self.tell(result.verdict.value, f"not logged in: {result.why}" + (f" ({advice})" if advice else ""))

    def _held(self, verdict: Verdict, why: str) -> LoginResult:
        self.tell("held", why)
        return LoginResult(verdict, why)

    def tell(self, word: str, message: str) -> None:
        """Tell the operator, once a run for each message; what is parked for the login says it too."""
        self.closed_because = message
        if message in self._told:
            return
        self._told.add(message)
        self.alert(word, message)

    def alert(self, word: str, message: str) -> None:
        """Tell whoever is to be told."""
        self._means.alert(self._site.site, word, message)

    def ended(self, *, imported: bool = False) -> None:
        """Remember that the session is over and no other has begun; cookies of a browser's are dropped."""
        now = self._clock()
        self.member = False
        self.change(lambda state: replace(state, proved_at=0.0, ended_at=now))
        if imported:
            self.change(lambda state: replace(state, cookies=(), imported=False))

    # What is kept ----------------------------------------------------------------------------------

    def record(self, kind: str, **detail: object) -> None:
        """Write a line into the audit log, with the batch that is open."""
        self._committer.findings.events.append(Event(self._clock(), kind, self._site.site, detail))

    def change(self, change: Callable[[AccountState], AccountState]) -> AccountState:
        """Change what is remembered, in the file and here."""
        self.state = self._means.keeper.change(self._site.site, change)
        return self.state

    def load(self) -> AccountState:
        """What is remembered now, other processes' changes included."""
        return self._means.keeper.load(self._site.site)

    def use_cookies(self) -> None:
        """Ask with the cookies that are remembered."""
        self._fetcher.set_cookies(self.jar, self.state.cookies)

    @property
    def jar(self) -> JarKey:
        """The account's cookies."""
        return JarKey(self._site.site, ACCOUNT)
