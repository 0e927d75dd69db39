"""The version 2 part of a torrent: file tree, Merkle roots, piece layers, agreement with v1 (BEP 52)."""

from __future__ import annotations

from hashlib import sha256

from harvester.torrents.bencode import Dictionary, Value
from harvester.torrents.files import Entry, symlink_target
from harvester.torrents.structure import attributes, has_size

_BLOCK = 16_384
_HASH = 32


def read_tree(tree: Dictionary, flags: set[str]) -> list[Entry]:
    """The files of a `file tree` in its order, with their raw paths; unusable ones are left out.

    Not recursive; the depth of the tree is bounded by the decoder's. Adds to `flags`.
    """
    entries: list[Entry] = []
    stack: list[tuple[list[bytes], list[tuple[bytes, Value]]]] = [([], list(reversed(tree.items())))]
    while stack:
        folder, nodes = stack[-1]
        if not nodes:
            stack.pop()
            continue
        name, node = nodes.pop()
        if not name or type(node) is not dict:
            flags.add("bad_file_entry")
            continue
        path = [*folder, name]
        leaf = node.get(b"")
        if leaf is None:
            stack.append((path, list(reversed(node.items()))))
            continue
        if len(node) > 1 or type(leaf) is not dict or not has_size(leaf):
            # A file has no siblings below its own name (BEP 52); what stands there is not read.
            flags.add("bad_file_entry")
        if type(leaf) is dict and has_size(leaf):
            entry = _leaf(path, leaf, flags)
            if entry is not None:
                entries.append(entry)
    return entries


def _leaf(path: list[bytes], leaf: Dictionary, flags: set[str]) -> Entry | None:
    letters = attributes(leaf)
    length = leaf.get(b"length")
    size = length if type(length) is int and length > 0 and b"l" not in letters else 0
    entry = Entry(path, None, size, letters)
    if b"p" in letters:
        flags.add("bad_pad_file")  # version 2 knows no padding, so it is a file like any other
    if b"l" in letters:
        entry.target = symlink_target(leaf)
        if entry.target is None:
            flags.add("missing_symlink_target")
            return None
        return entry
    root = leaf.get(b"pieces root")
    if type(root) is bytes and len(root) == _HASH and (any(root) or not size):
        entry.pieces_root = root
    elif size or root is not None:
        flags.add("bad_pieces_root")
    return entry


def check_piece_layers(root: Dictionary, entries: list[Entry], piece_length: int, flags: set[str]) -> None:
    """Flag piece layers that are missing, have the wrong length, or do not hash to their file's root."""
    wanted = {
        entry.pieces_root: -(-entry.size // piece_length) * _HASH
        for entry in entries
        if entry.pieces_root is not None and entry.size > piece_length
    }
    layers = root.get(b"piece layers")
    if layers is None:
        if wanted:
            flags.add("piece_layers_missing")
        return
    if type(layers) is not dict:
        flags.add("bad_piece_layers")
        return
    valid = is_valid_piece_length(piece_length)
    for key, layer in layers.items():
        fits = type(layer) is bytes and wanted.get(key) == len(layer)
        if not fits or (valid and layer_root(layer, piece_length) != key):
            flags.add("bad_piece_layers")
    if any(key not in layers for key in wanted):
        flags.add("piece_layers_missing")


def layer_root(layer: bytes, piece_length: int) -> bytes:
    """The Merkle root over a piece layer; what is missing up to a power of two counts as empty pieces."""
    empty = bytes(_HASH)
    for _ in range((piece_length // _BLOCK).bit_length() - 1):
        empty = sha256(empty + empty).digest()
    while len(layer) > _HASH:
        if len(layer) % (2 * _HASH):
            layer += empty
        pairs = range(0, len(layer), 2 * _HASH)
        layer = b"".join([sha256(layer[place : place + 2 * _HASH]).digest() for place in pairs])
        empty = sha256(empty + empty).digest()
    return layer


def is_valid_piece_length(piece_length: int) -> bool:
    """A power of two of at least 16 KiB."""
    return piece_length >= _BLOCK and piece_length & (piece_length - 1) == 0


def lists_match(v1: list[Entry], v2: list[Entry], name: bytes, *, single: bool, piece_length: int) -> bool:
    """Whether the two file lists of a hybrid say the same, each v1 file beginning at a piece.

    `single` is whether v1 is written as one file; it has no path then, and v2 has its name.
    """
    offset = 0
    plain: list[tuple[tuple[bytes, ...], int]] = []
    for entry in v1:
        if not entry.padding:
            if entry.size and offset % piece_length:
                return False
            plain.append((tuple(entry.raw) or (name,), entry.size))
        offset += entry.size
    tree = [(tuple(entry.raw), entry.size) for entry in v2]
    if single and [path for path, _ in tree] != [(name,)]:
        return False
    return sorted(plain) == sorted(tree)
