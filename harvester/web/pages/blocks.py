"""What was taken out: a page for the admin, with reasons and undo."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from harvester.search.blocked import add_block, remove_block
from harvester.web.keys import Scope
from harvester.web.pages.forms import Form, owned
from harvester.web.pages.rendering import page, require
from harvester.web.problems import Problem
from harvester.web.services import services_of

router = APIRouter()

KINDS = ("infohash", "word", "pattern", "publisher")
MAX_SHOWN = 1000


@router.get("/blocks", response_class=HTMLResponse)
def blocks_page(request: Request) -> HTMLResponse:
    """Everything that was taken out, the newest first, and a form to take out more."""
    require(request, Scope.ADMIN)
    blocks = list(reversed(services_of(request).store.blocks()))
    context = {"blocks": blocks[:MAX_SHOWN], "left": max(0, len(blocks) - MAX_SHOWN), "kinds": KINDS}
    return page(request, "blocks.html", context)


@router.post("/blocks")
def block(request: Request, form: Form) -> RedirectResponse:
    """Take something out; a reason has to be given on the page, for whoever comes upon it later."""
    require(request, Scope.ADMIN)
    owned(request, form)
    reason = form.get("reason", "").strip()[:500]
    if not reason:
        raise Problem(400, "bad-request", "a reason is missing", hint="go back and say why")
    add_block(
        services_of(request).store, form.get("kind", ""), form.get("value", "")[:500], reason, now=time.time()
    )
    return RedirectResponse("/blocks", 303)


@router.post("/blocks/lift")
def lift(request: Request, form: Form) -> RedirectResponse:
    """Undo a block."""
    require(request, Scope.ADMIN)
    owned(request, form)
    remove_block(
        services_of(request).store, form.get("kind", ""), form.get("value", "")[:500], now=time.time()
    )
    return RedirectResponse("/blocks", 303)
