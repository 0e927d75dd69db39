"""The frequent characters are characters of their charset."""

from __future__ import annotations

import pytest

from harvester.torrents import frequent


@pytest.mark.parametrize(
    ("characters", "codec"),
    [
        (frequent.SIMPLIFIED, "gb2312"),
        (frequent.TRADITIONAL, "big5"),
        (frequent.JAPANESE, "euc_jp"),
        (frequent.KOREAN, "euc_kr"),
    ],
)
def test_each_character_is_two_bytes_of_its_charset(characters: str, codec: str) -> None:
    assert all(len(char.encode(codec)) == 2 for char in characters)
