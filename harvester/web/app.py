"""The web application: routes, headers, errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse

from harvester import __version__
from harvester.errors import HarvestError, NotFound, StoreBusy, StoreUnreachable
from harvester.ports.store import Store
from harvester.web import api, pages

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def build_app(store: Store) -> FastAPI:
    """The application over an open store, which the caller closes."""
    app = FastAPI(
        title="Harvest",
        version=__version__,
        description="Search over harvested torrents.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.store = store
    app.include_router(api.router)
    app.include_router(pages.router)

    @app.middleware("http")
    async def _harden(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await call_next(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.exception_handler(HarvestError)
    async def _explain(_request: Request, error: HarvestError) -> JSONResponse:
        status = 503 if isinstance(error, StoreBusy | StoreUnreachable) else 500
        return JSONResponse({"detail": error.what}, 404 if isinstance(error, NotFound) else status)

    return app
