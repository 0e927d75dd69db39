"""Sites: what is known, their rules, what waits behind their walls, and a switch for each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from harvester.web.api.shapes import (
    ParkedRow,
    ParkedRows,
    PauseReason,
    RuleRow,
    Rules,
    SiteName,
    SiteRow,
    Sites,
)
from harvester.web.authentication import Operator, Reader
from harvester.web.etags import EtagRoute
from harvester.web.services import services_of
from harvester.web.sites import parked_record, rule_record, rules_of, set_state, site_record, site_records

router = APIRouter(tags=["sites"], route_class=EtagRoute)


@router.get("/sites", summary="All sites")
def sites(request: Request, _principal: Reader) -> Sites:
    """Every site by name: those with a site file and those crawled before."""
    return Sites(sites=[SiteRow(**record) for record in site_records(services_of(request))])


@router.get("/sites/{name}", summary="One site")
def site(request: Request, _principal: Reader, name: SiteName) -> SiteRow:
    """Its state, its last crawl, and what waits behind walls."""
    return SiteRow(**site_record(services_of(request), name))


@router.get("/sites/{name}/rules", summary="Its rules")
def rules(request: Request, _principal: Reader, name: SiteName) -> Rules:
    """The rules of its site file, the learned ones, and those of its engine."""
    found = rules_of(services_of(request), name)
    rows = [RuleRow(**rule_record(rule)) for rule in found.rules]
    return Rules(site=name, engine=found.engine, rules=rows)


@router.get("/rules", summary="Rules by site")
def all_rules(
    request: Request,
    principal: Reader,
    site: Annotated[str, Query(max_length=100, pattern=r"^[\w.-]+$", description="The site's name.")],
) -> Rules:
    """The same as `/sites/{name}/rules`."""
    return rules(request, principal, site)


@router.get("/sites/{name}/parked", summary="What waits")
def parked(
    request: Request,
    _principal: Operator,
    name: SiteName,
    kind: Annotated[str | None, Query(max_length=40, description="Only behind this wall.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> ParkedRows:
    """What waits behind walls and rules, and what would open it. For keys of scope operate."""
    services = services_of(request)
    site_record(services, name)
    found = services.store.parked(name, kind=kind, limit=limit)
    return ParkedRows(parked=[ParkedRow(**parked_record(one)) for one in found])


@router.post("/sites/{name}/pause", summary="Pause a site")
def pause(request: Request, principal: Operator, name: SiteName, body: PauseReason | None = None) -> SiteRow:
    """A running crawl stops within seconds, and none begins. For keys of scope operate."""
    reason = body.reason if body else ""
    return SiteRow(**set_state(services_of(request), name, "paused", reason, principal.name))


@router.post("/sites/{name}/resume", summary="Resume a site")
def resume(request: Request, principal: Operator, name: SiteName) -> SiteRow:
    """Let a paused site be crawled again. For keys of scope operate."""
    return SiteRow(**set_state(services_of(request), name, "active", "", principal.name))
