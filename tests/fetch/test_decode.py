"""Content-Encoding undone in bounded memory."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import BadResponse, BodyTooLarge, BodyTruncated, FetchError
from harvester.fetch.decode import BodyDecoder
from tests.servers.bombs import bomb

TEXT = ("<p>测试 text</p>\n" * 200).encode("gb18030")


def raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return compressor.compress(data) + compressor.flush()


ENCODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstandard.compress,
}


def decode(encoding: str, data: bytes, *, limit: int = 1 << 20, step: int = 1 << 16) -> bytes:
    decoder = BodyDecoder("http://a.example/", encoding, limit)
    for start in range(0, len(data), step):
        decoder.feed(data[start : start + step])
    return decoder.finish()


@pytest.mark.parametrize("step", [1, 2, 3, 7, 100, 65536])
@pytest.mark.parametrize("encoding", ENCODERS)
def test_a_body_is_decoded_however_it_is_cut(encoding, step):
    assert decode(encoding, ENCODERS[encoding](TEXT), step=step) == TEXT


@pytest.mark.parametrize("step", [2, 100, 65536])
def test_deflate_without_its_zlib_wrapper_is_decoded(step):
    assert decode("deflate", raw_deflate(TEXT), step=step) == TEXT


@pytest.mark.parametrize("encoding", ["gzip, br", "deflate,gzip", "br , zstd", "GZIP, identity"])
def test_several_encodings_are_undone_from_the_last_to_the_first(encoding):
    body = TEXT
    for name in encoding.lower().split(","):
        body = ENCODERS.get(name.strip(), bytes)(body)
    assert decode(encoding, body) == TEXT


@pytest.mark.parametrize("encoding", ["", "none", "identity", "utf-8", "None, identity"])
def test_an_encoding_that_means_nothing_is_ignored(encoding):
    assert decode(encoding, b"\x00\x01plain") == b"\x00\x01plain"


@pytest.mark.parametrize("body", [TEXT, b"d8:announce3:abce", b"d4:info\x00\x01\x02\xff"])
@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "lzma"])
def test_an_encoding_that_was_declared_but_not_applied_is_ignored(encoding, body):
    assert decode(encoding, body) == body


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "compress"])
def test_bytes_that_are_neither_encoded_nor_plain_are_a_bad_response(encoding):
    with pytest.raises(BadResponse):
        decode(encoding, b"\x01\x02\x03\xff\x00\x07" * 50)


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate"])
def test_an_empty_body_needs_no_encoding(encoding):
    assert decode(encoding, b"") == b""


@pytest.mark.parametrize("encoding", ENCODERS)
def test_a_body_without_its_end_is_truncated(encoding):
    encoded = ENCODERS[encoding](TEXT)
    for cut in (3, len(encoded) // 2, len(encoded) - 1):
        with pytest.raises(BodyTruncated):
            decode(encoding, encoded[:cut])


@pytest.mark.parametrize("step", [1, 65536])
@pytest.mark.parametrize("encoding", ENCODERS)
def test_garbage_after_the_end_is_ignored(encoding, step):
    assert decode(encoding, ENCODERS[encoding](TEXT) + b"\r\n<!-- x -->\x00\xff", step=step) == TEXT


@pytest.mark.parametrize("step", [1, 5, 65536])
@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_several_members_are_one_body(encoding, step):
    encode = ENCODERS[encoding]
    assert (
        decode(encoding, encode(b"one ") + encode(b"two ") + encode(b"three"), step=step) == b"one two three"
    )


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_endless_empty_members_are_a_bad_response(encoding):
    with pytest.raises(BadResponse):
        decode(encoding, ENCODERS[encoding](b"") * 20_000)


@pytest.mark.parametrize("encoding", ENCODERS)
def test_data_damaged_in_the_middle_is_an_error_and_no_body(encoding):
    encoded = bytearray(ENCODERS[encoding](bytes(range(256)) * 100))
    encoded[len(encoded) // 2 :] = b"\xff\x13\x37" * 100
    with pytest.raises((BadResponse, BodyTruncated)):
        decode(encoding, bytes(encoded))


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_of_a_gigabyte_is_left_at_the_cap_in_bounded_memory(encoding):
    data = bomb(encoding)
    tracemalloc.start()
    try:
        with pytest.raises(BodyTooLarge):
            decode(encoding, data, limit=4 << 20)
        assert tracemalloc.get_traced_memory()[1] < 40 << 20
    finally:
        tracemalloc.stop()


def test_a_bomb_inside_another_encoding_is_left_at_the_cap():
    inner = gzip.compress(gzip.compress(bytes(200 << 20)))
    with pytest.raises(BodyTooLarge):
        decode("gzip, gzip", inner, limit=1 << 20)


def test_more_encodings_than_anyone_needs_are_a_bad_response():
    with pytest.raises(BadResponse):
        BodyDecoder("http://a.example/", "gzip," * 50, 100)


@given(
    st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "x"]),
    st.binary(max_size=300),
    st.integers(1, 50),
)
def test_any_bytes_give_a_body_or_an_error_of_ours(encoding, data, step):
    try:
        body = decode(encoding, data, step=step)
    except FetchError:
        return
    assert isinstance(body, bytes)
