"""YAML is read with its lines, and within limits."""

from __future__ import annotations

import pytest

from harvester.errors import SiteFileError
from harvester.patterns.yaml_nodes import MAX_DEPTH, compose, describe, is_null, line_of, plain


def test_nodes_know_their_line() -> None:
    root = compose("a: 1\nb:\n  - 2\n", "x.yaml")
    assert [line_of(key) for key, _ in root.value] == [1, 2]
    assert line_of(root.value[1][1]) == 3


def test_nodes_are_described_in_words() -> None:
    root = compose("a: 1\nb: x\nc: [1]\nd: {e: 1}\nf:\ng: true\nh: 2026-11-30\ni: 1.5\n", "x.yaml")
    words = [describe(value) for _, value in root.value]
    number, text = "a number", "a text"
    assert words == [number, text, "a list", "a section", "nothing", "true or false", "a date", number]
    assert [is_null(value) for _, value in root.value].count(True) == 1


def test_plain_values_come_out_as_they_are() -> None:
    root = compose("a: {b: [1, x, 1.5, true, null]}\n", "x.yaml")
    assert plain(root, "x.yaml") == {"a": {"b": [1, "x", 1.5, True, None]}}


def test_a_key_there_twice_is_refused_in_free_sections_too() -> None:
    with pytest.raises(SiteFileError, match="twice"):
        plain(compose("a: {b: 1, b: 2}\n", "x.yaml"), "x.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system ['true']\n",
        "a: !!binary '%'\n",
        "a: !!int nonsense\n",
        "a: !!bool nonsense\n",
    ],
)
def test_values_with_strange_tags_are_refused(text: str) -> None:
    with pytest.raises(SiteFileError):
        plain(compose(text, "x.yaml"), "x.yaml")


def test_nesting_is_limited() -> None:
    compose("a: " + "[" * (MAX_DEPTH - 2) + "]" * (MAX_DEPTH - 2), "x.yaml")
    with pytest.raises(SiteFileError, match="nested too deeply"):
        compose("a: " + "[" * MAX_DEPTH + "]" * MAX_DEPTH, "x.yaml")
    with pytest.raises(SiteFileError, match="nest"):
        compose("a: " + "[" * 10_000, "x.yaml")


def test_what_is_wrong_is_said_without_quoting_the_file() -> None:
    with pytest.raises(SiteFileError) as caught:
        compose('password: "geheim\n', "x.yaml")
    assert "geheim" not in str(caught.value)
