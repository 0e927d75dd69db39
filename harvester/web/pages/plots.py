"""Plots as the numbers of inline SVG: the templates draw them, no script and no style attribute needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

WIDTH = 640.0
HEIGHT = 180.0
LEFT = 46.0
BOTTOM = 24.0
TOP = 10.0
RIGHT = 10.0
_FEW_SECONDS = 10
_SMALLEST = 1e-6


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on an axis: its place in the picture and its words."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar; `text` says what it is."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture of `WIDTH` by `HEIGHT`; `line` and `area` are SVG paths."""

    line: str = ""
    area: str = ""
    bars: tuple[Bar, ...] = ()
    x_ticks: tuple[Tick, ...] = ()
    y_ticks: tuple[Tick, ...] = ()
    width: float = WIDTH
    height: float = HEIGHT
    left: float = LEFT
    right: float = WIDTH - RIGHT
    base: float = HEIGHT - BOTTOM


def curve(points: Sequence[tuple[float, float]]) -> Plot | None:
    """A line over time (UTC seconds, value from 0); None with fewer than two points."""
    if len(points) < 2:
        return None
    first, last = points[0][0], points[-1][0]
    top = _round_up(max(value for _, value in points))
    span = (last - first) or 1.0
    base = HEIGHT - BOTTOM
    places = [
        (LEFT + (at - first) / span * (WIDTH - LEFT - RIGHT), base - value / top * (base - TOP))
        for at, value in points
    ]
    line = "M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in places)
    area = f"{line} L{places[-1][0]:.1f},{base:.1f} L{places[0][0]:.1f},{base:.1f} Z"
    moments = (first, first + span / 2, last)
    ends = (LEFT, (LEFT + WIDTH - RIGHT) / 2, WIDTH - RIGHT)
    ticks = [Tick(x, _moment(at, span)) for x, at in zip(ends, moments, strict=True)]
    if span < _FEW_SECONDS:
        del ticks[1]  # it would say what one of its neighbours says
    x_ticks = tuple(ticks)
    return Plot(line=line, area=area, x_ticks=x_ticks, y_ticks=_y_ticks(top))


def bars(values: Sequence[tuple[float, float | None]]) -> Plot | None:
    """A bar for each (UTC seconds, value from 0), oldest first; None without any value."""
    known = [value for _, value in values if value is not None]
    if not known:
        return None
    top = _round_up(max(known))
    base = HEIGHT - BOTTOM
    step = (WIDTH - LEFT - RIGHT) / max(len(values), 8)
    drawn = []
    for place, (at, value) in enumerate(values):
        if value is None:
            continue
        height = value / top * (base - TOP)
        told = f"{_day(at)}: {value:.1f}"
        drawn.append(Bar(LEFT + place * step + step * 0.15, base - height, step * 0.7, height, told))
    shown = {0: values[0][0], len(values) - 1: values[-1][0]}
    x_ticks = tuple(Tick(LEFT + (place + 0.5) * step, _day(at)) for place, at in shown.items())
    return Plot(bars=tuple(drawn), x_ticks=x_ticks if len(values) > 4 else x_ticks[:1], y_ticks=_y_ticks(top))


def _y_ticks(top: float) -> tuple[Tick, ...]:
    base = HEIGHT - BOTTOM
    return tuple(Tick(base - share * (base - TOP), _number(top * share)) for share in (0.0, 0.5, 1.0))


def _round_up(value: float) -> float:
    """The next small number times a power of ten, so that the axis has round numbers."""
    if value < _SMALLEST:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * power >= value * 0.999)


def _number(value: float) -> str:
    if value >= 1_000_000:
        return f"{value / 1_000_000:g}M"
    return f"{value / 1000:g}k" if value >= 10_000 else f"{value:g}"


def _moment(at: float, span: float) -> str:
    moment = datetime.fromtimestamp(at, UTC)
    if span < 2 * 3600:
        return moment.strftime("%H:%M:%S")
    return moment.strftime("%H:%M" if span < 2 * 86400 else "%Y-%m-%d")


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d")
