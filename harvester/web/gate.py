"""What every request passes first and every answer last: names, sizes, keys, rates, headers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from harvester.web.authentication import Principal, identify, key_in_address, too_many
from harvester.web.limits import client_of
from harvester.web.problems import Problem
from harvester.web.services import Services, host_name

MAX_BODY = 64 * 1024
MAX_PATH = 2048
MAX_QUERY = 8192
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: forms of ours would come with `Origin: null`, as those of strangers do.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
Explain = Callable[[Request, Problem], Response]
"""Makes an answer of a problem: a page for people, a document for programs."""
_log = logging.getLogger(__name__)


class Gate:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, services: Services, explain: Explain) -> None:
        self._app = app
        self._services = services
        self._explain = explain
        self._hosts = services.hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with what is wrong."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        began, method = time.perf_counter(), scope["method"]
        if method == "HEAD":
            # Whatever can be got can be asked about; the server leaves the body out.
            scope = {**scope, "method": "GET"}
        try:
            await self._answer(scope, receive, answer)
        finally:
            seconds = time.perf_counter() - began
            self._services.metrics.answered(method, _route_of(scope), answer.status, seconds)

    async def _answer(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            self._admit(scope)
            await self._app(scope, _Bounded(receive), answer)
        except Problem as problem:
            await self._explain(Request(scope), problem)(scope, receive, answer)
        except Exception:
            _log.exception("a request could not be answered")
            if answer.started:
                raise
            fault = Problem(500, "server", "this could not be answered", hint="the server's log says why")
            await self._explain(Request(scope), fault)(scope, receive, answer)

    def _admit(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        path: str = scope["path"]
        scope["harvest.principal"] = Principal()
        if self._hosts is not None and host_name(headers.get("host", "")) not in self._hosts:
            raise Problem(
                421,
                "host",
                "this server does not answer under that name",
                hint="behind a proxy, set HARVEST_WEB_URL to the public address",
            )
        if len(scope["raw_path"] if scope.get("raw_path") else path) > MAX_PATH:
            raise Problem(414, "too-long", f"the path is longer than {MAX_PATH:,} bytes")
        if len(scope["query_string"]) > MAX_QUERY:
            raise Problem(414, "too-long", f"the query is longer than {MAX_QUERY:,} bytes")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:20]) > MAX_BODY:
            raise _too_large()
        address = scope["client"][0] if scope.get("client") else ""
        told = key_in_address(path, scope["query_string"])
        principal = identify(self._services, headers, scope["method"], path, address, told)
        scope["harvest.principal"] = principal
        if path.startswith("/static/"):
            return
        client = f"key {principal.name}" if principal.scope else client_of(address)
        wait = self._services.requests.wait_for(client, time.monotonic())
        if wait:
            raise too_many(wait, "too many requests")


class _Bounded:
    """`receive` that stops at `MAX_BODY` bytes, whatever the length header said."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._left = MAX_BODY

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _too_large()
        return message


class _Answer:
    """`send` that adds the headers of every answer."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.started = False
        self.status = 500

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "private, no-cache")
        await self._send(message)


def _route_of(scope: Scope) -> str:
    """The pattern that answered, "" for none: never the path itself, which anybody may make up."""
    if scope["path"].startswith("/static/"):
        return "/static"
    route: str = getattr(scope.get("route"), "path", "")
    in_api = scope["path"].startswith("/api/v1/") and route and not route.startswith("/api/")
    return f"/api/v1{route}" if in_api else route


def _too_large() -> Problem:
    return Problem(413, "too-large", f"the body is larger than {MAX_BODY:,} bytes")
