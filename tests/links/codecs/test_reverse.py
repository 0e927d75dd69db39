from __future__ import annotations

from harvester.links.codecs.reverse import attempt
from harvester.links.decode import decode_link
from tests.links.vectors import FILE, MAGNET


def test_the_text_is_read_from_its_end() -> None:
    assert attempt("abc") == "cba"
    assert decode_link(FILE[::-1]).chain == ("reverse", "http")
    assert decode_link(MAGNET[::-1]).chain == ("reverse", "magnet")
