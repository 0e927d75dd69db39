"""Simulated sites for the benchmark of crawl orders: no network, same seed, same bytes.

    site = build("discuz", seed=1)          # one of FAMILIES
    site.start, site.fetch(url), site.truth(url), site.torrents, site.state_changes

A family is one module of this package with one class; `FAMILIES` finds them by name.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from benchmarks.simulators.base import Asked, SimResponse, SimTorrent, Simulator, Target

__all__ = ["FAMILIES", "Asked", "SimResponse", "SimTorrent", "Simulator", "Target", "build"]


def _families() -> dict[str, type[Simulator]]:
    found: dict[str, type[Simulator]] = {}
    for info in iter_modules(__path__):
        module = import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Simulator) and "family" in vars(value):
                found[value.family] = value
    return dict(sorted(found.items()))


FAMILIES = _families()
"""Every simulated family by name."""


def build(
    family: str, seed: int = 1, *, size: float = 1.0, moves_after: int | None = None, forgets: bool = False
) -> Simulator:
    """A fresh site of a family."""
    return FAMILIES[family](seed, size=size, moves_after=moves_after, forgets=forgets)
