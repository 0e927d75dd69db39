"""Who is asking, and whether they may."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPBearer
from starlette.datastructures import Headers

from harvester.web.keys import Scope
from harvester.web.limits import client_of
from harvester.web.problems import Problem
from harvester.web.services import Services, services_of
from harvester.web.sessions import COOKIE, Session

_BEARER = HTTPBearer(auto_error=False, scheme_name="bearer", description="An API key: harvest keys add")
_HEADER = APIKeyHeader(name="X-Api-Key", auto_error=False, scheme_name="key", description="The same key.")
_SAFE = ("GET", "HEAD")


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: `scope` None is somebody without a key. `session` is set for an operator on the page."""

    scope: Scope | None = None
    name: str = ""
    session: Session | None = None

    def may(self, scope: Scope) -> bool:
        """Whether the principal's scope includes `scope`."""
        return self.scope is not None and self.scope >= scope

    @property
    def is_operator(self) -> bool:
        """Whether private torrents and what waits behind walls may be shown."""
        return self.may(Scope.OPERATE)


_KEY_IN_ADDRESS = re.compile(r"/torznab(?:/api)?|/api/v2\.0/.*|/feed\.xml|/torrents/[^/]*\.torrent")
"""Where programs that know no headers may put a key into the address (`apikey`)."""


def key_in_address(path: str, query: bytes) -> str | None:
    """The key in an address, where one may stand there, None for none."""
    if b"apikey=" not in query or not _KEY_IN_ADDRESS.fullmatch(path):
        return None
    found = parse_qs(query.decode("latin-1")).get("apikey")
    return found[0] if found else None


def identify(
    services: Services, headers: Headers, method: str, path: str, address: str, told: str | None = None
) -> Principal:
    """The principal of a request. `Problem` 401 for a key that is none, 429 after many of them.

    The page's cookie counts for everything but writing through the API: what a browser sends by itself
    is no consent. `told` is a key from the address, which only reads, whatever its scope: addresses are
    kept and passed on.
    """
    given = _given_key(headers)
    given = told if given is None else given
    if given is not None:
        key = services.key(given)
        if key is None:
            refuse_guessing(services, address)
            raise Problem(
                401,
                "key",
                "this API key is not known",
                hint="make one with: harvest keys add",
                headers={"WWW-Authenticate": "Bearer"},
            )
        return Principal(Scope.READ if given == told else key.level, key.name)
    if path.startswith("/api/") and method not in _SAFE:
        return Principal()
    session = services.sessions.find(session_cookie(headers), time.time())
    if session is not None:
        scope = services.scope_of(session.key_id)
        if scope is not None:
            return Principal(scope, session.name, session)
    return Principal()


def refuse_guessing(services: Services, address: str) -> None:
    """Count a wrong key; `Problem` 429 when this client had too many."""
    wait = services.failures.wait_for(client_of(address), time.monotonic())
    if wait:
        raise too_many(wait, "too many wrong keys")


def too_many(wait: float, detail: str) -> Problem:
    """429, with the whole seconds after which it makes sense to ask again."""
    return Problem(429, "rate", detail, headers={"Retry-After": str(int(wait) + 1)})


def session_cookie(headers: Headers) -> str:
    """The session cookie's value, "" when there is none."""
    return cookie(headers, COOKIE)


def cookie(headers: Headers, name: str) -> str:
    """A cookie's value, "" when there is none or the header makes no sense."""
    try:
        found = SimpleCookie(headers.get("cookie", "")[:4096]).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def principal_of(request: Request) -> Principal:
    """Who makes this request, as found out at the gate."""
    principal: Principal = request.scope["harvest.principal"]
    return principal


def check(services: Services, principal: Principal, scope: Scope) -> None:
    """Raise `Problem` 401 or 403 unless the principal has `scope`."""
    if principal.may(scope) or (scope is Scope.READ and services.public_read):
        return
    if principal.scope is None:
        raise Problem(
            401,
            "key",
            f"this needs an API key of scope {scope.name.lower()}",
            hint="send it as `Authorization: Bearer KEY` or `X-Api-Key: KEY`; to make one: harvest keys add",
            headers={"WWW-Authenticate": "Bearer"},
        )
    raise Problem(403, "scope", f"this needs a key of scope {scope.name.lower()}")


class _Requires:
    """A dependency that lets through who has the scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    async def __call__(
        self,
        request: Request,
        _bearer: Annotated[object, Security(_BEARER)],
        _header: Annotated[object, Security(_HEADER)],
    ) -> Principal:
        principal = principal_of(request)
        check(services_of(request), principal, self._scope)
        return principal


Reader = Annotated[Principal, Depends(_Requires(Scope.READ))]
Operator = Annotated[Principal, Depends(_Requires(Scope.OPERATE))]
Admin = Annotated[Principal, Depends(_Requires(Scope.ADMIN))]


def _given_key(headers: Headers) -> str | None:
    """The key that a request carries, None when it carries none."""
    given = headers.get("x-api-key")
    if given is not None:
        return given.strip()
    kind, _, value = headers.get("authorization", "").partition(" ")
    return value.strip() if kind.lower() == "bearer" else None
