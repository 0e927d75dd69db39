from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.errors import LinkRejected
from harvester.links.payload import (
    base64_readings,
    decode_base64,
    percent_decoded,
    read_bytes,
    spelt,
    unescape_entities,
)
from tests.links.vectors import b64


@settings(deadline=None)
@given(st.binary(min_size=1), st.booleans(), st.booleans())
def test_base64_is_read_in_every_spelling(data: bytes, safe: bool, padded: bool) -> None:
    text = b64(data)
    if safe:
        text = text.replace("+", "-").replace("/", "_")
    if not padded:
        text = text.rstrip("=")
    assert decode_base64(text) == data
    assert decode_base64(text[:2] + "\r\n\t" + text[2:]) == data
    assert (
        decode_base64(text.replace("+", " ") if not text.startswith("+") and text[-1:] != "+" else text)
        == data
    )


@pytest.mark.parametrize("text", ["A", "AAAAA", "AA=A", "A*AA", "电影AA"])
def test_what_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(LinkRejected) as refused:
        decode_base64(text)
    assert refused.value.reason == "bad_base64"


def test_a_trailing_slash_is_dropped_only_as_a_second_reading() -> None:
    assert base64_readings("QUJD/") == [b"ABC"]
    assert base64_readings("QUJDQUI/") == [b"ABCAB?", b"ABCAB"]


def test_bytes_are_utf8_then_gb18030_then_refused() -> None:
    assert read_bytes("电影".encode()) == ("电影", "utf-8")
    assert read_bytes("电影".encode("gbk")) == ("电影", "gb18030")
    with pytest.raises(LinkRejected):
        read_bytes(b"\xff\xff")


def test_gb18030_text_is_spelt_in_its_bytes() -> None:
    assert spelt("a电/", "gb18030") == "a%B5%E7/"
    assert spelt("a电/", "utf-8") == "a电/"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("%E7%94%B5", "电"),
        ("%B5%E7", "电"),
        ("a%20b", "a b"),
        ("a%0Ab", "a%0Ab"),
        ("%FF%FF", "%FF%FF"),
        ("100%", "100%"),
    ],
)
def test_escapes_are_undone_for_display_where_they_are_text(text: str, shown: str) -> None:
    assert percent_decoded(text) == shown


@pytest.mark.parametrize(
    ("text", "undone"),
    [("a&amp;b", "a&b"), ("a&amp;amp;amp;b", "a&b"), ("&#109;&#x6D;", "mm"), ("&copy=1&reg", "&copy=1&reg"),
     ("&quot;&lt;&gt;&apos;", "\"<>'"), ("&#xD800;&#9999999;", "\ufffd\ufffd"), ("a;b", "a;b")],
)  # fmt: skip
def test_entities_with_a_semicolon_are_undone(text: str, undone: str) -> None:
    assert unescape_entities(text) == undone
