"""`harvest status` and `harvest doctor`: what was done, what was left and why, and what is wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Annotated, Any

import typer
from rich.console import Console

from harvester import wiring
from harvester.access.standing import Standing
from harvester.cli.options import Data, Json, settings_for
from harvester.cli.tables import print_table, safe
from harvester.crawl.checkup import Checked
from harvester.crawl.reasons import what_failed, which_wall, why_left
from harvester.errors import DoneInPart, NotFound
from harvester.model.crawl import Crawl
from harvester.model.redact import redact_url
from harvester.ports.store import Store
from harvester.search.records import timestamp
from harvester.settings import Settings

MOST_REASONS = 15
"""Reasons for leaving things that people are shown; `--json` has them all."""
_FIGURES = {
    "requests": "requests",
    "pages": "pages",
    "torrents_new": "new torrents",
    "torrents_known": "known torrents",
    "duplicates": "taken twice",
    "magnets": "magnets",
    "queue": "URLs still waiting",
}
ALL_PARKED = 20
"""Parked items that are listed unless more are asked for."""


def register(app: typer.Typer) -> None:
    """Add the verbs of this module."""
    app.command("status")(status)
    app.command("doctor")(doctor)


def status(
    site: Annotated[str | None, typer.Option("--site", help="Only of this site.")] = None,
    parked: Annotated[
        int, typer.Option("--parked", min=0, help="How many parked items to list.")
    ] = ALL_PARKED,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Say what crawls did, why they left what they left, and what waits behind walls."""
    settings = settings_for(data)
    with wiring.opened_store(settings) as store:
        report = _status_of(settings, store, site, parked)
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
        return
    _print_status(report)


def _status_of(settings: Settings, store: Store, site: str | None, parked: int) -> dict[str, Any]:
    total, with_file = store.count_torrents()
    names = [known.name for known in store.sites() if site is None or known.name == site]
    if site is not None and not names:
        raise NotFound(
            f"{site} was never crawled", hint=f"see: harvest sites list, or: harvest full --site {site}"
        )
    return {
        "torrents": total,
        "with_file": with_file,
        "sites": [
            {
                "site": name,
                "state": store.site(name).state,
                "account": _account_record(wiring.account_standing(settings, store, name)),
                "walls": store.walls(name),
                "parked": [
                    {
                        "url": redact_url(item.url),
                        "wall": item.kind,
                        "page": redact_url(item.page_url),
                        "since": timestamp(item.since),
                        "opens": item.opens,
                    }
                    for item in (store.parked(name, limit=parked) if parked else ())
                ],
                "crawls": [_crawl_record(store, crawl) for crawl in store.crawls(name, limit=3)],
            }
            for name in names
        ],
    }


def _account_record(doing: Standing | None) -> dict[str, str] | None:
    if doing is None:
        return None
    return {"state": doing.word, "words": doing.words, "next_step": doing.next_step}


def _crawl_record(store: Store, crawl: Crawl) -> dict[str, Any]:
    return {
        "crawl": crawl.id,
        "kind": crawl.kind,
        "state": crawl.state,
        "reason": crawl.reason,
        "started": timestamp(crawl.started_at),
        "ended": timestamp(crawl.ended_at),
        "seconds": round(max((crawl.ended_at or crawl.updated_at) - crawl.started_at, 0.0), 1),
        "figures": dict(crawl.figures),
        "left": [
            {
                "reason": left.reason,
                "why": why_left(left.reason),
                "times": left.times,
                "example": redact_url(left.example),
            }
            for left in store.left(crawl)
        ],
    }


def _print_status(report: dict[str, Any]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print(f"{report['torrents']:,} torrents, {report['with_file']:,} with their file")
    if not report["sites"]:
        known = (
            "no site was crawled yet" if not report["torrents"] else "the sites they came from were removed"
        )
        console.print(f"{known}; begin with: harvest full --site URL")
    for site in report["sites"]:
        console.print(f"\n{site['site']}: {site['state']}", markup=False)
        if account := site["account"]:
            step = f" – {safe(account['next_step'])}" if account["next_step"] else ""
            console.print(f"  account: {safe(account['words'])}{step}", markup=False)
        for crawl in site["crawls"]:
            _print_crawl(console, crawl)
        if site["walls"]:
            words = ", ".join(f"{kind} {count:,}" for kind, count in sorted(site["walls"].items()))
            console.print(f"  waiting behind walls: {words}", markup=False)
            counts = sorted(site["walls"].items())
            _print_rows(console, (("   ", f"{n:,}", which_wall(kind), "") for kind, n in counts))
            rows = ((item["wall"], item["url"], item["opens"]) for item in site["parked"])
            print_table(console, (("wall", "left"), ("what", "left"), ("what would open it", "left")), rows)


def _print_crawl(console: Console, crawl: dict[str, Any]) -> None:
    figures = crawl["figures"]
    reason = f" ({crawl['reason']})" if crawl["reason"] else ""
    lasted = f", {_span(crawl['seconds'])}" if crawl["seconds"] else ""
    begun = f"{crawl['kind']} crawl {crawl['crawl']}, begun {crawl['started']}{lasted}"
    console.print(f"  {begun}: {crawl['state']}{reason}", markup=False)
    told = [
        f"{figures.get(name, 0):,} {words}"
        for name, words in _FIGURES.items()
        if figures.get(name) or name in ("requests", "pages", "torrents_new")
    ]
    console.print(f"    {', '.join(told)}", markup=False)
    groups = (("errors", "errors.", what_failed), ("behind walls", "walls.", which_wall))
    for title, group, words_of in groups:
        counts = {name.removeprefix(group): n for name, n in figures.items() if name.startswith(group) and n}
        if counts:
            console.print(f"    {title}:", markup=False)
            ranked = sorted(counts.items(), key=lambda pair: -pair[1])
            _print_rows(console, (("     ", f"{n:,}", words_of(kind), "") for kind, n in ranked))
    if crawl["left"]:
        console.print("    left on purpose:", markup=False)
        shown = crawl["left"][:MOST_REASONS]
        _print_rows(
            console, (("     ", f"{left['times']:,}", left["why"], left["example"]) for left in shown)
        )
        if len(crawl["left"]) > MOST_REASONS:
            more = len(crawl["left"]) - MOST_REASONS
            console.print(f"      … and {more} more reasons (--json)", markup=False)


def _print_rows(console: Console, rows: Iterable[tuple[str, str, str, str]]) -> None:
    """Counts with their words, numbers and examples under each other."""
    every = list(rows)
    numbers = max((len(row[1]) for row in every), default=0)
    words = max((len(row[2]) for row in every), default=0)
    for indent, number, sentence, example in every:
        shown = f"   e.g. {safe(example)}" if example else ""
        line = f"{indent} {number:>{numbers}}  {safe(sentence):<{words}}{shown}"
        console.print(line.rstrip(), markup=False, emoji=False)


def _span(seconds: float) -> str:
    """A length of time for people."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def doctor(
    mend: Annotated[bool, typer.Option("--mend", help="Mend what can be mended.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Also read every stored file.")] = False,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Look for what is wrong with the collection, and say how to mend it."""
    settings = settings_for(data)
    console = Console(highlight=False, soft_wrap=True)
    with wiring.opened_store(settings) as store:
        checked = wiring.checkup(settings, store, time.time())
        findings = store.check(now=time.time(), deep=deep)
        _print_checked(console, checked, as_json=as_json)
        left = sum(one.state == "wrong" for one in checked)
        for finding in findings:
            done = store.mend(finding, now=time.time()) if mend and finding.mendable else ""
            left += not done
            if as_json:
                record = {"kind": finding.kind, "subject": finding.subject, "what": finding.what}
                print(json.dumps(record | {"hint": finding.hint, "mended": done}, ensure_ascii=False))
            else:
                console.print(f"{finding.kind}: {safe(finding.what)}", markup=False)
                console.print(f"  {'mended: ' + done if done else finding.hint}", markup=False)
    if not findings and not as_json:
        console.print("database and torrent files: whole" + ("" if deep else " (--deep reads every file)"))
    if left:
        hint = "harvest doctor --mend" if findings and not mend else "see above for each"
        raise DoneInPart(f"{left} findings are not mended", hint=hint)
    if not as_json:
        console.print("nothing is wrong" if not findings else "everything is mended")


def _print_checked(console: Console, checked: list[Checked], *, as_json: bool) -> None:
    """What was looked at beside the store: everything for people, what is amiss for programs."""
    for one in checked:
        if not as_json:
            mark = {"ok": "", "notice": "notice: ", "wrong": "wrong: "}[one.state]
            console.print(f"{one.area}: {mark}{safe(one.what)}", markup=False)
            if one.hint:
                console.print(f"  {one.hint}", markup=False)
        elif one.state != "ok":
            record = {
                "kind": one.state,
                "subject": one.area,
                "what": one.what,
                "hint": one.hint,
                "mended": "",
            }
            print(json.dumps(record, ensure_ascii=False))
