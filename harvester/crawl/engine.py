"""The crawl of one site: claims URLs, visits them in turn, commits what they gave.

One asyncio loop decides and fetches; the store is called from one writer thread, so that the loop never
waits for a disk. Nothing that was committed is lost by a kill; what was under way is claimed again.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context

from harvester.crawl.account_work import AccountWork
from harvester.crawl.admission import Admissions
from harvester.crawl.claims import Claims
from harvester.crawl.clearance import Clearance
from harvester.crawl.committer import Committer
from harvester.crawl.context import Budget, VisitContext
from harvester.crawl.going_on import order_memory, remembered, take_up
from harvester.crawl.hosts import Hosts
from harvester.crawl.journal import Journal
from harvester.crawl.keeping import Keeper
from harvester.crawl.learning import Guide, OnLearned
from harvester.crawl.options import CrawlOptions, CrawlReport, Obstacle, OnProgress, Progress
from harvester.crawl.recognition import EngineRecognition
from harvester.crawl.session import AccountMeans
from harvester.crawl.starts import Starts
from harvester.crawl.turns import Turns
from harvester.crawl.unlock import Unlocker
from harvester.crawl.visit import Visit
from harvester.crawl.window import Window
from harvester.links import key_hash
from harvester.model.crawl import (
    Crawl,
    CrawlKind,
    CrawlState,
    FoundUrl,
    FrontierItem,
)
from harvester.model.http import FetchLimits
from harvester.model.site import Rule, SiteFile, is_loopback
from harvester.patterns.engines import Engine
from harvester.policy.trapwatch import TrapWatch
from harvester.ports.fetch import Fetcher
from harvester.ports.store import Store

LOOK_AROUND = 2.0
"""Seconds between two looks at whether the site was paused."""
LONGEST_WAIT = 600.0
"""A run ends when nothing may be asked for this many seconds; the next one goes on."""
LOOPBACK_PATIENCE = 0.5
PATIENCE = 60.0
"""Seconds until a failed URL is tried again, on loopback and elsewhere."""
LOOPBACK_LIMITS = FetchLimits(total=20.0, connect=5.0, idle=5.0, slow_grace=3.0)
"""A site on this machine answers at once or not at all."""
_PROGRESS_SECONDS = 0.2


class CrawlEngine:
    """Runs one crawl of one site to its end, to a limit, or until `stop` is called.

    `seeds` are visited first (none: the start pages). `only_unknown`: of the links found, only those that
    no crawl of this site has visited are followed.
    """

    def __init__(
        self,
        site: SiteFile,
        *,
        store: Store,
        fetcher: Fetcher,
        agent: str,
        engines: Mapping[str, Engine],
        options: CrawlOptions,
        kind: CrawlKind = "full",
        seeds: Sequence[FoundUrl] = (),
        only_unknown: bool = False,
        on_progress: OnProgress | None = None,
        known: Sequence[Rule] = (),
        on_learned: OnLearned | None = None,
        account: AccountMeans | None = None,
    ) -> None:
        self._site = site
        self._options = options
        self._kind: CrawlKind = kind
        self._only_unknown = only_unknown
        self._on_progress = on_progress or (lambda _progress: None)
        self._fetcher = fetcher
        self._agent = agent
        self._hosts = Hosts(site, agent, seed=random.getrandbits(32))
        self._window = Window(site.politeness.connections)
        self._committer = Committer(store)
        self._budget = Budget(options.max_requests, site.scope.max_requests)
        self._guide = Guide(
            site,
            options.order,
            known=known,
            seed=key_hash(site.site),
            settings=dict(options.order_settings),
            studies=kind != "refresh",
        )
        self._context = self._visit_context(known)
        self._claims = Claims(self._window, self._hosts, self._committer, self._guide, options)
        self._keeper = Keeper(
            self._guide, self._committer, options.order, on_learned or (lambda _rules: None)
        )
        self._starts = Starts(self._context, kind, seeds)
        self._clearance = Clearance(self._context, self._hosts, self._committer)
        self._recognition = EngineRecognition(site, engines, self._context, self._committer)
        self._context.look_at = self._recognition.look_at
        if account is not None:
            self._context.account = self._account(account, engines)
        self._parser: ProcessPoolExecutor | None = None
        self._in_flight: dict[asyncio.Task[None], FrontierItem] = {}
        self._wake = asyncio.Event()
        self._stop_reason = ""
        self._ended: tuple[CrawlState, str] | None = None
        self._obstacle = Obstacle.NONE
        self._failure: BaseException | None = None
        self._crawl: Crawl | None = None
        self._started = time.monotonic()
        self._looked = self._started
        self._reported = 0.0
        self._journal = Journal(site.site)

    def _visit_context(self, known: Sequence[Rule]) -> VisitContext:
        site, agent, traps = self._site, self._agent, TrapWatch()
        return VisitContext(
            site=site,
            agent=agent,
            fetcher=self._fetcher,
            admissions=Admissions(site, agent=agent, robots=self._hosts.robots, traps=traps, learned=known),
            traps=traps,
            robots=self._hosts.robots,
            budget=self._budget,
            parser=self._parser_pool,
            guide=self._guide,
            patience=LOOPBACK_PATIENCE if site.politeness.delay == 0 else PATIENCE,
            conditional=self._kind == "refresh",
            limits=LOOPBACK_LIMITS if all(is_loopback(host) for host in site.hosts) else FetchLimits(),
        )

    # The outside -----------------------------------------------------------------------------------

    def stop(self, reason: str) -> None:
        """End the run soon and keep everything: what is under way goes back to the frontier."""
        if not self._stop_reason:
            self._stop_reason = reason
        self._wake.set()

    async def run(self) -> CrawlReport:
        """Crawl; the report says how it ended. Raises `StoreError` when the store fails."""
        self._started = time.monotonic()
        try:
            crawl = await self._committer.call(
                lambda store: store.open_crawl(self._site.site, self._kind, now=time.time())
            )
            self._crawl = crawl
            if crawl.resumed:
                self._committer.queue = crawl.figures.get("queue", 0)
                name = self._options.order
                memory = await self._committer.call(lambda store: order_memory(store, crawl, name))
                self._guide.resume(time.time() - crawl.started_at, memory)
            self._journal.begin(crawl, self._started)
            await self._committer.call(lambda store: store.release(self._options.owner))
            self._recognition.recall(await self._committer.call(self._recognition.remembered))
            if crawl.resumed:
                take_up(await self._committer.call(lambda store: remembered(store, crawl)), self._context)
            self._committer.findings.found.extend(self._starts.first(crawl))
            try:
                if self._context.account is not None:
                    await self._context.account.begin()
                await self._crawl_on()
            finally:
                await self._wind_up()
            state, reason = self._ended or ("stopped", self._stop_reason)
            await self._committer.call(
                lambda store: store.finish_crawl(crawl, state=state, reason=reason, now=time.time())
            )
        finally:
            self._close()
        report = CrawlReport(
            site=self._site.site,
            crawl_id=crawl.id,
            state=state,
            reason=reason,
            figures=self._committer.figures,
            seconds=time.monotonic() - self._started,
            resumed=crawl.resumed,
            obstacle=self._obstacle,
        )
        self._journal.end(report)
        return report

    # The loop --------------------------------------------------------------------------------------

    async def _crawl_on(self) -> None:
        while not self._should_stop():
            await self._look_around()
            if self._commit_is_due():
                await self._commit()
            if self._budget.left:
                await self._claims.refill(self._open_crawl, self._in_flight.values(), self._commit)
            self._dispatch()
            if self._idle():
                if not self._committer.findings.empty:
                    await self._commit()
                elif not await self._wait_for_the_frontier():
                    return
                continue
            await self._sleep(self._seconds_to_next())

    def _should_stop(self) -> bool:
        if self._failure is not None:
            raise self._failure
        if self._stop_reason:
            return True
        seconds = time.monotonic() - self._started
        for limit in (self._options.max_seconds, self._site.scope.max_seconds):
            if limit is not None and seconds >= limit:
                self._stop_reason = f"the limit of {limit:g} seconds is reached"
        if self._kind != "refresh" and self._idle() and self._guide.hopeless and not self._look_beyond():
            self._stop_reason = self._stop_reason or self._guide.hopeless
        if not self._budget.left and not self._in_flight:
            self._stop_reason = f"the limit of {self._budget.limit:,} requests is reached"
        return bool(self._stop_reason)

    def _idle(self) -> bool:
        return not self._in_flight and not self._window.size

    async def _wait_for_the_frontier(self) -> bool:
        """Nothing can be claimed now: wait for what is due later, or end the crawl."""
        crawl = self._open_crawl
        due = await self._committer.call(lambda store: store.next_due(crawl))
        if due is None:
            if self._look_beyond():
                return True
            self._ended = ("finished", "nothing is left to visit")
            return False
        wait = due - time.time()
        if wait > LONGEST_WAIT:
            at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(due))
            self.stop(f"everything that is left has to wait until {at}")
            return False
        self._claims.drained = False
        await self._sleep(min(max(wait, 0.01), LOOK_AROUND))
        return True

    def _look_beyond(self) -> bool:
        """Queue what no page linked to, first of all; whether there is any."""
        found = self._starts.beyond()
        self._committer.findings.found.extend(found)
        if found:
            self._claims.drained = False
            self._guide.expect_seeds()
        return bool(found)

    def _seconds_to_next(self) -> float:
        """Seconds until something is due: the next host, the end of a batch, a look around."""
        wait = LOOK_AROUND
        next_host = self._window.next_at()
        if next_host is not None and len(self._in_flight) < self._options.concurrency and self._budget.left:
            wait = min(wait, next_host - time.time())
        if not self._committer.findings.empty:
            wait = min(wait, self._committer.seconds_to_commit())
        return max(wait, 0.0)

    async def _sleep(self, seconds: float) -> None:
        """Wait until something happens, `seconds` at most."""
        self._report()
        if seconds > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
        else:
            await asyncio.sleep(0)
        self._wake.clear()

    async def _look_around(self) -> None:
        """See now and then whether the operator paused the site."""
        if time.monotonic() - self._looked < LOOK_AROUND:
            return
        self._looked = time.monotonic()
        site = await self._committer.call(lambda store: store.site(self._site.site))
        if site.state != "active":
            self.stop(f"the site is {site.state}" + (f": {site.reason}" if site.reason else ""))
        elif self._context.account is not None:
            await self._context.account.look()

    # Store -----------------------------------------------------------------------------------------

    def _commit_is_due(self) -> bool:
        findings = self._committer.findings
        if findings.empty:
            return False
        if self._guide.is_alarmed:
            return True
        # What was found may be all that the free connections could ask for: it must not wait for a slow page.
        starving = not self._window.waiting and len(self._in_flight) < self._options.concurrency
        return (starving and bool(findings.found)) or self._committer.seconds_to_commit() == 0

    async def _commit(self) -> None:
        await self._committer.commit(
            self._open_crawl, self._hosts.changes(time.time()), only_unknown=self._only_unknown
        )
        self._claims.drained = False
        self._committer.findings.found.extend(self._starts.again())
        await self._keeper.after_commit(self._open_crawl)

    async def _wind_up(self) -> None:
        """Give back what is claimed and not visited, and commit what was found."""
        for task in list(self._in_flight):
            task.cancel()
        items = [*self._in_flight.values(), *self._window.drain()]
        await asyncio.gather(*self._in_flight, return_exceptions=True)
        if self._crawl is None:
            return
        if self._context.account is not None:
            await self._context.account.end()
        settled = self._committer.findings.settled()
        self._committer.findings.returned.extend(item.ref for item in items if item.ref not in settled)
        if self._ended is None:
            self._keeper.keep(self._crawl)
        await self._commit()
        self._keeper.hand_out()
        self._report(force=True)

    def _close(self) -> None:
        self._committer.close()
        if self._parser is not None:
            self._parser.shutdown(wait=True, cancel_futures=True)

    # Visits ----------------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        """Start visits while hosts may be asked and there is room."""
        while len(self._in_flight) < self._options.concurrency and self._budget.left:
            now = time.time()
            item = self._window.take(now)
            if item is None:
                return
            allowed = self._hosts.next_allowed(item.host, now)
            if allowed > now:
                self._window.push_back(item)
                self._claims.free(item.host)
            elif not self._clearance.knows_robots(item, now):
                self._window.push_back(item)
                self._start(self._ask_robots(item), item)
            elif self._clearance.may_visit(item, self._open_crawl.started_at, now):
                self._start(self._visit(item), item)
            else:
                self._claims.free(item.host)

    def _start(self, work: Coroutine[None, None, None], item: FrontierItem) -> None:
        self._budget.spend()
        self._hosts.asked(item.host, time.time())
        self._committer.findings.figures.requests += 1
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._in_flight[task] = item
        task.add_done_callback(self._ended_task)

    def _ended_task(self, task: asyncio.Task[None]) -> None:
        item = self._in_flight.pop(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()
        self._claims.free(item.host)
        self._wake.set()

    async def _visit(self, item: FrontierItem) -> None:
        visit = Visit(self._context, item, self._committer, time.time())
        answer = await visit.run()
        self._hosts.answered(
            item.host,
            time.time(),
            status=answer.status,
            seconds=answer.seconds,
            retry_after=answer.retry_after,
        )

    async def _ask_robots(self, item: FrontierItem) -> None:
        """Ask for the robots.txt of the item's host; the item itself is still in the window."""
        closed = await self._clearance.ask_robots(item)
        if closed is not None:
            self._obstacle = closed.obstacle
            self.stop(closed.reason)

    # Small things ----------------------------------------------------------------------------------

    def _account(self, means: AccountMeans, engines: Mapping[str, Engine]) -> Unlocker:
        turns = Turns(
            self._site,
            fetcher=self._fetcher,
            hosts=self._hosts,
            committer=self._committer,
            spend=self._budget.spend,
            agent=self._agent,
        )
        work = AccountWork(
            self._site, turns, self._fetcher, self._committer, engines, lambda: self._context.engine
        )
        return Unlocker(work, means, key=self._context.admissions.key)

    def _parser_pool(self) -> Executor:
        if self._parser is None:
            self._parser = ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn"))
        return self._parser

    def _report(self, *, force: bool = False) -> None:
        now = time.monotonic()
        if force or now - self._reported >= _PROGRESS_SECONDS:
            self._reported = now
            held = self._hosts.held(time.time())
            self._journal.look(now, self._committer.figures, self._context.traps.left, held, force=force)
            self._on_progress(
                Progress(
                    site=self._site.site,
                    figures=self._committer.figures,
                    queue=self._committer.queue + self._window.size,
                    seconds=now - self._started,
                )
            )

    @property
    def _open_crawl(self) -> Crawl:
        assert self._crawl is not None
        return self._crawl
