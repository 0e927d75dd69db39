"""What docs/demo.md says is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harvester.demo import DemoSites

PAGE = (Path(__file__).parents[2] / "docs" / "demo.md").read_text(encoding="utf-8")


def test_the_program_in_the_docs_runs(capsys: pytest.CaptureFixture[str]) -> None:
    program = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert program
    exec(compile(program[1], "docs/demo.md", "exec"), {})
    assert re.fullmatch(
        r"http://127\.0\.0\.1:\d+/forum\.php http://\S+/\n217 torrents in all\n", capsys.readouterr().out
    )


def test_the_numbers_in_the_docs_are_right(sites: DemoSites) -> None:
    forum = sites.forum.truth()
    guests = sum(row.wall == "none" for row in forum)
    assert f"{len(forum)} torrents, {guests} of them for guests" in PAGE
    assert f"{len(sites.index.truth())} entries" in PAGE
