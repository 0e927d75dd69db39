"""What a body is: a torrent, or what else."""

from __future__ import annotations

from harvester.model.torrent import Recognition


def recognise(body: bytes, content_type: str | None = None) -> Recognition:
    """Say what `body` is; never raises, whatever the bytes.

    `content_type` is the header's value and only a hint: the structure decides, and HTML is never a
    torrent.
    """
    raise NotImplementedError
