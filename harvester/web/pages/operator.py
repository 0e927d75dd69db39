"""Logging in, logging out, and what only the operator does."""

from __future__ import annotations

import re
import secrets
import time

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from harvester.model.crawl import SiteState
from harvester.web.authentication import cookie, refuse_guessing
from harvester.web.keys import Scope
from harvester.web.pages.forms import Form, forged, owned
from harvester.web.pages.rendering import local_path, page, require
from harvester.web.problems import not_found
from harvester.web.services import Services, services_of
from harvester.web.sessions import COOKIE, LIFETIME, LOGIN_COOKIE, same
from harvester.web.sites import set_state

router = APIRouter()

_TOKEN = re.compile(r"[\w-]{32}", re.ASCII)


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
        raise forged()
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
    owned(request, form)
    services_of(request).sessions.end(cookie(request.headers, COOKIE))
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE, path="/")
    return response


@router.post("/sites/{name}/{action}")
def switch(request: Request, name: str, action: str, form: Form) -> Response:
    """Pause or resume a site."""
    principal = require(request, Scope.OPERATE)
    owned(request, form)
    states: dict[str, SiteState] = {"pause": "paused", "resume": "active"}
    if action not in states:
        raise not_found()
    record = set_state(
        services_of(request), name, states[action], form.get("reason", "")[:500], principal.name
    )
    return RedirectResponse(f"/sites/{record['site']}", 303)


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
