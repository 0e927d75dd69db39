"""`/metrics`, for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from harvester.web.keys import Scope
from harvester.web.metrics import CONTENT_TYPE
from harvester.web.pages.rendering import require
from harvester.web.services import services_of

router = APIRouter()


@router.get("/metrics")
def metrics(request: Request) -> Response:
    """The metrics of this server; needs a key of scope operate."""
    require(request, Scope.OPERATE)
    return Response(
        services_of(request).metrics.text(),
        headers={"Content-Type": CONTENT_TYPE, "Cache-Control": "no-store"},
    )
