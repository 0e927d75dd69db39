from __future__ import annotations

from harvester.links.codecs.percent import attempt
from harvester.links.decode import decode_link
from tests.links.vectors import FILE


def test_one_layer_is_undone_at_a_time() -> None:
    assert attempt("magnet%3A%3Fxt") == b"magnet:?xt"
    assert attempt("magnet%253Ax") == b"magnet%3Ax"
    assert attempt("%6dagnet:?x") == b"magnet:?x"
    assert attempt("100%25 sure") is None
    assert attempt("plain") is None


def test_layers_are_named_in_the_chain() -> None:
    assert decode_link("http%253A%252F%252Fdl.example.com%252Ffiles%252Fdemo.torrent").url == FILE
    assert decode_link("http%3a%2f%2fdl.example.com%2ffiles%2fdemo.torrent").chain == ("percent", "http")
