"""Noticing that a site has changed: a kind of URL that worked and does not any more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

PROBES = 5
"""Visits that a suspect has to prove itself."""
_FORGET = 0.25
_BAD = 0.55
_LEAST_VISITS = 4
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


@dataclass(slots=True)
class Watch:
    """The health of one kind of URL."""

    health: Health = Health.FINE
    good: int = 0
    bad_share: float = 0.0
    probes: int = 0

    def add(self, *, bad: bool, outage: bool) -> bool:
        """Take in a visit; whether the kind was retired by it.

        `bad`: gone, redirected away, or behind a wall that was not there. `outage`: the whole site answers
        so, which says nothing of this kind.
        """
        if outage:
            return False
        self.bad_share += _FORGET * (bad - self.bad_share)
        self.good += not bad
        if not bad:
            self.health, self.probes = Health.FINE, 0
            return False
        if self.health is Health.FINE and self.good >= _LEAST_VISITS and self.bad_share > _BAD:
            self.health, self.probes = Health.SUSPECT, 0
            return False
        if self.health is Health.SUSPECT:
            self.probes += 1
            if self.probes >= PROBES:
                self.health = Health.RETIRED
                return True
        return False


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
