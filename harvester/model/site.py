"""What an operator says about a site: the values of a site file.

Every section of the schema has its value here; `patterns.sitefile` reads and writes the YAML, and the
published JSON schema is made from the same field table. A section left out of a file has the defaults
given here.
"""

from __future__ import annotations

from enum import StrEnum
from ipaddress import ip_address

from msgspec import Struct, field


class Role(StrEnum):
    """What kind of page or file the URLs of a rule lead to."""

    START = "start"
    LIST = "list"
    FLIP = "flip"
    """A further page of a list or of a detail page."""
    DETAIL = "detail"
    DOWNLOAD = "download"
    DATA = "data"
    """Feeds, sitemaps, JSON: links without a page."""
    LOGIN = "login"
    ACTION = "action"
    """Changes something on the site: never fetched by a crawl."""
    TRAP = "trap"
    IGNORE = "ignore"


NEVER_CRAWLED = frozenset({Role.LOGIN, Role.ACTION, Role.TRAP, Role.IGNORE})
"""Roles whose URLs discovery leaves alone."""


class RuleSource(StrEnum):
    """Who wrote a rule; the earlier ones win over the later ones."""

    OPERATOR = "operator"
    LEARNED = "learned"
    ENGINE = "engine"


class RuleState(StrEnum):
    """How far a learned rule is trusted; rules of people are always active."""

    PROBATION = "probation"
    ACTIVE = "active"
    SUSPECT = "suspect"
    RETIRED = "retired"


class RuleEvidence(Struct, frozen=True):
    """What a learned rule rests on."""

    support: int = 0
    """Pages of this rule that were fetched."""
    reward: float = 0.0
    """New torrents a page (written `yield` in files)."""
    bound: float = 0.0
    """Wilson lower bound of the share of pages that fit the role."""
    examples: tuple[str, ...] = ()


class Rule(Struct, frozen=True):
    """One kind of URL.

    `match` is an RE2 pattern searched for in path + query (`/thread-1.html?x=1`, never the host or the
    fragment); `^` and `$` anchor it. `key` is the identity of what the URL shows, with `{1}`, `{2}` for
    the groups of `match`; "" means that the rule says nothing of identity.
    """

    id: str
    role: Role
    match: str
    key: str = ""
    locked: bool = False
    source: RuleSource = RuleSource.OPERATOR
    state: RuleState = RuleState.ACTIVE
    evidence: RuleEvidence | None = None
    line: int = 0
    """Line of the file it stands in, from 1; 0 when it stands in none."""


class RuleExample(Struct, frozen=True):
    """A test that a rule file carries: `url` is taken by `rule` ("" for: by none)."""

    url: str
    rule: str = ""
    key: str = ""
    line: int = 0


class Hours(Struct, frozen=True):
    """A daily window in UTC, minutes after midnight; `start` > `end` goes over midnight."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.start // 60:02}:{self.start % 60:02}-{self.end // 60:02}:{self.end % 60:02}"


class Scope(Struct, frozen=True):
    """Which part of the site a crawl may visit, and how long."""

    include: tuple[str, ...] = ("/",)
    """Path prefixes; a URL must begin with one of them."""
    exclude: tuple[str, ...] = ()
    """Path prefixes that win over `include`."""
    depth: int = 17
    """Links away from a start page."""
    hours: Hours | None = None
    """Time of day (UTC) in which requests are sent; None: any."""
    max_requests: int | None = None
    max_seconds: float | None = None


class Politeness(Struct, frozen=True):
    """How gently the site is treated."""

    delay: float = 5.0
    """Seconds between two requests to one host; at least 1, below that only on loopback."""
    connections: int = 1
    per_hour: int | None = None
    """Most requests in an hour; None: the default cap, or no cap on loopback."""
    per_day: int | None = None
    proxy: str | None = None
    """`http://`, `https://`, `socks5://` or `socks5h://`, without a password."""


class RobotsDecision(Struct, frozen=True):
    """The operator's own recorded decision on account actions that robots.txt forbids."""

    account_actions_allowed: bool = False
    date: str = ""
    """ISO date of the decision."""
    terms_url: str = ""


class Account(Struct, frozen=True):
    """Where the credentials are found: names only, never the secrets."""

    user_env: str = ""
    password_env: str = ""
    keyring: str = ""
    """Service name in the system's keyring, instead of the two variables."""
    allow_insecure: bool = False
    solver: str = ""
    """Name of a plugged-in solver for this site's image and text captchas; "" leaves them to a person."""

    @property
    def configured(self) -> bool:
        """Whether the file names credentials at all."""
        return bool(self.keyring or (self.user_env and self.password_env))


class ReplyPolicy(Struct, frozen=True):
    """Whether and how Harvest may reply to open hidden content; off by default."""

    allowed: bool = False
    templates: tuple[str, ...] = ()
    per_day: int = 0
    min_gap: float = 600.0
    """Seconds between two replies."""
    approve_first: int = 3
    """How many replies a person approves one by one before the rest goes by itself."""
    boards: tuple[str, ...] = ()
    """Path + query prefixes of the boards where replying is allowed; none: nowhere."""
    rule_text: str = ""
    """The site's own words that allow or ask for replies, saved by the operator."""


class PointsPolicy(Struct, frozen=True):
    """How many of the account's points may be spent; none by default."""

    max_per_item: int = 0
    max_per_day: int = 0
    min_balance: int = 0


class RefreshPolicy(Struct, frozen=True):
    """How much an incremental pass may cost."""

    budget_per_day: int = 500
    policy: str = "poisson"
    """Name of a revisit policy."""


class SiteFile(Struct, frozen=True):
    """One site as its operator describes it."""

    site: str
    start: tuple[str, ...]
    hosts: tuple[str, ...]
    """Lower-case host names, with `:port` where it is not the scheme's own; never empty."""
    scope: Scope = field(default_factory=Scope)
    engine: str = ""
    """Name of the engine it inherits; "" to recognise it by itself."""
    encoding: str = ""
    politeness: Politeness = field(default_factory=Politeness)
    robots: RobotsDecision = field(default_factory=RobotsDecision)
    account: Account = field(default_factory=Account)
    reply: ReplyPolicy = field(default_factory=ReplyPolicy)
    points: PointsPolicy = field(default_factory=PointsPolicy)
    refresh: RefreshPolicy = field(default_factory=RefreshPolicy)
    rules: tuple[Rule, ...] = ()
    examples: tuple[RuleExample, ...] = ()


def is_loopback(host: str) -> bool:
    """Whether a host name (with or without `:port`) means this machine."""
    name = host.strip().lower()
    if name.startswith("["):
        name = name[1:].partition("]")[0]
    elif name.count(":") == 1:
        name = name.partition(":")[0]
    name = name.rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or (mapped is not None and mapped.is_loopback)
