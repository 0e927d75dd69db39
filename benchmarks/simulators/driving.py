"""Driving Harvest's own engine over a simulated site, on a store of its own that ends with the run.

Nothing is simulated but the network: extraction, admission, learner, order, frontier and store are what a
crawl uses. Neither engine pack nor site file is given unless asked for.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.simulators.base import Simulator
from benchmarks.simulators.fetcher import Exchange, SimFetcher
from harvester import wiring
from harvester.crawl.engine import CrawlEngine
from harvester.crawl.options import CrawlOptions, CrawlReport
from harvester.crawl.run import run_crawl
from harvester.model.crawl import FrontierItem
from harvester.model.site import Politeness, Rule, Scope, SiteFile
from harvester.ordering.bandit import Bandit
from harvester.patterns.engines import Engine
from harvester.ports.fetch import Fetcher
from harvester.settings import Settings

AGENT = "harvest-bench/1 (+http://bench.example/)"


@dataclass(frozen=True, slots=True)
class SimRun:
    """One crawl of one simulated site: every exchange in order, and how the crawl ended."""

    log: tuple[Exchange, ...]
    state_changes: tuple[str, ...]
    report: CrawlReport
    cpu_seconds: float
    rules: tuple[Rule, ...] = ()
    """What was learned, as it would be written to the site's learned file."""
    first_seen: dict[str, int] = field(default_factory=dict)
    """Request number (from 1) that brought each torrent, by infohash."""


OnChosen = Callable[[FrontierItem, tuple[float, float, str]], None]
"""Told of a URL that is claimed: the index of its arm, the arm's visits, and an example of its kind."""


def _listen(engine: CrawlEngine, on_chosen: OnChosen) -> None:
    """Hear of every URL that enters the engine's window."""
    window, order = engine._window, engine._guide.order
    push = window.push

    def heard(item: FrontierItem, at: float) -> None:
        if isinstance(order, Bandit):
            on_chosen(item, order.explain(item.ref.priority))
        push(item, at)

    window.push = heard  # type: ignore[method-assign]  # the engine has no such hook, and needs none


def site_file(simulator: Simulator, *, max_requests: int | None = None) -> SiteFile:
    """What an operator would write: a start page and no delay."""
    return SiteFile(
        site=simulator.host,
        start=(simulator.start,),
        hosts=(simulator.host,),
        scope=Scope(max_requests=max_requests),
        politeness=Politeness(delay=0.0),
    )


def drive(
    simulator: Simulator,
    options: CrawlOptions | None = None,
    *,
    engines: Mapping[str, Engine] | None = None,
    site: SiteFile | None = None,
    wanted: frozenset[str] | None = None,
    enough: int | None = None,
    on_chosen: OnChosen | None = None,
) -> SimRun:
    """Crawl the simulator until it has `wanted` (None: to the end), or to the options' limits.

    `enough` of the wanted ones end the crawl as well. `on_chosen` is told of
    every URL that is claimed, with what the order says of it at that moment.
    """
    missing = set(wanted or ())
    running: list[CrawlEngine] = []
    learned: list[Sequence[Rule]] = [()]

    left = len(missing) - enough if enough is not None else 0

    def found(infohash: str) -> None:
        missing.discard(infohash)
        if wanted is not None and len(missing) <= left:
            running[0].stop("every torrent is found" if not missing else "enough torrents are found")

    fetcher = SimFetcher(simulator, on_torrent=found)
    started = time.process_time()
    with tempfile.TemporaryDirectory(prefix="harvest-bench-") as folder:
        settings = Settings.model_validate({"data": Path(folder)})
        with wiring.opened_store(settings, create=True) as store:
            chosen = site or site_file(simulator)
            store.add_site(chosen.site, start=simulator.start, now=time.time())

            def build_engine(port: Fetcher) -> CrawlEngine:
                engine = CrawlEngine(
                    chosen,
                    store=store,
                    fetcher=port,
                    agent=AGENT,
                    engines=engines or {},
                    options=options or CrawlOptions(),
                    on_learned=learned.append,
                )
                running.append(engine)
                if on_chosen is not None:
                    _listen(engine, on_chosen)
                return engine

            report = run_crawl(lambda: fetcher, build_engine, heed_signals=False)
    seen: dict[str, int] = {}
    for number, exchange in enumerate(fetcher.log, 1):
        if exchange.infohash:
            seen.setdefault(exchange.infohash, number)
    return SimRun(
        tuple(fetcher.log),
        tuple(simulator.state_changes),
        report,
        time.process_time() - started,
        tuple(learned[-1]),
        seen,
    )
