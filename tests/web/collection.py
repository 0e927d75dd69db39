"""A small collection with everything in it that a page or an answer has to get right, and its application."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from harvester import wiring
from harvester.model.stored import Parked, StoredFile
from harvester.ports.store import Store
from harvester.settings import Settings
from harvester.web.app import build_app
from harvester.web.keys import KeyFile
from tests.store.builders import NOW, begin, key, magnet, source, torrent, v1, write

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
HOSTILE_PATH = "../../etc/<b>passwd</b>/" + HOSTILE.replace("/", "|")
PASSKEY = "0123456789abcdef0123456789abcdef"


def hex_of(name: str) -> str:
    """The infohash of the torrent of that name."""
    return v1(name).hex()


def fill(store: Store) -> None:
    """Harvest it."""
    crawl = begin(store, "forum")
    write(
        store,
        crawl,
        torrents=[
            torrent("Ubuntu 24.04 desktop", source("t1", title="Linux downloads"), size=6_000_000_000),
            torrent(
                "Ubuntu 24.04 server",
                source("t2"),
                size=2_600_000_000,
                trackers=("udp://tracker.example:6969/announce",),
            ),
            torrent("红楼梦 全集", source("t3", title="經典電視劇")),
            torrent(
                HOSTILE,
                source("t4", title=HOSTILE, anchor=HOSTILE),
                files=(StoredFile(HOSTILE_PATH, 5), StoredFile("javascript:alert(3)", 6)),
                metadata={"comment": HOSTILE, "publisher_url": "javascript:alert(4)"},
                trackers=("javascript:alert(5)",),
            ),
            torrent("Secret holiday", source("t5"), private=True),
            torrent(
                "Open but keyed", source("t6"), trackers=(f"https://tracker.example/{PASSKEY}/announce",)
            ),
            magnet("Only a magnet", source("t7")),
        ],
        parked=[Parked(key("w1"), "https://forum.example/w1?token=abc", "login", NOW, opens="an account")],
        figures={"requests": 70, "pages": 50},
    )
    store.finish_crawl(crawl, state="finished", reason="done", now=NOW + 60)


@dataclass(frozen=True)
class Served:
    """A running application with its parts; keys by scope."""

    client: TestClient
    store: Store
    settings: Settings
    keys: dict[str, str]

    def get(self, path: str, scope: str = "", **parameters: Any) -> Any:
        """GET with the key of a scope ("" for none)."""
        return self.client.get(path, params=parameters or None, headers=self.header(scope))

    def header(self, scope: str) -> dict[str, str]:
        """The header that carries the key of a scope."""
        return {"X-Api-Key": self.keys[scope]} if scope else {}

    def reindex(self) -> None:
        """Bring the index up to date, as the follower of a server does by itself."""
        wiring.caught_up_index(self.settings, self.store)


@contextmanager
def served(folder: Path, *, raising: bool = True, **settings: Any) -> Iterator[Served]:
    """The collection in `folder`, served under these settings."""
    made = Settings(data=folder, **{"web_host": "0.0.0.0", **settings})
    keys = {scope: KeyFile(folder).add(scope, scope, now=NOW)[1] for scope in ("read", "operate", "admin")}
    with wiring.opened_store(made, create=True) as store:
        fill(store)
        wiring.caught_up_index(made, store)
        with TestClient(build_app(made, store), raise_server_exceptions=raising) as client:
            yield Served(client, store, made, keys)
