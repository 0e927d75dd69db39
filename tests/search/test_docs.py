"""docs/search.md: each query of its table is one, and every field is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harvester.model.query import Everything
from harvester.policy.blocking import checked_block
from harvester.search.query import parse_query
from harvester.search.query_fields import FIELDS

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
TABLES = re.findall(r"^\| (.+?) \| ", TEXT, re.MULTILINE)
QUERIES = [query for row in TABLES for query in re.findall(r"`([^`]+)`", row)]
KINDS = ("infohash", "word", "pattern", "publisher")
VALUES = {"infohash": "ab" * 20, "pattern": "^x"}


@pytest.mark.parametrize("query", [query for query in QUERIES if query not in KINDS])
def test_a_query_of_the_table_is_one(query: str) -> None:
    assert parse_query(query, now=1_800_000_000.0) != Everything()


def test_every_field_is_in_the_table() -> None:
    asked = " ".join(QUERIES)
    assert [name for name in FIELDS if f"{name}:" not in asked] == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_kinds_of_blocks_are_those_of_the_table(kind: str) -> None:
    assert kind in QUERIES
    assert checked_block(kind, VALUES.get(kind, "value"), "", now=0.0).kind == kind
