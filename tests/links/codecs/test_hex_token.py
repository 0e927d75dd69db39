from __future__ import annotations

from harvester.links.codecs.hex_token import attempt
from harvester.links.decode import decode_link
from tests.links.vectors import FILE, HASH


def test_only_a_whole_token_is_hex() -> None:
    assert decode_link(FILE.encode().hex().upper()).chain == ("hex", "http")
    assert attempt(FILE.encode().hex() + "0") is None
    assert attempt(HASH) == bytes.fromhex(HASH)
