"""`harvest inspect`: what a torrent file says, with no database at all."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from harvester.errors import DoneInPart, HarvestError, InputError, LimitExceeded, NotATorrent, UsageError
from harvester.model.magnet import Magnet
from harvester.model.redact import redact_url
from harvester.model.torrent import Torrent, TorrentFile
from harvester.torrents.flags import describe_flag
from harvester.torrents.limits import MAX_BYTES
from harvester.torrents.magnet import format_magnet
from harvester.torrents.metainfo import parse_torrent
from harvester.torrents.paths import safe_text
from harvester.torrents.redaction import redact_tracker

STDIN = "-"

Folder = dict[str, "Folder | int"]


@dataclass(frozen=True, slots=True)
class _Options:
    as_json: bool
    with_files: bool
    many: bool


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("inspect")(inspect)


def inspect(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="Torrent files, or - for standard input.")
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON: an object for one file, a line for each of many.")
    ] = False,
    with_files: Annotated[bool, typer.Option("--files", help="Show the files as a tree.")] = False,
) -> None:
    """Show what torrent files say: names, hashes, sizes, trackers, dates, and what is unusual.

    Personal keys in the addresses of trackers are shown as ***.
    """
    if files.count(STDIN) > 1:
        raise UsageError("standard input (-) can be read once only")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    options = _Options(as_json, with_files, many=len(files) > 1)
    out = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
    err = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)
    if not options.many:
        _inspect_one(files[0], options, out)
        return
    failed = _inspect_many(files, options, out, err)
    read = len(files) - failed
    summary = f"{read:,} of {len(files):,} files are torrents"
    if failed:
        raise (DoneInPart if read else InputError)(summary, why=f"{failed:,} could not be read")
    err.print(summary)


def _inspect_one(file: str, options: _Options, out: Console) -> None:
    try:
        torrent = _load(file)
    except HarvestError as error:
        if options.as_json:
            _print_json({"file": file, "error": str(error)})
        raise
    if options.as_json:
        _print_json(as_json_object(torrent), indent=2)
    else:
        _print_torrent(torrent, options, out)


def _inspect_many(files: list[str], options: _Options, out: Console, err: Console) -> int:
    """Show each file; the number of those that could not be read comes back."""
    as_table = out.is_terminal and not options.as_json and not options.with_files
    table = _new_table()
    failures: list[str] = []
    failed = 0
    progress = Progress(
        console=err, transient=True, disable=not err.is_terminal or (out.is_terminal and not as_table)
    )
    with progress:
        for file in progress.track(files, description="reading"):
            try:
                torrent = _load(file)
            except HarvestError as error:
                failed += 1
                if as_table:
                    failures.append(f"harvest: {error}")
                else:
                    err.print(f"harvest: {error}")
                if options.as_json:
                    _print_json({"file": file, "error": str(error)})
                continue
            if options.as_json:
                _print_json({"file": file, **as_json_object(torrent)})
            elif options.with_files:
                out.print(Text(safe_text(file), "bold underline"))
                _print_torrent(torrent, options, out)
                out.print()
            elif as_table:
                table.add_row(*(Text(cell) for cell in _row(file, torrent)))
            else:
                sys.stdout.write("\t".join(_row(file, torrent)) + "\n")
    if table.row_count:
        out.print(table, soft_wrap=False)
    for failure in failures:
        err.print(failure)
    return failed


def _load(file: str) -> Torrent:
    """Read and parse one file; errors name the file and say what to do."""
    shown = "standard input" if file == STDIN else safe_text(file)
    try:
        body = _read(file, shown)
        return parse_torrent(body)
    except NotATorrent as error:
        raise InputError(f"{shown} is no torrent", why=safe_text(error.reason)) from None
    except LimitExceeded as error:
        raise InputError(
            f"{shown} is beyond the limits of a torrent", why=f"{error.what}, {error.why}"
        ) from None


def _read(file: str, shown: str) -> bytes:
    """The bytes of the file, at most one more than the limit."""
    try:
        if file == STDIN:
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with Path(file).open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{shown} is not there", hint="check the name") from None
    except IsADirectoryError:
        raise InputError(
            f"{shown} is a folder", hint="name the files in it, such as FOLDER/*.torrent"
        ) from None
    except PermissionError:
        raise InputError(f"{shown} cannot be read", why="permission denied") from None
    except (OSError, ValueError) as error:
        raise InputError(
            f"{shown} cannot be read", why=getattr(error, "strerror", None) or str(error)
        ) from None


def as_json_object(torrent: Torrent) -> dict[str, Any]:
    """The keys of `--json`; `created` is in seconds, `trackers` in order of their tiers, without keys."""
    return {
        "infohash_v1": torrent.infohash_v1,
        "infohash_v2": torrent.infohash_v2,
        "md5": torrent.md5,
        "name": torrent.name,
        "size": torrent.size,
        "private": torrent.private,
        "created": torrent.created,
        "files": [{"path": "/".join(file.path), "size": file.size} for file in torrent.files],
        "trackers": [redact_tracker(url) for tier in torrent.trackers for url in tier],
        "webseeds": [redact_url(url) for url in torrent.webseeds],
        "magnet": _magnet(torrent),
        "encoding": torrent.encoding,
        "flags": list(torrent.flags),
    }


def _magnet(torrent: Torrent) -> str:
    """A magnet that may be passed on: trackers only of a public torrent, and none with a personal key."""
    trackers = [] if torrent.private else [url for tier in torrent.trackers for url in tier]
    return format_magnet(
        Magnet(
            infohash_v1=torrent.infohash_v1,
            infohash_v2=torrent.infohash_v2,
            display_name=torrent.name,
            trackers=tuple(url for url in trackers if redact_tracker(url) == url),
        )
    )


def _print_json(value: dict[str, Any], indent: int | None = None) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    sys.stdout.write(text + "\n")


def _print_torrent(torrent: Torrent, options: _Options, out: Console) -> None:
    """One torrent as labelled lines; no text of the file reaches the terminal unless made safe."""
    for label, value in _lines(torrent):
        out.print(Text.assemble((f"{label:<13}", "bold"), safe_text(value)))
    if options.with_files:
        out.print(Text("files", "bold"))
        sys.stdout.writelines(f"{line}\n" for line in _tree(torrent.files))


def _lines(torrent: Torrent) -> Iterator[tuple[str, str]]:
    yield "name", torrent.name
    if torrent.infohash_v1:
        yield "infohash v1", torrent.infohash_v1
    if torrent.infohash_v2:
        yield "infohash v2", torrent.infohash_v2
    yield "MD5", torrent.md5
    yield "size", _sizes(torrent)
    yield "pieces", f"{torrent.piece_count:,} of {_human(torrent.piece_length)}"
    if torrent.private:
        yield "private", "yes: only the trackers named here may be asked for peers"
    if torrent.created is not None:
        yield "created", f"{datetime.fromtimestamp(torrent.created, UTC):%Y-%m-%d %H:%M:%S} UTC"
    for label, value in (
        ("created by", torrent.created_by),
        ("title", torrent.title),
        ("publisher", torrent.publisher),
        ("website", torrent.publisher_url and redact_url(torrent.publisher_url)),
        ("source", torrent.source),
        ("comment", torrent.comment and redact_url(torrent.comment)),
    ):
        if value:
            yield label, value
    for number, tier in enumerate(torrent.trackers, 1):
        for url in tier:
            yield f"tracker {number}", redact_tracker(url)
    for url in torrent.webseeds:
        yield "web seed", redact_url(url)
    for node in torrent.nodes:
        yield "DHT node", node
    yield "encoding", torrent.encoding
    yield "magnet", _magnet(torrent)
    for flag in torrent.flags:
        yield "note", f"{describe_flag(flag)} [{flag}]"


def _sizes(torrent: Torrent) -> str:
    exact = f" ({torrent.size:,} bytes)" if torrent.size >= 1024 else ""
    parts = [f"{_human(torrent.size)}{exact} in {_count(len(torrent.files), 'file')}"]
    if torrent.symlinks:
        parts.append(_count(len(torrent.symlinks), "symbolic link"))
    if torrent.padding:
        parts.append(_count(len(torrent.padding), "pad file"))
    return ", ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _human(size: int) -> str:
    """A size in the largest binary unit below it: `1.4 GiB`."""
    amount = float(size)
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB"):
        if amount < 1024 or unit == "PiB":
            break
        amount /= 1024
    return _count(size, "byte") if unit == "bytes" else f"{amount:,.1f} {unit}"


def _new_table() -> Table:
    table = Table(box=None, header_style="bold")
    table.add_column("file", overflow="fold", max_width=30)
    table.add_column("name", overflow="fold")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("files", justify="right")
    table.add_column("infohash", overflow="fold")
    table.add_column("notes", justify="right")
    return table


def _row(file: str, torrent: Torrent) -> tuple[str, ...]:
    """The cells of one torrent of many, safe to show."""
    return (
        safe_text(file),
        safe_text(torrent.name),
        _human(torrent.size),
        f"{len(torrent.files):,}",
        torrent.infohash_v1 or torrent.infohash_v2 or "",
        str(len(torrent.flags)),
    )


def _tree(files: tuple[TorrentFile, ...]) -> Iterator[str]:
    """The files as lines of a tree, folders where their first file stands; paths are all different."""
    root: Folder = {}
    for file in files:
        folder = root
        for part in file.path[:-1]:
            below = folder.setdefault(part, {})
            assert isinstance(below, dict), "no file has the path of a folder"
            folder = below
        folder[file.path[-1]] = file.size
    yield from _branches(root, "")


def _branches(folder: Folder, indent: str) -> Iterator[str]:
    """The lines of one folder; at most 100 folders are inside one another."""
    last = len(folder) - 1
    for place, (name, below) in enumerate(folder.items()):
        branch, space = ("└── ", "    ") if place == last else ("├── ", "│   ")
        if isinstance(below, int):
            yield f"{indent}{branch}{name}  ({_human(below)})"
        else:
            yield f"{indent}{branch}{name}/"
            yield from _branches(below, indent + space)
