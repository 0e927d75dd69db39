"""What is known of sites and crawls, for the API and the page."""

from __future__ import annotations

import time
from dataclasses import dataclass

from harvester import wiring
from harvester.errors import HarvestError, NotFound
from harvester.model.crawl import Crawl, Site, SiteState
from harvester.model.redact import redact_text, redact_url
from harvester.model.site import Rule, RuleSource
from harvester.model.stored import Event, Parked
from harvester.patterns.engines import shipped_engines
from harvester.ports.store import Store
from harvester.search.records import Record, timestamp
from harvester.web.problems import not_found
from harvester.web.services import Services


@dataclass(frozen=True, slots=True)
class SiteRules:
    """The rules of a site in the order in which they win, and the engine that they inherit from.

    `fault` says why its files cannot be read ("" when they can).
    """

    engine: str
    rules: tuple[Rule, ...]
    fault: str = ""


def site_records(services: Services) -> list[Record]:
    """Every site by name: those with a file and those crawled before."""
    known = {site.name: site for site in services.store.sites()}
    names = sorted({*services.folder.names(), *known})
    return [_site_record(services.store, name, known.get(name)) for name in names]


def site_record(services: Services, name: str) -> Record:
    """One site; `Problem` 404."""
    known = {site.name: site for site in services.store.sites()}
    if name not in known and name not in services.folder.names():
        raise not_found("there is no such site")
    return _site_record(services.store, name, known.get(name))


def _site_record(store: Store, name: str, site: Site | None) -> Record:
    crawls = store.crawls(name, limit=1) if site else []
    return {
        "site": name,
        "state": site.state if site else "never crawled",
        "reason": redact_text(site.reason) if site else "",
        "start": redact_url(site.start) if site else None,
        "walls": store.walls(name) if site else {},
        "last_crawl": crawl_record(crawls[0]) if crawls else None,
    }


def crawl_record(crawl: Crawl) -> Record:
    """One crawl and its figures."""
    return {
        "crawl": crawl.id,
        "site": crawl.site,
        "kind": crawl.kind,
        "state": crawl.state,
        "reason": redact_text(crawl.reason),
        "started": timestamp(crawl.started_at),
        "updated": timestamp(crawl.updated_at),
        "ended": timestamp(crawl.ended_at),
        "figures": dict(sorted(crawl.figures.items())),
    }


def parked_record(parked: Parked) -> Record:
    """Something that waits behind a wall."""
    return {
        "url": redact_url(parked.url),
        "wall": parked.kind,
        "page": redact_url(parked.page_url),
        "since": timestamp(parked.since),
        "opens": parked.opens,
    }


def rules_of(services: Services, name: str) -> SiteRules:
    """The rules of the site's file, what was learned, and the engine's; `Problem` 404 for no such site."""
    site_record(services, name)
    engine, fault = "", ""
    rules: list[Rule] = []
    try:
        site_file = services.folder.read(name)
        engine = site_file.engine
        rules += site_file.rules
    except NotFound:
        pass  # a site that was crawled by its URL alone
    except HarvestError as error:
        fault = str(error)
    learned, faults = wiring.learned_files(services.settings).read(name)
    rules += learned
    fault = fault or "; ".join(str(error) for error in faults)
    found = shipped_engines().get(engine)
    return SiteRules(engine, (*rules, *(found.rules if found else ())), fault)


def rule_record(rule: Rule) -> Record:
    """One rule with its evidence."""
    evidence = rule.evidence if rule.source is RuleSource.LEARNED else None
    return {
        "id": rule.id,
        "role": str(rule.role),
        "match": rule.match,
        "key": rule.key,
        "locked": rule.locked,
        "source": str(rule.source),
        "state": str(rule.state),
        "support": evidence.support if evidence else None,
        "bound": evidence.bound if evidence else None,
    }


def set_state(services: Services, name: str, state: SiteState, reason: str, who: str) -> Record:
    """Pause or resume a site, and note who did; `Problem` 404 for no such site."""
    site_record(services, name)
    now = time.time()
    store = services.store
    if all(site.name != name for site in store.sites()):
        store.add_site(name, start=services.folder.read(name).start[0], now=now)
    store.set_site_state(name, state, reason=reason, now=now)
    kind = "site_paused" if state == "paused" else "site_resumed"
    store.record(Event(now, kind, site=name, detail={"by": who, "reason": reason}))
    return site_record(services, name)
