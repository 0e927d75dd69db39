"""Between what the domain says and what a column can hold.

Everything here may come from a hostile page or file: text loses what no database takes (NUL, lone
surrogates), numbers are kept within 64 bits, and packed values are unpacked with a bound.
"""

from __future__ import annotations

import json
import math
import re
import struct
import threading
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, cast

import zstandard

from harvester.errors import StoreDamaged

INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)
# Far above any real file list (2 million files of 100 bytes), far below what hurts.
MAX_UNPACKED = 256 * 1024 * 1024

_HALVES = struct.Struct(">qq")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def clean(text: str) -> str:
    """`text` with every character that a database refuses replaced by U+FFFD."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def bounded(number: int) -> int:
    """`number`, or the nearest that fits a signed 64-bit column."""
    return INT64_MIN if number < INT64_MIN else min(number, INT64_MAX)


def bounded_or_none(number: int | None) -> int | None:
    """`bounded`, with None for None."""
    return None if number is None else bounded(number)


def finite_or_none(number: float | None) -> float | None:
    """`number` when it is finite, else None."""
    return number if number is not None and math.isfinite(number) else None


def _plain(value: object) -> object:
    """`value` as JSON can say it: bytes in hex, what it does not know as text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return bounded(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [_plain(item) for item in value]
    return str(value)


def to_json(value: Mapping[str, object] | Sequence[object]) -> str:
    """JSON text for a column; the empty mapping or list is the empty text."""
    return clean(_encode(_plain(value))) if value else ""


def from_json(text: str, empty: Any) -> Any:
    """The value of a `…_json` column, `empty` for the empty text. `StoreDamaged` when it is no JSON."""
    if not text:
        return empty
    try:
        return json.loads(text)
    except ValueError as error:
        raise StoreDamaged("a stored value cannot be read", why=str(error)) from error


def tracker_key(trackers_json: str) -> int | None:
    """The key of a list of trackers, None for the empty one."""
    if not trackers_json:
        return None
    digest = blake2b(trackers_json.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


class Packer:
    """zstd-compressed JSON. Not to be shared by threads: each zstd context serves one call at a time."""

    def __init__(self) -> None:
        self._compressor = zstandard.ZstdCompressor(level=3, write_content_size=True, write_checksum=False)

    def pack(self, value: object) -> bytes:
        """The compressed bytes of plain JSON data (no mapping is checked here: lists, text, integers)."""
        return self._compressor.compress(_encode(value).encode("utf-8", "replace"))

    def pack_text(self, text: str) -> bytes:
        """The compressed bytes of a text."""
        return self._compressor.compress(text.encode("utf-8", "replace"))


_of_thread = threading.local()


def _decompressor() -> zstandard.ZstdDecompressor:
    """This thread's own: a context serves one call at a time, and making one costs more than using it."""
    found: zstandard.ZstdDecompressor | None = getattr(_of_thread, "decompressor", None)
    if found is None:
        found = _of_thread.decompressor = zstandard.ZstdDecompressor()
    return found


def _unpacked(data: bytes) -> bytes:
    try:
        size = zstandard.frame_content_size(data)
        if not 0 <= size <= MAX_UNPACKED:
            raise StoreDamaged("a stored value cannot be read", why=f"it claims {size:,} bytes unpacked")
        return _decompressor().decompress(data)
    except zstandard.ZstdError as error:
        raise StoreDamaged("a stored value cannot be read", why=f"zstd: {error}") from error


def unpack(data: bytes) -> Any:
    """What `Packer.pack` packed; `StoreDamaged` when it was not."""
    try:
        return json.loads(_unpacked(data))
    except ValueError as error:
        raise StoreDamaged("a stored value cannot be read", why=str(error)) from error


def unpack_text(data: bytes) -> str:
    """What `Packer.pack_text` packed; `StoreDamaged` when it was not."""
    return _unpacked(data).decode("utf-8", "replace")


def halves(md5: bytes) -> tuple[int, int]:
    """The 16 bytes as two signed numbers, big-endian."""
    head, tail = _HALVES.unpack(md5)
    return head, tail


def of_halves(head: int, tail: int) -> bytes:
    """The bytes that `halves` took apart."""
    return _HALVES.pack(head, tail)


def signed(number: int) -> int:
    """The signed 64-bit integer with the same low 64 bits."""
    number &= 0xFFFF_FFFF_FFFF_FFFF
    return number - 2**64 if number > INT64_MAX else number


def text_or(value: object, otherwise: str = "") -> str:
    """A nullable text column as text."""
    return otherwise if value is None else cast("str", value)
