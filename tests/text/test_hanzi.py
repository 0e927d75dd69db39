"""The character lists tell the two scripts apart."""

from __future__ import annotations

from harvester.text.hanzi import COMMON_SIMPLIFIED, COMMON_TRADITIONAL, ONLY_SIMPLIFIED, ONLY_TRADITIONAL


def test_no_character_belongs_to_one_script_only_in_both_lists() -> None:
    assert not ONLY_SIMPLIFIED & ONLY_TRADITIONAL
    assert not ONLY_SIMPLIFIED & COMMON_TRADITIONAL
    assert not ONLY_TRADITIONAL & COMMON_SIMPLIFIED


def test_simplified_characters_are_in_gb2312_and_traditional_ones_in_big5() -> None:
    assert "".join(sorted(COMMON_SIMPLIFIED)).encode("gb2312")
    assert "".join(sorted(COMMON_TRADITIONAL)).encode("big5hkscs")
