"""What a crash or a hand may leave behind is named, and mended, on SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, text

import harvester.store.opening
from harvester.model.stored import Finding
from harvester.ports.store import Store
from harvester.store.blobs import address_of, name_of
from tests.store.builders import NOW, begin, found, key, source, torrent, v1, visited, write
from tests.store.conftest import Place

LATER = NOW + 10_000


def execute(place: Place, statement: str) -> None:
    engine = create_engine(place.url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def kinds(findings: list[Finding]) -> list[str]:
    return [finding.kind for finding in findings]


def mend_all(store: Store) -> None:
    findings = store.check(now=LATER, deep=True)
    assert findings
    for finding in findings:
        assert store.mend(finding, now=LATER)
    assert store.check(now=LATER, deep=True) == []


def blob_of(place: Place, data: bytes | None) -> Path:
    assert data is not None
    return Path(place.blobs, name_of(address_of(data)))


def test_a_healthy_store_has_no_findings(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")], found=[found("a"), found("b")])
    store.claim(crawl, now=NOW, limit=1, owner="a", lease_seconds=60)
    assert store.check(now=NOW, deep=True) == []


def test_a_crash_between_blob_and_row_is_named_and_mended(place: Place, store: Store) -> None:
    crawl = begin(store)
    with pytest.raises(AttributeError):
        write(store, crawl, torrents=[torrent("a")], events=[None])
    blob = blob_of(place, torrent("a").raw)
    assert blob.exists()
    assert store.check(now=NOW) == []  # a running crawl may be about to write the row
    (finding,) = store.check(now=LATER)
    assert (finding.kind, finding.mendable) == ("orphan_blob", True)
    assert store.mend(finding, now=NOW) == "left alone: a crawl is running"
    mend_all(store)
    assert not blob.exists()
    assert write(store, crawl, torrents=[torrent("a")]).outcomes == ("new",)


def test_a_blob_whose_row_came_after_all_is_left_alone(place: Place, store: Store) -> None:
    crawl = begin(store)
    with pytest.raises(AttributeError):
        write(store, crawl, torrents=[torrent("a")], events=[None])
    (finding,) = store.check(now=LATER)
    write(store, crawl, torrents=[torrent("a")])
    assert store.mend(finding, now=LATER) == "left alone: it has a torrent now"
    assert blob_of(place, torrent("a").raw).exists()


def test_an_unfinished_blob_is_removed(place: Place, store: Store) -> None:
    part = Path(place.blobs, "ab", "abcd.torrent.1-0.part")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"half")
    assert kinds(store.check(now=NOW)) == ["unfinished_blob"]
    mend_all(store)
    assert not part.exists()


def test_a_stranger_in_the_folder_is_left_alone(place: Place, store: Store) -> None:
    Path(place.blobs).mkdir(exist_ok=True)
    Path(place.blobs, "notes.txt").write_text("mine")
    assert store.check(now=NOW, deep=True) == []


@pytest.mark.parametrize("damage", ["missing_blob", "damaged_blob"])
def test_a_lost_file_is_asked_for_again(place: Place, store: Store, damage: str) -> None:
    crawl = begin(store)
    taken = torrent("a", source("page", "file"))
    download = visited("file", host="x")
    write(store, crawl, torrents=[taken, torrent("b")])
    link = key("file")
    write(store, crawl, visited=[replace(download, key_hash=link, etag="e", digest=b"1")])
    blob = blob_of(place, taken.raw)
    if damage == "missing_blob":
        blob.unlink()
    else:
        blob.write_bytes(b"something else")
    before = store.last_sequence()
    assert kinds(store.check(now=LATER, deep=True)) == [damage]
    mend_all(store)
    stored = store.find_torrent(v1("a").hex())
    assert stored is not None
    assert not stored.has_file
    assert [change.torrent_id for change in store.changes_since(before)] == [stored.id]
    (again,) = store.due_urls("forum", now=LATER, limit=10)
    assert (again.key_hash, again.etag, again.digest) == (link, "", b"")
    assert write(store, crawl, torrents=[taken]).outcomes == ("new",)
    assert store.raw(store.variants(stored.id)[0]) == taken.raw


def test_a_torrent_with_another_file_left_keeps_it(place: Place, store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a"), torrent("a", raw=b"other bytes")])
    blob_of(place, b"other bytes").unlink()
    mend_all(store)
    stored = store.find_torrent(v1("a").hex())
    assert stored is not None
    assert stored.has_file
    assert [variant.md5 for variant in store.variants(stored.id)] != []


def test_a_file_that_came_back_is_left_as_it_is(place: Place, store: Store) -> None:
    write(store, begin(store), torrents=[torrent("a")])
    blob = blob_of(place, torrent("a").raw)
    data = blob.read_bytes()
    blob.unlink()
    (finding,) = store.check(now=LATER)
    blob.write_bytes(data)
    assert store.mend(finding, now=LATER) == "it is there again"


def test_a_torrent_without_its_variant_is_mended(place: Place, store: Store) -> None:
    write(store, begin(store), torrents=[torrent("a")])
    execute(place, "DELETE FROM variant")
    assert set(kinds(store.check(now=LATER))) == {"missing_variant", "orphan_blob"}
    mend_all(store)
    assert store.count_torrents() == (1, 0)


def test_a_stale_lease_is_given_back(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")])
    store.claim(crawl, now=NOW, limit=9, owner="dead:1", lease_seconds=60, per_host=9)
    (finding,) = store.check(now=LATER)
    assert (finding.kind, finding.subject) == ("stale_lease", "dead:1")
    assert "2 URLs" in finding.what
    mend_all(store)


def test_counters_that_disagree_are_counted_again(place: Place, store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")], torrents=[torrent("a")])
    execute(place, "UPDATE figure SET n = 7 WHERE name = 'queue'")
    execute(place, "UPDATE counter SET value = 0 WHERE name = 'change'")
    assert kinds(store.check(now=NOW)) == ["counter", "counter"]
    mend_all(store)
    assert store.crawl(crawl.id).figures["queue"] == 2
    assert write(store, crawl, torrents=[torrent("b")]).outcomes == ("new",)


def test_a_broken_index_is_found(sqlite_place: Place) -> None:
    store = sqlite_place.open()
    write(store, begin(store), torrents=[torrent(str(n)) for n in range(50)])
    store.close()
    engine = create_engine(sqlite_place.url)
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA writable_schema = 1")
        connection.exec_driver_sql(
            "UPDATE sqlite_master SET rootpage ="
            " (SELECT rootpage FROM sqlite_master WHERE name = 'ix_variant_torrent_id')"
            " WHERE name = 'ix_crawl_site_id_kind'"
        )
        connection.commit()
    engine.dispose()
    store = sqlite_place.open()
    findings = store.check(now=NOW, deep=True)
    assert "integrity" in kinds(findings)
    damaged = next(finding for finding in findings if finding.kind == "integrity")
    assert not damaged.mendable
    assert store.mend(damaged, now=NOW).startswith("left as it is: restore a backup")
    store.close()


def test_pending_migrations_are_named_and_applied(
    sqlite_place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_place.open().close()
    # What is at hand is the newest version: an older one is played by a database without its newest table.
    for module in (harvester.store.opening, harvester.store.doctor):
        monkeypatch.setattr(module, "HEAD", "0002")
    monkeypatch.setattr("harvester.store.doctor.known_revisions", lambda: ["0001", "0002"])

    def upgrade(connection: object) -> None:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0002'")  # type: ignore[attr-defined]  # a Connection

    monkeypatch.setattr("harvester.store.doctor.upgrade", upgrade)
    store = sqlite_place.open(migrate=False)
    (finding,) = store.check(now=NOW)
    assert (finding.kind, finding.subject) == ("migration", "0001")
    assert "1 migrations are pending" in finding.what
    assert store.mend(finding, now=NOW) == "migrated to revision 0002"
    assert store.mend(finding, now=NOW) == "it was migrated meanwhile"
    assert store.check(now=NOW) == []
    store.close()
