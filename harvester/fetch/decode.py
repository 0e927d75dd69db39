"""Content-Encoding undone piece by piece, with a cap on what comes out.

However small a body is on the wire, no more than the cap and one piece is ever in memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Iterator
from typing import Protocol

import brotli
import zstandard

from harvester.errors import BadResponse, BodyTooLarge, BodyTruncated

_PIECE = 64 * 1024
_ZSTD_INPUT = (
    1024  # a zstd block of four bytes can become 128 KiB, and its output cannot be capped: 32 MiB at most
)
_ZSTD_WINDOW = 8 << 20  # RFC 9659
_INPUT = 4096  # input is taken in such parts, so that what follows a compressed member is copied cheaply
_MOST_ENCODINGS = 3
_MOST_MEMBERS = 1000
_GZIP_BITS, _ZLIB_BITS, _RAW_BITS = 31, 15, -15

# What stands in Content-Encoding by mistake and means nothing.
_IDENTITY = frozenset(
    ["", "identity", "none", "binary", "8bit", "7bit", "utf-8", "utf8", "gbk", "gb2312", "chunked"]
)


class _Undecodable(Exception):
    """The bytes are not of the encoding that was declared."""


class _Stage(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]: ...

    def complete(self) -> bool: ...


class BodyDecoder:
    """Decodes one body. `url` is only for errors; `limit` caps the decoded bytes.

    An encoding that was declared but not applied (the first bytes are text or bencode) is ignored, as is
    what comes after the end of the encoded data.
    """

    def __init__(self, url: str, content_encoding: str, limit: int) -> None:
        self._url = url
        self._limit = limit
        self._size = 0
        self._pieces: list[bytes] = []
        self._stages: list[_Stage] = []
        if not content_encoding:
            return
        names = [
            name for part in content_encoding.split(",") if (name := part.strip().lower()) not in _IDENTITY
        ]
        if len(names) > _MOST_ENCODINGS:
            raise BadResponse(url, f"{len(names)} content encodings on one body")
        self._stages = [_stage(name) for name in reversed(names)]

    @property
    def size(self) -> int:
        """How many bytes have come out."""
        return self._size

    def feed(self, data: bytes) -> None:
        """Take the next received bytes. Raises `BodyTooLarge`, `BadResponse`."""
        if not data:
            return
        if not self._stages:
            self._take(data)
            return
        try:
            for piece in self._run(data, 0):
                self._take(piece)
        except _Undecodable as error:
            raise BadResponse(self._url, str(error)) from error

    def _take(self, piece: bytes) -> None:
        self._size += len(piece)
        self._pieces.append(piece)
        if self._size > self._limit:
            raise BodyTooLarge(self._url, f"more than {self._limit:,} bytes when decoded")

    def finish(self) -> bytes:
        """The whole body. Raises `BodyTruncated` when the encoded data is not complete."""
        if not all(stage.complete() for stage in self._stages):
            raise BodyTruncated(self._url, "the encoded body ends early")
        return self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)

    def cut(self) -> bytes:
        """What has come out, as far as the limit goes."""
        return b"".join(self._pieces)[: self._limit]

    def _run(self, data: bytes, index: int) -> Iterator[bytes]:
        if index == len(self._stages):
            yield data
            return
        for piece in self._stages[index].feed(data):
            yield from self._run(piece, index + 1)


def _stage(name: str) -> _Stage:
    match name:
        case "gzip" | "x-gzip":
            return _Inflate(gzip=True)
        case "deflate" | "x-deflate":
            return _Inflate(gzip=False)
        case "br":
            return _Brotli()
        case "zstd":
            return _Zstd()
        case _:
            return _Unknown(name)


def looks_plain(head: bytes) -> bool:
    """Whether bytes look like text in an ASCII-based charset or like bencode, not like compressed data."""
    if head[:1] == b"d" and head[1:2].isdigit():
        return True
    return not any(byte < 0x20 and byte not in b"\t\n\r\f\x1b" for byte in head[:512])


class _Unknown:
    """An encoding we do not know: passed through when the body is plain all the same."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._checked = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if not self._checked and not looks_plain(data):
            raise _Undecodable(f"unknown content encoding {self._name[:40]!r}")
        self._checked = True
        yield data

    def complete(self) -> bool:
        return True


class _Inflate:
    """gzip (RFC 1952, several members) or deflate (RFC 1950, and the raw RFC 1951 that some servers send)."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._head = b""
        self._inflate: zlib._Decompress | None = None
        self._members = 0
        self._plain = False
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._plain:
            yield data
            return
        for start in range(0, len(data), _INPUT):
            part = data[start : start + _INPUT]
            while part and not self._over:
                if self._inflate is None:
                    part = self._head + part
                    self._head = b""
                    if len(part) < 2:
                        self._head = part
                        break
                    if self._open(part):
                        yield part + data[start + _INPUT :]
                        return
                    continue
                part = yield from self._inflated(self._inflate, part)

    def _open(self, part: bytes) -> bool:
        """Start a decompressor for the member that `part` begins; true when it is plain instead."""
        bits = _window_bits(part, gzip=self._gzip)
        if self._members:
            self._over = bits != _GZIP_BITS
        elif not bits:
            if not looks_plain(part):
                raise _Undecodable("the body is not compressed as its header says")
            self._plain = True
        self._members += 1
        if self._members > _MOST_MEMBERS:
            raise _Undecodable(f"more than {_MOST_MEMBERS} compressed parts")
        if not self._over and not self._plain:
            self._inflate = zlib.decompressobj(bits)
        return self._plain

    def _inflated(self, inflate: zlib._Decompress, part: bytes) -> Generator[bytes, None, bytes]:
        """Yield what `part` holds; return what follows the end of the member."""
        while True:
            try:
                piece = inflate.decompress(part, _PIECE)
            except zlib.error as error:
                raise _Undecodable(f"bad compressed data: {error}") from error
            if piece:
                yield piece
            if inflate.eof:
                self._inflate = None
                self._over = not self._gzip
                return inflate.unused_data
            part = inflate.unconsumed_tail
            if not part and len(piece) < _PIECE:
                return b""

    def complete(self) -> bool:
        return self._inflate is None and (self._members > 0 or not self._head)


def _window_bits(part: bytes, *, gzip: bool) -> int:
    """zlib's window bits for the format that `part` is of, 0 for none."""
    if gzip:
        return _GZIP_BITS if part.startswith(b"\x1f\x8b") else 0
    if part[0] & 0x0F == 8 and (part[0] << 8 | part[1]) % 31 == 0:
        return _ZLIB_BITS
    return _RAW_BITS if _raw_deflate(part) else 0


def _raw_deflate(data: bytes) -> bool:
    try:
        zlib.decompressobj(_RAW_BITS).decompress(data, _PIECE)
    except zlib.error:
        return False
    return True


class _Brotli:
    """brotli (RFC 7932).

    The library fails, and keeps what it had decoded to itself, when bytes follow the end in one input. So
    what was fed is kept, and after a failure the last input is taken once more, byte by byte.
    """

    def __init__(self) -> None:
        self._decompressor = brotli.Decompressor()
        self._fed: list[bytes] = []
        self._plain = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._plain:
            yield data
            return
        if self._decompressor.is_finished():
            return
        given = 0
        try:
            for piece in _unbrotli(self._decompressor, data):
                given += len(piece)
                yield piece
            self._fed.append(data)
        except brotli.error as error:
            if self._fed or given or not looks_plain(data):
                yield from self._again(data, given, error)
            else:
                self._plain = True
                yield data

    def _again(self, data: bytes, given: int, error: Exception) -> Iterator[bytes]:
        """Decode `data` up to the end of the brotli stream inside it, leaving out the `given` bytes."""
        self._decompressor = brotli.Decompressor()
        for earlier in self._fed:
            for _ in _unbrotli(self._decompressor, earlier):
                pass
        try:
            for index in range(len(data)):
                for piece in _unbrotli(self._decompressor, data[index : index + 1]):
                    skipped = min(given, len(piece))
                    given -= skipped
                    if skipped < len(piece):
                        yield piece[skipped:]
                if self._decompressor.is_finished():
                    return
        except brotli.error:
            pass
        raise _Undecodable("bad brotli data") from error

    def complete(self) -> bool:
        return self._plain or not self._fed or bool(self._decompressor.is_finished())


def _unbrotli(decompressor: brotli.Decompressor, data: bytes) -> Iterator[bytes]:
    """What `data` decodes to, in bounded pieces."""
    while not decompressor.is_finished():
        piece = decompressor.process(data, output_buffer_limit=_PIECE)
        data = b""
        if piece:
            yield piece
        elif decompressor.can_accept_more_data():
            return


class _Zstd:
    """zstd (RFC 8878), several frames."""

    def __init__(self) -> None:
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._head = b""
        self._frames = 0
        self._plain = False
        self._over = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._plain:
            yield data
            return
        data, self._head = self._head + data, b""
        position = 0
        while position < len(data) and not self._over:
            if self._frame is None:
                if len(data) - position < 4:
                    self._head = data[position:]
                    return
                if self._open(data[position : position + _INPUT]):
                    yield data[position:]
                    return
                continue
            part = data[position : position + _ZSTD_INPUT]
            position += len(part)
            try:
                piece = self._frame.decompress(part)
            except zstandard.ZstdError as error:
                raise _Undecodable(f"bad zstd data: {error}") from error
            if piece:
                yield piece
            if self._frame.eof:
                position -= len(self._frame.unused_data)
                self._frame = None

    def _open(self, head: bytes) -> bool:
        """Start a frame; true when the body is plain instead."""
        self._frames += 1
        if self._frames > _MOST_MEMBERS:
            raise _Undecodable(f"more than {_MOST_MEMBERS} compressed parts")
        if _zstd_magic(head):
            self._frame = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW).decompressobj()
        elif self._frames > 1:
            self._over = True
        elif looks_plain(head):
            self._plain = True
        else:
            raise _Undecodable("the body is not compressed as its header says")
        return self._plain

    def complete(self) -> bool:
        return self._frame is None and (self._frames > 0 or not self._head)


def _zstd_magic(data: bytes) -> bool:
    return data[:4] == b"\x28\xb5\x2f\xfd" or (data[1:4] == b"\x2a\x4d\x18" and 0x50 <= data[0] <= 0x5F)
