"""A torrent file in, everything about it out (BEP 3, 12, 17, 19, 27, 38, 39, 47, 52)."""

from __future__ import annotations

from harvester.model.torrent import Torrent, TorrentIdentity


def identify(body: bytes) -> TorrentIdentity:
    """Decode, judge and hash, and nothing else: the fast path for what is known already.

    Raises NotATorrent, LimitExceeded.
    """
    raise NotImplementedError


def parse_torrent(body: bytes, content_type: str | None = None) -> Torrent:
    """Read everything a torrent file says.

    Raises NotATorrent (kind and reason as in `Recognition`) and LimitExceeded, nothing else, for any
    bytes at all, within 2 seconds and 200 MB.
    """
    raise NotImplementedError
