from __future__ import annotations

from harvester.links.codecs.base64_token import attempt
from harvester.links.decode import decode_link
from tests.links.vectors import FILE, MAGNET, b64, thunder


def test_only_a_whole_token_is_base64() -> None:
    assert attempt(b64(FILE)) == FILE.encode()
    assert attempt(b64(FILE) + "!") is None
    assert attempt("aHR0cDov") is None
    assert attempt("A" * 17) is None


def test_what_is_inside_goes_on_being_decoded() -> None:
    assert decode_link(b64(thunder(FILE))).chain == ("base64", "thunder")
    assert decode_link(b64(MAGNET.replace(":", "%3A"))).chain == ("base64", "percent", "magnet")
