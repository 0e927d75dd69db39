"""Small bodies that decode to about a gigabyte."""

from __future__ import annotations

import zlib

import brotli
import zstandard

GIGABYTE = 1 << 30


def bomb(encoding: str) -> bytes:
    """A bomb in `gzip`, `deflate`, `br` or `zstd`; only its end is not sound."""
    if encoding == "br":
        return brotli.compress(bytes(1 << 28), quality=1) * 4
    if encoding == "zstd":
        return zstandard.ZstdCompressor(level=1).compress(bytes(1 << 24)) * 64
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31 if encoding == "gzip" else 15)
    head = compressor.compress(b"x") + compressor.flush(zlib.Z_FULL_FLUSH)
    block = compressor.compress(bytes(1 << 24)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return head + block * 64
