"""docs/api.md: every command in it works, and nothing is left out of it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from harvester.errors import QueryError
from harvester.settings import KEYS
from harvester.web.problems import document, problem_of
from tests.cli.running import run_command
from tests.web.collection import Served, hex_of

_DOC = (Path(__file__).parents[2] / "docs/api.md").read_text(encoding="utf-8")
_BLOCKS = re.findall(r"```(\w+)\n(.*?)```", _DOC, re.DOTALL)
_LINES = [line for kind, block in _BLOCKS if kind == "sh" for line in block.splitlines()]
_CURLS = [line for line in _LINES if line.startswith("curl ")]
_HERE = "http://127.0.0.1:8480"


def test_every_request_of_the_page_is_answered(own: Served) -> None:
    assert len(_CURLS) > 20
    for line in _CURLS:
        filled = line.replace("$INFOHASH", hex_of("Ubuntu 24.04 server")).replace("$KEY", own.keys["admin"])
        words = iter(shlex.split(filled)[1:])
        method, headers, body, address = "GET", {}, None, ""
        for word in words:
            match word:
                case "-X":
                    method = next(words)
                case "-H":
                    name, _, value = next(words).partition(": ")
                    headers[name] = value
                case "-d":
                    body = next(words)
                case "-o":
                    next(words)
                case _:
                    address = word.removeprefix(_HERE)
        answer = own.client.request(method, address, headers=headers, content=body)
        assert answer.status_code in (200, 201, 204), line


def test_every_command_of_the_page_works(tmp_path: Path) -> None:
    commands = [line for line in _LINES if line.startswith("harvest ")]
    assert commands
    for line in commands:
        assert run_command(*shlex.split(line)[1:], "--data", str(tmp_path)).returncode == 0, line


def test_every_route_stands_in_the_page(web: Served) -> None:
    asked = re.sub(r"\$INFOHASH", "{digest}", " ".join(_CURLS)).replace("/sites/forum", "/sites/{name}")
    asked = asked.replace("/crawls/1", "/crawls/{crawl_id}").replace("/blocks/word", "/blocks/{kind}")
    for path in web.get("/api/v1/openapi.json").json()["paths"]:
        assert re.search(re.escape(path) + r"[?'\"]", asked), path


@pytest.mark.parametrize("setting", sorted(key for key in KEYS if key.startswith("web_")))
def test_every_setting_of_the_web_stands_in_the_page(setting: str) -> None:
    assert f"`{setting}`" in _DOC


def test_the_problem_that_is_shown_is_the_one_that_is_sent() -> None:
    shown = json.loads(next(block for kind, block in _BLOCKS if kind == "json"))
    assert document(problem_of(QueryError("ubuntu (", 7, "this ( is not closed"))) == shown
