"""What a search index reads of torrents: many at once, in few statements."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, select

from harvester.model.query import FoundRow, Searchable
from harvester.store.engine import Database
from harvester.store.file_lists import unpack_files
from harvester.store.rows import TORRENT, torrent_of
from harvester.store.tables import sighting, site, source_page, torrent, torrent_site
from harvester.store.values import from_json

# Titles of one torrent that are worth reading: pages repeat each other.
MAX_TITLES = 16

_SIZE = itemgetter(1)
_TORRENT = (
    "id",
    "sequence",
    "infohash_v1",
    "infohash_v2",
    "name",
    "size",
    "n_files",
    "has_file",
    "private",
    "created",
    "first_seen",
    "category",
    "metadata_json",
    "files_zst",
)

_BLOCKS_STATE = "SELECT count(*), coalesce(max(since), 0.0) FROM block"


class Searchables:
    """Torrents as the index wants them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        dialect = database.dialect
        self._torrents = dialect.look_up(torrent, _TORRENT, "id")
        self._sightings = dialect.look_up(
            sighting, ("torrent_id", "page_hash", "site_id", "wall", "anchor"), "torrent_id"
        )
        self._shown = dialect.look_up(torrent, tuple(column.name for column in TORRENT), "id")
        self._titles = dialect.look_up(source_page, ("hash", "title"), "hash")
        self._on_sites = dialect.look_up(torrent_site, ("torrent_id", "site_id"), "torrent_id")
        self._site_names: dict[int, str] = {}

    def searchable(self, ids: Sequence[int]) -> list[Searchable]:
        """See `harvester.ports.index.SearchStore`."""
        with self._database.read() as connection:
            rows = {row[0]: row for row in self._torrents(connection, ids)}
            seen = self._sightings(connection, ids)
            titles: dict[int, str] = dict(self._titles(connection, list({row[1] for row in seen})))
            names = self._names(connection, {row[2] for row in seen})
        by_torrent: dict[int, list[tuple[Any, ...]]] = {}
        for row in seen:
            by_torrent.setdefault(row[0], []).append(row)
        return [_searchable(rows[key], by_torrent.get(key, ()), titles, names) for key in ids if key in rows]

    def rows(self, ids: Sequence[int]) -> tuple[tuple[int, float], list[FoundRow]]:
        """See `harvester.ports.index.SearchStore`."""
        with self._database.read() as connection:
            state = self._state(connection)
            found = {row[0]: torrent_of(row) for row in self._shown(connection, ids)}
            on_sites = sorted(self._on_sites(connection, ids))
            names = self._names(connection, {row[1] for row in on_sites})
        sites: dict[int, tuple[str, ...]] = {}
        for key, site_id in on_sites:
            sites[key] = (*sites.get(key, ()), names.get(site_id, ""))
        return state, [FoundRow(found[key], sites.get(key, ())) for key in ids if key in found]

    def blocks_state(self) -> tuple[int, float]:
        """See `harvester.ports.index.SearchStore`."""
        with self._database.read() as connection:
            return self._state(connection)

    def _state(self, connection: Connection) -> tuple[int, float]:
        count, newest = self._database.dialect.query(connection, _BLOCKS_STATE)[0]
        return int(count), float(newest)

    def _names(self, connection: Connection, ids: set[int]) -> dict[int, str]:
        """Site names by id; read again when one is not known yet (they never change)."""
        if not ids <= self._site_names.keys():
            rows = connection.execute(select(site.c.id, site.c.name))
            self._site_names = {row[0]: row[1] for row in rows}
        return self._site_names


def _searchable(
    row: tuple[Any, ...],
    sightings: Sequence[tuple[Any, ...]],
    titles: dict[int, str],
    names: dict[int, str],
) -> Searchable:
    key, sequence, v1, v2, name, size, n_files, has_file, private, created, first_seen, category, *rest = row
    metadata, packed = rest
    told = from_json(metadata, {})
    shown: dict[str, None] = {}
    for _, page, _, _, anchor in sightings:
        if len(shown) >= MAX_TITLES:
            break
        shown[titles.get(page, "")] = None
        # A link's text is a name when it is a file's; else it says "download" and the like.
        if anchor.endswith(".torrent"):
            shown[anchor] = None
    files = unpack_files(bytes(packed), name) if packed else []
    publishers = (told.get("publisher"), told.get("publisher_url"))
    return Searchable(
        id=key,
        sequence=sequence,
        infohash_v1=None if v1 is None else bytes(v1),
        infohash_v2=None if v2 is None else bytes(v2),
        name=name,
        size=size,
        n_files=n_files,
        has_file=bool(has_file),
        private=bool(private),
        created=created,
        first_seen=first_seen,
        category=category,
        comment=str(told.get("comment") or ""),
        publishers=tuple(str(one) for one in publishers if one),
        paths=tuple([file[0] for file in files]),
        main_path=max(files, key=_SIZE)[0] if files else "",
        titles=tuple(title for title in shown if title),
        sites=tuple({names[one[2]]: None for one in sightings if one[2] in names}),
        walls=tuple({one[3]: None for one in sightings}),
    )
