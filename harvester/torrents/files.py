"""The file list of a torrent as it stands in `info`, before anything is decoded (BEP 3, 47)."""

from __future__ import annotations

from msgspec import Struct

from harvester.torrents.bencode import Dictionary, Value
from harvester.torrents.structure import attributes, has_size, is_file_entry

_BITCOMET_PADDING = b"_____padding_file"


class Entry(Struct):
    """One file: raw path components, their `.utf-8` twins if any, size in bytes, letters of `attr`.

    `target` holds the raw components of a symbolic link's target, `pieces_root` the 32 bytes of BEP 52.
    """

    raw: list[bytes]
    twins: list[bytes] | None
    size: int
    attributes: bytes = b""
    target: list[bytes] | None = None
    pieces_root: bytes | None = None
    padding: bool = False


def read_files(info: Dictionary, flags: set[str]) -> list[Entry]:
    """The v1 file list of `info` in order, unusable entries left out; a single file has an empty path.

    Adds to `flags`.
    """
    files = info.get(b"files")
    if type(files) is not list:
        if not has_size(info):
            return []
        return [Entry([], None, _size(info, b""), attributes(info))]
    if b"length" in info:
        flags.add("length_and_files")
    entries: list[Entry] = []
    for item in files:
        entry = _entry(item, flags)
        if entry is not None:
            entries.append(entry)
    if len(entries) == 1 and len(files) == 1 and not entries[0].padding:
        flags.add("single_file_as_list")
    return entries


def _entry(item: Value, flags: set[str]) -> Entry | None:
    if not is_file_entry(item):
        flags.add("bad_file_entry")
        return None
    letters = attributes(item) if b"attr" in item else b""
    raw = item.get(b"path")
    twins = item.get(b"path.utf-8")
    if type(twins) is list:
        # Without a path of its own, or with one of another length, the twin is the path.
        if type(raw) is not list or len(raw) != len(twins) or any(type(name) is not bytes for name in raw):
            raw, twins = twins, None
    else:
        twins = None
    if type(raw) is not list:
        raw = []
    size = _size(item, letters)
    padding = b"p" in letters or _is_padding(raw)
    if not raw:
        raw = [b".pad", b"%d" % size]
    entry = Entry(raw, twins, size, letters, padding=padding)
    if b"l" in letters and not padding:
        entry.target = symlink_target(item)
        if entry.target is None:
            flags.add("missing_symlink_target")
            return None
    return entry


def symlink_target(item: Dictionary) -> list[bytes] | None:
    """The raw components of BEP 47's `symlink path`, or None where there is none."""
    target = item.get(b"symlink path")
    if type(target) is list and target and all(type(name) is bytes for name in target):
        return target
    return None


def _size(item: Dictionary, letters: bytes) -> int:
    """A symbolic link takes no room, whatever length it states (libtorrent does the same)."""
    length = item.get(b"length")
    return length if type(length) is int and length > 0 and b"l" not in letters else 0


def _is_padding(raw: list[bytes]) -> bool:
    if not raw:
        return False
    last = raw[-1]
    return last.startswith(_BITCOMET_PADDING) or (len(raw) == 2 and raw[0] == b".pad" and last.isdigit())
