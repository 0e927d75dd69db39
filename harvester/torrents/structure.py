"""Whether a decoded dictionary is a torrent, and which one: the judgement behind every way in."""

from __future__ import annotations

from hashlib import sha1, sha256

from msgspec import Struct

from harvester.errors import LimitExceeded, NotATorrent
from harvester.torrents import limits
from harvester.torrents.bencode import Dictionary, Document, Value

# Counted only in bodies that can hold too many: no name is shorter than `1:a`, no file than `1:ad0:dee`.
_MANY = min(limits.MAX_COMPONENTS * len("1:a"), limits.MAX_FILES * len("1:ad0:d6:lengthi0eee"))

_TOO_LARGE = 1 << 63

_CLIENT_KEYS = {
    b"libtorrent_resume": "rTorrent",
    b"rtorrent": "rTorrent",
    b"azureus_properties": "Azureus",
    b"azureus_private_properties": "Azureus",
    b".fileguard": "uTorrent",
    b"fileguard": "uTorrent",
    b"qBt-savePath": "qBittorrent",
    b"mapped_files": "libtorrent",
}


class Structure(Struct):
    """A dictionary that is a torrent: its document, `info`, and its infohashes in hex."""

    document: Document
    info: Dictionary
    infohash_v1: str | None
    infohash_v2: str | None


def judge(document: Document) -> Structure:
    """Decide whether `document` is a torrent, and hash the bytes of `info` as they stand.

    A torrent is a dictionary with an `info` dictionary that has a name, a piece length above zero, hashes
    (`pieces` in units of 20 bytes, or a `file tree`, or BEP 30's `root hash`) and at least one file.
    Raises NotATorrent with what it is instead. Adds to the flags of the document.
    """
    root = document.root
    info = root.get(b"info")
    if type(info) is not dict:
        raise _without_info(root)
    if type(info.get(b"name")) is not bytes and type(info.get(b"name.utf-8")) is not bytes:
        raise NotATorrent("bencode", "an `info` dictionary without a name")
    piece_length = info.get(b"piece length")
    if type(piece_length) is not int or not 0 < piece_length < _TOO_LARGE:
        raise NotATorrent("bencode", "an `info` dictionary without a piece length above zero")

    version = info.get(b"meta version")
    is_v2 = False
    if type(version) is int and version >= 2:
        is_v2 = version == 2 and type(info.get(b"file tree")) is dict
        if not is_v2:
            document.flags.add("unsupported_version" if version > 2 else "file_tree_missing")
    if not is_v2 or b"pieces" in info:
        _judge_pieces(info, is_v2, document.flags)

    files = info.get(b"files")
    if len(document.body) > _MANY:
        _check_counts(info)
    is_v1 = not is_v2 or type(files) is list or b"length" in info
    if not ((is_v1 and _lists_v1_file(info, files)) or (is_v2 and _tree_has_file(info[b"file tree"]))):
        raise NotATorrent("bencode", "an `info` dictionary that lists no file with a name and a size")
    raw = memoryview(document.body)[document.info_start : document.info_end]
    return Structure(
        document,
        info,
        sha1(raw, usedforsecurity=False).hexdigest() if is_v1 else None,
        sha256(raw).hexdigest() if is_v2 else None,
    )


def _check_counts(info: Dictionary) -> None:
    """Refuse more files or path components than are read, in whichever list they stand."""
    files = info.get(b"files")
    count = components = 0
    for entry in files if type(files) is list else ():
        path = entry.get(b"path") if type(entry) is dict else None
        twins = entry.get(b"path.utf-8") if type(entry) is dict else None
        components += max(len(path) if type(path) is list else 1, len(twins) if type(twins) is list else 1)
        count += 1
    todo: list[tuple[Value, int]] = [(info.get(b"file tree"), 0)]
    in_tree = 0
    while todo:
        node, depth = todo.pop()
        if type(node) is not dict:
            continue
        if b"" in node:
            in_tree += 1
            components += depth
        todo += [(child, depth + 1) for name, child in node.items() if name]
    if max(count, in_tree) > limits.MAX_FILES:
        raise LimitExceeded(f"a torrent of {max(count, in_tree):,} files", limits.MAX_FILES)
    if components > limits.MAX_COMPONENTS:
        raise LimitExceeded(f"paths of {components:,} folders and names", limits.MAX_COMPONENTS)


def _judge_pieces(info: Dictionary, is_v2: bool, flags: set[str]) -> None:
    pieces = info.get(b"pieces")
    if type(pieces) is bytes and len(pieces) % 20 == 0:
        return
    if is_v2:
        flags.add("bad_pieces")
        return
    merkle_root = info.get(b"root hash")
    if pieces is None and type(merkle_root) is bytes and len(merkle_root) == 20:
        flags.add("merkle")
        return
    if "unsupported_version" in flags:
        raise NotATorrent("unsupported", "a torrent of a version newer than 2")
    if pieces is None:
        raise NotATorrent("bencode", "an `info` dictionary without piece hashes")
    raise NotATorrent("bencode", "an `info` dictionary whose piece hashes are not in units of 20 bytes")


def _lists_v1_file(info: Dictionary, files: Value) -> bool:
    if type(files) is list:
        return any(is_file_entry(entry) for entry in files)
    return has_size(info)


def is_file_entry(entry: Value) -> bool:
    """Whether an item of `files` says a size and a path of strings (a pad file needs no path)."""
    if type(entry) is not dict or not has_size(entry):
        return False
    path = entry.get(b"path.utf-8")
    if type(path) is not list:
        path = entry.get(b"path")
    if type(path) is not list or not path:
        return b"p" in attributes(entry)
    return all(type(component) is bytes for component in path)


def has_size(entry: Dictionary) -> bool:
    """Whether a file entry has a length; a symbolic link needs none (BEP 47)."""
    length = entry.get(b"length")
    return (type(length) is int and 0 <= length < _TOO_LARGE) or b"l" in attributes(entry)


def attributes(entry: Dictionary) -> bytes:
    """The letters of BEP 47's `attr`; empty when there are none."""
    letters = entry.get(b"attr")
    return letters if type(letters) is bytes else b""


def _tree_has_file(tree: Dictionary) -> bool:
    """Whether the file tree leads to a file; the depth is that of the decoder, at most 100."""
    todo: list[Dictionary] = [tree]
    while todo:
        for name, node in todo.pop().items():
            if name and type(node) is dict:
                leaf = node.get(b"")
                if type(leaf) is dict and has_size(leaf):
                    return True
                todo.append(node)
    return False


def _without_info(root: Dictionary) -> NotATorrent:
    """Say what a dictionary without `info` is."""
    for key, client in _CLIENT_KEYS.items():
        if key in root:
            return NotATorrent("resume", f"the private data of a client ({client}), no torrent")
    kind = root.get(b"file-format")
    if type(kind) is bytes and b"resume" in kind:
        return NotATorrent("resume", "the resume file of a client (libtorrent), no torrent")
    if b"magnet-info" in root or b"magnet-uri" in root:
        return NotATorrent("resume", "a client's note of a magnet link, without the torrent")
    failure = root.get(b"failure reason")
    if type(failure) is bytes:
        text = failure[:200].decode("utf-8", "replace")
        return NotATorrent("bencode", f'a tracker\'s answer: "{"".join(c for c in text if c.isprintable())}"')
    if b"peers" in root or b"interval" in root:
        return NotATorrent("bencode", "a tracker's answer, no torrent")
    if b"info" in root:
        return NotATorrent("bencode", "bencoded data whose `info` is no dictionary")
    return NotATorrent("bencode", "bencoded data without an `info` dictionary")
