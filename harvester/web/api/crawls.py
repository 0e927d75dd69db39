"""Crawls and what they counted."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from harvester.model.redact import redact_url
from harvester.web.api.shapes import CrawlDetail, CrawlRow, Crawls, LeftReason
from harvester.web.authentication import Reader
from harvester.web.etags import EtagRoute
from harvester.web.services import services_of
from harvester.web.sites import crawl_record

router = APIRouter(tags=["crawls"], route_class=EtagRoute)

CrawlId = Annotated[int, Path(ge=0, le=2**53, description="The crawl's number.", examples=[1])]


@router.get("/crawls", summary="Crawls, the newest first")
def crawls(
    request: Request,
    _principal: Reader,
    site: Annotated[str | None, Query(max_length=100, description="Only of this site.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
) -> Crawls:
    """Every crawl with its figures as of its last commit."""
    found = services_of(request).store.crawls(site, limit=limit)
    return Crawls(crawls=[CrawlRow(**crawl_record(crawl)) for crawl in found])


@router.get("/crawls/{crawl_id}", summary="One crawl")
def crawl(request: Request, principal: Reader, crawl_id: CrawlId) -> CrawlDetail:
    """Its figures, and why it left what it left; an example of each for keys of scope operate."""
    store = services_of(request).store
    found = store.crawl(crawl_id)
    left = [
        LeftReason(
            reason=one.reason,
            times=one.times,
            example=redact_url(one.example) if principal.is_operator else None,
        )
        for one in store.left(found)
    ]
    return CrawlDetail(**crawl_record(found), left=left)
