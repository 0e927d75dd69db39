"""A torrent file in, everything about it out (BEP 3, 12, 17, 19, 27, 38, 39, 47, 52)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import md5
from itertools import islice

from harvester.model.torrent import Torrent, TorrentFile, TorrentIdentity
from harvester.torrents.bencode import Dictionary
from harvester.torrents.dates import read_date
from harvester.torrents.encodings import DecodedNames, decode_names
from harvester.torrents.files import Entry, read_files
from harvester.torrents.paths import safe_name, safe_paths
from harvester.torrents.recognition import content_of, open_torrent
from harvester.torrents.structure import Structure
from harvester.torrents.texts import (
    Texts,
    cut,
    is_private,
    mark_extensions,
    printable,
    printable_text,
    read_texts,
)
from harvester.torrents.trackers import read_outlets
from harvester.torrents.v2 import check_piece_layers, is_valid_piece_length, lists_match, read_tree

# libtorrent's largest: 32,767 blocks of 16 KiB.
_LARGEST_PIECE = 0x7FFF * 0x4000
# Bytes of a name or a path component that are decoded; a safe component has at most 240.
_LONGEST_NAME = 4_096


def identify(body: bytes) -> TorrentIdentity:
    """Decode, judge and hash, and nothing else: the fast path for what is known already.

    Takes and refuses the same bodies as `parse_torrent`. Raises NotATorrent, LimitExceeded.
    """
    structure = open_torrent(body)
    flags = structure.document.flags
    words = tuple(sorted(flags)) if flags else ()
    return TorrentIdentity(structure.infohash_v1, structure.infohash_v2, words)


def parse_torrent(body: bytes, content_type: str | None = None) -> Torrent:
    """Read everything a torrent file says.

    Raises NotATorrent (kind and reason as in `Recognition`) and LimitExceeded, nothing else, for any
    bytes at all, within 2 seconds and 200 MB.
    """
    structure = open_torrent(body, content_type)
    root, info, flags = structure.document.root, structure.info, structure.document.flags
    content = content_of(structure)
    entries = _read_entries(structure)
    raw_name, name_twin = _raw_name(info)
    texts = read_texts(root, info, flags)
    decoded = _decode(root, raw_name, name_twin, entries, texts)
    flags |= decoded.flags

    text = iter(decoded.texts)
    infohash = structure.infohash_v1 or structure.infohash_v2 or ""
    name = printable(next(text))
    display_name, name_flags = safe_name(name, infohash)
    if display_name == infohash:
        flags.add("name_is_infohash")
    flags |= name_flags - {"empty_name"}
    shown = {key: printable_text(next(text)) for key in texts.raw}
    files, padding, symlinks = _build_files(entries, text, display_name, raw_name, flags)
    size = sum(file.size for file in files)
    pieces = info.get(b"pieces")
    piece_count = len(pieces) // 20 if type(pieces) is bytes else -(-size // info[b"piece length"])
    outlets = read_outlets(root, flags)
    created, date_flag = read_date(root.get(b"creation date"))
    if date_flag:
        flags.add(date_flag)
    private = is_private(root, info, flags)
    mark_extensions(root, info, flags)
    return Torrent(
        infohash_v1=structure.infohash_v1,
        infohash_v2=structure.infohash_v2,
        md5=md5(content, usedforsecurity=False).hexdigest(),
        content_length=len(content),
        name=name or infohash,
        display_name=display_name,
        raw_name=raw_name,
        size=size,
        piece_length=info[b"piece length"],
        piece_count=piece_count,
        files=files,
        padding=padding,
        symlinks=symlinks,
        trackers=outlets.trackers,
        webseeds=outlets.webseeds,
        nodes=outlets.nodes,
        private=private,
        source=shown.get("source"),
        comment=shown.get("comment"),
        created_by=shown.get("created by"),
        created=created,
        publisher=shown.get("publisher"),
        publisher_url=shown.get("publisher-url"),
        title=shown.get("title"),
        encoding=decoded.encoding,
        similar=texts.similar,
        collections=tuple(value for key, value in shown.items() if key.startswith("collection ")),
        update_url=shown.get("update-url"),
        flags=tuple(sorted(flags)),
    )


def _raw_name(info: Dictionary) -> tuple[bytes, bytes | None]:
    """The bytes of the name and of its twin; the twin stands in where there is no name."""
    name, twin = info.get(b"name"), info.get(b"name.utf-8")
    if type(name) is not bytes:
        assert type(twin) is bytes  # judged before
        return twin, None
    return name, twin if type(twin) is bytes else None


def _read_entries(structure: Structure) -> list[Entry]:
    """The file list that counts, checked against sizes, pieces and, for version 2, the tree."""
    info, flags = structure.info, structure.document.flags
    piece_length: int = info[b"piece length"]
    is_v2 = structure.infohash_v2 is not None
    if piece_length > _LARGEST_PIECE or (is_v2 and not is_valid_piece_length(piece_length)):
        flags.add("bad_piece_length")
    if not is_v2 and type(info.get(b"file tree")) is dict and b"meta version" not in info:
        flags.add("file_tree_unversioned")
    v1 = read_files(info, flags) if structure.infohash_v1 is not None else []
    entries = v1
    if is_v2:
        tree = read_tree(info[b"file tree"], flags)
        check_piece_layers(structure.document.root, tree, piece_length, flags)
        if v1:
            single = type(info.get(b"files")) is not list
            if not lists_match(v1, tree, _tree_name(info), single=single, piece_length=piece_length):
                flags.add("hybrid_mismatch")
            _take_roots(v1, tree, single=single)
        else:
            entries = tree
    _check_sizes(structure, entries)
    return entries


def _tree_name(info: Dictionary) -> bytes:
    name, twin = _raw_name(info)
    return name if twin is None else twin


def _take_roots(v1: list[Entry], tree: list[Entry], *, single: bool) -> None:
    """Give the files of the v1 list the Merkle roots of the tree."""
    roots = {tuple(entry.raw): entry.pieces_root for entry in tree}
    for entry in v1:
        if single:
            entry.pieces_root = tree[0].pieces_root if len(tree) == 1 else None
        else:
            entry.pieces_root = roots.get(tuple(entry.twins or entry.raw))


def _check_sizes(structure: Structure, entries: list[Entry]) -> None:
    info, flags = structure.info, structure.document.flags
    total = sum(entry.size for entry in entries)
    if total == 0:
        flags.add("no_content")
    if total >= 1 << 63:
        flags.add("size_overflow")
    pieces = info.get(b"pieces")
    if structure.infohash_v1 is None or type(pieces) is not bytes or "bad_pieces" in flags:
        return
    if len(pieces) // 20 != -(-total // info[b"piece length"]):
        flags.add("piece_count_mismatch")


def _decode(
    root: Dictionary, raw_name: bytes, name_twin: bytes | None, entries: list[Entry], texts: Texts
) -> DecodedNames:
    """Decode every text of the torrent in one go: name, texts, then the components of each entry."""
    names: list[bytes] = [cut(raw_name, _LONGEST_NAME), *texts.raw.values()]
    twins: list[bytes | None] | None = None
    has_twins = name_twin is not None or any(texts.twins.values()) or any(entry.twins for entry in entries)
    if has_twins:
        twins = [
            None if name_twin is None else cut(name_twin, _LONGEST_NAME),
            *(texts.twins[key] for key in texts.raw),
        ]
    for entry in entries:
        names += entry.raw
        if entry.target is not None:
            names += entry.target
        if twins is not None:
            twins += entry.twins if entry.twins is not None else [None] * len(entry.raw)
            twins += [None] * len(entry.target or ())
    if any(len(name) > _LONGEST_NAME for name in names[1 + len(texts.raw) :]):
        names[1 + len(texts.raw) :] = [cut(name, _LONGEST_NAME) for name in names[1 + len(texts.raw) :]]
        twins = twins and [name if name is None else cut(name, _LONGEST_NAME) for name in twins]
    return decode_names(names, twins=twins, declared=root.get(b"encoding"), codepage=root.get(b"codepage"))


def _build_files(
    entries: list[Entry], text: Iterator[str], display_name: str, raw_name: bytes, flags: set[str]
) -> tuple[tuple[TorrentFile, ...], tuple[TorrentFile, ...], tuple[TorrentFile, ...]]:
    """Files, pad files and symbolic links with their safe paths; `text` goes on at the first component."""
    shown: list[list[str]] = []
    targets: list[tuple[str, ...] | None] = []
    for entry in entries:
        shown.append(list(islice(text, len(entry.raw))) or [display_name])
        targets.append(None if entry.target is None else _target(islice(text, len(entry.target)), flags))
    # Pad files must not push numbers onto the names of real files, so they are named apart.
    real = [number for number, entry in enumerate(entries) if not entry.padding]
    pads = [number for number, entry in enumerate(entries) if entry.padding]
    safe = safe_paths(shown[number] for number in real)
    flags |= safe.flags
    paths = dict(zip(real, safe.paths, strict=True))
    paths.update(zip(pads, safe_paths(shown[number] for number in pads).paths, strict=True))

    files: list[TorrentFile] = []
    padding: list[TorrentFile] = []
    symlinks: list[TorrentFile] = []
    for number, entry in enumerate(entries):
        file = TorrentFile(
            path=tuple(paths[number].split("/")),
            raw_path=tuple(entry.raw) or (raw_name,),
            size=entry.size,
            executable=b"x" in entry.attributes,
            hidden=b"h" in entry.attributes,
            symlink=targets[number],
            pieces_root=entry.pieces_root.hex() if entry.pieces_root is not None else None,
        )
        if entry.padding:
            padding.append(file)
        elif entry.target is not None:
            symlinks.append(file)
        else:
            files.append(file)
    return tuple(files), tuple(padding), tuple(symlinks)


def _target(components: Iterable[str], flags: set[str]) -> tuple[str, ...]:
    """The target of a symbolic link, kept inside the torrent's folder."""
    safe: list[str] = []
    for component in components:
        name, found = safe_name(component)
        if found:
            flags.add("unsafe_symlink")
        safe.append(name)
    return tuple(safe)
