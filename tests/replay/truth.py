"""What a recorded site holds, and how much of it a harvest has.

    with Replay("phpbb") as site:
        …crawl site.url…
        report = check(load("phpbb"), Harvested(files=…, hashes=…, links=…, walls=…), site)
        assert not report.missing

Every row of truth falls under one of three rules:

- wall `none`: an attachment's file must be stored, a magnet's or plain hash's infohash known, a thunder
  link's decoded URL recorded;
- behind a wall that a guest can see (a marker or a refused link stands on a recorded page): the wall must
  be recorded with its name, at the page or at the link. Where the page shows guests nothing but "log in",
  `login` is right whatever stands behind it;
- behind a wall of which a guest sees nothing (members' boards that nobody links to, posts without a word
  about their attachments): nothing is asked, the row counts as `unseen`.

In a recording made by a member (`focus_login`, `reply`) a walled row whose file, magnet, hash or thunder
link was recorded is open, and is asked for as a row of wall `none` is.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

from harvester.demo.truth import TruthRow
from tests.replay.recording import Recording, loose_key, sites_folder
from tests.replay.server import Replay

FileForms = ("attachment", "download")

_LOGIN_BOXES = (
    b'class="attach_nopermission',
    "您尚未登录".encode(),
    b"You do not have the required permissions to view the files attached to this post.",
    b"<!-- start: error_nopermission -->",
)
_REPLY_BOXES = ('<div class="locked">游客，如果您要查看本帖隐藏内容请'.encode(),)
_PAY_BOXES = (b'class="y viewpay"', b"mod=misc&amp;action=attachpay&amp;")
_READPERM_BOXES = ("阅读权限: <strong>".encode(),)
_NAMES = {"permission": "readperm"}
"""Our word for a wall where truth has another one."""
_BOXES = {"login": _LOGIN_BOXES, "reply": _REPLY_BOXES, "pay": _PAY_BOXES, "readperm": _READPERM_BOXES}


def load(name: str) -> list[TruthRow]:
    """The rows of a site's truth.tsv."""
    path = sites_folder() / name / "truth.tsv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [TruthRow(**row) for row in rows]  # type: ignore[arg-type]  # the columns are the fields


@dataclass(frozen=True, slots=True)
class Harvested:
    """What a harvest has, in plain sets.

    `files`: infohashes (v1, or v2 without one) whose .torrent is stored. `hashes`: every infohash known, by
    file, magnet or label. `links`: download URLs recorded, fetched or not. `walls`: (wall, URL) where one was
    met, the URL of the page or of the refused link.
    """

    files: frozenset[str] = frozenset()
    hashes: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    walls: frozenset[tuple[str, str]] = frozenset()


@dataclass(slots=True)
class Report:
    """How much of truth is there, by (form, wall): rows asked for, rows had, rows that nobody can see."""

    wanted: Counter[tuple[str, str]] = field(default_factory=Counter)
    had: Counter[tuple[str, str]] = field(default_factory=Counter)
    unseen: Counter[tuple[str, str]] = field(default_factory=Counter)
    missing: list[TruthRow] = field(default_factory=list)
    surplus: frozenset[str] = frozenset()
    """Stored files whose infohash stands nowhere in truth."""

    def table(self) -> list[tuple[str, str, int, int, int]]:
        """Rows of (form, wall, had, wanted, unseen), sorted."""
        keys = sorted(self.wanted.keys() | self.unseen.keys())
        return [
            (form, wall, self.had[form, wall], self.wanted[form, wall], self.unseen[form, wall])
            for form, wall in keys
        ]


def guest_walls(recording: Recording, row: TruthRow) -> frozenset[str]:
    """The walls that the recorded page or the refused link shows for a row; empty: nothing to see."""
    shown: set[str] = set()
    bodies = [record.body for url in (row.page_url, row.url) if url and (record := recording.find(url))]
    for wall, boxes in _BOXES.items():
        if any(box in body for body in bodies for box in boxes):
            shown.add(wall)
    own = frozenset(row.wall.split("+"))
    if shown & own:
        return frozenset(shown & (own | {"login"}))
    return frozenset(shown & {"login"})


def is_open(recording: Recording, row: TruthRow) -> bool:
    """Whether the recording holds the row's own content: its file, or its page with magnet, hash or link."""
    if row.form in FileForms:
        record = recording.find(row.url) if row.url else None
        return record is not None and record.body.startswith(b"d")
    page = recording.find(row.page_url)
    if page is None:
        return False
    if row.form == "thunder":
        return b"thunder://" in page.body
    return row.infohash.encode() in page.body.lower()


def check(rows: Sequence[TruthRow], harvested: Harvested, site: Replay) -> Report:
    """Compare a harvest of a replayed site with its truth; URLs may be ours or the recorded ones."""
    recording = site.recording
    moved = replace(harvested, links=frozenset(site.recorded_url(url) for url in harvested.links))
    return compare(
        rows,
        moved,
        accepted=lambda row: guest_walls(recording, row),
        is_open=lambda row: is_open(recording, row),
    )


def compare(
    rows: Sequence[TruthRow],
    harvested: Harvested,
    *,
    accepted: Callable[[TruthRow], frozenset[str]],
    is_open: Callable[[TruthRow], bool] = lambda row: False,
    place: Callable[[str], Hashable] = loose_key,
) -> Report:
    """Compare a harvest of any site with its truth.

    `accepted` gives the walls that may be recorded for a walled row (none: it cannot be seen), `is_open`
    says of a walled row that this visitor gets it. Two URLs are one place when `place` is equal for them.
    """
    report = Report()
    walls: defaultdict[Hashable, set[str]] = defaultdict(set)
    for wall, url in harvested.walls:
        walls[place(url)].add(_NAMES.get(wall, wall))
    for row in rows:
        group = (row.form, row.wall)
        if row.wall == "none" or is_open(row):
            good = _has(row, harvested)
        elif right := accepted(row):
            good = any(walls[place(url)] & right for url in (row.page_url, row.url) if url)
        else:
            report.unseen[group] += 1
            continue
        report.wanted[group] += 1
        report.had[group] += good
        if not good:
            report.missing.append(row)
    report.surplus = harvested.files - {row.infohash for row in rows}
    return report


def _has(row: TruthRow, harvested: Harvested) -> bool:
    if row.form in FileForms:
        return row.infohash in harvested.files
    if row.form == "thunder":
        return row.url in harvested.links or row.infohash in harvested.files
    return row.infohash in harvested.hashes
