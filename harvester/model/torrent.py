"""What a torrent file says, as values that every room may hold.

Names and paths appear twice: as text for people (decoded, safe to show and to use as a path) and as the
raw bytes of the file, because the guess that made the text may be wrong.
"""

from __future__ import annotations

from msgspec import Struct


class TorrentFile(Struct, frozen=True):
    """One entry of the file list of a torrent.

    `path` holds safe display components below the torrent's own folder (for a torrent of one file: just
    its name), never empty, never leading out of the folder; `raw_path` the bytes they were made from.
    `size` is in bytes. `symlink` is the target as components relative to the torrent's folder (BEP 47),
    None for what is no symbolic link. `pieces_root` is the hex Merkle root of BEP 52.
    """

    path: tuple[str, ...]
    raw_path: tuple[bytes, ...]
    size: int
    executable: bool = False
    hidden: bool = False
    symlink: tuple[str, ...] | None = None
    pieces_root: str | None = None


class TorrentIdentity(Struct, frozen=True):
    """What a torrent file is, without anything that has to be decoded for people.

    `infohash_v1` is 40 hex digits (BEP 3), `infohash_v2` 64 (BEP 52, the full SHA-256); lower case, at
    least one is there, a hybrid has both and is known by either. Both are hashes of the bytes of `info`
    as they stand in the file. `flags` are the stable words found so far (`describe_flag` explains them).
    """

    infohash_v1: str | None
    infohash_v2: str | None
    flags: tuple[str, ...] = ()


class Torrent(Struct, frozen=True):
    """Everything a torrent file says.

    - `infohash_v1`, `infohash_v2`: as in `TorrentIdentity`.
    - `md5`: hex MD5 of `content`'s bytes, the torrent file as Harvest stores it: taken out of gzip or
      zlib, without BOM or blank lines before and without anything after the root dictionary. Two
      downloads of one file that differ only in such wrapping have one MD5.
    - `content_length`: how many bytes that is.
    - `name`: decoded and shown as it is written; `display_name`: made safe as a file name; `raw_name`:
      the bytes. A missing or empty name becomes the infohash in `display_name`.
    - `size`: bytes of all of `files`; pad files are left out.
    - `piece_length` in bytes, `piece_count` pieces (of v1 where both are there).
    - `files`: regular files in the order of the torrent; `padding` (BEP 47 and BitComet's) and `symlinks`
      are set apart.
    - `trackers`: tiers in order, each a tuple of URLs as written (they may hold a passkey: flag `passkey`).
    - `webseeds`: `url-list` (BEP 19) and `httpseeds` (BEP 17); `nodes`: `host:port` (BEP 5).
    - `private`: BEP 27, from `info`, also where it is a string or stands at the top level.
    - `created`: seconds since 1970 UTC, or None where the date is absent or makes no sense.
    - `encoding`: how the names became text, e.g. `utf-8`, `gbk`, `utf-8 twin`; `flags` says if guessed.
    - `similar`, `collections` (BEP 38), `update_url`, `originator_url` (BEP 39).
    - `flags`: stable words, sorted, each once.
    """

    infohash_v1: str | None
    infohash_v2: str | None
    md5: str
    content_length: int
    name: str
    display_name: str
    raw_name: bytes
    size: int
    piece_length: int
    piece_count: int
    files: tuple[TorrentFile, ...]
    padding: tuple[TorrentFile, ...]
    symlinks: tuple[TorrentFile, ...]
    trackers: tuple[tuple[str, ...], ...]
    webseeds: tuple[str, ...]
    nodes: tuple[str, ...]
    private: bool
    source: str | None
    comment: str | None
    created_by: str | None
    created: float | None
    publisher: str | None
    publisher_url: str | None
    title: str | None
    encoding: str
    similar: tuple[str, ...]
    collections: tuple[str, ...]
    update_url: str | None
    flags: tuple[str, ...]

    @property
    def hybrid(self) -> bool:
        """Whether the torrent has both a v1 and a v2 infohash."""
        return self.infohash_v1 is not None and self.infohash_v2 is not None


class Recognition(Struct, frozen=True):
    """What a body is.

    `kind` is `torrent`, or else a stable word for what it is instead: `html`, `empty`, `archive`, `json`,
    `xml`, `text`, `truncated`, `resume` (a client's own data), `bencode` (anything else bencoded),
    `unsupported`, `too_large`, `other`. `reason` says it in words a person understands and is empty for a
    torrent. `content` is the torrent file as it should be stored (wrapping taken off), empty for anything
    else. `flags` name the wrapping and the faults of a torrent.
    """

    kind: str
    reason: str = ""
    content: bytes = b""
    flags: tuple[str, ...] = ()

    @property
    def is_torrent(self) -> bool:
        """Whether the body can be read as a torrent."""
        return self.kind == "torrent"
