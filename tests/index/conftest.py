"""A store with an index beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harvester.index.following import Follower
from harvester.index.reading import IndexReader
from harvester.model.crawl import Crawl
from harvester.model.query import FindOptions, Found
from harvester.model.stored import StoredFile, TakenTorrent
from harvester.ports.store import Store
from harvester.search.find import find
from harvester.search.query import parse_query
from harvester.store import open_store
from tests.store.builders import NOW, begin, source, torrent, write


@dataclass
class Collection:
    """What tests ask things of. `now` goes on by a second with every torrent."""

    store: Store
    root: Path
    crawl: Crawl
    now: float = NOW

    def __post_init__(self) -> None:
        self.follower = Follower(self.root, self.store)
        self.index = IndexReader(self.root)

    def add(self, name: str, *paths: str, title: str = "", site: str = "forum", **values: Any) -> int:
        """Store a torrent, without indexing it; its id."""
        crawl = self.crawl if site == "forum" else begin(self.store, site)
        where = values.pop("where", None) or source(f"thread-{name}-{site}", title=title)
        if paths:
            values["files"] = tuple(StoredFile(path, 1000 + at) for at, path in enumerate(paths))
        self.now += 1
        taken: TakenTorrent = torrent(name, where, **values)
        return write(self.store, crawl, now=self.now, torrents=[taken]).torrent_ids[0]

    def find(self, text: str, **options: Any) -> Found:
        """Search as it stands."""
        query = parse_query(text, now=self.now)
        return find(query, FindOptions(**options), index=self.index, store=self.store)

    def names(self, text: str, **options: Any) -> list[str]:
        """Catch up and search: the names found, in order."""
        self.follower.catch_up()
        return [row.torrent.name for row in self.find(text, **options).rows]

    def fill(self, names: Sequence[str]) -> None:
        """Store many."""
        for name in names:
            self.add(name)


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    store = open_store(f"sqlite:///{tmp_path / 'harvest.db'}", str(tmp_path / "torrents"))
    yield Collection(store, tmp_path / "index", begin(store))
    store.close()
