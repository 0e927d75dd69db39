"""Replies in a crawl: asks the rules, counts before it sends, and remembers what became of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from msgspec.structs import replace

from harvester.access.captcha import Captcha
from harvester.access.flow import Flow
from harvester.access.knowledge import login_knowledge, reply_knowledge
from harvester.access.login_plan import Read
from harvester.access.reply import (
    DAY,
    Decision,
    PastReply,
    ReplyDecision,
    ReplyPlan,
    ReplyResult,
    board_of,
    may_reply,
    post_reply,
    send_reply,
    template_mark,
    thread_of,
)
from harvester.crawl.account_work import AccountWork
from harvester.crawl.analysis import Page
from harvester.crawl.turns import RobotsForbid
from harvester.errors import AccessError, FetchError
from harvester.model.account import (
    AccountState,
    Challenge,
    ChallengeKind,
    FilledForm,
    PendingReply,
    ProposedReply,
)
from harvester.model.crawl import FrontierItem
from harvester.model.http import JarKey
from harvester.model.stored import Event
from harvester.model.wall import WallKind
from harvester.policy.robots import ActionClass
from harvester.text.tree import parse_tree

_HISTORY = 100_000
_STOPS = frozenset({"moderated", "closed", "refused", "captcha"})
"""After these a board is left alone."""


class Replier:
    """Replies as one account on one site; `load` and `change` are the account's state."""

    def __init__(
        self,
        work: AccountWork,
        *,
        load: Callable[[], AccountState],
        change: Callable[[Callable[[AccountState], AccountState]], object],
        alert: Callable[[str, str], None],
    ) -> None:
        self._work = work
        self._site = work.site
        self._turns = work.turns
        self._committer = work.committer
        self._load = load
        self._change = change
        self._alert = alert
        self._clock = work.clock
        self._past: list[PastReply] | None = None

    async def decide(self, item: FrontierItem, url: str, page: Page) -> ReplyDecision:
        """What the rules say about the thread on a page."""
        board = board_of(self._site.reply, self._places(item, url, page))
        return await self._may(thread_of(url), board, approved=self._load().approved)

    async def _may(self, thread: str, board: str, *, approved: Collection[str]) -> ReplyDecision:
        state = self._load()
        flood = max(reply_knowledge(self._work.software).flood, state.flood_seconds)
        return may_reply(
            self._site.reply,
            await self._history(),
            thread=thread,
            board=board,
            stopped=state.stopped_boards,
            approved=approved,
            declined=state.declined,
            flood=flood if self._site.reply.min_gap else 0.0,
            now=self._clock(),
        )

    async def room_today(self) -> int:
        """How many more replies the cap leaves for the last 24 hours."""
        since = self._clock() - DAY
        return self._site.reply.per_day - sum(one.at > since for one in await self._history())

    async def has_replied(self, url: str) -> bool:
        """Whether the thread of a URL has had its one reply."""
        thread = thread_of(url)
        return any(one.thread == thread for one in await self._history())

    async def reply(self, item: FrontierItem, url: str, page: Page, jar: JarKey, text: str) -> ReplyResult:
        """Post `text` in the thread on a page. Never raises."""
        thread = thread_of(url)
        board = board_of(self._site.reply, self._places(item, url, page))
        mark = template_mark(text)

        plan = self._plan(Read(url, page.html, page.encoding, parse_tree(page.html), 200), text)
        waiting = self._load().challenge
        if waiting is not None and self._clock() < waiting.deadline:
            return ReplyResult("waits", "another question waits for your answer: harvest captcha")
        result = await self._drive(post_reply(plan), jar, thread, board, mark)
        if result.asked is not None and result.form is not None:
            self._ask(result.form, result.asked, PendingReply(thread, url, board, mark))
            return result
        await self._forget_if_not_posted(thread, result)
        self._conclude(thread, board, result)
        return result

    async def answer(self, challenge: Challenge, jar: JarKey) -> ReplyResult:
        """Send a reply whose captcha the operator has answered, if it may still be posted. Never raises."""
        pending = challenge.reply
        assert pending is not None
        self._change(lambda state: replace(state, challenge=None))
        detail = {"asked": challenge.kind.value, "thread": pending.thread}
        self._committer.findings.events.append(Event(self._clock(), "captcha", self._site.site, detail))
        decision = await self._may(pending.thread, pending.board, approved=(pending.thread,))
        if decision.decision is not Decision.GO:
            return ReplyResult("refused", decision.why)
        plan = self._plan(Read(pending.url, "", "", parse_tree(""), 200), "")
        flow = send_reply(plan, challenge.form, pending.thread, said=challenge.answer)
        result = await self._drive(flow, jar, pending.thread, pending.board, pending.template)
        if result.verdict != "captcha":  # a wrong answer is no reason to leave the board alone
            await self._forget_if_not_posted(pending.thread, result)
            self._conclude(pending.thread, pending.board, result)
        return result

    def _ask(self, form: FilledForm, captcha: Captcha, pending: PendingReply) -> None:
        """Let the operator answer the captcha of a reply form."""
        now = self._clock()
        valid = login_knowledge(self._work.software).valid
        challenge = Challenge(
            kind=ChallengeKind.IMAGE if captcha.image else ChallengeKind.QUESTION,
            prompt=captcha.prompt or "the characters in the image, for a reply",
            form=form,
            since=now,
            deadline=now + valid,
            image=captcha.image,
            reply=pending,
        )
        self._change(lambda state: replace(state, challenge=challenge))
        self._alert("captcha", "a reply's captcha waits for you: harvest captcha " + self._site.site)

    def _plan(self, page: Read, text: str) -> ReplyPlan:
        engine = self._work.software
        return ReplyPlan(
            page=page,
            text=text,
            hosts=self._site.hosts,
            knowledge=reply_knowledge(engine),
            captchas=login_knowledge(engine),
            encoding=self._site.encoding,
            allow_insecure=self._site.account.allow_insecure,
            patience=self._work.patience,
        )

    async def _drive(
        self, flow: Flow[ReplyResult], jar: JarKey, thread: str, board: str, mark: str
    ) -> ReplyResult:
        async def count() -> None:
            # Before it goes out: a killed process must not reply twice.
            now = self._clock()
            event = Event(now, "reply", self._site.site, {"thread": thread, "board": board, "template": mark})
            await self._committer.call(lambda store: store.record(event))
            (await self._history()).append(PastReply(now, thread, mark))

        try:
            result = await self._turns.drive(flow, jar, ActionClass.POSTING, before_body=count)
        except RobotsForbid as error:
            result = ReplyResult("refused", str(error))
        except (FetchError, AccessError) as error:
            result = ReplyResult("unknown", str(error), sent=True)
        return result

    def propose(self, url: str, text: str) -> None:
        """Ask the operator whether a reply may be posted."""
        thread, now = thread_of(url), self._clock()
        if any(one.thread == thread for one in self._load().proposed):
            return
        one = ProposedReply(thread, url, text, now)
        self._change(lambda state: replace(state, proposed=(*state.proposed, one)[-200:]))
        self._alert("reply", "a reply waits for your word: harvest account approve " + self._site.site)

    def _conclude(self, thread: str, board: str, result: ReplyResult) -> None:
        stops = result.verdict in _STOPS
        self._change(
            lambda state: replace(
                state,
                stopped_boards=tuple(dict.fromkeys((*state.stopped_boards, board)))
                if stops
                else state.stopped_boards,
                flood_seconds=max(state.flood_seconds, result.seconds),
                proposed=tuple(one for one in state.proposed if one.thread != thread),
            )
        )
        detail = {"thread": thread, "verdict": result.verdict, "why": result.why[:160]}
        self._committer.findings.events.append(Event(self._clock(), "reply_result", self._site.site, detail))
        if result.verdict != "posted":
            what = "; the board is left alone from now on" if stops else ""
            self._alert("reply", f"a reply in {thread} was not simply posted: {result.verdict}{what}")

    async def _forget_if_not_posted(self, thread: str, result: ReplyResult) -> None:
        """A reply that the site refused for its haste may be tried once more, later."""
        if result.verdict != "flood" or not result.sent:
            return
        site, now = self._site.site, self._clock()
        await self._committer.call(
            lambda store: store.record(Event(now, "reply_flood", site, {"thread": thread}))
        )
        self._past = None

    async def _history(self) -> list[PastReply]:
        if self._past is None:
            site = self._site.site
            events = await self._committer.call(
                lambda store: store.events(site=site, kind="reply", limit=_HISTORY)
            )
            floods = await self._committer.call(
                lambda store: store.events(site=site, kind="reply_flood", limit=_HISTORY)
            )
            refused = Counter(str(one.detail.get("thread", "")) for one in floods)
            self._past = []
            for one in sorted(events, key=lambda event: event.at):
                thread = str(one.detail.get("thread", ""))
                if refused[thread] == 1:  # one refusal for haste is forgiven, a second one is not
                    refused[thread] = 0
                    continue
                self._past.append(PastReply(one.at, thread, str(one.detail.get("template", ""))))
        return self._past

    def _places(self, item: FrontierItem, url: str, page: Page) -> list[str]:
        """The URLs that tell which board a thread is on: its own, where it was found, its bread crumbs."""
        crumbs = parse_tree(page.html[:200_000]).css(
            "#pt a, .breadcrumb a, .breadcrumbs a, .p-breadcrumbs a, .navbit a, .navtrail a, "
            ".navigate_section a, .navigation a, [class*=crumb] a, .linktree a, #nav a"
        )
        hrefs = [node.attributes.get("href") or "" for node in crumbs[:40]]
        return [
            url,
            item.referrer,
            *(href if "://" in href else "/" + href.lstrip("./") for href in hrefs if href),
        ]


def hides_for_reply(page: Page) -> bool:
    """Whether a page says in words that a reply opens what it hides."""
    return any(wall.kind is WallKind.REPLY and ":" in wall.evidence for wall in page.walls)
