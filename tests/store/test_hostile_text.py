"""Text that no database takes is never a crash, wherever it comes in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harvester.errors import NotFound
from harvester.model.crawl import HostState, LeftUrl, RobotsText
from harvester.model.stored import Block, Event, LinkFound, PageVersion, Parked
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, found, source, torrent, visited, write

BAD = "a\x00b\ud800c"
GOOD = "a�b�c"
# JSON escapes NUL: there it may stay.
IN_JSON = "a\x00b�c"

QUESTIONS: list[Callable[[Store], object]] = [
    lambda store: store.search_names([BAD], site=BAD),
    lambda store: store.find_torrent(BAD),
    lambda store: store.crawls(BAD),
    lambda store: store.known_url(BAD, 1),
    lambda store: store.due_urls(BAD, now=NOW, limit=1),
    lambda store: store.urls(BAD),
    lambda store: store.parked(BAD, kind=BAD),
    lambda store: store.walls(BAD),
    lambda store: store.links_found(site=BAD, scheme=BAD),
    lambda store: store.host(BAD),
    lambda store: store.robots(BAD),
    lambda store: store.page(BAD, 1),
    lambda store: store.page_versions(BAD, 1),
    lambda store: store.pages_of_host(BAD),
    lambda store: store.events(site=BAD, kind=BAD),
    lambda store: store.remove_block(BAD, BAD),
    lambda store: store.release(BAD),
]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_a_question_about_it_finds_nothing(store: Store, ask: Callable[[Store], object]) -> None:
    assert not ask(store)


def test_a_site_of_that_name_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound):
        store.site(BAD)
    with pytest.raises(NotFound):
        store.set_site_state(BAD, "paused", now=NOW)


def test_every_part_of_a_batch_takes_it(store: Store) -> None:
    crawl = begin(store, BAD)
    assert crawl.site == GOOD
    parked = Parked(1, BAD, BAD, NOW, BAD, BAD, BAD, BAD, BAD)
    page = PageVersion(1, BAD, BAD, NOW, b"1", BAD, BAD, ((BAD, BAD),), BAD)
    where = source(title=BAD, anchor=BAD, rule=BAD, wall=BAD)
    write(
        store,
        crawl,
        found=[found(BAD, BAD, role=BAD, rule=BAD, hint=BAD)],
        visited=[visited(BAD, outcome=BAD, role=BAD, rule=BAD, etag=BAD, last_modified=BAD)],
        pages=[page],
        torrents=[torrent("t", where, name=BAD, category=BAD, flags=(BAD,), metadata={BAD: BAD})],
        links=[LinkFound(1, BAD, BAD, BAD, BAD)],
        parked=[parked],
        left=[LeftUrl(BAD, BAD)],
        hosts=[HostState(BAD, next_at=1.0)],
        robots=[RobotsText(BAD, "text", 200, NOW)],
        events=[Event(NOW, BAD, BAD, {BAD: BAD})],
        figures={BAD: 1},
    )
    (item,) = store.claim(crawl, now=NOW, limit=1, owner=BAD, lease_seconds=1)
    assert (item.host, item.role, item.rule, item.hint) == (GOOD,) * 4
    write(store, crawl, done=[item.ref])
    (stored,) = store.search_names([BAD], site=BAD)
    assert (stored.name, stored.category, stored.metadata) == (GOOD, GOOD, {IN_JSON: IN_JSON})
    (sighting,) = store.sightings(stored.id)
    assert (sighting.title, sighting.anchor, sighting.rule, sighting.wall) == (GOOD,) * 4
    assert store.parked(BAD) == [Parked(1, GOOD, GOOD, NOW, GOOD, GOOD, GOOD, GOOD, GOOD)]
    assert store.links_found() == [LinkFound(1, GOOD, GOOD, GOOD, GOOD)]
    assert store.host(BAD) == HostState(GOOD, next_at=1.0)
    assert store.robots(BAD) == RobotsText(GOOD, "text", 200, NOW)
    assert store.events() == [Event(NOW, GOOD, GOOD, {IN_JSON: IN_JSON})]
    assert [(left.reason, left.example) for left in store.left(crawl)] == [(GOOD, GOOD)]
    assert store.crawl(crawl.id).figures[GOOD] == 1
    version = store.page(BAD, 1)
    assert version is not None
    assert (version.title, version.language, version.reversed_host) == (GOOD,) * 3


def test_notes_take_it(store: Store) -> None:
    store.count_query(BAD, opened=False, now=NOW)
    store.add_block(Block("word", BAD, BAD, NOW))
    assert [count.query for count in store.query_counts()] == [GOOD]
    assert store.blocks() == [Block("word", GOOD, GOOD, NOW)]
    assert store.remove_block("word", BAD)
