"""What a magnet link says (BEP 9, BEP 53)."""

from __future__ import annotations

from msgspec import Struct


class Magnet(Struct, frozen=True):
    """One magnet link, read; at least one of the two infohashes is set.

    `infohash_v1` is 40, `infohash_v2` 64 lower-case hex. `display_name` is plain text without control
    characters, or "". `trackers` and `webseeds` are in order and without repeats, as written (they may hold
    passkeys: show them through `harvester.torrents.redaction.redact_tracker` only). `peers` are `host:port`
    (`x.pe`). `size` is bytes (`xl`) or None. `select_only` is BEP 53's `so` as written, or "".
    `other` holds what is left, as (lower-case name, value) in order, other topics (`xt` of ed2k, sha1,
    btpk, …) among it.
    """

    infohash_v1: str | None
    infohash_v2: str | None
    display_name: str = ""
    trackers: tuple[str, ...] = ()
    webseeds: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    size: int | None = None
    select_only: str = ""
    other: tuple[tuple[str, str], ...] = ()
