"""Logging in, logging out, and what only the operator does."""

from __future__ import annotations

import re
import secrets
import time
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from harvester.model.crawl import SiteState
from harvester.web.authentication import Principal, cookie, principal_of, refuse_guessing
from harvester.web.keys import Scope
from harvester.web.pages.rendering import local_path, page, require
from harvester.web.problems import Problem, not_found
from harvester.web.services import Services, services_of
from harvester.web.sessions import COOKIE, LIFETIME, LOGIN_COOKIE, same
from harvester.web.sites import set_state

router = APIRouter()

_MAX_FIELDS = 10
_TOKEN = re.compile(r"[\w-]{32}", re.ASCII)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form that was sent from this site; `Problem` 403 when it came from elsewhere."""
    origin = request.headers.get("origin")
    where = request.headers.get("sec-fetch-site", "same-origin")
    expected = {f"http://{request.headers.get('host', '')}", f"https://{request.headers.get('host', '')}"}
    own = services_of(request).settings.web_url
    if own:
        expected.add("/".join(own.split("/")[:3]))
    if where not in ("same-origin", "none") or (origin is not None and origin not in expected):
        raise _forged()
    body = (await request.body()).decode("utf-8", "replace")
    try:
        fields = parse_qs(body, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        raise Problem(400, "bad-request", "this is no form of ours") from error
    return {name: values[0] for name, values in fields.items()}


Form = Annotated[dict[str, str], Depends(_form)]


@router.get("/login", response_class=HTMLResponse)
async def login_page(request: Request) -> Response:
    """The form for the operator's key."""
    return _login_form(request, request.query_params.get("back", "/"))


@router.post("/login")
async def login(request: Request, form: Form) -> Response:
    """Begin a session for a key of scope operate or admin; the token ties the form to its browser."""
    services = services_of(request)
    token = cookie(request.headers, LOGIN_COOKIE)
    if not token or not same(token, form.get("csrf", "")):
        raise _forged()
    back = local_path(form.get("back", "/"))
    key = services.key(form.get("key", "").strip())
    if key is None or key.level < Scope.OPERATE:
        refuse_guessing(services, request.client.host if request.client else "")
        fault = "This key is not known." if key is None else "This key may only read."
        return _login_form(request, back, fault, 403)
    value, _ = services.sessions.begin(key.id, key.name, time.time())
    response = RedirectResponse(back, 303)
    response.set_cookie(
        COOKIE,
        value,
        max_age=int(LIFETIME),
        httponly=True,
        samesite="strict",
        secure=_is_secure(request, services),
        path="/",
    )
    response.delete_cookie(LOGIN_COOKIE, path="/login")
    return response


@router.post("/logout")
async def logout(request: Request, form: Form) -> Response:
    """End the session."""
    _owned(request, form)
    services_of(request).sessions.end(cookie(request.headers, COOKIE))
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE, path="/")
    return response


@router.post("/sites/{name}/{action}")
def switch(request: Request, name: str, action: str, form: Form) -> Response:
    """Pause or resume a site."""
    principal = require(request, Scope.OPERATE)
    _owned(request, form)
    states: dict[str, SiteState] = {"pause": "paused", "resume": "active"}
    if action not in states:
        raise not_found()
    record = set_state(
        services_of(request), name, states[action], form.get("reason", "")[:500], principal.name
    )
    return RedirectResponse(f"/sites/{record['site']}", 303)


def _owned(request: Request, form: dict[str, str]) -> Principal:
    """The logged-in principal whose form this is; `Problem` 403 when it is nobody's or another's."""
    principal = principal_of(request)
    if principal.session is None or not same(principal.session.csrf, form.get("csrf", "")):
        raise _forged()
    return principal


def _login_form(request: Request, back: str, fault: str = "", status: int = 200) -> Response:
    services = services_of(request)
    # One token for all tabs of a browser.
    token = cookie(request.headers, LOGIN_COOKIE)
    if not _TOKEN.fullmatch(token):
        token = secrets.token_urlsafe(24)
    has_keys = any(key.level >= Scope.OPERATE for key in services.keys.all())
    context = {"token": token, "back": local_path(back), "fault": fault, "has_keys": has_keys}
    response = page(request, "login.html", context, status)
    response.set_cookie(
        LOGIN_COOKIE,
        token,
        max_age=3600,
        httponly=True,
        samesite="strict",
        secure=_is_secure(request, services),
        path="/login",
    )
    return response


def _is_secure(request: Request, services: Services) -> bool:
    return request.url.scheme == "https" or (services.settings.web_url or "").startswith("https://")


def _forged() -> Problem:
    return Problem(
        403, "forged", "this form was not sent from this site, or is too old", hint="load the page again"
    )
