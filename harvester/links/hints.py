"""Cheap evidence that a URL is a download, for ordering only."""

from __future__ import annotations


def looks_like_download(url: str, anchor: str = "") -> bool:
    """Whether the URL or its anchor has the shape of a torrent download. Evidence, not a decision."""
    raise NotImplementedError
