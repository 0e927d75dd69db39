"""Putting the store together and opening it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, text

from harvester.errors import NotFound, StoreDamaged
from harvester.ports.store import Store
from harvester.store.blobs import Blobs, LocalBlobs
from harvester.store.crawls import Crawls
from harvester.store.doctor import Doctor
from harvester.store.engine import BUSY_SECONDS, Database, parsed_url
from harvester.store.frontier import Frontier
from harvester.store.history import History
from harvester.store.migrations import HEAD, refuse_newer, revision_of, upgrade
from harvester.store.migrations import create as create_schema
from harvester.store.notes import Notes
from harvester.store.pages import Pages
from harvester.store.searchable import Searchables
from harvester.store.shown import Shown
from harvester.store.sites import Sites
from harvester.store.torrents import Torrents
from harvester.store.writing import BatchWriter

# Any number: what counts is that every Harvest takes the same advisory lock to migrate.
_MIGRATION_LOCK = 0x48415256


class SqlStore:
    """The whole store on one database and one blob store: each method is that of the part that does it."""

    def __init__(self, database: Database, blobs: Blobs) -> None:  # noqa: PLR0915 - one line a method of the port
        self._database = database
        notes = Notes(database)
        frontier = Frontier(database)
        writer = BatchWriter(database, blobs, frontier, notes)
        self.write = writer.write

        self.claim = frontier.claim
        self.claim_turns = frontier.claim_turns
        self.release = frontier.release
        self.next_due = frontier.next_due
        self.reprioritise = frontier.reprioritise
        self.queued = frontier.queued
        self.unseen = frontier.unseen
        self.host = frontier.host
        self.hosts = frontier.hosts
        self.robots = frontier.robots

        crawls = Crawls(database)
        self.open_crawl = crawls.open_crawl
        self.finish_crawl = crawls.finish_crawl
        self.crawl = crawls.crawl
        self.crawls = crawls.crawls

        self.downloads_met = Shown(database).downloads_met

        sites = Sites(database)
        self.add_site = sites.add_site
        self.site = sites.site
        self.sites = sites.sites
        self.set_site_state = sites.set_site_state

        history = History(database)
        self.left = history.left
        self.known_url = history.known_url
        self.due_urls = history.due_urls
        self.urls = history.urls
        self.parked = history.parked
        self.walls = history.walls
        self.links_found = history.links_found
        self.prune_visits = history.prune_visits

        torrents = Torrents(database, blobs)
        self.find_torrent = torrents.find_torrent
        self.torrents = torrents.torrents
        self.files = torrents.files
        self.files_of = torrents.files_of
        self.variants = torrents.variants
        self.sightings = torrents.sightings
        self.raw = torrents.raw
        self.search_names = torrents.search_names
        self.count_torrents = torrents.count_torrents
        self.exported = torrents.exported
        self.iter_torrents = torrents.iter_torrents
        self.iter_files = torrents.iter_files
        self.iter_sightings = torrents.iter_sightings
        self.changes_since = torrents.changes_since
        self.last_sequence = torrents.last_sequence

        searchables = Searchables(database)
        self.searchable = searchables.searchable
        self.rows = searchables.rows
        self.blocks_state = searchables.blocks_state

        pages = Pages(database)
        self.page = pages.page
        self.page_versions = pages.page_versions
        self.pages_of_host = pages.pages_of_host
        self.texts_read = pages.texts_read

        self.record = notes.record
        self.events = notes.events
        self.count_query = notes.count_query
        self.query_counts = notes.query_counts
        self.add_block = notes.add_block
        self.remove_block = notes.remove_block
        self.blocks = notes.blocks

        doctor = Doctor(database, blobs, frontier)
        self.check = doctor.check
        self.mend = doctor.mend
        self.size = doctor.size

    def close(self) -> None:
        """See `harvester.ports.store.Store`."""
        self._database.close()


def open_store(
    url: str,
    blobs_url: str,
    *,
    create: bool = True,
    migrate: bool = True,
    busy_seconds: float = BUSY_SECONDS,
) -> Store:
    """Open the database at `url` and the blob store at `blobs_url`, migrated to this version's schema.

    `url` is an SQLAlchemy URL (`sqlite:////data/harvest.db`, `postgresql+psycopg://…`), `blobs_url` a
    folder or any fsspec URL (`s3://…`). `create` false: `NotFound` when there is no database yet.
    `migrate` false leaves an older schema as it is, for `check` to report; an operation may then fail.
    Raises the errors of `harvester.ports.store`: `StoreDamaged` for a database that a newer version wrote
    or that is not Harvest's; `SettingsError` for a URL that nobody can serve.
    """
    blobs = open_blobs(blobs_url)
    database = Database(parsed_url(url), create=create, busy_seconds=busy_seconds)
    try:
        _prepare(database, create=create, migrate=migrate)
    except BaseException:
        database.close()
        raise
    return SqlStore(database, blobs)


def _prepare(database: Database, *, create: bool, migrate: bool) -> None:
    with database.read() as connection:
        revision = _checked(connection, database.where)
    if revision == HEAD or (revision is not None and not migrate):
        return
    if revision is None and not create:
        raise NotFound(f"{database.where} is empty", hint="harvest a site first")
    with database.write() as connection:
        if database.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
        # Another process may have been first while this one waited.
        revision = _checked(connection, database.where)
        if revision is None:
            create_schema(connection)
        elif revision != HEAD:
            upgrade(connection)


def _checked(connection: Connection, where: str) -> str | None:
    revision = revision_of(connection)
    if revision != HEAD:
        try:
            refuse_newer(revision)
        except StoreDamaged as error:
            raise StoreDamaged(f"{where}: {error.what}", why=error.why, hint=error.hint) from error
    return revision


def open_blobs(url: str) -> Blobs:
    """The blob store at a folder or fsspec URL; `SettingsError` for a URL nobody can serve."""
    if "://" not in url or url.startswith("file://"):
        return LocalBlobs(Path(url.removeprefix("file://")))
    from harvester.store.remote_blobs import open_remote_blobs  # fsspec is heavy, and most stores are local

    return open_remote_blobs(url)
