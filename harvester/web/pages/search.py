"""The search page, and the part of it that changes while a person types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, cast
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from harvester.errors import QueryError, UsageError
from harvester.model.query import FACETS, Facet, FoundRow, Searchable, Sort
from harvester.model.redact import redact_text
from harvester.web.highlight import Highlighter, NamePart, around_match
from harvester.web.keys import Scope
from harvester.web.pages.rendering import LANGUAGE_COOKIE, local_path, page, require, shortened
from harvester.web.pages.texts import LANGUAGES
from harvester.web.problems import Problem
from harvester.web.searching import Answer, Wanted, run
from harvester.web.services import Services, services_of
from harvester.web.torrents import short_magnet

router = APIRouter()

ROWS = 30
MAX_WORDS = 500
SORTS = ("relevance", "date", "size", "date-asc", "size-asc")
_MAX_VALUES = 20
_MAX_OFFSET = 9_900
_MAX_PATHS = 200
_MAX_TEXT = 1000
_USUAL: dict[Facet, set[str]] = {"wall": {"none"}, "private": {"no"}}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the results."""

    found: FoundRow
    name: tuple[NamePart, ...]
    reason: tuple[NamePart, ...]
    """Where the query was found when it was not in the name."""
    magnet: str


@dataclass(frozen=True, slots=True)
class FacetLink:
    """A value of a facet and where it leads: chosen, or no longer chosen."""

    value: str
    count: int
    chosen: bool
    link: str


@router.get("/", response_class=HTMLResponse)
def search_page(request: Request) -> HTMLResponse:
    """The search page; without words the newest torrents."""
    require(request, Scope.READ)
    context = _context(request)
    if context["query"]:
        services_of(request).queries.asked(context["query"])
    return page(request, "search.html", context)


@router.get("/results", response_class=HTMLResponse)
def results(request: Request) -> HTMLResponse:
    """The results alone, for the page's script; typing is not counted as asking."""
    require(request, Scope.READ)
    return page(request, "results.html", _context(request))


@router.get("/asked", status_code=204)
def asked(request: Request, q: Annotated[str, Query(max_length=MAX_WORDS)] = "") -> Response:
    """The page's script says that a person stopped typing: now it was asked."""
    require(request, Scope.READ)
    services_of(request).queries.asked(q)
    return Response(status_code=204)


@router.get("/language/{code}")
def language(code: str, back: Annotated[str, Query(max_length=1000)] = "/") -> RedirectResponse:
    """Choose the interface's language, and go back."""
    response = RedirectResponse(local_path(back), 303)
    if code in LANGUAGES:
        response.set_cookie(
            LANGUAGE_COOKIE, code, max_age=365 * 86400, httponly=True, samesite="strict", path="/"
        )
    return response


def _context(request: Request) -> dict[str, Any]:
    """What the templates show: rows, facets, and links to the neighbouring searches."""
    services = services_of(request)
    given = request.query_params
    wanted = wanted_of(request)
    asked = _Asked(wanted, given.get("sort", "") if given.get("sort") in SORTS else "")
    context: dict[str, Any] = {
        "query": wanted.text,
        "wanted": wanted,
        "feed": _Asked(wanted, "").link("/feed.xml"),
        "asked": asked,
        "sorts": SORTS,
        "rows": [],
        "facets": {},
        "total": None,
        "fault": None,
        "more": None,
    }
    try:
        answer = run(services, wanted, private=require(request, Scope.READ).is_operator)
    except QueryError as error:
        return context | {"fault": error}
    except UsageError as error:
        return context | {"fault": error}
    except Problem as problem:
        if problem.status_code != 503:
            raise
        return context | {"fault": problem}
    return context | {
        "rows": _rows(services, answer),
        "facets": _facets(answer, asked),
        "total": answer.found.total,
        "more": _more(answer, asked),
    }


def wanted_of(request: Request) -> Wanted:
    """The search that an address of the page asks for."""
    given = request.query_params
    filters: dict[Facet, tuple[str, ...]] = {}
    for name in FACETS:
        values = [value[:100] for value in given.getlist(name) if value][:_MAX_VALUES]
        if values:
            filters[name] = tuple(dict.fromkeys(values))
    sort, _, way = given.get("sort", "").partition("-")
    offset = given.get("offset", "")
    after = given.get("after", "")
    keyed = sort in ("date", "size") and after.startswith(f"{sort}.") and after.partition(".")[2].lstrip("-")
    return Wanted(
        text=given.get("q", "")[:MAX_WORDS],
        filters=filters,
        sort=cast("Sort", sort) if sort in ("relevance", "date", "size") else None,
        ascending=way == "asc",
        limit=ROWS,
        offset=min(int(offset), _MAX_OFFSET) if offset.isdecimal() and len(offset) < 6 and not keyed else 0,
        after=after if keyed and keyed.isdecimal() and len(keyed) < 20 else None,
        facets=True,
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search as an address."""

    wanted: Wanted
    sort: str

    def link(self, path: str = "/", **other: str) -> str:
        """The address of this search with other paging or order."""
        pairs = [("q", self.wanted.text)] if self.wanted.text else []
        pairs += [(name, value) for name, values in self.wanted.filters.items() for value in values]
        pairs += [(name, value) for name, value in ({"sort": self.sort} | other).items() if value]
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def with_filter(self, name: Facet, value: str) -> str:
        """The address of this search with that value chosen, or no longer chosen; on its first page."""
        chosen = self.wanted.filters.get(name, ())
        values = tuple(one for one in chosen if one != value) if value in chosen else (*chosen, value)
        others = {key: held for key, held in self.wanted.filters.items() if key != name}
        filters = others | ({name: values} if values else {})
        return _Asked(Wanted(self.wanted.text, filters), self.sort).link()


def _rows(services: Services, answer: Answer) -> list[Row]:
    highlighter = Highlighter(answer.node)
    names = {row.torrent.id: highlighter.marked(shortened(row.torrent.name)) for row in answer.found.rows}
    elsewhere = [key for key, name in names.items() if not any(part.match for part in name)]
    reasons = {}
    if elsewhere and highlighter:
        reasons = {one.id: _reason(one, highlighter) for one in services.store.searchable(elsewhere)}
    return [
        Row(row, names[row.torrent.id], reasons.get(row.torrent.id, ()), short_magnet(row.torrent))
        for row in answer.found.rows
    ]


def _reason(torrent: Searchable, highlighter: Highlighter) -> tuple[NamePart, ...]:
    """The first title, comment or path that the query is in, cut to what is around it; () for none."""
    for text in (*torrent.titles, torrent.comment, *torrent.paths[:_MAX_PATHS]):
        pieces = highlighter.marked(redact_text(text[:_MAX_TEXT]))
        if any(part.match for part in pieces):
            return around_match(pieces)
    return ()


def _facets(answer: Answer, asked: _Asked) -> dict[Facet, list[FacetLink]]:
    """The facets that tell something: not those in which everything is as usual."""
    shown: dict[Facet, list[FacetLink]] = {}
    for name in FACETS:
        chosen = asked.wanted.filters.get(name, ())
        counts = {one.value: one.count for one in answer.found.facets.get(name, ())}
        values = list(counts) + [value for value in chosen if value not in counts]
        if set(values) - _USUAL.get(name, set()) or len(values) > 1 or chosen:
            shown[name] = [
                FacetLink(value, counts.get(value, 0), value in chosen, asked.with_filter(name, value))
                for value in values
            ]
    return shown


def _more(answer: Answer, asked: _Asked) -> str | None:
    """The address of the next page, None at the end."""
    wanted, found = asked.wanted, answer.found
    if wanted.order != "relevance" and wanted.sort is not None:
        return asked.link(after=found.next) if found.next else None
    end = wanted.offset + len(found.rows)
    return asked.link(offset=str(end)) if found.rows and end < min(found.total, _MAX_OFFSET) else None
