"""A running crawl on the terminal: a live panel, or plain lines where there is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from harvester.crawl.options import OnProgress, Progress

PLAIN_SECONDS = 5.0
"""Seconds between two plain lines."""


@contextmanager
def shown_progress(console: Console, *, quiet: bool = False) -> Iterator[OnProgress]:
    """A callback that shows progress on `console` until the end of the block."""
    if quiet:
        yield lambda _progress: None
    elif console.is_terminal:
        with Live(console=console, refresh_per_second=5, transient=True) as live:
            yield lambda progress: live.update(_panel(progress))
    else:
        yield _PlainLines().show


class _PlainLines:
    """One line now and then, on standard error."""

    def __init__(self) -> None:
        self._last = 0.0

    def show(self, progress: Progress) -> None:
        """Print a line when the last one is old enough."""
        if progress.seconds - self._last < PLAIN_SECONDS:
            return
        self._last = progress.seconds
        print(plain_line(progress), file=sys.stderr, flush=True)


def plain_line(progress: Progress) -> str:
    """Progress as one line."""
    figures = progress.figures
    parts = [
        f"{progress.seconds:.0f} s",
        f"{figures.requests:,} requests",
        f"{figures.pages:,} pages",
        f"{_torrents(progress):,} torrents",
        f"{figures.magnets:,} magnets",
        f"{max(progress.queue, 0):,} queued",
        f"{_rate(progress):.1f} requests/s",
    ]
    if figures.walls:
        parts.append("walls: " + _counts(figures.walls))
    if figures.errors:
        parts.append("errors: " + _counts(figures.errors))
    return f"{progress.site}: " + ", ".join(parts)


def _panel(progress: Progress) -> Table:
    figures = progress.figures
    table = Table(title=Text(progress.site), title_justify="left", box=None, padding=(0, 2, 0, 0))
    for column in ("requests", "pages", "torrents", "magnets", "queue", "rate", "walls", "errors", "time"):
        table.add_column(column, justify="right" if column not in ("walls", "errors") else "left")
    table.add_row(
        f"{figures.requests:,}",
        f"{figures.pages:,}",
        f"{_torrents(progress):,}",
        f"{figures.magnets:,}",
        f"{max(progress.queue, 0):,}",
        f"{_rate(progress):.1f}/s",
        _counts(figures.walls) or "none",
        _counts(figures.errors) or "none",
        f"{progress.seconds:.0f} s",
    )
    return table


def _torrents(progress: Progress) -> int:
    return progress.figures.torrents_new + progress.figures.torrents_known


def _rate(progress: Progress) -> float:
    return progress.figures.requests / progress.seconds if progress.seconds > 0 else 0.0


def _counts(counter: dict[str, int]) -> str:
    return ", ".join(f"{kind} {count:,}" for kind, count in sorted(counter.items()))
