"""Running a crawl to its end in an event loop of its own, stoppable by Ctrl-C."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvloop

from harvester.crawl.engine import CrawlEngine
from harvester.crawl.options import CrawlReport
from harvester.ports.fetch import Fetcher

INTERRUPTED = "interrupted"
COLLECT_AFTER = 50_000
"""Objects made since the last collection after which the youngest are looked through for cycles. A page makes
some thousands that live for the page only and are freed by their counts; at Python's own 700, looking for
cycles among what a crawl remembers takes a tenth of its time."""


def run_crawl(
    build_fetcher: Callable[[], Fetcher],
    build_engine: Callable[[Fetcher], CrawlEngine],
    *,
    heed_signals: bool = True,
) -> CrawlReport:
    """Build fetcher and engine inside a fresh loop and crawl.

    The first SIGINT or SIGTERM stops the crawl cleanly (its reason is `INTERRUPTED`); a second one ends it
    at once. `heed_signals` false leaves signals to whoever runs it.
    """
    with _rarely_collecting(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_crawl(build_fetcher, build_engine, heed_signals))


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """Let Python look for cycles seldom, and never among what is there before the crawl."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _crawl(
    build_fetcher: Callable[[], Fetcher], build_engine: Callable[[Fetcher], CrawlEngine], heed_signals: bool
) -> CrawlReport:
    fetcher = build_fetcher()
    try:
        engine = build_engine(fetcher)
        if heed_signals:
            _stop_on_signals(engine)
        return await engine.run()
    finally:
        await fetcher.aclose()


def _stop_on_signals(engine: CrawlEngine) -> None:
    loop = asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        engine.stop(INTERRUPTED)
        loop.remove_signal_handler(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop, number)
        except (ValueError, RuntimeError):  # not in the main thread: whoever runs it there stops it
            return
