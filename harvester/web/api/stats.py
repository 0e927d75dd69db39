"""What there is, in numbers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from harvester.errors import NotFound
from harvester.search.records import timestamp
from harvester.web.api.search import facets_of
from harvester.web.api.shapes import GrowthPoint, Stats
from harvester.web.authentication import Reader
from harvester.web.etags import EtagRoute
from harvester.web.growth import growth, totals
from harvester.web.problems import unavailable
from harvester.web.searching import Wanted, run
from harvester.web.services import services_of

router = APIRouter(tags=["stats"], route_class=EtagRoute)


@router.get("/stats", summary="What there is")
def stats(
    request: Request,
    principal: Reader,
    site: Annotated[str | None, Query(max_length=100, description="Growth and facets of this site.")] = None,
) -> Stats:
    """Torrents, files, sites, growth over time, and the most frequent values of each field."""
    services = services_of(request)
    private = principal.is_operator
    wanted = Wanted(filters={"site": (site,)} if site else {}, sort="date", limit=0, facets=True)
    answer = run(services, wanted, private=private)
    try:
        torrents, with_file = totals(services.index, private=private)
        points = growth(services.index, services.store, site=site, private=private)
    except NotFound as error:
        raise unavailable("the search index is not there yet") from error
    return Stats(
        torrents=torrents,
        with_file=with_file,
        sites=len(services.store.sites()),
        growth=[GrowthPoint(at=timestamp(point.at), torrents=point.torrents) for point in points],
        facets=facets_of(answer),
    )
