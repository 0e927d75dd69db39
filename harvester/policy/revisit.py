"""When a page is due again: one small policy each, registered by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PageHistory:
    """What the visits of a page showed; times in UTC seconds."""

    first_visit: float
    last_visit: float
    visits: int
    """Visits that could tell (all but the first)."""
    changes: int
    """Visits that found the page changed."""
    clicks: int = 0
    """How often people found the page useful lately."""
    cluster: str = ""
    """Pages that change alike: the rule, or the board."""


RevisitPolicy = Callable[[PageHistory, float], float]
"""(history, now) -> the time at which the page is due again."""

POLICIES: dict[str, RevisitPolicy] = {}
"""Policies by name: uniform, poisson, user_experience, cluster."""
