"""Whether a URL belongs to the crawl of a site."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

import ada_url
from msgspec import Struct

from harvester.model.site import SiteFile
from harvester.policy.verbs import words

MAX_URL = 2048
"""Longer URLs are recorded, not fetched (characters)."""

SKIPPED_TYPES = words(
    # pictures, style, scripts, fonts
    "jpg jpeg png gif webp avif bmp ico svg tif tiff heic css js mjs map woff woff2 ttf eot "
    # sound and film
    "mp3 flac ogg opus wav aac m4a m4v mp4 mkv avi mov wmv flv webm mpg mpeg ts rm rmvb vob srt ass "
    # archives, disk images, programs
    "zip rar 7z gz bz2 xz zst tar tgz iso img dmg exe msi apk ipa deb rpm jar bin cue nrg "
    # documents
    "pdf doc docx xls xlsx ppt pptx odt ods epub mobi azw3 djvu psd ai"
)
"""Extensions of files that are neither pages nor torrents."""


class Verdict(StrEnum):
    """What becomes of a link."""

    FETCH = "fetch"
    ONE_HOP = "one_hop"
    """A torrent on another host: fetched, through the guard, under that host's robots; no further."""
    RECORD = "record"
    """Kept as a link, not fetched."""


class ScopeDecision(Struct, frozen=True):
    """A verdict and, unless it is FETCH, a stable reason word (`off_site`, `too_deep`)."""

    verdict: Verdict
    reason: str = ""


_FETCH = ScopeDecision(Verdict.FETCH)
_ONE_HOP = ScopeDecision(Verdict.ONE_HOP, "torrent_elsewhere")
_RECORD = {
    reason: ScopeDecision(Verdict.RECORD, reason)
    for reason in (
        "url_too_long",
        "scheme",
        "not_a_url",
        "off_site",
        "too_deep",
        "excluded_path",
        "outside_path",
        "file_type",
    )
}


def decide(site: SiteFile, url: str, depth: int, *, torrent: bool = False) -> ScopeDecision:
    """What becomes of the absolute `url`, `depth` links from a start page.

    `torrent` says that the link is expected to be a torrent file (its name, its rule or its row). Never
    raises.
    """
    if len(url) > MAX_URL:
        return _RECORD["url_too_long"]
    origin, path = _split(url)
    scheme, host = _origin(origin)
    if not scheme:
        return _RECORD["not_a_url"]
    if scheme not in ("http", "https"):
        return _RECORD["scheme"]
    torrent = torrent or is_torrent_name(path)
    if host not in site.hosts:
        return _ONE_HOP if torrent else _RECORD["off_site"]
    if depth > site.scope.depth:
        return _RECORD["too_deep"]
    if path.startswith(site.scope.exclude):
        return _RECORD["excluded_path"]
    if not path.startswith(site.scope.include) and not torrent:
        return _RECORD["outside_path"]
    if not torrent and extension(path) in SKIPPED_TYPES and not path.endswith(".xml.gz"):
        return _RECORD["file_type"]
    return _FETCH


def _split(url: str) -> tuple[str, str]:
    """Scheme with host, and path with query."""
    start = url.find("://") + 3
    if start < 4:
        return url[:64].partition(":")[0] + ":", "/"
    ends = [
        place for place in (url.find("/", start), url.find("?", start), url.find("#", start)) if place >= 0
    ]
    end = min(ends, default=len(url))
    path = url[end:].partition("#")[0]
    return url[:end], path if path.startswith("/") else "/" + path


@lru_cache(maxsize=4096)
def _origin(origin: str) -> tuple[str, str]:
    """Scheme and host (as site files write it) of `https://Forum.Example.org:443`; empty when it is none."""
    if origin.endswith(":"):
        scheme = origin[:-1].lower()
        return (scheme if scheme.isalnum() else ""), ""
    try:
        url = ada_url.URL(origin + "/")
    except ValueError:
        return "", ""
    return url.protocol.removesuffix(":"), url.host


def extension(path: str) -> str:
    """Lower-case extension of the last path segment, "" when it has none."""
    name = path.partition("?")[0].rpartition("/")[2]
    dot = name.rfind(".")
    return name[dot + 1 :].lower() if dot > 0 and len(name) - dot <= 8 else ""


def is_torrent_name(path: str) -> bool:
    """Whether path or a query value ends like a torrent's file name."""
    lower = path.lower()
    return ".torrent" in lower and any(
        part.endswith(".torrent") for part in lower.replace("?", "&").replace("=", "&").split("&")
    )
