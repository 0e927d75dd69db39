"""Whether the server can answer: for load balancers and process supervisors."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from harvester import __version__
from harvester.errors import HarvestError
from harvester.web.api.shapes import Health
from harvester.web.services import Services, services_of

router = APIRouter(tags=["health"])
short = APIRouter(include_in_schema=False)

_NO_STORE = {"Cache-Control": "no-store"}


@short.get("/health")
@router.get(
    "/health",
    summary="Whether it works",
    responses={503: {"model": Health, "description": "The database or the index does not answer."}},
)
def health(request: Request, response: Response) -> Health:
    """Asks the database and the index; needs no key and tells nothing of what is in them."""
    found = health_of(services_of(request))
    response.headers.update(_NO_STORE)
    if found.status != "ok":
        response.status_code = 503
    return found


def health_of(services: Services) -> Health:
    """The state of the two things that answers are made of."""
    newest, come_to = -1, -1
    database, index = "ok", "ok"
    try:
        newest = services.store.last_sequence()
    except HarvestError as error:
        database = type(error).__name__
    try:
        come_to = services.index.sequence()
    except HarvestError as error:
        index = type(error).__name__
    return Health(
        status="ok" if database == index == "ok" else "failing",
        version=__version__,
        database=database,
        index=index,
        index_behind=max(0, newest - come_to) if newest >= 0 and come_to >= 0 else None,
    )
