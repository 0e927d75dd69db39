"""The index on disk: which build of it is read, and who writes.

    index/current          the name of the build that readers use
    index/writer.lock      held by the one process that writes
    index/b000007/         one build: Tantivy's files and `followed.json`

A rebuild fills a new folder beside the old one and then moves `current` over; readers look at it before each
search, so none is stopped. `followed.json` says how far the build has come. It is written after each
commit: a crash in between only means that some changes are followed twice, which changes nothing.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harvester.errors import NotFound, StoreBusy
from harvester.index.failures import mapped
from harvester.index.schema import VERSION

_BUILD = re.compile(r"b(\d{6,18})")


@dataclass(frozen=True, slots=True)
class Followed:
    """How far a build has come.

    `sequence`: the last change of the store in it. `anchor` and `anchor_hash`: a torrent and its infohash
    (hex) as indexed; when the store has another one under that id, it is another store. `blocks`: the
    state of the blocklist (`SearchStore.blocks_state`) that is heeded.
    """

    version: int = VERSION
    sequence: int = 0
    anchor: int = 0
    anchor_hash: str = ""
    blocks: tuple[int, float] = (0, 0.0)


class IndexFolder:
    """`<data>/index`."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def current(self) -> Path | None:
        """The build that readers use; None: there is none yet."""
        try:
            name = (self.root / "current").read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            return None
        build = self.root / name
        return build if _BUILD.fullmatch(name) and build.is_dir() else None

    def state(self) -> tuple[int, int]:
        """Other than before when `current` was moved to another build. `NotFound` when there is none."""
        try:
            seen = (self.root / "current").stat()
        except FileNotFoundError:
            raise NotFound("there is no search index yet", hint="make it with: harvest reindex") from None
        return seen.st_mtime_ns, seen.st_ino

    def new_build(self) -> Path:
        """An empty folder for a build; needs the writer's lock."""
        taken = [int(found[1]) for path in self.root.iterdir() if (found := _BUILD.fullmatch(path.name))]
        build = self.root / f"b{max(taken, default=0) + 1:06}"
        build.mkdir()
        return build

    def publish(self, build: Path) -> None:
        """Let readers use `build`, and drop every other; needs the writer's lock."""
        _write(self.root / "current", build.name)
        self.tidy()

    def tidy(self) -> None:
        """Drop the builds that are not current; a reader that has one open keeps its files."""
        current = self.current()
        for path in self.root.iterdir():
            if _BUILD.fullmatch(path.name) and path != current:
                shutil.rmtree(path, ignore_errors=True)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the right to write; `StoreBusy` when another process or thread has it."""
        with mapped(self.root):
            self.root.mkdir(parents=True, exist_ok=True)
            lock = (self.root / "writer.lock").open("a")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreBusy(
                    f"another process is writing the search index {self.root}",
                    hint="`harvest serve` keeps it up to date; nothing needs to be done",
                ) from error
            yield


def read_followed(build: Path) -> Followed | None:
    """How far a build has come; None when that cannot be read, or another version made it."""
    try:
        told: Any = json.loads((build / "followed.json").read_bytes())
        followed = Followed(**(told | {"blocks": (int(told["blocks"][0]), float(told["blocks"][1]))}))
    except (FileNotFoundError, ValueError, TypeError, LookupError):
        return None
    return followed if followed.version == VERSION else None


def write_followed(build: Path, followed: Followed) -> None:
    """Note how far a build has come, whole or not at all."""
    _write(build / "followed.json", json.dumps(asdict(followed)))


def read_taken_out(build: Path) -> dict[str, list[int]]:
    """The blocks that the build heeds (`kind:value`), with the ids that each took out of it."""
    try:
        told = json.loads((build / "taken_out.json").read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return {str(block): [int(one) for one in ids] for block, ids in told.items()}


def write_taken_out(build: Path, taken_out: dict[str, list[int]]) -> None:
    """Note what the blocks took out, whole or not at all."""
    _write(build / "taken_out.json", json.dumps(taken_out, ensure_ascii=False))


def _write(path: Path, text: str) -> None:
    draft = path.with_name(path.name + ".new")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
