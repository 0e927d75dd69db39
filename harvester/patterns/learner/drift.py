"""Noticing that a site has changed: a kind of URL that worked and does not any more."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

PROBES = 5
"""Visits that a suspect has to prove itself."""
ALARMED_PROBES = 2
"""The same while other kinds of the site fail, too."""
_LEAST_VISITS = 4
_TOLERATED = 0.1
_LIMIT = 1.9
"""A kind that always worked is suspected at its third failure in a row, one of which some pages are gone at
more."""
_OUTAGE = 0.8


class Health(Enum):
    """Whether a kind of URL still works."""

    FINE = "fine"
    SUSPECT = "suspect"
    RETIRED = "retired"


@dataclass(slots=True)
class PageHinkley:
    """Page's test for a drop of the mean (Page 1954, Hinkley 1971).

    `delta` is the change that is tolerated, `limit` the sum of deviations from which a drop is certain.
    """

    delta: float = 0.1
    limit: float = 4.0
    mean: float = 0.0
    count: int = 0
    total: float = 0.0
    highest: float = 0.0

    def add(self, value: float) -> bool:
        """Take in a value; whether the mean has dropped."""
        self.count += 1
        self.mean += (value - self.mean) / self.count
        self.total += value - self.mean + self.delta
        self.highest = max(self.highest, self.total)
        return self.highest - self.total > self.limit

    def reset(self) -> None:
        """Begin anew."""
        self.mean, self.count, self.total, self.highest = 0.0, 0, 0.0, 0.0


class Change(Enum):
    """What one visit changed in the health of a kind."""

    NONE = "none"
    SUSPECTED = "suspected"
    RETIRED = "retired"


@dataclass(slots=True)
class Watch:
    """The health of one kind of URL: Page-Hinkley over whether its visits work."""

    health: Health = Health.FINE
    good: int = 0
    probes: int = 0
    test: PageHinkley = field(default_factory=lambda: PageHinkley(_TOLERATED, _LIMIT))

    def add(self, *, bad: bool, outage: bool, alarmed: bool = False) -> Change:
        """Take in a visit.

        `bad`: gone, or redirected to where nobody knew. `outage`: the whole site answers so, which says
        nothing of this kind. `alarmed`: other kinds fail, too.
        """
        if outage:
            return Change.NONE
        self.good += not bad
        has_dropped = self.test.add(float(not bad))
        if not bad:
            if self.health is not Health.FINE:
                self.test.reset()
            self.health, self.probes = Health.FINE, 0
            return Change.NONE
        if self.health is Health.FINE and has_dropped and self.good >= _LEAST_VISITS:
            self.health, self.probes = Health.SUSPECT, 0
            return Change.SUSPECTED
        if self.health is Health.SUSPECT:
            self.probes += 1
            if self.probes >= (ALARMED_PROBES if alarmed else PROBES):
                self.health = Health.RETIRED
                return Change.RETIRED
        return Change.NONE


@dataclass(slots=True)
class Outage:
    """Whether the whole site fails (server errors, no answer): then no kind of URL is to blame."""

    share: float = 0.0

    def add(self, *, failed: bool) -> None:
        """Take in a visit."""
        self.share += 0.2 * (failed - self.share)

    @property
    def now(self) -> bool:
        """Whether the site is out of order."""
        return self.share > _OUTAGE
