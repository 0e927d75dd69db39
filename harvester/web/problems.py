"""Errors over HTTP: RFC 9457 problem details for programs, a page for people."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from harvester.errors import (
    HarvestError,
    NotFound,
    QueryError,
    StoreBusy,
    StoreError,
    StoreUnreachable,
    UsageError,
)

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:harvest:problem:"
_RETRY_SECONDS = 5
_log = logging.getLogger(__name__)


class Problem(HTTPException):
    """A request that is not answered as asked.

    `kind` is a stable word for programs, `hint` the next step, `extra` further members of the document.
    """

    def __init__(
        self,
        status: int,
        kind: str,
        detail: str,
        *,
        hint: str = "",
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status, detail, headers)
        self.kind = kind
        self.hint = hint
        self.extra = dict(extra or {})


def document(problem: Problem) -> dict[str, Any]:
    """The problem's JSON document."""
    told = {
        "type": TYPE_PREFIX + problem.kind,
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "detail": problem.detail,
    }
    if problem.hint:
        told["hint"] = problem.hint
    return told | problem.extra


def problem_response(problem: Problem) -> Response:
    """The answer for programs."""
    return JSONResponse(
        document(problem), problem.status_code, headers=dict(problem.headers or {}), media_type=MEDIA_TYPE
    )


def problem_of(error: Exception) -> Problem:
    """Any error of a request as the problem to tell."""
    match error:
        case Problem():
            return error
        case RequestValidationError():
            return _validation(error.errors())
        case HTTPException():
            kind = HTTPStatus(error.status_code).phrase.lower().replace(" ", "-")
            return Problem(error.status_code, kind, str(error.detail), headers=error.headers)
        case QueryError():
            extra = {"position": error.position, "reason": error.reason}
            return Problem(400, "query", f"{error.what}: {error.why}", hint=error.hint, extra=extra)
        case UsageError():
            return Problem(400, "bad-request", _sentence(error), hint=error.hint)
        case NotFound():
            return Problem(404, "not-found", _sentence(error), hint=error.hint)
        case StoreBusy() | StoreUnreachable():
            _log.warning("%s", error)
            return unavailable("the database does not answer at the moment")
        case StoreError() | HarvestError():
            # What went wrong inside (files, addresses) is for the operator's log, not for strangers.
            _log.error("%s", error)
            return Problem(500, "server", "this could not be answered", hint="the server's log says why")
    return Problem(500, "server", "this could not be answered", hint="the server's log says why")


def unavailable(detail: str) -> Problem:
    """Try again in a few seconds."""
    return Problem(503, "unavailable", detail, hint="try again", headers={"Retry-After": str(_RETRY_SECONDS)})


def not_found(detail: str = "there is nothing here") -> Problem:
    """No such thing."""
    return Problem(404, "not-found", detail)


def wants_page(request: Request) -> bool:
    """Whether the answer is for a person."""
    path = request.url.path
    return not path.startswith(("/api/", "/static/")) and "text/html" in request.headers.get("accept", "")


def _sentence(error: HarvestError) -> str:
    return f"{error.what}: {error.why}" if error.why else error.what


def _validation(faults: Sequence[Any]) -> Problem:
    """What is wrong with the parameters; the values themselves are not sent back."""
    errors = [
        {"where": ".".join(str(part) for part in fault["loc"])[:200], "what": str(fault["msg"])[:300]}
        for fault in faults[:20]
    ]
    detail = "; ".join(f"{one['where']}: {one['what']}" for one in errors[:3])
    return Problem(422, "parameters", detail, extra={"errors": errors})
