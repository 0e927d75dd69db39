"""File lists as bytes of a column.

Most lists are short, and half of such a list is the torrent's name over and over and the digits of sizes.
So the name in front of every path is left out, sizes are variable-length integers (7 bits a byte, the least
first), and only the rest of the paths is compressed, without zstd's own header:

    1 byte      format: `PLAIN`, or `NAMED` when every path begins with the torrent's name, left out
    integer     number of files
    integers    their sizes
    integer     bytes of the text: the paths in UTF-8, parted by NUL
    the rest    the text as a zstd frame without magic number, or as it is where that is shorter

A list of more than `MOST` files is one zstd frame of JSON, as all were at first; its magic number tells.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NoReturn

import zstandard

from harvester.errors import StoreDamaged
from harvester.store.values import MAX_UNPACKED, Packer, unpack

MOST = 1000
"""Files of a list in the short format: beyond it, reading JSON is faster and saves as much."""
PLAIN = 1
NAMED = 2

_PARTING = "\x00"
_PARAMETERS = zstandard.ZstdCompressionParameters.from_level(
    3, format=zstandard.FORMAT_ZSTD1_MAGICLESS, write_content_size=False, write_checksum=False
)

FileRow = tuple[str, int]


class FileListPacker:
    """Packs file lists. Not to be shared by threads: its zstd context serves one call at a time."""

    def __init__(self) -> None:
        self._compressor = zstandard.ZstdCompressor(compression_params=_PARAMETERS)
        self._json = Packer()

    def pack(self, files: Sequence[FileRow], name: str) -> bytes:
        """The bytes of (path, size) of a torrent of that name; paths have no NUL in them."""
        if len(files) > MOST or any(size < 0 for _, size in files):
            return self._json.pack(files)
        named = bool(name) and all(path.startswith(name) for path, _ in files)
        cut = len(name) if named else 0
        text = _PARTING.join([path[cut:] for path, _ in files]).encode("utf-8", "replace")
        head = bytearray((NAMED if named else PLAIN,))
        _add_integer(head, len(files))
        for _, size in files:
            _add_integer(head, size)
        _add_integer(head, len(text))
        packed = self._compressor.compress(text) if text else text
        return bytes(head) + (packed if len(packed) < len(text) else text)


def unpack_files(data: bytes, name: str) -> list[FileRow]:
    """What `FileListPacker.pack` packed, for the torrent's name; `StoreDamaged` when it was not."""
    if not data or data[0] not in (PLAIN, NAMED):
        return [(path, size) for path, size in unpack(data)]
    try:
        count, at = _integer(data, 1)
        if count > MOST:
            _damaged(f"it claims {count:,} files")
        sizes = []
        for _ in range(count):
            size, at = _integer(data, at)
            sizes.append(size)
        length, at = _integer(data, at)
        paths = _text(data[at:], length).split(_PARTING)
    except (IndexError, UnicodeDecodeError, zstandard.ZstdError) as error:
        raise StoreDamaged("a stored file list cannot be read", why=str(error)) from error
    if len(paths) != count:
        _damaged(f"it has {len(paths):,} paths for {count:,} files")
    head = name if data[0] == NAMED else ""
    return [(head + path, size) for path, size in zip(paths, sizes, strict=True)]


def _text(body: bytes, length: int) -> str:
    if length > MAX_UNPACKED:
        _damaged(f"it claims {length:,} bytes unpacked")
    if len(body) != length:
        body = _decompressor().decompress(body, max_output_size=length)
        if len(body) != length:
            _damaged("its text has another length")
    return body.decode()


_of_thread = threading.local()


def _decompressor() -> zstandard.ZstdDecompressor:
    """This thread's own: a context serves one call at a time, and making one costs more than using it."""
    found: zstandard.ZstdDecompressor | None = getattr(_of_thread, "decompressor", None)
    if found is None:
        found = _of_thread.decompressor = zstandard.ZstdDecompressor(format=zstandard.FORMAT_ZSTD1_MAGICLESS)
    return found


def _add_integer(head: bytearray, number: int) -> None:
    while number > 127:
        head.append(number & 127 | 128)
        number >>= 7
    head.append(number)


def _integer(data: bytes, at: int) -> tuple[int, int]:
    """The number at a place, and the place behind it."""
    number = shift = 0
    while True:
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7
        if shift > 63:
            _damaged("a number is too long")


def _damaged(why: str) -> NoReturn:
    raise StoreDamaged("a stored file list cannot be read", why=why)
