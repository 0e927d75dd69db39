"""Any input at all ends within 2 seconds and 200 MB, in a value or in our own error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.torrents.adversarial import BENCHMARK_ONLY, BODIES

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 2.0
MEGABYTES = 200


def measured(names: list[str]) -> list[dict[str, object]]:
    """Read the named bodies, each in a process of its own (see `adversarial`)."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.torrents.adversarial", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


_NAMES = sorted(BODIES.keys() - BENCHMARK_ONLY)


@pytest.mark.parametrize("names", [_NAMES[start::4] for start in range(4)])
def test_no_body_takes_more_than_two_seconds_or_200_megabytes(names: list[str]) -> None:
    results = measured(names)
    assert [result["name"] for result in results] == names
    for result in results:
        assert result["outcome"] != "died", result
        assert float(str(result["seconds"])) < SECONDS, result
        assert int(str(result["megabytes"])) < MEGABYTES, result


def test_the_bodies_left_to_the_benchmark_exist() -> None:
    assert BODIES.keys() >= BENCHMARK_ONLY
