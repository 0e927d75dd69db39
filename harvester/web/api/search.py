"""Search and facets."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request

from harvester.model.query import Facet, Sort
from harvester.search.records import torrent_record
from harvester.web.api.shapes import FacetResult, FacetValue, NamePiece, SearchResult, TorrentRow
from harvester.web.authentication import Reader
from harvester.web.etags import EtagRoute
from harvester.web.highlight import Highlighter
from harvester.web.searching import Answer, Wanted, run
from harvester.web.services import Services, services_of
from harvester.web.torrents import short_magnet

router = APIRouter(tags=["search"], route_class=EtagRoute)

Words = Annotated[
    str,
    Query(
        max_length=500,
        description='Words, "phrases", -not, OR, prefix*, size:>1GB, ext:iso, site:…, date:>2024. '
        "Nothing: everything.",
        examples=["ubuntu size:>1GB -server"],
    ),
]
Value = Annotated[str, Query(max_length=100)]
Values = Annotated[list[Value] | None, Query(max_length=20, description="Any of these.")]


def filters(
    site: Annotated[list[Value] | None, Query(max_length=20, description="Only of these sites.")] = None,
    ext: Annotated[list[Value] | None, Query(max_length=20, description="Only with such a file.")] = None,
    lang: Annotated[list[Value] | None, Query(max_length=20, description="Only in such a language.")] = None,
    type: Annotated[list[Value] | None, Query(max_length=20, description="Only of such a type.")] = None,
    wall: Annotated[
        list[Value] | None, Query(max_length=20, description="Only from behind such a wall.")
    ] = None,
    private: Annotated[
        Literal["yes", "no"] | None, Query(description="Only private ones, or none of them (operators).")
    ] = None,
) -> dict[Facet, tuple[str, ...]]:
    """The filters of a search, by field."""
    given: dict[Facet, list[str] | None] = {
        "site": site,
        "ext": ext,
        "lang": lang,
        "type": type,
        "wall": wall,
        "private": [private] if private else None,
    }
    return {name: tuple(value for value in values if value) for name, values in given.items() if values}


Filters = Annotated[dict[Facet, tuple[str, ...]], Depends(filters)]


@router.get("/search", summary="Search")
def search(
    request: Request,
    principal: Reader,
    filters: Filters,
    q: Words = "",
    sort: Annotated[
        Sort | None, Query(description="Default: relevance with words, date without; date is first seen.")
    ] = None,
    ascending: Annotated[bool, Query(description="Oldest or smallest first.")] = False,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    offset: Annotated[int, Query(ge=0, le=10_000, description="Leave out so many first.")] = 0,
    after: Annotated[
        str | None,
        Query(
            pattern=r"^(?:date|size)\.-?[0-9]{1,19}$",
            description="`next` of the page before, with the same sort.",
        ),
    ] = None,
    facets: Annotated[bool, Query(description="Also count sites, languages and so on.")] = False,
) -> SearchResult:
    """Torrents that match, best or newest first, with the exact total."""
    services = services_of(request)
    wanted = Wanted(q, filters, sort, ascending, limit, offset, after, facets)
    answer = run(services, wanted, private=principal.is_operator)
    services.queries.asked(q)
    rows = rows_of(services, answer)
    return SearchResult(
        query=q,
        count=len(rows),
        total=answer.found.total,
        torrents=rows,
        facets=facets_of(answer),
        next=answer.found.next,
    )


@router.get("/facets", summary="Count what matches")
def facets(request: Request, principal: Reader, filters: Filters, q: Words = "") -> FacetResult:
    """The most frequent values of each field among everything that matches.

    A field that is filtered by is counted as if it was not.
    """
    wanted = Wanted(q, filters, limit=0, sort="date", facets=True)
    answer = run(services_of(request), wanted, private=principal.is_operator)
    return FacetResult(query=q, total=answer.found.total, facets=facets_of(answer))


def rows_of(services: Services, answer: Answer) -> list[TorrentRow]:
    """The rows of a result."""
    ids = [row.torrent.id for row in answer.found.rows]
    highlighter = Highlighter(answer.node)
    return [
        TorrentRow(
            **torrent_record(one.torrent, one.sightings, one.md5),
            name_parts=[
                NamePiece(text=part.text, match=part.match) for part in highlighter.marked(one.torrent.name)
            ],
            magnet=short_magnet(one.torrent),
        )
        for one in services.store.exported(ids)
    ]


def facets_of(answer: Answer) -> dict[str, list[FacetValue]]:
    """The facets of an answer."""
    return {
        name: [FacetValue(value=one.value, count=one.count) for one in values]
        for name, values in answer.found.facets.items()
    }
