"""The pages for people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from harvester.search.present import human_size
from harvester.web.api import find_public, store_of

router = APIRouter(include_in_schema=False)
templates = Jinja2Templates(directory=Path(__file__).parent / "templates")
templates.env.filters["human_size"] = human_size


@router.get("/", response_class=HTMLResponse)
def search_page(request: Request, q: Annotated[str, Query(max_length=500)] = "") -> HTMLResponse:
    """The search page; without words the newest torrents."""
    store = store_of(request)
    total, with_file = store.count_torrents()
    context = {
        "query": q,
        "torrents": find_public(store, q, None, 50),
        "total": total,
        "with_file": with_file,
    }
    return templates.TemplateResponse(request, "search.html", context)
