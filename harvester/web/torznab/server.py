"""The routes of Torznab, of its twin under Jackett's address, and of the feeds for people's readers."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from harvester.errors import QueryError, UsageError
from harvester.torrents.category import category_of
from harvester.web.authentication import Principal, principal_of
from harvester.web.keys import Scope
from harvester.web.pages.rendering import require
from harvester.web.pages.search import wanted_of
from harvester.web.problems import Problem
from harvester.web.searching import Answer, Wanted, run
from harvester.web.services import Services, services_of
from harvester.web.torrents import servable
from harvester.web.torznab import protocol
from harvester.web.torznab.adapter import FUNCTIONS, Address, item_of, wanted
from harvester.web.torznab.protocol import Fault

router = APIRouter(include_in_schema=False)

TITLE = "Harvest"
FEED_ROWS = 50


def speaks_torznab(path: str) -> bool:
    """Whether the programs at that path expect errors in Torznab's form."""
    return path.startswith(("/torznab", "/api/v2.0/"))


@router.get("/torznab")
@router.get("/torznab/api")
def torznab(request: Request) -> Response:
    """The indexer: `t` says what is asked."""
    return _answered(request, request.query_params.get("t", ""))


@router.get("/api/v2.0/indexers/{name}/results/torznab")
@router.get("/api/v2.0/indexers/{name}/results/torznab/api")
def jackett(request: Request, name: str) -> Response:
    """The same where Jackett has it; without `t` it is a search."""
    del name
    return _answered(request, request.query_params.get("t", "search"))


def _answered(request: Request, function: str) -> Response:
    try:
        return _xml(_document(request, function.strip().lower()))
    except Fault as fault:
        return _xml(protocol.error(fault.code, fault.text))


def _document(request: Request, function: str) -> str:
    if not function:
        raise Fault(200, "the parameter t is missing")
    services = services_of(request)
    if function == "caps":
        return protocol.caps(TITLE)
    _allow(request, services)
    if function == "indexers":
        return protocol.indexers(TITLE)
    if function not in FUNCTIONS:
        raise Fault(202, f"there is no function {function[:40]}")
    asked = wanted(FUNCTIONS[function], dict(request.query_params))
    return protocol.feed(TITLE, f"{_origin(request)}/torznab", _items(request, services, asked))


def _allow(request: Request, services: Services) -> None:
    if principal_of(request).may(Scope.READ) or services.public_read:
        return
    raise Fault(100, "an API key is wanted: apikey=… (make one with: harvest keys add)")


def _items(request: Request, services: Services, asked: Wanted | None) -> list[protocol.Item]:
    if asked is None:
        return []
    try:
        answer = run(services, asked, private=False)
    except (QueryError, UsageError) as error:
        raise Fault(201, error.what) from error
    except Problem as problem:
        raise Fault(203 if problem.status_code == 503 else 900, problem.detail) from problem
    if asked.text:
        services.queries.asked(asked.text)
    return _items_of(request, services, answer)


@router.get("/feed.xml")
def feed(request: Request) -> Response:
    """The newest of a search as RSS, never with private torrents; `q` and filters as on the page."""
    require(request, Scope.READ)
    services = services_of(request)
    base = wanted_of(request)
    asked = Wanted(text=base.text, filters=base.filters, sort="date", limit=FEED_ROWS)
    items = _items_of(request, services, run(services, asked, private=False), sizes=True)
    title = f"{asked.text} – {TITLE}" if asked.text else TITLE
    newest = max((one.published for one in items), default=0.0)
    text = protocol.feed(title, str(request.url.remove_query_params("apikey")), items, built=newest)
    return Response(text, media_type="application/rss+xml; charset=utf-8")


def _items_of(
    request: Request, services: Services, answer: Answer, *, sizes: bool = False
) -> list[protocol.Item]:
    """The rows as items; with `sizes` an enclosure has the length of its file, as readers of RSS want it."""
    torrents = [row.torrent for row in answer.found.rows if not row.torrent.private]
    kinds = {
        one.id: (one.category or category_of(one.name, one.main_path, one.paths)).lower()
        for one in services.store.searchable([torrent.id for torrent in torrents])
    }
    key = "" if services.public_read else request.query_params.get("apikey", "")
    address = Address(str(request.base_url).rstrip("/"), key)
    items = []
    for torrent in torrents:
        file = servable(services.store, torrent, Principal()) if torrent.has_file else None
        length = file.size if sizes and file is not None else None
        kind = kinds.get(torrent.id, "")
        items.append(item_of(torrent, kind, address, has_file=file is not None, length=length))
    return items


def _origin(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _xml(text: str) -> Response:
    return Response(text, media_type=protocol.MEDIA_TYPE)


def error_response(problem: Problem) -> Response:
    """A problem that was met before the routes, in Torznab's form."""
    if problem.status_code == 429:
        text = protocol.error(500, "Request limit reached")
        return Response(text, 429, headers=dict(problem.headers or {}), media_type=protocol.MEDIA_TYPE)
    code = {401: 100, 403: 100, 404: 300, 503: 203}.get(problem.status_code, 900)
    status = 200 if code == 100 else problem.status_code
    return Response(protocol.error(code, problem.detail), status, media_type=protocol.MEDIA_TYPE)
