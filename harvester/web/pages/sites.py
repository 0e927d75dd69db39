"""The pages of sites: state, walls, rules, crawls, plots."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from harvester.errors import NotFound
from harvester.model.crawl import Crawl
from harvester.web.growth import growth, totals
from harvester.web.keys import Scope
from harvester.web.pages.plots import bars, curve
from harvester.web.pages.rendering import page, require
from harvester.web.services import Services, services_of
from harvester.web.sites import parked_record, rules_of, site_record, site_records
from harvester.wiring import account_standing

router = APIRouter()

CRAWLS = 20
PARKED = 50


@router.get("/sites", response_class=HTMLResponse)
def sites_page(request: Request) -> HTMLResponse:
    """All sites: those that were crawled first."""
    principal = require(request, Scope.READ)
    services = services_of(request)
    records = site_records(services)
    crawled = [record for record in records if record["last_crawl"] or record["state"] != "never crawled"]
    context = {
        "sites": crawled,
        "others": [record for record in records if record not in crawled],
        "plot": _growth_plot(services, None, private=principal.is_operator),
        "totals": _totals(services, private=principal.is_operator),
    }
    return page(request, "sites.html", context)


@router.get("/sites/{name}", response_class=HTMLResponse)
def site_page(request: Request, name: str) -> HTMLResponse:
    """One site."""
    principal = require(request, Scope.READ)
    services = services_of(request)
    record = site_record(services, name)
    crawls = services.store.crawls(name, limit=CRAWLS)
    waiting = services.store.parked(name, limit=PARKED) if principal.is_operator else []
    context = {
        "site": record,
        "account": account_standing(services.settings, services.store, name)
        if principal.is_operator
        else None,
        "crawls": crawls,
        "left": services.store.left(crawls[0])[:12] if crawls else [],
        "rules": rules_of(services, name),
        "parked": [parked_record(one) for one in waiting],
        "plot": _growth_plot(services, name, private=principal.is_operator),
        "costs": bars([(crawl.started_at, requests_per_torrent(crawl)) for crawl in reversed(crawls)]),
    }
    return page(request, "site.html", context)


def requests_per_torrent(crawl: Crawl) -> float | None:
    """How many requests a new torrent or magnet took, None when there was none."""
    found = crawl.figures.get("torrents_new", 0) + crawl.figures.get("magnets", 0)
    return crawl.figures.get("requests", 0) / found if found else None


def _totals(services: Services, *, private: bool) -> tuple[int, int]:
    try:
        return totals(services.index, private=private)
    except NotFound:  # the index is not there yet
        return 0, 0


def _growth_plot(services: Services, site: str | None, *, private: bool) -> object:
    try:
        points = growth(services.index, services.store, site=site, private=private)
    except NotFound:  # the index is not there yet
        return None
    return curve([(point.at, float(point.torrents)) for point in points])
