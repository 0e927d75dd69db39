"""What `harvest doctor` looks at beside the store: settings, disk, clock, robots.

Pure: what was measured comes in as values, what is wrong goes out with what mends it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from harvester.model.crawl import RobotsText
from harvester.policy.politeness import iso
from harvester.policy.robots import parse_robots

State = Literal["ok", "notice", "wrong"]

LEAST_FREE = 1_000_000_000
"""Bytes of free disk below which a crawl soon ends."""
SOON_FULL = 14 * 86_400.0
"""Seconds: a disk that is full within them is worth a word."""
CLOCK_SLACK = 300.0
"""Seconds by which what is stored may be ahead of the clock (another machine's clock)."""
ROBOTS_AGE = 86_400.0
FIRST_RELEASE = 1_764_460_800.0
"""2025-11-30: no clock that is right shows an earlier time."""
SIZE = "size"
"""The kind of event that remembers how large the collection was at the end of a crawl (`bytes`)."""


class Checked(Struct, frozen=True):
    """One thing that was looked at. `notice`: worth knowing, nothing is broken; `hint` mends it."""

    area: str
    state: State
    what: str
    hint: str = ""


def check_contact(contact: str, strangers: Sequence[str]) -> Checked:
    """`strangers` are the sites that are not on this machine."""
    if contact:
        return Checked("contact", "ok", f"sites are told to write to {contact}")
    if not strangers:
        return Checked("contact", "ok", "none is set; sites on this machine need none")
    hint = "run `harvest init`, or set HARVEST_CONTACT to a mail address or web page"
    return Checked("contact", "wrong", f"none is set, so {', '.join(strangers[:5])} cannot be crawled", hint)


def check_disk(free: int, sizes: Sequence[tuple[float, int]], where: str) -> Checked:
    """The forecast from `sizes`: (UTC seconds, bytes of the collection) at the ends of crawls."""
    told = f"{_bytes(free)} are free in {where}"
    hint = "make room, move the data folder to a larger disk, or keep torrent files elsewhere (HARVEST_BLOBS)"
    ordered = sorted(sizes)
    seconds_left = None
    if len(ordered) < 2 or ordered[-1][0] <= ordered[0][0]:
        told += "; how long that lasts is known after two crawls"
    else:
        grown, days = ordered[-1][1] - ordered[0][1], (ordered[-1][0] - ordered[0][0]) / 86_400
        each = grown / (len(ordered) - 1)
        told += f"; the last {len(ordered) - 1} crawls added {_bytes(max(each, 0))} each"
        if grown > 0:
            crawls = free / each
            seconds_left = free / (grown / days) * 86_400
            told += f": room for about {crawls:,.0f} more, {seconds_left / 86_400:,.0f} days at this pace"
    if free < LEAST_FREE:
        return Checked("disk", "wrong", told, hint)
    if seconds_left is not None and seconds_left < SOON_FULL:
        return Checked("disk", "notice", told, hint)
    return Checked("disk", "ok", told)


def check_clock(now: float, newest: float) -> Checked:
    """`newest` is the latest time that anything was stored at (0: nothing yet)."""
    hint = "set the clock (chrony, systemd-timesyncd), else revisits and leases go by a wrong time"
    if now < FIRST_RELEASE:
        return Checked("clock", "wrong", f"it shows {iso(now)}, which is in the past", hint)
    if newest > now + CLOCK_SLACK:
        what = f"it shows {iso(now)}, but something was stored at {iso(newest)}: it was set back"
        return Checked("clock", "wrong", what, hint)
    return Checked("clock", "ok", f"it shows {iso(now)}, no earlier than anything stored")


def check_robots(site: str, texts: Mapping[str, RobotsText | None], agent: str, now: float) -> list[Checked]:
    """What the robots.txt of a site's hosts said when it was last asked for."""
    found = []
    for host, text in texts.items():
        if text is None:
            continue
        area = f"robots of {host}"
        policy = parse_robots(text.text.encode("latin-1"), text.status or None, now=text.fetched_at)
        asked = f"asked for at {iso(text.fetched_at)}"
        if policy.closed:
            what = f"it did not answer ({asked}), which closes {site} for now"
            hint = "nothing to mend here: the next crawl asks again; see whether the site works in a browser"
            found.append(Checked(area, "notice", what, hint))
        elif not policy.allowed(f"http://{host}/", agent):
            what = f"it asks {agent.partition(' ')[0]} to stay out ({asked})"
            hint = f"respect it (harvest sites remove {site}), or ask the site's owner for leave"
            found.append(Checked(area, "notice", what, hint))
        elif now - text.fetched_at > ROBOTS_AGE:
            found.append(Checked(area, "ok", f"open, {asked}; asked for again by the next crawl"))
        else:
            found.append(Checked(area, "ok", f"open, {asked}"))
    return found


def _bytes(size: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"
