"""Runs, resuming and figures, on SQLite and PostgreSQL."""

from __future__ import annotations

import pytest
from sqlalchemy import create_engine, text

from harvester.errors import NotFound
from harvester.model.crawl import Left, LeftUrl
from harvester.model.stored import Event, PageVersion
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, found, key, magnet, next_crawl, torrent, visited, write
from tests.store.conftest import Place


def test_an_unfinished_crawl_goes_on_with_its_figures(place: Place) -> None:
    store = place.open()
    crawl = begin(store)
    write(store, crawl, found=[found("a"), found("b")], figures={"requests": 2, "walls.login": 1})
    write(store, crawl, torrents=[torrent("a"), magnet("b")], figures={"requests": 3})
    store.close()
    again = place.open()
    resumed = again.open_crawl("forum", "full", now=NOW + 9)
    assert (resumed.id, resumed.seed, resumed.resumed) == (crawl.id, crawl.seed, True)
    assert resumed.figures == {
        "requests": 5,
        "walls.login": 1,
        "torrents_new": 1,
        "magnets": 1,
        "queue": 2,
    }
    assert (resumed.started_at, resumed.updated_at) == (NOW, NOW + 9)
    assert write(again, resumed, found=[found("a"), found("c")]).queued == 1
    again.close()


def test_a_stopped_crawl_goes_on(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a")])
    stopped = store.finish_crawl(crawl, state="stopped", reason="Ctrl-C", now=NOW + 1)
    assert (stopped.state, stopped.reason, stopped.ended_at) == ("stopped", "Ctrl-C", NOW + 1)
    resumed = store.open_crawl("forum", "full", now=NOW + 2)
    assert (resumed.id, resumed.state, resumed.ended_at, resumed.reason) == (crawl.id, "running", None, "")
    assert len(store.claim(resumed, now=NOW + 2, limit=9, owner="a", lease_seconds=9)) == 1


@pytest.mark.parametrize("state", ["finished", "failed"])
def test_after_an_ended_crawl_a_new_one_begins(store: Store, state: str) -> None:
    crawl = begin(store)
    write(store, crawl, found=[found("a")], figures={"requests": 1})
    store.finish_crawl(crawl, state=state, reason="", now=NOW + 1)  # type: ignore[arg-type]  # parametrised
    again = store.open_crawl("forum", "full", now=NOW + 2)
    assert again.id != crawl.id
    assert again.seed != crawl.seed
    assert (again.figures, again.resumed) == ({}, False)
    assert store.next_due(again) is None
    assert store.crawl(crawl.id).figures == {"requests": 1}


def test_each_kind_and_site_has_a_crawl_of_its_own(store: Store) -> None:
    full, refresh = begin(store), begin(store, kind="refresh")
    other = begin(store, "other")
    assert len({full.id, refresh.id, other.id}) == 3
    assert [crawl.id for crawl in store.crawls()] == [other.id, refresh.id, full.id]
    assert [crawl.kind for crawl in store.crawls("forum", limit=1)] == ["refresh"]


def test_the_seen_set_is_emptied_when_nobody_needs_it(place: Place) -> None:
    store = place.open()

    def stored() -> int:
        engine = create_engine(place.url)
        with engine.connect() as connection:
            n: int = connection.execute(text("SELECT count(*) FROM seen")).scalar_one()
        engine.dispose()
        return n

    one, other = begin(store, "one"), begin(store, "other")
    write(store, one, found=[found("a")])
    write(store, other, found=[found("b")])
    store.finish_crawl(one, state="finished", reason="", now=NOW)
    assert stored() == 2
    store.finish_crawl(other, state="finished", reason="", now=NOW)
    assert stored() == 0
    store.close()


def test_an_ended_crawl_takes_no_batches(store: Store) -> None:
    crawl = begin(store)
    store.finish_crawl(crawl, state="finished", reason="", now=NOW)
    with pytest.raises(NotFound, match="is not running any more"):
        write(store, crawl, torrents=[torrent("a")])
    assert store.count_torrents() == (0, 0)


def test_a_batch_that_fails_leaves_nothing(store: Store) -> None:
    crawl = begin(store)
    with pytest.raises(AttributeError):
        write(
            store,
            crawl,
            found=[found("a")],
            torrents=[torrent("a")],
            visited=[visited("a")],
            figures={"requests": 1},
            events=[None],
        )
    assert store.count_torrents() == (0, 0)
    assert store.crawl(crawl.id).figures == {}
    assert store.next_due(crawl) is None
    assert store.known_url("forum", key("forum.example/a")) is None
    assert write(store, crawl, found=[found("a")]).queued == 1


def test_a_crawl_of_no_site_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="no site nowhere"):
        store.open_crawl("nowhere", "full", now=NOW)
    with pytest.raises(NotFound, match="no crawl"):
        store.crawl(10**6)


def test_what_was_left_is_counted_by_reason_with_an_example(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, left=[LeftUrl("trap", "u1"), LeftUrl("robots", "u2"), LeftUrl("trap", "u3")])
    write(store, crawl, now=NOW + 1, left=[LeftUrl("trap", "u4")])
    assert store.left(crawl) == [Left("trap", 3, "u4", NOW + 1), Left("robots", 1, "u2", NOW)]
    assert store.crawl(crawl.id).figures["left.trap"] == 3


def test_a_pause_is_seen_by_the_running_crawl(store: Store) -> None:
    crawl = begin(store)
    assert write(store, crawl).site_state == "active"
    store.set_site_state("forum", "paused", reason="asked to", now=NOW + 1)
    assert write(store, crawl).site_state == "paused"


def test_sites_are_kept_by_name(store: Store) -> None:
    store.add_site("b", start="https://b.example/", now=NOW)
    added = store.add_site("a", start="https://a.example/", now=NOW)
    assert store.add_site("a", start="https://other.example/", now=NOW + 1) == added
    assert [site.name for site in store.sites()] == ["a", "b"]
    paused = store.set_site_state("a", "paused", reason="too loud", now=NOW + 2)
    assert (paused.state, paused.reason, paused.changed_at) == ("paused", "too loud", NOW + 2)
    store.set_site_state("b", "removed", now=NOW + 3)
    assert [site.name for site in store.sites()] == ["a"]
    again = store.add_site("b", start="https://new.example/", now=NOW + 4)
    assert (again.state, again.start) == ("active", "https://new.example/")
    with pytest.raises(NotFound, match="no site c"):
        store.set_site_state("c", "paused", now=NOW)


def test_figures_of_a_new_snapshot_begin_at_nought(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, torrents=[torrent("a")])
    again = next_crawl(store, crawl)
    write(store, again, torrents=[torrent("a"), torrent("b")])
    assert store.crawl(again.id).figures == {"torrents_known": 1, "torrents_new": 1}
    assert store.crawl(crawl.id).figures == {"torrents_new": 1}


def test_everything_of_a_batch_is_committed_together(store: Store) -> None:
    crawl = begin(store)
    page = PageVersion(key("p"), "https://forum.example/p", "example.forum", NOW, b"1", "Title", "Text")
    event = Event(NOW, "refused", "forum", {"why": "a trap"}, crawl.id)
    write(store, crawl, pages=[page], events=[event], torrents=[torrent("a")], found=[found("a")])
    assert store.page("forum", key("p")) is not None
    assert store.events() == [event]
    assert store.count_torrents() == (1, 1)
