"""`harvest search`, `show`, `export`: what was harvested, from the terminal."""

from __future__ import annotations

import csv
import json
import sys
import time
from itertools import chain
from typing import Annotated, Any, cast

import typer
from msgspec.structs import replace
from rich.console import Console

from harvester import wiring
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.reindex import shown
from harvester.cli.tables import print_table, safe
from harvester.errors import NotFound, UsageError
from harvester.model.query import FACETS, And, FindOptions, Found, Is, Sort
from harvester.model.stored import StoredTorrent
from harvester.search.blocked import block_of
from harvester.search.export import EXPORTS, parse_since
from harvester.search.find import find
from harvester.search.present import human_size
from harvester.search.query import parse_query
from harvester.search.querylog import QueryLog
from harvester.search.records import detailed_record, timestamp, torrent_record

Words = Annotated[
    list[str] | None, typer.Argument(help="What to look for (docs/search.md); nothing: the newest.")
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="At most so many.")]


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    # `-word` is a word to leave out, not an option that is unknown.
    app.command("search", context_settings={"ignore_unknown_options": True})(search)
    app.command("show")(show)
    app.command("export")(export)


def search(
    words: Words = None,
    site: Annotated[str | None, typer.Option("--site", help="Only of this site.")] = None,
    limit: Limit = 20,
    sort: Annotated[
        str | None, typer.Option("--sort", help="relevance, date, size, date-asc or size-asc.")
    ] = None,
    facets: Annotated[
        bool, typer.Option("--facets", help="Count sites, languages and so on of all that was found.")
    ] = False,
    offset: Annotated[int, typer.Option("--offset", min=0, help="Leave out so many first.")] = 0,
    after: Annotated[str | None, typer.Option("--after", help="The next page, by date or size.")] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Find torrents: words, "phrases", -not, OR, prefix*, size:>1GB, ext:iso, site:, date:>2024 and so on."""
    text = " ".join(words or ())
    query = parse_query(text, now=time.time())
    if site is not None:
        query = And((query, Is("site", site.lower())))
    options = replace(
        _sorted_by(sort or ("relevance" if text else "date")),
        limit=limit,
        offset=offset,
        after=after,
        facets=FACETS if facets else (),
    )
    settings = settings_for(data)
    errors = Console(stderr=True, highlight=False)
    with wiring.opened_store(settings) as store:
        index = wiring.caught_up_index(settings, store, shown(errors))
        found = find(query, options, index=index, store=store)
        if settings.query_log and text:
            log = QueryLog(store)
            log.asked(text)
            log.flush(time.time())
        if as_json:
            for row in found.rows:
                variants = store.variants(row.torrent.id)
                md5 = variants[0].md5 if variants else None
                _print_json(torrent_record(row.torrent, store.sightings(row.torrent.id), md5))
    _print_found(found, facets=facets, as_json=as_json)
    if found.total > len(found.rows) > 0:
        further = f"; the next page: --after {found.next}" if found.next else ""
        errors.print(f"{len(found.rows)} of {found.total:,}{further}", markup=False)


def _sorted_by(sort: str) -> FindOptions:
    name, _, way = sort.partition("-")
    if name not in ("relevance", "date", "size") or way not in ("", "asc") or sort == "relevance-asc":
        raise UsageError(f"{sort!r} is no order", hint="sort by relevance, date, size, date-asc or size-asc")
    return FindOptions(sort=cast("Sort", name), ascending=way == "asc")


def _print_found(found: Found, *, facets: bool, as_json: bool) -> None:
    if as_json:
        if facets:
            counts = {name: {one.value: one.count for one in values} for name, values in found.facets.items()}
            _print_json({"total": found.total, "facets": counts, "next": found.next})
        return
    console = Console(highlight=False)
    if not found.rows:
        console.print("nothing found")
        return
    columns = (
        ("name", "left"),
        ("size", "right"),
        ("files", "right"),
        ("last seen", "left"),
        ("infohash", "left"),
    )
    print_table(console, columns, (_row(row.torrent) for row in found.rows))
    for name, values in found.facets.items():
        if values:
            counted = ", ".join(f"{safe(one.value)} {one.count:,}" for one in values)
            console.print(f"{name:<8} {counted}", markup=False, soft_wrap=True)


def _row(torrent: StoredTorrent) -> tuple[str, ...]:
    infohash = torrent.infohash_v1 or torrent.infohash_v2
    return (
        torrent.name or "(no name)",
        human_size(torrent.size),
        str(torrent.n_files) if torrent.has_file else "magnet",
        (timestamp(torrent.last_seen) or "")[:10],
        infohash.hex() if infohash else "",
    )


def show(
    infohash: Annotated[str, typer.Argument(help="An infohash (v1 or v2) or the MD5 of the file.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Show everything about one torrent."""
    with wiring.opened_store(settings_for(data)) as store:
        torrent = store.find_torrent(infohash.strip().lower())
        if torrent is None:
            raise NotFound(f"no torrent {infohash!r} is stored", hint="search for it by name: harvest search")
        block = block_of(store, torrent.id)
        if block is not None:
            raise NotFound(
                f"the torrent {infohash!r} is blocked", why=block.reason, hint="harvest block list"
            )
        record = detailed_record(
            torrent, store.variants(torrent.id), store.sightings(torrent.id), store.files(torrent.id)
        )
    if as_json:
        _print_json(record)
    else:
        _print_torrent(record)


def _print_torrent(record: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)

    def line(title: str, value: object) -> None:
        if value not in (None, "", []):
            console.print(f"{title:<12} {safe(str(value))}", markup=False)

    line("name", record["name"])
    line("infohash v1", record["infohash_v1"])
    line("infohash v2", record["infohash_v2"])
    line("md5", record["md5"])
    line("size", human_size(record["size"]))
    line("private", "yes: never exported or shared" if record["private"] else None)
    line("created", record["created"])
    line("seen", f"{record['first_seen']} to {record['last_seen']}")
    if not record["has_file"]:
        line("file", "not yet: known by magnet or infohash only")
    for tracker in record["trackers"]:
        line("tracker", tracker)
    for variant in record["variants"][1:]:
        line("variant", f"{variant['md5']} ({variant['size']} bytes, {len(variant['trackers'])} trackers)")
    for source in record["sources"]:
        wall = "" if source["wall"] == "none" else f" (behind: {source['wall']})"
        line("seen at", f"{source['page']}{wall}")
        line("  link", source["url"])
    for file in record["file_list"][:200]:
        line("file", f"{human_size(file['size']):>10}  {file['path']}")
    if len(record["file_list"]) > 200:
        line("", f"… and {len(record['file_list']) - 200:,} more: use --json")


def export(
    what: Annotated[str, typer.Argument(help="torrents, files, sightings or links.")],
    form: Annotated[str, typer.Option("--format", help="jsonl or csv.")] = "jsonl",
    since: Annotated[
        str | None, typer.Option("--since", help="Only what was seen since: 2026-11-30, or 7d.")
    ] = None,
    data: Data = None,
) -> None:
    """Print everything harvested as JSON lines or CSV. Private torrents are left out."""
    if what not in EXPORTS:
        raise UsageError(f"{what!r} cannot be exported", hint=f"choose one of {', '.join(EXPORTS)}")
    if form not in ("jsonl", "csv"):
        raise UsageError(f"there is no format {form!r}", hint="choose jsonl or csv")
    start = parse_since(since, time.time()) if since else 0.0
    with wiring.opened_store(settings_for(data)) as store:
        records = iter(EXPORTS[what](store, start))
        first = next(records, None)
        if first is None:
            print(f"harvest: no {what} to export" + (f" since {since}" if since else ""), file=sys.stderr)
            return
        records = chain([first], records)
        if form == "jsonl":
            for record in records:
                _print_json(record)
            return
        writer = None
        for record in records:
            if writer is None:
                writer = csv.DictWriter(sys.stdout, fieldnames=list(record), lineterminator="\n")
                writer.writeheader()
            writer.writerow({name: _cell(value) for name, value in record.items()})


def _cell(value: object) -> str:
    """A CSV cell; text that a spreadsheet would run as a formula is disarmed with a leading quote."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") and isinstance(value, str) else text


def _print_json(record: dict[str, Any]) -> None:
    print(json.dumps(record, ensure_ascii=False))
