"""Arms and kinds as the bandit keeps them."""

from __future__ import annotations

from dataclasses import dataclass, field

from harvester.ordering.hints import FACTORS, TIERS, UNTOLD
from harvester.ordering.values import Record, Worth

NOTHING = Worth(0.0, 1.0)
MOST_PARENTS = 64
"""Arms whose links lead to an arm that it remembers."""
_FAIR = 1.0
_LEAST_FACTOR = 0.03


@dataclass(slots=True)
class Arm:
    """A kind of URL in a context. `shadow`: links beside a better one of the same row;
    `tier`: what their rows say of them (`hints`). `is_flip`: its URLs turn pages. `band`
    numbers its priorities.

    `own` is what its visits led to, `worth` that drawn towards its kind, `score` its index. `parents` are
    the arms whose pages link to it. `share` and `trial` are its parts of its kind's sums.
    """

    number: int
    kind: int
    context: int
    host: str
    shadow: bool
    tier: int = 0
    band: int = 0
    is_flip: bool = False
    waiting: int = 0
    prior: float = 0.0
    record: Record = field(default_factory=Record)
    own: Worth = NOTHING
    worth: Worth = NOTHING
    score: float = 0.0
    is_download: bool = False
    parents: dict[int, None] = field(default_factory=dict)
    share: tuple[float, float, float] | None = None
    trial: tuple[float, float] | None = None
    worked_out: int = -1
    """The visits of its host at which its worth was last worked out."""


@dataclass(slots=True)
class Kind:
    """What is known of a kind of URL over all of its arms.

    The sums are over visited arms, each counted about once: `shares`, and `ratios` and `requests` weighted
    with them. `trials` are arms with some visits, with the sums of their useful shares, of the squares of
    those, and of one over their visits.
    """

    record: Record = field(default_factory=Record)
    prior: float | None = None
    worth: Worth | None = None
    told: float = -1.0
    """The worth that its arms were last worked out with."""
    arms: list[Arm] = field(default_factory=list)
    shares: float = 0.0
    ratios: float = 0.0
    requests: float = 0.0
    tiers: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0] for _ in TIERS])
    """`shares` and `ratios` of the arms of each tier."""
    trials: int = 0
    useful: float = 0.0
    squares: float = 0.0
    inverses: float = 0.0
    gives: dict[int, float] = field(default_factory=dict)
    """Fresh links of further pages of lists to kinds that the same list holds."""
    links: float = 0.0
    variants: float = 0.0
    """Links to the kind, and those that show the page they stand on in another way."""

    def fade(self, factor: float) -> None:
        """Let older visits count less."""
        self.record.fade(factor)
        for number in self.gives:
            self.gives[number] *= factor

    @property
    def is_view(self) -> bool:
        """Whether its pages show what others list already, and no downloads themselves."""
        shows = self.record.useful > 0.3 * self.record.visits
        return self.variants > 0.5 * self.links and not shows

    def count(self, share: tuple[float, float, float] | None, sign: float, tier: int) -> None:
        """Add the part of an arm of that tier to the sums (`sign` 1), or take it out (-1)."""
        if share is not None:
            weight, ratio, requests = share
            self.shares += sign * weight
            self.ratios += sign * weight * ratio
            self.requests += sign * weight * requests
            sums = self.tiers[tier]
            sums[0] += sign * weight
            sums[1] += sign * weight * ratio

    def factor(self, tier: int) -> float:
        """What links of a tier were worth on average, of what all links of the kind were.

        As long as few lists were seen, what is to be expected (`FACTORS`) counts for `_FAIR` of them.
        """
        if tier == UNTOLD or self.shares <= 0 or self.ratios <= 0:
            return FACTORS[tier]
        shares, ratios = self.tiers[tier]
        mean = self.ratios / self.shares
        return max(_LEAST_FACTOR, (_FAIR * FACTORS[tier] + ratios / mean) / (_FAIR + shares))

    def try_out(self, trial: tuple[float, float] | None, sign: int) -> None:
        """The same for (useful share, visits)."""
        if trial is not None:
            useful, visits = trial
            self.trials += sign
            self.useful += sign * useful
            self.squares += sign * useful * useful
            self.inverses += sign / visits

    def join(self, other: Kind) -> None:
        """Take in a kind that turned out to be the same."""
        self.record.join(other.record)
        self.arms += other.arms
        for sums, more in zip(self.tiers, other.tiers, strict=True):
            sums[0] += more[0]
            sums[1] += more[1]
        for number, count in other.gives.items():
            self.gives[number] = self.gives.get(number, 0.0) + count
        if other.prior is not None:
            self.prior = other.prior if self.prior is None else max(self.prior, other.prior)
        for name in (
            "shares",
            "ratios",
            "requests",
            "trials",
            "useful",
            "squares",
            "inverses",
            "links",
            "variants",
        ):
            setattr(self, name, getattr(self, name) + getattr(other, name))
