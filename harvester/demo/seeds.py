"""Made-up torrents, the same ones at every start: bencoded by bencode.py from a seed.

The names are those of things that are published openly; the pieces are random bytes, so there is
nothing behind them. v2 and hybrid torrents are consistent in the sense of BEP 52: piece layers hash up
to their pieces roots, a hybrid's v1 files carry pad files.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

import bencodepy

KIB = 1024
MIB = 1024 * KIB
BLOCK = 16 * KIB
CREATED = 1_750_000_000
"""Seconds UTC that creation dates count from."""
TRACKERS = (
    "udp://tracker.demo.example:6969/announce",
    "http://tracker.open.example/announce",
    "udp://tracker.library.example:1337/announce",
)

Kind = Literal["v1", "v2", "hybrid"]


@dataclass(frozen=True, slots=True)
class Seed:
    """One torrent: its file's bytes, its infohashes (lower-case hex, "" where it has none), its content."""

    name: str
    data: bytes
    v1: str
    v2: str
    size: int
    files: tuple[tuple[str, int], ...]

    @property
    def infohash(self) -> str:
        """The v1 infohash, else the v2 one."""
        return self.v1 or self.v2

    def magnet(self, tracker: str = TRACKERS[0]) -> str:
        """A magnet link with name and tracker, percent-encoded (BEP 9, 53)."""
        topics = [f"urn:btih:{self.v1}"] if self.v1 else []
        topics += [f"urn:btmh:1220{self.v2}"] if self.v2 else []
        xt = "&".join(f"xt={topic}" for topic in topics)
        return f"magnet:?{xt}&dn={quote(self.name)}&tr={quote(tracker, safe='')}"


def piece_length_for(size: int) -> int:
    """A power of two that keeps a torrent near 1,000 pieces, from 32 KiB to 8 MiB."""
    length = 32 * KIB
    while length < 8 * MIB and size / length > 1000:
        length *= 2
    return length


def make_seed(
    name: str,
    files: Sequence[tuple[str, int]],
    *,
    kind: Kind = "v1",
    private: bool = False,
    trackers: Sequence[str] = TRACKERS[:1],
    comment: str = "",
    age: int = 0,
) -> Seed:
    """Build a torrent from its name and its files (`a/b.txt`, bytes).

    One file whose path is the torrent's name makes a single-file torrent. The same arguments give the
    same bytes; trackers, comment and age leave the infohash alone.
    """
    source = random.Random(f"harvest-demo:{name}:{kind}")
    size = sum(length for _, length in files)
    length = piece_length_for(size)
    info: dict[str, object] = {"name": name, "piece length": length}
    if private:
        info["private"] = 1
    outer: dict[str, object] = {"announce": trackers[0], "creation date": CREATED - age, "info": info}
    if kind != "v1":
        tree, layers = _file_tree(files, length, source)
        info["file tree"] = tree
        info["meta version"] = 2
        outer["piece layers"] = layers
    if kind != "v2":
        _add_v1(info, name, files, length, source, padded=kind == "hybrid")
    if len(trackers) > 1:
        outer["announce-list"] = [[tracker] for tracker in trackers]
    if comment:
        outer["comment"] = comment
    encoded = bencodepy.encode(info)
    return Seed(
        name=name,
        data=bencodepy.encode(outer),
        v1=hashlib.sha1(encoded, usedforsecurity=False).hexdigest() if kind != "v2" else "",
        v2=hashlib.sha256(encoded).hexdigest() if kind != "v1" else "",
        size=size,
        files=tuple(files),
    )


def _add_v1(
    info: dict[str, object],
    name: str,
    files: Sequence[tuple[str, int]],
    piece_length: int,
    source: random.Random,
    *,
    padded: bool,
) -> None:
    if len(files) == 1 and files[0][0] == name:
        total = files[0][1]
        info["length"] = total
    else:
        entries: list[dict[str, object]] = []
        total = 0
        for number, (path, length) in enumerate(files):
            entries.append({"length": length, "path": path.split("/")})
            total += length
            gap = -length % piece_length
            if padded and gap and number < len(files) - 1:
                entries.append({"attr": "p", "length": gap, "path": [".pad", str(gap)]})
                total += gap
        info["files"] = entries
    info["pieces"] = source.randbytes(20 * -(-total // piece_length))


def _file_tree(
    files: Sequence[tuple[str, int]], piece_length: int, source: random.Random
) -> tuple[dict[str, object], dict[bytes, bytes]]:
    """The v2 file tree and its piece layers; files are in the tree's order already when sorted by path."""
    tree: dict[str, object] = {}
    layers: dict[bytes, bytes] = {}
    for path, length in files:
        if length > piece_length:
            hashes = [source.randbytes(32) for _ in range(-(-length // piece_length))]
            root = merkle_root(hashes, _zero_hash(piece_length))
            layers[root] = b"".join(hashes)
        else:
            root = source.randbytes(32)
        node = tree
        for part in path.split("/"):
            child = node.setdefault(part, {})
            assert isinstance(child, dict)
            node = child
        node[""] = {"length": length, "pieces root": root}
    return tree, layers


def _zero_hash(piece_length: int) -> bytes:
    """The hash of a piece-sized subtree of blocks beyond the file's end (BEP 52)."""
    value = bytes(32)
    for _ in range((piece_length // BLOCK).bit_length() - 1):
        value = hashlib.sha256(value + value).digest()
    return value


def merkle_root(hashes: Sequence[bytes], padding: bytes) -> bytes:
    """The root over `hashes`, filled up with `padding` to a power of two."""
    layer = list(hashes)
    layer += [padding] * ((1 << (len(layer) - 1).bit_length()) - len(layer))
    while len(layer) > 1:
        layer = [hashlib.sha256(layer[i] + layer[i + 1]).digest() for i in range(0, len(layer), 2)]
    return layer[0]
