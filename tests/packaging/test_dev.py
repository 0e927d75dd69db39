"""The task runner says what it can do, and refuses what it can't."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def _dev(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ROOT / "dev", *arguments], capture_output=True, text=True, check=False)


def test_help_names_every_task() -> None:
    done = _dev("help")
    assert done.returncode == 0
    for task in ("demo", "test", "lint", "bench", "replay", "run", "setup"):
        assert f"\n  {task} " in done.stdout


def test_an_unknown_task_is_wrong_use() -> None:
    done = _dev("dance")
    assert done.returncode == 2
    assert "usage:" in done.stderr
