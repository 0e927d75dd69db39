"""Running crawls: full, refresh, learn."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence

from msgspec.structs import replace

from harvester.crawl.checkup import SIZE
from harvester.crawl.engine import CrawlEngine
from harvester.crawl.options import CrawlOptions, CrawlReport, OnProgress
from harvester.crawl.refresh import pages_to_refresh
from harvester.crawl.run import run_crawl
from harvester.fetch.fetcher import user_agent
from harvester.model.crawl import CrawlKind, FoundUrl, Site
from harvester.model.site import Rule, SiteFile
from harvester.model.stored import Event
from harvester.patterns.engines import shipped_engines
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.store.learned import LearnedFiles
from harvester.wiring.accounts import account_means
from harvester.wiring.fetchers import build_fetcher, opened_archive
from harvester.wiring.rights import crawling, require_active
from harvester.wiring.sites import learned_files, require_contact


def full_crawl(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions,
    on_progress: OnProgress | None = None,
) -> CrawlReport:
    """Crawl a whole site in this thread, or go on with its unfinished crawl."""
    return _crawl(settings, store, site, options, "full", on_progress=on_progress)


def refresh(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions | None = None,
    on_progress: OnProgress | None = None,
    *,
    heed_signals: bool = True,
) -> CrawlReport:
    """One incremental pass over a site: its lists again, and what is new behind them."""
    options = options or CrawlOptions()
    seeds = pages_to_refresh(store, site, site.refresh.budget_per_day)
    return _crawl(
        settings, store, site, options, "refresh", seeds, on_progress=on_progress, heed_signals=heed_signals
    )


def learn(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions,
    on_progress: OnProgress | None = None,
) -> CrawlReport:
    """Learn the rules of a site, and do nothing else: what it finds is not what it is for."""
    options = replace(options, order_settings={**options.order_settings, "learn": 1.0})
    return _crawl(settings, store, site, options, "learn", on_progress=on_progress)


def is_due(store: Store, site: Site, interval: float, now: float) -> bool:
    """Whether an active site was crawled before and not within the last `interval` seconds."""
    if site.state != "active":
        return False
    crawls = store.crawls(site.name, limit=1)
    return bool(crawls) and crawls[0].updated_at <= now - interval


def _crawl(
    settings: Settings,
    store: Store,
    site: SiteFile,
    options: CrawlOptions,
    kind: CrawlKind,
    seeds: Sequence[FoundUrl] = (),
    *,
    on_progress: OnProgress | None,
    heed_signals: bool = True,
) -> CrawlReport:
    require_contact(settings, site)
    learned = learned_files(settings)
    rules, _ = learned.read(site.site)
    require_active(store, site)
    with crawling(settings, site.site), opened_archive(options.warc) as archive:
        report = run_crawl(
            lambda: build_fetcher(settings, site, archive),
            lambda fetcher: CrawlEngine(
                site,
                store=store,
                fetcher=fetcher,
                agent=user_agent(settings.contact),
                engines=shipped_engines(),
                options=replace(options, owner=_crawler_name(site.site)),
                kind=kind,
                seeds=seeds,
                only_unknown=kind == "refresh",
                on_progress=on_progress,
                known=rules,
                on_learned=lambda found: _keep_learned(learned, site.site, found),
                account=account_means(settings),
            ),
            heed_signals=heed_signals,
        )
    # What the disk forecast of `harvest doctor` is made from.
    size = {"bytes": store.size()}
    store.record(Event(at=time.time(), kind=SIZE, site=site.site, crawl_id=report.crawl_id, detail=size))
    return report


def _keep_learned(learned: LearnedFiles, site: str, rules: list[Rule]) -> None:
    if rules:
        learned.write(site, rules)


def _crawler_name(site: str) -> str:
    """What the leases of this machine's crawl of `site` are signed with, the same after a restart."""
    return f"{socket.gethostname()}:{site}"
