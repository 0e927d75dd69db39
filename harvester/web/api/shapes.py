"""The shapes of the API's answers, with examples for the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from harvester.model.stored import BlockKind

_V1 = "c9e15763f722f23e98a29decdfae341b98d53056"

Digest = Annotated[
    str,
    Path(
        pattern=r"^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$",
        description="Infohash v1 (40 hex), v2 (64 hex, or its first 40), or the MD5 of the file (32 hex).",
        examples=[_V1],
    ),
]
SiteName = Annotated[
    str, Path(max_length=100, pattern=r"^[\w.-]+$", description="The site's name.", examples=["demo-forum"])
]


class Source(BaseModel):
    """Where a torrent was seen."""

    url: str = Field(examples=["https://forum.example.org/attachment.php?aid=12"])
    page: str = Field(examples=["https://forum.example.org/thread-12-1-1.html"])
    site: str = Field(examples=["example"])
    wall: str = Field(description="The wall it was behind, `none` for none.", examples=["none"])


class NamePiece(BaseModel):
    """A piece of a name."""

    text: str
    match: bool = Field(description="Whether the query found it.")


class TorrentRow(BaseModel):
    """One torrent of a result."""

    infohash_v1: str | None = Field(examples=[_V1])
    infohash_v2: str | None
    md5: str | None = Field(description="MD5 of the .torrent file; null for a magnet without its file.")
    name: str = Field(examples=["ubuntu-24.04-desktop-amd64.iso"])
    size: int | None = Field(description="Bytes; null when not known.", examples=[6114656256])
    files: int = Field(examples=[1])
    private: bool = Field(description="Private torrents are shown to the operator only.")
    created: str | None = Field(examples=["2024-04-25T13:01:02Z"])
    first_seen: str | None
    last_seen: str | None
    sources: list[Source]
    name_parts: list[NamePiece] = Field([], description="The name in pieces, for highlighting.")
    magnet: str = Field("", description="The magnet link, without trackers.")


class FacetValue(BaseModel):
    """One value of a field."""

    value: str = Field(examples=["iso"])
    count: int = Field(examples=[42])


class SearchResult(BaseModel):
    """A page of torrents that match."""

    query: str
    count: int = Field(description="How many are in `torrents`.")
    total: int = Field(description="How many match.")
    torrents: list[TorrentRow]
    facets: dict[str, list[FacetValue]] = Field({}, description="Counts by field, when asked for.")
    next: str | None = Field(
        None, description="`after` of the next page when sorted by date or size; null at the end."
    )


class FacetResult(BaseModel):
    """Counts of everything that matches."""

    query: str
    total: int
    facets: dict[str, list[FacetValue]]


class TorrentFile(BaseModel):
    """One file of a torrent."""

    path: str = Field(examples=["disc1/README.txt"])
    size: int


class TorrentFiles(BaseModel):
    """A page of a torrent's files."""

    total: int
    files: list[TorrentFile]


class TorrentVariant(BaseModel):
    """One .torrent file of a torrent."""

    md5: str
    size: int = Field(description="Bytes of the .torrent file.")
    trackers: list[str]
    flags: list[str]
    first_seen: str | None


class TorrentDetail(TorrentRow):
    """Everything about one torrent."""

    model_config = ConfigDict(extra="ignore")

    category: str = Field(
        description="video, audio, software, books, games, images or other; or as the site says.",
        examples=["software"],
    )
    has_file: bool
    file_list: list[TorrentFile]
    trackers: list[str] = Field(description="With secrets replaced by ***.")
    metadata: dict[str, Any]
    variants: list[TorrentVariant]


class SightingRow(Source):
    """One place where a torrent was seen, and when."""

    title: str
    anchor: str
    rule: str
    crawl: int
    first_seen: str | None
    last_seen: str | None
    times: int


class Health(BaseModel):
    """Whether the server can answer."""

    status: str = Field(description="`ok` or `failing`.", examples=["ok"])
    version: str
    database: str = Field(description="`ok`, or the kind of error.", examples=["ok"])
    index: str = Field(description="`ok`, or the kind of error.", examples=["ok"])
    index_behind: int | None = Field(description="Changes that are not in the index yet.", examples=[0])


class Sightings(BaseModel):
    """Where a torrent was seen, the first place first."""

    sightings: list[SightingRow]


class HistoryEvent(BaseModel):
    """Something that happened to a torrent."""

    model_config = ConfigDict(extra="allow")

    at: str | None
    what: str = Field(description="first_seen, file, seen or seen_again.")


class History(BaseModel):
    """What happened to a torrent, oldest first."""

    history: list[HistoryEvent]


class MagnetLink(BaseModel):
    """A magnet link."""

    magnet: str = Field(examples=[f"magnet:?xt=urn:btih:{_V1}&dn=ubuntu"])


class LeftReason(BaseModel):
    """Why a crawl left something."""

    reason: str = Field(examples=["action:logout"])
    times: int
    example: str | None = Field(None, description="For keys of scope operate.")


class CrawlRow(BaseModel):
    """One crawl and what it counted."""

    crawl: int
    site: str
    kind: str = Field(examples=["full"])
    state: str = Field(examples=["finished"])
    reason: str
    started: str | None
    updated: str | None
    ended: str | None
    figures: dict[str, int] = Field(examples=[{"requests": 143, "torrents_new": 40}])


class CrawlDetail(CrawlRow):
    """One crawl with what it left."""

    left: list[LeftReason]


class Crawls(BaseModel):
    """Crawls, the newest first."""

    crawls: list[CrawlRow]


class SiteRow(BaseModel):
    """One site."""

    site: str = Field(examples=["demo-forum"])
    state: str = Field(description="active, paused or never crawled.", examples=["active"])
    reason: str = Field(description="Why it is paused.")
    start: str | None
    walls: dict[str, int] = Field(description="How much waits behind walls.", examples=[{"login": 4}])
    last_crawl: CrawlRow | None


class Sites(BaseModel):
    """Sites by name."""

    sites: list[SiteRow]


class ParkedRow(BaseModel):
    """Something that waits."""

    url: str
    wall: str
    page: str
    since: str | None
    opens: str = Field(description="What would open it.")


class ParkedRows(BaseModel):
    """What waits behind walls and rules, the oldest first."""

    parked: list[ParkedRow]


class RuleRow(BaseModel):
    """One kind of URL of a site."""

    id: str = Field(examples=["thread"])
    role: str = Field(examples=["detail"])
    match: str
    key: str
    locked: bool
    source: str = Field(description="operator, learned or engine.")
    state: str
    support: int | None = Field(None, description="Pages that a learned rule rests on.")
    bound: float | None = Field(None, description="Wilson lower bound of its share of pages that fit.")


class Rules(BaseModel):
    """The rules of a site, in the order in which they win."""

    site: str
    engine: str
    rules: list[RuleRow]


class GrowthPoint(BaseModel):
    """How many torrents were known at a time."""

    at: str | None
    torrents: int


class Stats(BaseModel):
    """What there is."""

    torrents: int = Field(description="That can be found.")
    with_file: int = Field(description="Those whose .torrent file was harvested, too.")
    sites: int
    growth: list[GrowthPoint]
    facets: dict[str, list[FacetValue]]


class BlockRow(BaseModel):
    """Something taken out for good."""

    kind: str = Field(examples=["word"])
    value: str = Field(examples=["forbidden words"])
    reason: str
    since: str | None


class Blocks(BaseModel):
    """All blocks, the oldest first."""

    blocks: list[BlockRow]


class NewBlock(BaseModel):
    """What to take out, and why."""

    model_config = ConfigDict(extra="forbid")

    kind: BlockKind = Field(description="What `value` is.", examples=["word"])
    value: str = Field(min_length=1, max_length=500, examples=["forbidden words"])
    reason: str = Field(min_length=1, max_length=1000, examples=["notice of 2026-11-30"])


class PauseReason(BaseModel):
    """Why a site is paused."""

    model_config = ConfigDict(extra="forbid")

    reason: str = Field("", max_length=500, examples=["maintenance until Monday"])


class ProblemDocument(BaseModel):
    """RFC 9457 problem details."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["urn:harvest:problem:query"])
    title: str = Field(examples=["Bad Request"])
    status: int = Field(examples=[400])
    detail: str = Field(examples=["the query is wrong at character 8: this ( is not closed"])
    hint: str | None = None


_TOLD = {
    400: "The request or the query makes no sense.",
    401: "A key is needed, or the one given is not known.",
    403: "The key's scope is not enough.",
    404: "There is no such thing.",
    413: "The body is too large.",
    414: "The address is too long.",
    421: "The server does not answer under this name.",
    422: "A parameter is wrong.",
    429: "Too many requests; see Retry-After.",
    503: "The database or the index does not answer; see Retry-After.",
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "description": told,
        "content": {"application/problem+json": {"schema": ProblemDocument.model_json_schema()}},
    }
    for status, told in _TOLD.items()
}
"""The errors of every route, for the OpenAPI document."""
