"""What sites ask of their accounts' owner: shown, answered and asked for anew, while crawls go on or not."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext

from msgspec.structs import replace

from harvester.access.login_plan import LoginResult
from harvester.errors import AccessError, UsageError
from harvester.fetch.sessions import AccountFiles
from harvester.model.account import AccountState, Challenge, ChallengeKind
from harvester.model.site import SiteFile
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.wiring.accounts import at_the_desk
from harvester.wiring.rights import is_crawling
from harvester.wiring.stores import opened_store

LONGEST_ANSWER = 500
"""Characters; no captcha, code or security answer is longer."""


def account_files(settings: Settings) -> AccountFiles:
    """What is kept of accounts in the data folder."""
    return AccountFiles(settings.data / "sessions")


class Challenges:
    """The questions that wait for a person. `clock` is UTC seconds.

    Where a crawl of the site runs, it takes an answer up by itself; otherwise it is sent from here.
    """

    def __init__(
        self, settings: Settings, store: Store | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._settings = settings
        self._store = store
        self._clock = clock
        self.files = account_files(settings)

    def current(self, site: str) -> Challenge | None:
        """What the site asks and still takes an answer to."""
        challenge = self.files.load(site).challenge
        return challenge if challenge is not None and self._clock() < challenge.deadline else None

    def waiting(self) -> int:
        """How many accounts wait for a person: a question, a reply to approve, a freeze, a file to mend."""
        count, now = 0, self._clock()
        for site in self.files.sites():
            try:
                state = self.files.load(site)
            except AccessError:
                count += 1
                continue
            challenge = state.challenge
            asked = challenge is not None and now < challenge.deadline and not challenge.answer
            count += bool(asked or state.proposed or state.frozen)
        return count

    def give(self, site: str, said: str, *, asked: Challenge | None = None) -> None:
        """Note the answer to what waits (to `asked`, when given).

        `UsageError` for an empty one, `AccessError` when it comes too late, or when something else is asked
        by now. The answer to a security question is `NUMBER<tab>ANSWER`.
        """
        said = "\t".join(part.strip() for part in said.strip().split("\t"))[:LONGEST_ANSWER]
        again = f"ask for a new one: harvest captcha {site}"
        if not said.strip():
            raise UsageError("no answer was given", hint=f"harvest captcha {site} --answer TEXT")
        now = self._clock()

        def answered(state: AccountState) -> AccountState:
            waiting = state.challenge
            if waiting is None:
                raise AccessError(f"{site} asks nothing any more", hint=f"see: harvest account log {site}")
            if asked is not None and waiting.since != asked.since:
                raise AccessError(f"{site} asks for something else by now", hint="answer the new question")
            if now >= waiting.deadline:
                raise AccessError("the answer came after the deadline", hint=again)
            if waiting.kind is ChallengeKind.SECURITY_QUESTION and "\t" not in said:
                raise UsageError(
                    "the answer does not say which question it answers", hint="--answer NUMBER:ANSWER"
                )
            return replace(state, challenge=replace(waiting, answer=said))

        self.files.change(site, answered)

    def _opened(self) -> AbstractContextManager[Store]:
        if self._store is not None:
            return nullcontext(self._store)
        return opened_store(self._settings, create=True)

    def send(self, site: SiteFile) -> LoginResult | None:
        """Go on with the login whose question was answered; None when a crawl that runs does it."""
        if is_crawling(self._settings, site.site):
            return None
        with self._opened() as store:
            return at_the_desk(self._settings, store, site, lambda desk: desk.answer())

    def ask_anew(self, site: SiteFile) -> LoginResult | None:
        """Go to the login page for a fresh question; None when a crawl that runs does it."""
        if not site.account.configured:
            raise UsageError(f"{site.site} has no account", hint=f"harvest account add {site.site}")
        if is_crawling(self._settings, site.site):
            self.files.change(site.site, lambda state: replace(state, wanted=True, challenge=None))
            return None
        with self._opened() as store:
            return at_the_desk(self._settings, store, site, lambda desk: desk.test())

    def decide_replies(self, site: str, approved: Collection[str], dropped: Collection[str]) -> None:
        """The person's word on replies that wait, by their threads; the next visit of a thread posts."""
        self.files.change(
            site,
            lambda state: replace(
                state,
                proposed=tuple(
                    one for one in state.proposed if one.thread not in approved and one.thread not in dropped
                ),
                approved=tuple(dict.fromkeys((*state.approved, *approved)))[-1000:],
                declined=tuple(dict.fromkeys((*state.declined, *dropped)))[-1000:],
            ),
        )
