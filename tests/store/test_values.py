"""What goes into a column comes out again, or a bounded, storable likeness of it."""

from __future__ import annotations

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.errors import StoreDamaged
from harvester.store.values import (
    INT64_MAX,
    INT64_MIN,
    Packer,
    bounded,
    clean,
    from_json,
    signed,
    to_json,
    unpack,
    unpack_text,
)

TEXT = st.text(st.characters(), max_size=40)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.binary(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@given(TEXT)
def test_clean_text_is_storable_and_unchanged_when_it_was(text: str) -> None:
    cleaned = clean(text)
    assert "\x00" not in cleaned
    cleaned.encode("utf-8")
    assert len(cleaned) == len(text)
    assert clean(cleaned) == cleaned


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(TEXT, JSON, max_size=4))
def test_any_metadata_becomes_json_and_stays_the_same_from_then_on(value: dict[str, object]) -> None:
    text = to_json(value)
    again = from_json(text, {})
    assert clean(text) == text
    assert from_json(to_json(again), {}) == again


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(TEXT.map(clean), st.integers(0, INT64_MAX)), max_size=8), TEXT)
def test_what_is_packed_is_unpacked(files: list[tuple[str, int]], text: str) -> None:
    packer = Packer()
    assert unpack(packer.pack(files)) == [list(file) for file in files]
    assert unpack_text(packer.pack_text(clean(text))) == clean(text)


@settings(max_examples=100, deadline=None)
@given(st.integers())
def test_integers_stay_within_64_bits(number: int) -> None:
    assert INT64_MIN <= bounded(number) <= INT64_MAX
    assert INT64_MIN <= signed(number) <= INT64_MAX
    assert (signed(number) - number) % 2**64 == 0


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not zstd",
        zstandard.compress(b"not json"),
        zstandard.compress(b"[1,2]")[:-2],
        zstandard.ZstdCompressor(write_content_size=False).compress(b"[1]"),
    ],
)
def test_damaged_values_are_said_to_be_damaged(data: bytes) -> None:
    with pytest.raises(StoreDamaged, match="a stored value cannot be read"):
        unpack(data)


def test_a_value_that_claims_to_be_enormous_is_not_unpacked() -> None:
    bomb = zstandard.compress(bytes(300 * 1024 * 1024), level=1)
    with pytest.raises(StoreDamaged, match="it claims"):
        unpack(bomb)


def test_damaged_json_is_said_to_be_damaged() -> None:
    with pytest.raises(StoreDamaged, match="a stored value cannot be read"):
        from_json("{", {})
