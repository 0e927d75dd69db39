"""Short ways to say what a batch holds."""

from __future__ import annotations

from hashlib import sha1, sha256
from typing import Any

import xxhash
from msgspec.structs import replace

from harvester.model.crawl import Batch, BatchResult, Crawl, CrawlKind, FoundUrl, Visited
from harvester.model.stored import Source, StoredFile, TakenTorrent
from harvester.ports.store import Store

NOW = 1_800_000_000.0


def key(text: str) -> int:
    """The hash of a key as the crawl makes it: signed 64 bits."""
    value = xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"))
    return value - 2**64 if value >= 2**63 else value


def v1(name: str) -> bytes:
    return sha1(name.encode(), usedforsecurity=False).digest()


def v2(name: str) -> bytes:
    return sha256(name.encode()).digest()


def source(page: str = "page", download: str | None = None, **values: Any) -> Source:
    link = f"{page}/file" if download is None else download
    return Source(
        page_url=f"https://forum.example/{page}",
        page_hash=key(page),
        download_url=f"https://forum.example/{link}",
        download_hash=key(link),
        **values,
    )


def torrent(name: str, where: Source | None = None, /, **values: Any) -> TakenTorrent:
    """A v1 torrent with a file whose bytes are made of its name."""
    made = TakenTorrent(
        source=where or source(f"thread-{name}"),
        infohash_v1=v1(name),
        raw=f"d8:announce4:file4:infod4:name{len(name)}:{name}ee".encode(),
        name=name,
        size=3000,
        files=(StoredFile(f"{name}/a.txt", 1000), StoredFile(f"{name}/b.bin", 2000)),
    )
    return replace(made, **values)


def magnet(name: str, where: Source | None = None, /, **values: Any) -> TakenTorrent:
    """The same torrent, known by its infohash only."""
    made = TakenTorrent(source=where or source(f"magnet-{name}"), infohash_v1=v1(name), name=name)
    return replace(made, **values)


def found(path: str, host: str = "forum.example", **values: Any) -> FoundUrl:
    return FoundUrl(url=f"https://{host}/{path}", host=host, key_hash=key(f"{host}/{path}"), **values)


def visited(path: str, host: str = "forum.example", **values: Any) -> Visited:
    given = {"at": NOW, "state": "done", "outcome": "page"} | values
    return Visited(key_hash=key(f"{host}/{path}"), url=f"https://{host}/{path}", **given)


def begin(store: Store, site: str = "forum", kind: CrawlKind = "full", now: float = NOW) -> Crawl:
    """The open crawl of a site that is there."""
    store.add_site(site, start=f"https://{site}.example/", now=now)
    return store.open_crawl(site, kind, now=now)


def write(store: Store, crawl: Crawl, now: float = NOW, **parts: Any) -> BatchResult:
    return store.write(Batch(crawl=crawl, now=now, **parts))


def next_crawl(store: Store, crawl: Crawl, now: float = NOW) -> Crawl:
    """The snapshot after a finished one."""
    store.finish_crawl(crawl, state="finished", reason="done", now=now)
    return store.open_crawl(crawl.site, crawl.kind, now=now)
