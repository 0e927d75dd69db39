"""The real command in this process: same `main`, streams of bytes, without paying for a start each time."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harvester.cli.main import main


@dataclass(frozen=True)
class Done:
    """How a command ended and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def run_command(
    *arguments: str, cwd: Path | None = None, stdin: bytes = b"", encoding: str = "utf-8"
) -> Done:
    """`harvest ARGUMENTS`, its output decoded as UTF-8; any exception that `main` lets out fails the test."""
    out, err = io.BytesIO(), io.BytesIO()
    with _streams(list(arguments), stdin, out, err, encoding), contextlib.chdir(cwd or Path.cwd()):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        sys.stdout.flush()
        sys.stderr.flush()
        return Done(code, out.getvalue().decode("utf-8"), err.getvalue().decode("utf-8"))


@contextlib.contextmanager
def _streams(
    arguments: list[str], stdin: bytes, out: io.BytesIO, err: io.BytesIO, encoding: str
) -> Iterator[None]:
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr, os.environ.copy()
    sys.argv = ["harvest", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    sys.stdout = io.TextIOWrapper(out, encoding=encoding)
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8")
    os.environ.update(COLUMNS="200", TERM="dumb")
    try:
        yield
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr, environment = before
        os.environ.clear()
        os.environ.update(environment)
