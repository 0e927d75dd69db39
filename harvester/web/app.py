"""The web application: routes, headers, errors."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from harvester import __version__
from harvester.errors import HarvestError
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.web import api, pages
from harvester.web.api import health
from harvester.web.gate import Gate
from harvester.web.problems import Problem, problem_of, problem_response, wants_page
from harvester.web.services import Services, services_for
from harvester.web.torznab import server as torznab

FLUSH_SECONDS = 20.0
"""How long counted queries wait in memory."""
_log = logging.getLogger(__name__)

_DESCRIPTION = """\
Search over harvested torrents.

Reading is open unless the operator says otherwise; everything else needs a key (`harvest keys add`), sent as
`Authorization: Bearer KEY` or `X-Api-Key: KEY`. Errors are RFC 9457 problem documents: `type` is a stable
word for programs, `detail` says what is wrong, `hint` what to do. Answers carry an `ETag`; send it back as
`If-None-Match` to be told 304 when nothing changed.
"""


def build_app(settings: Settings, store: Store) -> FastAPI:
    """The application over an open store, which the caller closes."""
    services = services_for(settings, store)
    app = FastAPI(
        title="Harvest",
        version=__version__,
        description=_DESCRIPTION,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_counting,
    )
    app.state.services = services
    app.include_router(api.router)
    app.include_router(health.short)
    app.include_router(torznab.router)
    app.include_router(pages.router)
    app.mount("/static", pages.static_files())
    for kind in (HTTPException, RequestValidationError, HarvestError):
        app.add_exception_handler(kind, _explain)
    app.add_middleware(Gate, services=services, explain=_answer)
    origins = [one.strip() for one in settings.web_cors.split(",") if one.strip()]
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["Authorization", "X-Api-Key", "If-None-Match", "Content-Type"],
            expose_headers=["ETag", "Retry-After"],
        )
    return app


@asynccontextmanager
async def _counting(app: FastAPI) -> AsyncIterator[None]:
    """Write counted queries to the store now and then, and at the end."""
    services: Services = app.state.services

    async def flush_now_and_then() -> None:
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            await run_in_threadpool(services.queries.flush, time.time())

    task = asyncio.create_task(flush_now_and_then())
    try:
        yield
    finally:
        task.cancel()
        await run_in_threadpool(services.queries.flush, time.time())
        await run_in_threadpool(services.accounts.close)


async def _explain(request: Request, error: Exception) -> Response:
    return _answer(request, problem_of(error))


def _answer(request: Request, problem: Problem) -> Response:
    if torznab.speaks_torznab(request.url.path):
        return torznab.error_response(problem)
    if wants_page(request):
        return pages.error_page(request, problem)
    return problem_response(problem)
