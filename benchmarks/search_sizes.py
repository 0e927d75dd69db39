"""Bytes a torrent: by table and index of the store, and by file of the search index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks._harness import table
from benchmarks.search_corpus import Corpus
from benchmarks.search_filling import Filler
from harvester.store.engine import Database, parsed_url
from harvester.store.opening import open_store

SIZED = 100_000
"""Torrents that a PostgreSQL store is measured with: its rows are as large in a larger one."""

Sizes = dict[str, float]

_SQLITE = "SELECT name, sum(pgsize) FROM dbstat GROUP BY name"
_POSTGRES = (
    "SELECT relname, pg_relation_size(oid) FROM pg_class"
    " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')"
)


def of_store(database: Database, torrents: int) -> Sizes:
    """Bytes a torrent of each table and index, the largest first; what is next to nothing left out."""
    statement = _SQLITE if database.dialect.name == "sqlite" else _POSTGRES
    with database.read() as connection:
        rows = database.dialect.query(connection, statement)
    sizes = {str(name): size / torrents for name, size in rows if size / torrents >= 0.5}
    return dict(sorted(sizes.items(), key=lambda one: -one[1]))


def of_index(folder: Path, torrents: int) -> Sizes:
    """Bytes a torrent of each kind of Tantivy's files."""
    sizes: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix in {".idx", ".term", ".pos", ".fast", ".fieldnorm", ".store"}:
            sizes[path.suffix] += path.stat().st_size
    return {suffix: size / torrents for suffix, size in sizes.most_common()}


def postgres_store(url: str, blobs: Path, corpus: Corpus) -> tuple[Sizes, float]:
    """A store on PostgreSQL with `SIZED` torrents: by table, and all of it a torrent."""
    store = open_store(url, str(blobs))
    database = Database(parsed_url(url))
    filler = Filler(database)
    filler.add_sites()
    filler.add(corpus, 1, SIZED + 1)
    sizes = of_store(database, SIZED)
    database.close()
    store.close()
    return sizes, sum(sizes.values())


def spoken(*columns: tuple[str, Sizes]) -> str:
    """The sizes as a table."""
    lines = [["bytes a torrent", "", "bytes"]]
    for title, sizes in columns:
        lines += [[title, name, f"{size:.1f}"] for name, size in sizes.items()]
        lines.append([title, "all", f"{sum(sizes.values()):.1f}"])
    return table(lines)
