"""The migrations make exactly the tables, and a database of another version is refused."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, create_engine, inspect, text

import harvester.store.migrations
from harvester.errors import NotFound, StoreDamaged
from harvester.store import open_store
from harvester.store.migrations import HEAD, known_revisions, revision_of, upgrade
from harvester.store.tables import metadata
from harvester.store.values import Packer
from tests.store.conftest import Place


def differences(engine: Engine) -> list[object]:
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": False}
        found: list[object] = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
    engine.dispose()
    return found


def migrated(url: str) -> Engine:
    """An empty database brought to the head by the migrations, one after the other."""
    engine = create_engine(url)
    with engine.begin() as connection:
        upgrade(connection)
    return engine


def test_migrations_make_the_tables_of_the_metadata_on_sqlite(tmp_path: Path) -> None:
    assert differences(migrated(f"sqlite:///{tmp_path / 'new.db'}")) == []


def test_migrations_make_the_tables_of_the_metadata_on_postgresql(empty_postgres: str) -> None:
    engine = migrated(empty_postgres)
    assert inspect(engine).has_sequence("frontier_place")
    assert differences(engine) == []


def test_a_new_database_is_the_same_as_a_migrated_one_on_sqlite(sqlite_place: Place, tmp_path: Path) -> None:
    sqlite_place.open().close()
    schemas, versions = [], []
    for engine in (create_engine(sqlite_place.url), migrated(f"sqlite:///{tmp_path / 'migrated.db'}")):
        with engine.connect() as connection:
            rows = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
            # A table that was made anew has its name in quotes.
            plain = ((name, "".join(sql.replace('"', "").split())) for name, sql in rows)
            schemas.append({name: "".join(sorted(sql)) for name, sql in plain})
            versions.append(
                connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
            )
        engine.dispose()
    assert schemas[0] == schemas[1]
    assert versions == [[HEAD], [HEAD]]


def test_a_new_database_is_the_same_as_a_migrated_one_on_postgresql(
    empty_postgres: str, tmp_path: Path
) -> None:
    open_store(empty_postgres, str(tmp_path)).close()
    engine = create_engine(empty_postgres)
    assert inspect(engine).has_sequence("frontier_place")
    with engine.connect() as connection:
        assert revision_of(connection) == HEAD
    assert differences(engine) == []


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_torrents_of_the_first_schema_are_read_after_the_migration(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = (
        f"sqlite:///{tmp_path / 'old.db'}" if kind == "sqlite" else request.getfixturevalue("empty_postgres")
    )
    engine = create_engine(url)
    files = Packer().pack([("old/a.txt", 1), ("old/b.txt", 2)])
    with engine.begin() as connection:
        upgrade(connection, "0001")
        connection.execute(
            text(
                "INSERT INTO torrent (id, infohash_v1, sequence, has_file, private, first_seen, last_seen,"
                " n_files, name, category, metadata_json, files_zst)"
                " VALUES (7, :v1, 7, true, false, 1.0, 2.0, 2, 'old', '', '', :files)"
            ),
            {"v1": b"1" * 20, "files": files},
        )
        for number, trackers in ((8, '["udp://a.example:1"]'), (9, '["udp://a.example:1"]'), (10, "")):
            connection.execute(
                text(
                    "INSERT INTO variant (id, torrent_id, md5, sha256, size, first_seen, trackers_json,"
                    " flags_json) VALUES (:id, 7, :md5, :sha, 5, 1.0, :trackers, '')"
                ),
                {"id": number, "md5": b"m" * 16, "sha": bytes([number]) * 32, "trackers": trackers},
            )
    engine.dispose()
    store = open_store(url, str(tmp_path / "torrents"))
    found = store.find_torrent("31" * 20)
    assert found is not None
    assert [tuple(file) for file in store.files(found.id)] == [("old/a.txt", 1), ("old/b.txt", 2)]
    listed = [one.trackers for one in store.variants(7)]
    assert listed == [("udp://a.example:1",), ("udp://a.example:1",), ()]
    store.close()


def test_the_head_is_that_of_the_scripts() -> None:
    scripts = ScriptDirectory(str(Path(harvester.store.migrations.__file__).parent))
    assert scripts.get_current_head() == HEAD
    assert [script.revision for script in scripts.walk_revisions()][::-1] == known_revisions()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_that_open_a_new_database_at_once_both_succeed(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    url = (
        f"sqlite:///{tmp_path / 'new.db'}" if kind == "sqlite" else request.getfixturevalue("empty_postgres")
    )
    errors: list[BaseException] = []

    def run() -> None:
        try:
            open_store(url, str(tmp_path / "torrents")).close()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_a_database_of_a_newer_version_is_refused(sqlite_place: Place) -> None:
    sqlite_place.open().close()
    engine = create_engine(sqlite_place.url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(StoreDamaged, match=r"newer version of Harvest: revision 9999 \(upgrade Harvest"):
        sqlite_place.open()


def test_a_database_of_somebody_else_is_refused(sqlite_place: Place) -> None:
    engine = create_engine(sqlite_place.url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE bookmarks (id INTEGER)"))
    engine.dispose()
    with pytest.raises(StoreDamaged, match="bookmarks"):
        sqlite_place.open()


def test_nothing_is_created_where_nothing_should_be(sqlite_place: Place, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="harvest a site first"):
        sqlite_place.open(create=False)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_postgresql_database_is_no_store(empty_postgres: str, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="is empty"):
        open_store(empty_postgres, str(tmp_path), create=False)
