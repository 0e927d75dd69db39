from __future__ import annotations

import pytest

from harvester.errors import LinkRejected
from harvester.links.codecs.thunder import CODEC, unwrap
from harvester.links.decode import decode_link
from tests.links.vectors import FILE, MAGNET, b64, thunder


def test_exactly_two_bytes_are_taken_from_each_side() -> None:
    assert unwrap(b64("AAAAhttpZZZZ")).data == b"AAhttpZZ"
    assert CODEC.schemes == ("thunder",)


@pytest.mark.parametrize("payload", [b64("AA" + FILE), b64(FILE + "ZZ"), b64("AA" + FILE + "Z")])
def test_one_marker_without_the_other_means_the_link_was_cut(payload: str) -> None:
    with pytest.raises(LinkRejected) as refused:
        unwrap(payload)
    assert refused.value.reason == "bad_marker"


@pytest.mark.parametrize("inner", [FILE, MAGNET, "ftp://f.example.com/a.torrent", thunder(FILE)])
def test_a_payload_without_markers_is_taken_only_when_it_is_a_link(inner: str) -> None:
    assert unwrap(b64(inner)).lenient
    assert unwrap(inner).lenient


def test_a_percent_encoded_plain_link_after_the_scheme_is_taken() -> None:
    decoded = decode_link("thunder://http%3A%2F%2Fdl.example.com%2Ffiles%2Fdemo.torrent")
    assert decoded.url == FILE
    assert decoded.lenient


@pytest.mark.parametrize("payload", ["!!!!", "QUF@d", "QUFod", "=" * 4])
def test_broken_base64_is_refused(payload: str) -> None:
    with pytest.raises(LinkRejected) as refused:
        unwrap(payload)
    assert refused.value.reason in ("bad_base64", "empty")


def test_a_url_safe_payload_is_read() -> None:
    url = "http://dl.example.com/?>>>???~~~.torrent"
    assert "+" in thunder(url) or "/" in thunder(url)[10:]
    safe = "thunder://" + thunder(url)[10:].replace("+", "-").replace("/", "_")
    assert decode_link(safe).url == decode_link(thunder(url)).url


def test_a_plus_that_became_a_blank_is_read() -> None:
    url = "http://dl.example.com/>>>>>>.torrent"
    assert "+" in thunder(url)
    assert (
        decode_link(thunder(url).replace("+", " ")).url == "http://dl.example.com/%3E%3E%3E%3E%3E%3E.torrent"
    )
