"""The plainest of crawlers, to look at test servers with: no politeness, no rules, one client."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urljoin

import bencodepy
import httpx

_LINK = re.compile(r'(?:href|src)="([^"]{1,2000})"')
_BASE = re.compile(r'<base href="([^"]{1,2000})"')


@dataclass(slots=True)
class Walk:
    """What a walk met: infohashes of the files, answers by status, and pages by URL."""

    files: set[str] = field(default_factory=set)
    statuses: Counter[int] = field(default_factory=Counter)
    pages: dict[str, str] = field(default_factory=dict)


def infohash(data: bytes) -> str:
    """The v1 infohash of a torrent, or the v2 one of a torrent without pieces."""
    info = bencodepy.decode(data)[b"info"]
    digest = hashlib.sha1 if b"pieces" in info else hashlib.sha256
    return digest(bencodepy.encode(info)).hexdigest()


def walk(
    client: httpx.Client,
    start: str,
    *,
    follow: Callable[[str], bool],
    charset: str = "utf-8",
    limit: int = 3000,
) -> Walk:
    """Breadth first from `start` over every link that `follow` likes, each URL once, redirects included."""
    met = Walk()
    seen = {start}
    queue = [start]
    while queue and len(seen) < limit:
        url = queue.pop(0)
        answer = client.get(url)
        met.statuses[answer.status_code] += 1
        links = []
        if answer.has_redirect_location:
            links = [answer.headers["location"]]
        elif answer.content.startswith(b"d") and "html" not in answer.headers.get("content-type", ""):
            met.files.add(infohash(answer.content))
        else:
            met.pages[url] = answer.content.decode(charset, "replace")
            links = [unescape(link) for link in _LINK.findall(met.pages[url])]
        base = _BASE.search(met.pages.get(url, ""))
        for link in links:
            target = urljoin(urljoin(url, base[1]) if base else url, link).partition("#")[0]
            if target not in seen and target.startswith("http") and follow(target):
                seen.add(target)
                queue.append(target)
    return met
