"""What a crawl tells its log: its start and end, and in between what is news, one line a second at most.

Figures are looked at, not reported: the hot path of a crawl knows nothing of the log.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping

from harvester.crawl.figures import Figures
from harvester.crawl.options import CrawlReport
from harvester.model.crawl import Crawl

LEAST_SECONDS = 1.0
"""Seconds between two lines."""
FIGURES_SECONDS = 60.0
"""Seconds between two lines with the figures, when there is nothing else to say."""
MOST_NEWS = 5
"""Pieces of news in one line; the others are counted."""

_log = logging.getLogger("harvester.crawl")


class Journal:
    """The log of one run. `look` is called as often as one likes, with a monotonic clock's seconds."""

    def __init__(self, site: str) -> None:
        self._site = site
        self._next = 0.0
        self._figures_at = 0.0
        self._walls: set[str] = set()
        self._errors: Counter[str] = Counter()
        self._traps: set[str] = set()
        self._held: dict[str, float] = {}

    def begin(self, crawl: Crawl, now: float) -> None:
        """The run begins."""
        went_on = "goes on" if crawl.resumed else "begins"
        _log.info(
            "%s: %s crawl %d %s",
            self._site,
            crawl.kind,
            crawl.id,
            went_on,
            extra={"event": "crawl_started", "site": self._site, "crawl": crawl.id},
        )
        self._next = now + LEAST_SECONDS
        self._figures_at = now + FIGURES_SECONDS

    def look(
        self,
        now: float,
        figures: Figures,
        traps: Mapping[str, str],
        held: Mapping[str, float],
        *,
        force: bool = False,
    ) -> None:
        """Tell what is new since the last line, when that is long enough ago (`force`: in any case).

        `traps`: pattern -> reason of what is left alone; `held`: host -> UTC time until which it asked to
        be left alone or failed.
        """
        if now < self._next and not force:
            return
        news = [*self._new_walls(figures), *self._new_errors(figures), *self._new_traps(traps)]
        news += self._newly_held(held)
        if not news and now >= self._figures_at:
            news = [_totals(figures)]
        if not news:
            return
        self._next = now + LEAST_SECONDS
        self._figures_at = now + FIGURES_SECONDS
        self._tell(news)

    def _tell(self, news: list[str]) -> None:
        if not news:
            return
        more = len(news) - MOST_NEWS
        told = "; ".join(news[:MOST_NEWS]) + (f"; and {more} more" if more > 0 else "")
        _log.info("%s: %s", self._site, told, extra={"event": "crawl_news", "site": self._site})

    def end(self, report: CrawlReport) -> None:
        """The run ended; what was news and could not be told yet comes first, in one line."""
        self._tell([*self._new_walls(report.figures), *self._new_errors(report.figures)])
        _log.info(
            "%s: crawl %d %s (%s) after %.0f s: %s",
            self._site,
            report.crawl_id,
            report.state,
            report.reason,
            report.seconds,
            _totals(report.figures),
            extra={
                "event": "crawl_ended",
                "site": self._site,
                "crawl": report.crawl_id,
                "state": report.state,
                "figures": report.figures.to_json(),
            },
        )

    def _new_walls(self, figures: Figures) -> list[str]:
        kinds = sorted(figures.walls.keys() - self._walls)
        self._walls.update(kinds)
        return [f"first wall of its kind: {kind}" for kind in kinds]

    def _new_errors(self, figures: Figures) -> list[str]:
        more = figures.errors - self._errors
        self._errors = Counter(figures.errors)
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(more.items()))
        return [f"errors: {kinds}"] if more else []

    def _new_traps(self, traps: Mapping[str, str]) -> list[str]:
        patterns = sorted(traps.keys() - self._traps)
        self._traps.update(patterns)
        return [f"trap, left alone from now on: {pattern[:200]} ({traps[pattern]})" for pattern in patterns]

    def _newly_held(self, held: Mapping[str, float]) -> list[str]:
        news = []
        for host, until in held.items():
            if until > self._held.get(host, 0.0) + LEAST_SECONDS:
                at = time.strftime("%H:%M:%S UTC", time.gmtime(until))
                news.append(f"{host} is left alone until {at}")
        self._held = dict(held)
        return news


def _totals(figures: Figures) -> str:
    return (
        f"{figures.requests:,} requests, {figures.pages:,} pages, {figures.torrents_new:,} new torrents, "
        f"{figures.torrents_known:,} known, {figures.magnets:,} magnets"
    )
