"""Numbers as pictures."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from harvester.web.pages.plots import HEIGHT, WIDTH, bars, curve

_MOMENTS = st.floats(0, 4e9)
_VALUES = st.floats(0, 1e12)


def _numbers(path: str) -> list[float]:
    return [float(one) for part in path.strip("MZ ").split(" ") for one in part.strip("L").split(",")]


@given(st.lists(st.tuples(_MOMENTS, _VALUES), min_size=2, max_size=20))
def test_a_curve_stays_in_its_picture(points: list[tuple[float, float]]) -> None:
    plot = curve(sorted(points))
    assert plot
    numbers = _numbers(plot.area)
    assert all(math.isfinite(one) and 0 <= one <= max(WIDTH, HEIGHT) for one in numbers)


@given(st.lists(st.tuples(_MOMENTS, st.none() | _VALUES), max_size=20))
def test_bars_stay_in_their_picture(values: list[tuple[float, float | None]]) -> None:
    plot = bars(values)
    assert (plot is None) is all(value is None for _, value in values)
    for bar in plot.bars if plot else ():
        assert 0 <= bar.x <= bar.x + bar.width <= WIDTH
        assert 0 <= bar.y <= bar.y + bar.height <= HEIGHT


def test_one_point_makes_no_curve() -> None:
    assert curve([(1.0, 1.0)]) is None


def test_the_axis_ends_at_a_round_number_above_the_highest() -> None:
    plot = curve([(0.0, 0.0), (1000.0, 159.0)])
    assert plot
    assert [tick.text for tick in plot.y_ticks] == ["0", "100", "200"]
