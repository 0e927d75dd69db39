"""Account actions that a person asks for, with no crawl around them: test, show, answer."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress

from harvester.access.login_plan import LoginResult, Prepared
from harvester.crawl.account_work import AccountWork
from harvester.crawl.committer import Committer
from harvester.crawl.hosts import Hosts
from harvester.crawl.replying import Replier
from harvester.crawl.session import AccountMeans, AccountSession
from harvester.crawl.turns import Turns
from harvester.errors import StoreError
from harvester.model.account import Verdict
from harvester.model.site import SiteFile
from harvester.patterns.engines import Engine
from harvester.ports.fetch import Fetcher
from harvester.ports.store import Store


class AccountDesk:
    """One site's account, with a fetcher and a store of its own; `close` writes down what was done."""

    def __init__(
        self,
        site: SiteFile,
        means: AccountMeans,
        *,
        store: Store,
        fetcher: Fetcher,
        agent: str,
        engines: Mapping[str, Engine],
    ) -> None:
        self._committer = Committer(store)
        turns = Turns(
            site,
            fetcher=fetcher,
            hosts=Hosts(site, agent, seed=random.getrandbits(32)),
            committer=self._committer,
            spend=lambda: True,
            agent=agent,
        )
        work = AccountWork(site, turns, fetcher, self._committer, engines, lambda: site.engine)
        self._session = AccountSession(work, means)
        self._replier = Replier(
            work, load=self._session.load, change=self._session.change, alert=self._session.alert
        )

    async def test(self) -> LoginResult:
        """See whether the kept session is good, and log in if it is not."""
        self._session.recall()
        return await self._session.log_in(by_operator=True)

    async def show(self) -> Prepared | LoginResult:
        """What a login would send, without sending it."""
        self._session.recall()
        return await self._session.prepare()

    async def answer(self) -> LoginResult:
        """Go on with the login, or the reply, whose question the operator has answered."""
        self._session.recall()
        challenge = self._session.state.challenge
        if challenge is None or challenge.reply is None:
            return await self._session.answer()
        result = await self._replier.answer(challenge, self._session.jar)
        if result.verdict == "posted":
            return LoginResult(Verdict.OK, "the reply is posted; the next crawl takes what it opens", True)
        verdict = Verdict.CAPTCHA_WRONG if result.verdict == "captcha" else Verdict.FORM_REFUSED
        return LoginResult(verdict, f"the reply was not posted ({result.verdict}): {result.why}", result.sent)

    async def close(self) -> None:
        """Write the audit log."""
        events = self._committer.findings.events
        with suppress(StoreError):
            for event in events:
                await self._committer.call(lambda store, event=event: store.record(event))  # type: ignore[misc]  # the loop's value is bound
        self._committer.close()
