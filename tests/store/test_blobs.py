"""The blob stores: a folder and an fsspec file system keep one contract."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fsspec
import pytest

from harvester.errors import StoreDamaged, StoreUnreachable
from harvester.store.blobs import Blobs, LocalBlobs, address_in, address_of, name_of
from harvester.store.opening import open_blobs
from harvester.store.remote_blobs import RemoteBlobs
from tests.store.builders import begin, torrent, write
from tests.store.conftest import Place

DATA = b"d4:infod4:name1:aee"


@pytest.fixture(params=["folder", "memory"])
def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Blobs]:
    if request.param == "folder":
        yield open_blobs(str(tmp_path / "torrents"))
        return
    yield open_blobs("memory://bucket/torrents")
    memory = fsspec.filesystem("memory")
    if memory.exists("/bucket"):
        memory.rm("/bucket", recursive=True)


def test_what_was_put_is_got(blobs: Blobs) -> None:
    address = address_of(DATA)
    assert not blobs.has(address)
    blobs.put(address, DATA)
    blobs.put(address, DATA)
    assert blobs.has(address)
    assert blobs.get(address) == DATA
    assert list(blobs.walk()) == [name_of(address)]


def test_what_was_removed_is_gone(blobs: Blobs) -> None:
    address = address_of(DATA)
    blobs.put(address, DATA)
    blobs.remove(name_of(address))
    blobs.remove(name_of(address))
    assert not blobs.has(address)
    with pytest.raises(StoreDamaged, match="is missing from"):
        blobs.get(address)


def test_bytes_that_are_not_those_of_the_address_are_refused(blobs: Blobs) -> None:
    blobs.put("ab" * 32, DATA)
    with pytest.raises(StoreDamaged, match="is not what it was"):
        blobs.get("ab" * 32)


def test_a_folder_is_made_again_when_it_was_removed(tmp_path: Path) -> None:
    blobs = LocalBlobs(tmp_path / "torrents")
    address = address_of(DATA)
    blobs.put(address, DATA)
    blobs.remove(name_of(address))
    (tmp_path / "torrents" / address[:2]).rmdir()
    blobs.put(address, DATA)
    assert blobs.get(address) == DATA


def test_many_that_write_the_same_file_at_once_all_succeed(tmp_path: Path) -> None:
    blobs = LocalBlobs(tmp_path)
    address = address_of(DATA)
    with ThreadPoolExecutor(8) as pool:
        for started in [pool.submit(blobs.put, address, DATA) for _ in range(8)]:
            started.result()
    assert list(blobs.walk()) == [name_of(address)]


@pytest.mark.parametrize("name", ["", "ab/cd.torrent", "ab/" + "cd" * 32 + ".torrent", "notes.txt", "x.part"])
def test_other_files_are_not_taken_for_blobs(name: str) -> None:
    assert address_in(name) is None


def test_a_name_gives_its_address_back() -> None:
    assert address_in(name_of("ab" * 32)) == "ab" * 32


class Broken:
    """A file system whose library raises classes of its own."""

    def __getattr__(self, name: str) -> object:
        def fail(*values: object) -> None:
            raise RuntimeError("the bucket is on fire")

        return fail


def test_a_store_whose_library_fails_is_unreachable() -> None:
    blobs = RemoteBlobs(Broken(), "bucket", "s3://key:secret@bucket")
    attempts = (
        lambda: blobs.put("ab" * 32, DATA),
        lambda: blobs.get("ab" * 32),
        lambda: blobs.has("ab" * 32),
        lambda: blobs.remove("x"),
        lambda: list(blobs.walk()),
    )
    for attempt in attempts:
        with pytest.raises(StoreUnreachable, match="s3://bucket does not answer: the bucket is on fire"):
            attempt()


def test_a_crawl_may_keep_its_files_in_a_remote_store(sqlite_place: Place) -> None:
    store = Place(sqlite_place.url, "memory://crawl/torrents").open()
    taken = torrent("a")
    (key,) = write(store, begin(store), torrents=[taken]).torrent_ids
    (variant,) = store.variants(key)
    assert store.raw(variant) == taken.raw
    assert store.check(now=0, deep=True) == []
    store.close()
    fsspec.filesystem("memory").rm("/crawl", recursive=True)
