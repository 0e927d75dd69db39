"""Answers that a client has already: ETag and If-None-Match (RFC 9110)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response


class EtagRoute(APIRoute):
    """A route whose answers to GET carry an ETag made of their bytes, and 304 instead where it is known."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with the comparison after it."""
        answer = super().get_route_handler()

        async def handle(request: Request) -> Response:
            response = await answer(request)
            if request.method != "GET" or response.status_code != 200 or "etag" in response.headers:
                return response
            tag = etag_of(bytes(response.body))
            response.headers["ETag"] = tag
            return unchanged(tag) if is_known(request, tag) else response

        return handle


def etag_of(content: bytes) -> str:
    """The ETag of an answer's bytes."""
    return f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'


def is_known(request: Request, tag: str) -> bool:
    """Whether the client says that it has what `tag` stands for."""
    given = request.headers.get("if-none-match", "")
    return given.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in given.split(","))


def unchanged(tag: str) -> Response:
    """304."""
    return Response(status_code=304, headers={"ETag": tag, "Vary": "Authorization, X-Api-Key, Cookie"})
