"""Cheap evidence of what a URL is, from its spelling alone: for ordering, never a decision."""

from __future__ import annotations

import re
from typing import Final

_DOWNLOAD_URL: Final = re.compile(
    r"\.torrent(?![a-z0-9])"
    r"|[?&](?:mod|action|act|do)=(?:attachment|dlattach|download|attach)(?![a-z])"
    r"|/(?:attachment|attach|dlattach|download|down|dl|get|gettorrent|downloadtorrent)\.php\?"
    r"|/download/file\.php\?|/job\.php\?action=download"
    r"|/(?:attachments?|downloads?|dl|torrents?/download|download/torrents?)/[^?]{0,200}[0-9]"
    r"|/torrents?/[0-9]{1,12}/download|[?&]torrent_pass=",
    re.IGNORECASE,
)
_DOWNLOAD_ANCHOR: Final = re.compile(
    r"\.torrent(?![a-z0-9])|(?:下载|下載|download|get).{0,6}(?:种子|種子|torrent|(?<![a-z])bt(?![a-z]))"
    r"|(?:种子|種子|torrent|(?<![a-z])bt(?![a-z])).{0,6}(?:下载|下載|download|file)",
    re.IGNORECASE,
)
_ASSET_URL: Final = re.compile(
    r"[^?]*\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp|css|m?js|woff2?|ttf|eot)(?:\?.*)?", re.IGNORECASE
)


def looks_like_download(url: str, anchor: str = "") -> bool:
    """Whether the URL or its anchor has the shape of a torrent download. Evidence, not a decision."""
    if _DOWNLOAD_URL.search(url) and not looks_like_asset(url):
        return True
    return names_a_download(url, anchor)


def names_a_download(url: str, anchor: str) -> bool:
    """Whether the anchor says that a torrent is behind it, and the URL does not say that it is an image."""
    lower = anchor[:200].lower()
    if "torrent" not in lower and "bt" not in lower and "子" not in lower:  # quicker than the pattern
        return False
    return _DOWNLOAD_ANCHOR.search(anchor[:200]) is not None and not looks_like_asset(url)


def looks_like_asset(url: str) -> bool:
    """Whether the path ends like an image, a script, a style or a font."""
    return _ASSET_URL.fullmatch(url) is not None
