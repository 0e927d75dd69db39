"""One description gives reader, writer and JSON schema."""

from __future__ import annotations

from dataclasses import dataclass

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import SiteFileError
from harvester.patterns.schema import Choice, Field, Flag, ListOf, Number, Section, Text
from harvester.patterns.yaml_nodes import compose


@dataclass(frozen=True)
class Box:
    name: str
    size: float = 1.0
    open: bool = False
    tags: tuple[str, ...] = ()
    colour: str = "red"


BOX = Section(
    (
        Field("name", Text(pattern=r"^[a-z]+$", what="small letters"), "its name", required=True),
        Field("size", Number(0, 10, whole=False), "its size", nullable=True),
        Field("is_open", Flag(), "open or not", attribute="open"),
        Field("tags", ListOf(Text(), most=3), "some words"),
        Field("colour", Choice(("red", "blue")), "its colour"),
    ),
    Box,
)


def read(text: str) -> object:
    return BOX.read(compose(text, "box.yaml"), "box.yaml", "")


@given(
    st.builds(
        Box,
        st.text("abc", min_size=1, max_size=5),
        st.integers(0, 10).map(float) | st.floats(0, 10).map(lambda size: round(size, 3)),
        st.booleans(),
        st.lists(st.text("xyz ", max_size=5), max_size=3).map(tuple),
        st.sampled_from(["red", "blue"]),
    )
)
def test_what_is_written_reads_back_and_fits_the_schema(box: Box) -> None:
    import yaml

    written = BOX.write(box)
    jsonschema.validate(written, BOX.schema())
    assert read(yaml.safe_dump(written)) == box


def test_defaults_are_not_written() -> None:
    assert BOX.write(Box("a")) == {"name": "a"}


def test_null_means_the_default_where_it_is_allowed() -> None:
    assert read("name: a\nsize: null\n") == Box("a")
    with pytest.raises(SiteFileError, match="`tags` must be a list, not nothing"):
        read("name: a\ntags: null\n")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name: A\n", "`name` must be small letters"),
        ("name: a\nsize: 11\n", "`size` must be from 0 to 10"),
        ("name: a\nsize: true\n", "`size` must be a number, not true or false"),
        ("name: a\nis_open: 1\n", "`is_open` must be true or false, not a number"),
        ("name: a\ntags: [a, b, c, d]\n", "`tags` must have 0 to 3 entries"),
        ("name: a\ntags: [a, 5]\n", "`tags[2]` must be a text, not a number"),
        ("name: a\ncolour: bleu\n", "`colour` must be one of red, blue (did you mean `blue`?)"),
        ("name: a\nopen: true\n", "unknown key `open` (did you mean `is_open`?)"),
        ("size: 1\n", "`name` is missing: its name"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, reason: str) -> None:
    with pytest.raises(SiteFileError) as caught:
        read(text)
    assert reason in str(caught.value)
