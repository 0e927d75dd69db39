"""The label table leads every label of the standard to a codec that Python has."""

from __future__ import annotations

import codecs

import pytest

from harvester.text.encoding_labels import CODEC_OF_NAME, NAME_OF_LABEL, encoding_name


def test_every_codec_exists_and_every_label_has_one() -> None:
    for codec in CODEC_OF_NAME.values():
        codecs.lookup(codec)
    assert set(NAME_OF_LABEL.values()) == set(CODEC_OF_NAME)
    assert all(label == label.lower().strip() for label in NAME_OF_LABEL)


def test_the_table_holds_the_labels_of_the_standard() -> None:
    # 228 labels in the standard, less the 6 of its replacement decoder, plus ours from outside it.
    assert len(NAME_OF_LABEL) >= 222


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("GBK", "gb18030"),
        ("gb2312", "gb18030"),
        (" Latin1\n", "windows-1252"),
        ("UTF8", "utf-8"),
        ("hz-gb-2312", None),
    ],
)
def test_labels_are_read_as_pages_write_them(label: str, name: str | None) -> None:
    assert encoding_name(label) == name
