"""What is confused with what: learned roles against the truth, of simulated and of recorded sites.

The truth of a recorded site is what its software is known to do with its addresses: the rules of the engine
pack, which people wrote and which the learner does not see here, over every link of the recorded pages.
Whether those rules are right is tested on the recordings (`tests/patterns/test_engines.py`).
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.measures import SCORED, Truth
from harvester.crawl.engine import CrawlEngine
from harvester.crawl.options import CrawlOptions
from harvester.crawl.run import run_crawl
from harvester.links import extract_links
from harvester.model.site import Role, Rule, RuleState
from harvester.patterns.engines import Engine, shipped_engines
from harvester.patterns.rules import RuleSet
from harvester.patterns.sitefile import site_from_url
from harvester.policy.never_fetch import refusal
from harvester.settings import Settings
from harvester.wiring import opened_store
from harvester.wiring.fetchers import build_fetcher
from tests.replay.recording import Recording
from tests.replay.server import Replay

ENGINES = {"discuz35": "discuz", "phpbb": "phpbb", "mybb": "mybb", "machina": "machina"}
"""The software of each recorded site."""
RECORDINGS = tuple((name, recording) for name in ENGINES for recording in ("focus_anon", "focus_login"))
_SECONDS = 120.0
_AGENT = "harvest-bench/1 (+http://bench.example/)"
_SHOW_DETAIL = frozenset({"print", "jump", "one_author", "threaded", "post", "topic_at", "mobile"})
"""Rules of the pack for pages that show a thread once more."""
_SHOW_LIST = frozenset({"sorted"})
_LISTS = ("board", "list", "group")

Confusions = Counter[tuple[str, str]]
"""How many URLs of a true kind were given a role; "-" for none."""


def confusions(rules: Sequence[Rule], truths: Sequence[Truth]) -> Confusions:
    """Count true kinds against given roles, in the way of `measures.role_scores`."""
    matcher = RuleSet([rule for rule in rules if rule.state is RuleState.ACTIVE])
    counted: Confusions = Counter()
    for truth in truths:
        match = matcher.match(truth.url)
        role = match.role if match is not None else None
        if role is Role.FLIP:
            role = truth.shows or truth.kind if truth.role is Role.FLIP or truth.shows else Role.LIST
        if role is not None and role is truth.shows:
            continue
        counted[truth.kind.value, role.value if role is not None else "-"] += 1
    return counted


def wrong(counted: Confusions) -> list[tuple[str, str, int]]:
    """The confusions that cost precision or recall, the most frequent first."""
    scored = {role.value for role in SCORED}
    found = [
        (kind, role, count)
        for (kind, role), count in counted.items()
        if kind != role and (kind in scored or role in scored)
    ]
    return sorted(found, key=lambda entry: -entry[2])


# Recorded sites --------------------------------------------------------------------------------------


def recorded_truths(name: str, recording: str) -> list[Truth]:
    """The truth of every link on the recorded pages that a crawl may follow."""
    pages = Recording(name, recording)
    engine = shipped_engines()[ENGINES[name]]
    rules = RuleSet(engine.rules)
    urls: dict[str, None] = {}
    for record in pages.records():
        kind = next((value for key, value in record.headers if key.lower() == "content-type"), "")
        if record.status == 200 and "html" in kind:
            html = record.body.decode("utf-8", "replace")
            for link in extract_links(html, pages.origin + record.target).links:
                may_follow = not refusal(link.url, anchor=link.anchor, rel=link.rel, method=link.method)
                if link.url.startswith(pages.origin + "/") and may_follow:
                    urls[link.url.partition("#")[0]] = None
    return [truth for url in urls if (truth := _truth(url, rules)) is not None]


def _truth(url: str, rules: RuleSet) -> Truth | None:
    """What the pack says that a URL is; None where it says nothing."""
    match = rules.match(url)
    if match is None:
        return None
    name, role = match.rule.id, match.role
    if role is Role.FLIP:
        return Truth(url, role, Role.LIST if name.startswith(_LISTS) else Role.DETAIL)
    shows = Role.DETAIL if name in _SHOW_DETAIL else Role.LIST if name in _SHOW_LIST else None
    return Truth(url, role, role, shows)


def learn_recorded(name: str, recording: str, engines: Mapping[str, Engine] | None = None) -> list[Rule]:
    """The rules that a guest's crawl of a recorded site leaves, with patterns over the recorded addresses."""
    learned: list[Sequence[Rule]] = [()]
    with Replay(name, recording) as site, tempfile.TemporaryDirectory(prefix="harvest-bench-") as folder:
        settings = Settings.model_validate({"data": Path(folder)})
        described = site_from_url(site.url)
        with opened_store(settings, create=True) as store:
            store.add_site(described.site, start=site.url, now=0.0)
            run_crawl(
                lambda: build_fetcher(settings, described),
                lambda fetcher: CrawlEngine(
                    described,
                    store=store,
                    fetcher=fetcher,
                    agent=_AGENT,
                    engines=engines or {},
                    options=CrawlOptions(max_seconds=_SECONDS),
                    on_learned=learned.append,
                ),
                heed_signals=False,
            )
    return list(learned[-1])
