"""A small line chart as SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#17becf", "#7f7f7f")
_WIDTH, _HEIGHT = 430, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 30, 40


def chart(title: str, lines: Mapping[str, Sequence[tuple[float, float]]], x: float, y: float) -> str:
    """An `<g>` element with one line each; axes from 0 to `x` (requests) and `y` (torrents)."""
    plot_width, plot_height = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def place(point: tuple[float, float]) -> str:
        across = _LEFT + min(point[0] / x, 1.0) * plot_width
        return f"{across:.1f},{_TOP + plot_height * (1 - point[1] / y):.1f}"

    parts = [
        f'<text x="{_WIDTH / 2}" y="18" text-anchor="middle" font-weight="bold">{escape(title)}</text>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{plot_width}" height="{plot_height}" fill="none" '
        'stroke="#999"/>',
    ]
    for value in _ticks(x):
        at = _LEFT + value / x * plot_width
        parts.append(
            f'<text x="{at:.0f}" y="{_HEIGHT - _BOTTOM + 14}" text-anchor="middle">{value:,.0f}</text>'
        )
    for value in _ticks(y):
        at = _TOP + plot_height * (1 - value / y)
        parts.append(f'<text x="{_LEFT - 5}" y="{at + 4:.0f}" text-anchor="end">{value:,.0f}</text>')
    middle = _LEFT + plot_width / 2
    parts.append(f'<text x="{middle:.0f}" y="{_HEIGHT - 8}" text-anchor="middle">requests</text>')
    for (name, points), colour in zip(lines.items(), _COLOURS * 3, strict=False):
        path = " ".join(map(place, [(0.0, 0.0), *points]))
        dash = ' stroke-dasharray="4 3"' if name == "oracle" else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
    for index, (name, colour) in enumerate(zip(lines, _COLOURS * 3, strict=False)):
        at = _HEIGHT - _BOTTOM - 8 - 13 * (len(lines) - 1 - index)
        parts.append(
            f'<text x="{_WIDTH - _RIGHT - 6}" y="{at}" text-anchor="end" fill="{colour}">{name}</text>'
        )
    return "".join(parts)


def sheet(charts: Sequence[str], columns: int = 3) -> str:
    """Charts in rows as one SVG document."""
    rows = -(-len(charts) // columns)
    groups = "".join(
        f'<g transform="translate({index % columns * _WIDTH},{index // columns * _HEIGHT})">{body}</g>'
        for index, body in enumerate(charts)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * _WIDTH}" height="{rows * _HEIGHT}" '
        'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
        f"{groups}</svg>\n"
    )


def _ticks(most: float) -> list[float]:
    """Round values from 0 to `most`, about five."""
    rough = most / 5
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    return [step * count for count in range(int(most / step) + 1)]
