"""The same torrents in PostgreSQL, searched as bitmagnet does it: one tsvector a torrent under a GIN index.

Names have weight A and positions; what else is searched has none. CJK is indexed as bigrams, by the same
function as ours, so both find the same. Queries are as good as they get there: one statement, the matches
found once (a MATERIALIZED CTE), total, facets and the ranked page taken from them; browsing without words
goes to the column indexes, with parallel workers.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psycopg
import psycopg.types.json

from benchmarks.search_corpus import SITES, Torrent
from benchmarks.search_queries import Asked
from harvester.index.document import extensions
from harvester.text.name_language import language_of
from harvester.text.terms import distinct_terms, index_terms, query_parts
from tests.store.postgres import PostgresServer

SETTINGS = {
    "shared_buffers": "2GB",
    "work_mem": "256MB",
    "maintenance_work_mem": "1GB",
    "effective_cache_size": "8GB",
    "random_page_cost": "1.1",
    "jit": "off",
    "max_parallel_workers_per_gather": "2",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "1h",
}

_TABLE = """
CREATE TABLE torrents (
    id bigint PRIMARY KEY, infohash bytea NOT NULL, name text NOT NULL, size bigint NOT NULL,
    added bigint NOT NULL, n_files int NOT NULL, site text NOT NULL, lang text NOT NULL, ext text NOT NULL,
    private boolean NOT NULL, files jsonb NOT NULL, tsv tsvector NOT NULL
)
"""
_INDEXES = (
    "CREATE INDEX ON torrents USING gin (tsv) WITH (fastupdate = off)",
    "CREATE INDEX ON torrents (added)",
    "CREATE INDEX ON torrents (size)",
    "CREATE INDEX ON torrents (site, added)",
    "CREATE INDEX ON torrents (lang)",
    "CREATE INDEX ON torrents (ext)",
    "CREATE INDEX ON torrents (n_files)",
)
_ROW = "id, infohash, name, size, added, n_files, site"
_FACETS = ("site", "lang", "ext")


class PostgresPeer:
    """A PostgreSQL with the corpus in it."""

    def __init__(self, folder: Path) -> None:
        self._server = PostgresServer(folder, SETTINGS)
        self._server.start()
        self.connection = psycopg.connect(self._server.dsn("postgres"), autocommit=True)
        self.connection.execute(_TABLE)

    def new_database(self, name: str) -> str:
        """The URL of a new, empty database on the same server."""
        self.connection.execute(f"CREATE DATABASE {name}")
        return self._server.url(name)

    def dsn(self) -> str:
        """For another connection."""
        return self._server.dsn("postgres")

    def fill(self, torrents: Iterable[Torrent]) -> None:
        """Copy the torrents in and index them."""
        with self.connection.cursor().copy(f"COPY torrents ({_COLUMNS}) FROM STDIN") as copy:
            for one in torrents:
                copy.write_row(row(one))
        for index in _INDEXES:
            self.connection.execute(index)
        self.connection.execute("VACUUM (ANALYZE, FREEZE) torrents")

    def warm(self) -> None:
        """Bring table and indexes into memory."""
        self.connection.execute("SELECT sum(length(name)), sum(length(tsv)) FROM torrents")

    def bytes(self) -> int:
        """Table and indexes."""
        found = self.connection.execute("SELECT pg_total_relation_size('torrents')").fetchone()
        assert found is not None
        return int(found[0])

    def search(self, asked: Asked) -> tuple[int, list[Any]]:
        """Total and page; the facets are read and dropped."""
        statement, values = _statement(asked)
        found = self.connection.execute(statement, values, prepare=True).fetchone()
        assert found is not None
        return int(found[0]), found[1] or []

    def close(self) -> None:
        """End the server."""
        self.connection.close()
        self._server.stop()


_COLUMNS = "id, infohash, name, size, added, n_files, site, lang, ext, private, files, tsv"
INSERT = (
    f"INSERT INTO torrents ({_COLUMNS}) VALUES ({', '.join(['%s'] * 11)}, %s::tsvector) ON CONFLICT (id)"
    " DO UPDATE SET tsv = excluded.tsv, added = excluded.added"
)


def row(one: Torrent) -> tuple[Any, ...]:
    """A torrent's row."""
    words = index_terms(one.name)
    main = max(one.files, key=lambda file: file[1])[0]
    files = psycopg.types.json.Jsonb([[path, size] for path, size in one.files])
    return (
        one.id,
        one.infohash,
        one.name,
        one.size,
        one.added,
        len(one.files),
        SITES[one.site],
        language_of(one.name, words) or "-",
        (extensions((main,)) or ["-"])[0],
        one.id % 50 == 0,
        files,
        _vector(one, words),
    )


def _vector(one: Torrent, words: list[str]) -> str:
    """The tsvector as text: `'word':1A 'other'`."""
    places: dict[str, list[str]] = {}
    for place, word in enumerate(words, 1):
        places.setdefault(word, []).append(f"{place}A")
    others = distinct_terms([*(path for path, _ in one.files), one.title]) - places.keys()
    named = (f"'{word}':{','.join(at)}" for word, at in places.items())
    return " ".join([*named, *(f"'{word}'" for word in others)])


def _statement(asked: Asked) -> tuple[str, list[Any]]:
    conditions, values = _conditions(asked)
    order = {"relevance": "rank DESC, id DESC", "date": "added DESC", "size": "size DESC"}[asked.sort]
    facets = ", ".join(
        f"(SELECT json_agg(x) FROM (SELECT {name}, count(*) FROM m GROUP BY 1 ORDER BY 2 DESC LIMIT 20) x)"
        for name in _FACETS
    )
    if asked.words:
        statement = (
            f"WITH m AS MATERIALIZED (SELECT {_ROW}, lang, ext, ts_rank(tsv, q) AS rank"
            f" FROM torrents, CAST(%s AS tsquery) q WHERE {' AND '.join(conditions)})"
            f" SELECT (SELECT count(*) FROM m),"
            f" (SELECT json_agg(p) FROM (SELECT {_ROW} FROM m ORDER BY {order} LIMIT 20) p), {facets}"
        )
        return statement, [_tsquery(asked), *values]
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    over = facets.replace(" FROM m ", f" FROM torrents {where} ")
    page = f"SELECT {_ROW} FROM torrents {where} ORDER BY {order} LIMIT 20"
    statement = (
        f"SELECT (SELECT count(*) FROM torrents {where}), (SELECT json_agg(p) FROM ({page}) p), {over}"
    )
    return statement, values * (2 + len(_FACETS))


def _conditions(asked: Asked) -> tuple[list[str], list[Any]]:
    conditions = ["tsv @@ q"] if asked.words else []
    values: list[Any] = []
    for column, sign, value in asked.filters:
        conditions.append(f"{column} {sign} %s")
        values.append(value)
    return conditions, values


def _tsquery(asked: Asked) -> str:
    parts = [
        part for word in asked.words for part in query_parts(word.rstrip("*"), prefix=word.endswith("*"))
    ]
    return " & ".join(f"'{part.term}'{':*' if part.prefix else ''}" for part in dict.fromkeys(parts))
