"""Which links of a page enter the frontier, which are only recorded, and which are left, with the reason.

Small checks in a fixed order, the cheap and absolute ones first. Knows nothing of the store: whether a key
was seen before is asked later.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from harvester.links import canonical_key, key_hash, parse_url
from harvester.model.link import Link, LinkKind
from harvester.model.site import NEVER_CRAWLED, Role, Rule, RuleSource, RuleState, SiteFile
from harvester.patterns.engines import Engine, never_fetched_by
from harvester.patterns.rules import RuleMatch, RuleSet
from harvester.policy import never_fetch
from harvester.policy.robots import ActionClass, RobotsPolicy, gate
from harvester.policy.scope import Verdict, decide
from harvester.policy.traps import url_trap
from harvester.policy.trapwatch import TrapWatch

_MEMO_SIZE = 30_000
_PLAIN_ORIGIN = re.compile(r"https?://[A-Za-z0-9.:\-]+(?=[/?#]|$)")
OPENED_BY_DECISION = "the operator's recorded decision in the site file (robots: account_actions)"
"""What opens a download that robots.txt forbids."""
TRAP_TRIES = 12
"""URLs of a suspicious shape that are fetched all the same, last, before the shape is taken for a trap."""


class Fate(StrEnum):
    """What becomes of a link."""

    FETCH = "fetch"
    LEAVE = "leave"
    PARK = "park"
    """Wanted, but something must be given first; `reason` is the kind of wall."""
    RECORD = "record"
    """Kept as a link and never fetched (ftp, ed2k, pages of other sites)."""


class Admission(Struct, frozen=True):
    """The fate of a link, and what the frontier needs of it. `reason` is a stable word, "" for FETCH."""

    fate: Fate
    reason: str = ""
    key_hash: int = 0
    host: str = ""
    role: str = ""
    rule: str = ""
    off_site: bool = False
    suspicious: bool = False


_NOT_FETCHED = {LinkKind.ED2K: "ed2k", LinkKind.FTP: "ftp"}
_ASSET = Admission(Fate.LEAVE, "asset")


def host_of(url: str) -> str:
    """The politeness identity of a URL: `host`, or `host:port` where the port is not the scheme's own."""
    return _place_of(url)[1]


def origin_of(url: str) -> str:
    """`scheme://host[:port]` of an absolute URL, "" when it has none."""
    return _place_of(url)[0]


def _place_of(url: str) -> tuple[str, str]:
    """(origin, host); a plain beginning says all there is to know, and is the same for a whole host."""
    plain = _PLAIN_ORIGIN.match(url)
    return _parsed_place(plain[0] if plain is not None else url)


@lru_cache(maxsize=4096)
def _parsed_place(url: str) -> tuple[str, str]:
    parsed = parse_url(url)
    if parsed is None:
        return "", ""
    host = f"{parsed.host}:{parsed.port}" if parsed.port else parsed.host
    return f"{parsed.scheme}://{host}", host


class Admissions:
    """The checks of one crawl.

    `robots` holds the policies known so far by origin; a host that is not in it yet is asked about when
    its URL is visited.
    """

    def __init__(
        self,
        site: SiteFile,
        *,
        agent: str,
        robots: dict[str, RobotsPolicy],
        traps: TrapWatch,
        learned: Sequence[Rule] = (),
    ) -> None:
        self.site = site
        self._learned = tuple(filter(_may_judge, learned))
        self.rules = RuleSet([*site.rules, *self._learned])
        self._identities = RuleSet(site.rules)
        """Without the learned rules: they come and go, and a page's identity has to stay."""
        self._agent = agent
        self._robots = robots
        self._traps = traps
        self._hosts = frozenset(site.hosts)
        self._memo: dict[tuple[str, bool], Admission] = {}
        self._tried: Counter[str] = Counter()
        self._engine_refuses: Callable[[str], bool] = lambda _url: False
        self.ignored: frozenset[str] = frozenset()
        """Query parameters without identity on this site."""

    def use_engine(self, engine: Engine) -> None:
        """Judge by the engine's rules too from now on; the site file's own win over them."""
        self.rules = RuleSet([*self.site.rules, *self._learned, *engine.rules])
        self._identities = RuleSet([*self.site.rules, *engine.rules])
        self._engine_refuses = never_fetched_by(engine)
        self._memo.clear()

    def forget(self) -> None:
        """Judge every link anew: something about the site was learned."""
        self._memo.clear()

    def judge(self, link: Link, depth: int) -> Admission:
        """The fate of `link`, which would be `depth` links away from a start page."""
        if link.kind is LinkKind.ASSET:
            return _ASSET
        if link.kind in _NOT_FETCHED:
            return Admission(Fate.RECORD, _NOT_FETCHED[link.kind])
        memo_key = (link.url, depth > self.site.scope.depth)
        known = self._memo.get(memo_key)
        if known is None:
            if len(self._memo) >= _MEMO_SIZE:
                self._memo.clear()
            known = self._memo[memo_key] = self._judge(link, depth)
        return known

    def identity(self, link: Link) -> int:
        """The hash by which sightings know what a link leads to."""
        if link.kind in (LinkKind.MAGNET, LinkKind.INFOHASH):
            return key_hash(link.key or link.url)
        return self.judge(link, 0).key_hash

    def key(self, url: str) -> int:
        """The hash of the identity of what `url` shows: by its rule's key, else by its canonical form."""
        host = host_of(url)
        return self._key(url, host, self.rules.match(url) if host in self._hosts else None, "")

    def _key(self, url: str, host: str, match: RuleMatch | None, canonical: str) -> int:
        if match is not None and match.rule.source is RuleSource.LEARNED:
            # A learned rule says what a URL is for; what it is called must not change while one learns.
            match = self._identities.match(url)
        if match is not None and match.key:
            return key_hash(f"{host} {match.key}")
        return key_hash(canonical or canonical_key(url, self.ignored))

    def _judge(self, link: Link, depth: int) -> Admission:
        action = never_fetch.refusal(link.url, anchor=link.anchor, rel=link.rel, method=link.method)
        if action:
            return Admission(Fate.LEAVE, f"action:{action}")
        if self._engine_refuses(link.url):
            return Admission(Fate.LEAVE, "action:engine")
        host = host_of(link.url)
        off_site = host not in self._hosts
        match = None if off_site else self._match(link.url)
        if match is not None and match.role in NEVER_CRAWLED:
            return Admission(Fate.LEAVE, f"rule:{match.role.value}")
        is_download = match.role is Role.DOWNLOAD if match is not None else link.kind is LinkKind.DOWNLOAD
        expected = _names_a_torrent(link) if off_site else is_download
        decision = decide(self.site, link.url, depth, torrent=expected)
        if decision.verdict is Verdict.RECORD:
            return Admission(Fate.RECORD, decision.reason)
        shape = None if is_download else url_trap(link.url)
        trap = shape if shape and not self._try_trap(shape) else self.trap(link.url, is_download=is_download)
        if trap:
            return Admission(Fate.LEAVE, f"trap:{trap}")
        admitted = Admission(
            Fate.FETCH,
            key_hash=self._key(link.url, host, match, link.key),
            host=host,
            role=Role.DOWNLOAD.value if is_download or off_site else (match.role.value if match else ""),
            rule=match.rule.id if match else "",
            off_site=off_site,
            suspicious=shape is not None,
        )
        return self._under_robots(link, admitted, is_download=is_download or off_site)

    def _match(self, url: str) -> RuleMatch | None:
        """The rule that takes a URL.

        A learned one wins over the engine's, except where that says to leave the URL alone: such URLs were
        never asked for, so nothing was learned of them, whatever the pattern takes in.
        """
        match = self.rules.match(url)
        if match is not None and match.rule.source is RuleSource.LEARNED and not match.rule.locked:
            own = self._identities.match(url)
            if own is not None and own.role in NEVER_CRAWLED:
                return own
        return match

    def trap(self, url: str, *, is_download: bool) -> str | None:
        """The trap that `url` was found to belong to; a download is never one."""
        return None if is_download else self._traps.refusal(url)

    def _try_trap(self, shape: str) -> bool:
        """Whether one more URL of a suspicious shape may be tried."""
        self._tried[shape] += 1
        return self._tried[shape] <= TRAP_TRIES

    def _under_robots(self, link: Link, admitted: Admission, *, is_download: bool) -> Admission:
        policy = self._robots.get(origin_of(link.url))
        if policy is None or policy.closed:  # a host that is closed for now is waited for at the visit
            return admitted
        refused = robots_refusal(self.site, link.url, policy, self._agent, download=is_download)
        if not refused:
            return admitted
        return Admission(
            Fate.PARK if is_download else Fate.LEAVE,
            refused,
            key_hash=admitted.key_hash,
            host=admitted.host,
            role=admitted.role,
            rule=admitted.rule,
            off_site=admitted.off_site,
        )


def robots_refusal(site: SiteFile, url: str, policy: RobotsPolicy, agent: str, *, download: bool) -> str:
    """Why robots.txt keeps the crawl from `url`, or "".

    Discovery obeys always; a download of the site's own may be opened by the operator's recorded decision.
    """
    own = host_of(url) in site.hosts
    action = ActionClass.ACCOUNT if download and own else ActionClass.DISCOVERY
    return gate(site, action, url, policy, agent) or ""


def _may_judge(rule: Rule) -> bool:
    """Whether a learned rule says what becomes of links.

    That nothing came of some pages is no reason never to ask for their likes: such rules only lead the
    order, unless a person has locked them.
    """
    return rule.locked or (rule.state is RuleState.ACTIVE and rule.role not in NEVER_CRAWLED)


def _names_a_torrent(link: Link) -> bool:
    """Whether a link to another host says by its own words that a torrent file is behind it."""
    path = link.url.partition("?")[0].lower()
    return path.endswith(".torrent") or link.anchor.lower().endswith(".torrent") or bool(link.chain)
