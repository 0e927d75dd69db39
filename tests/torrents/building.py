"""Torrents made to order for the tests: canonical with `torrent`, in any other writing with `raw`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bencodepy

PIECES = b"\x01" * 20


def encode(value: Any) -> bytes:
    """Canonical bencode."""
    encoded = bencodepy.encode(value)
    assert isinstance(encoded, bytes)
    return encoded


def raw(pairs: Iterable[tuple[bytes, bytes]]) -> bytes:
    """A dictionary with its keys in this order, each value encoded already."""
    return b"d" + b"".join(encode(key) + value for key, value in pairs) + b"e"


def info(**changes: Any) -> dict[bytes, Any]:
    """A v1 `info` of one file; underscores in names of keys stand for blanks, None removes a key."""
    values: dict[bytes, Any] = {b"name": b"n", b"length": 5, b"piece length": 16_384, b"pieces": PIECES}
    return _changed(values, changes)


def multi(files: list[Any], **changes: Any) -> dict[bytes, Any]:
    """A v1 `info` with a list of files, given as they are or as (size, path components…)."""
    items = [
        {b"length": item[0], b"path": list(item[1:])} if isinstance(item, tuple) else item for item in files
    ]
    return info(length=None, files=items, **changes)


def v2(tree: dict[bytes, Any], **changes: Any) -> dict[bytes, Any]:
    """A version 2 `info`."""
    values = {b"name": b"n", b"piece length": 16_384, b"meta version": 2, b"file tree": tree}
    return _changed(values, changes)


def leaf(size: int, root: bytes | None = b"r" * 32, **more: Any) -> dict[bytes, Any]:
    """A file of a file tree."""
    value: dict[bytes, Any] = {b"length": size}
    if root is not None:
        value[b"pieces root"] = root
    return {b"": _changed(value, more)}


def torrent(info_value: Any = None, **outer: Any) -> bytes:
    """A torrent file; keys of the root as for `info`."""
    root = {b"info": info() if info_value is None else info_value}
    return encode(_changed(root, outer))


def _changed(values: dict[bytes, Any], changes: dict[str, Any]) -> dict[bytes, Any]:
    for key, value in changes.items():
        name = (key if key.startswith(("libtorrent_", "azureus_")) else key.replace("_", " ")).encode()
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
    return values
