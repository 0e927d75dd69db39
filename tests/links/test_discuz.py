from __future__ import annotations

import pytest

from harvester.links.discuz import attachment_id
from harvester.model.link import DiscuzAid
from tests.links.vectors import b64


def test_the_five_fields_are_read() -> None:
    inside = DiscuzAid(123, "abcdef01", 1700000000, 7, 456)
    value = b64("123|abcdef01|1700000000|7|456")
    assert attachment_id(value) == inside
    assert attachment_id(value.replace("=", "%3D")) == inside
    assert attachment_id(value.rstrip("=")) == inside


def test_missing_numbers_are_zero() -> None:
    assert attachment_id(b64("5|k|x")) == DiscuzAid(5, "k", 0, 0, 0)


@pytest.mark.parametrize(
    "value", ["123", "", "MTIz", b64("a|b|c|d|e"), b64("1|2"), "!!!", b64("1|\xe9|3"), "%FF"]
)
def test_any_other_id_is_none(value: str) -> None:
    assert attachment_id(value) is None
