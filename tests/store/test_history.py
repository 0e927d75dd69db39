"""Visits, parked URLs, recorded links, hosts and robots, on SQLite and PostgreSQL."""

from __future__ import annotations

from harvester.model.crawl import HostState, KnownUrl, RobotsText
from harvester.model.stored import LinkFound, Parked
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, key, visited, write

HASH = key("forum.example/a")


def known(store: Store) -> KnownUrl:
    url = store.known_url("forum", HASH)
    assert url is not None
    return url


def test_a_first_visit_is_known_with_everything_said_about_it(store: Store) -> None:
    crawl = begin(store)
    visit = visited(
        "a",
        role="list",
        rule="board",
        depth=2,
        status=200,
        size=5000,
        seconds=0.5,
        etag='"x"',
        last_modified="Mon",
        digest=b"1234567890123456",
        fingerprint=-5,
        next_due=NOW + 100,
    )
    write(store, crawl, visited=[visit])
    assert known(store) == KnownUrl(
        key_hash=HASH,
        url="https://forum.example/a",
        role="list",
        rule="board",
        depth=2,
        state="done",
        first_visit=NOW,
        last_visit=NOW,
        visits=1,
        changes=0,
        last_change=NOW,
        etag='"x"',
        last_modified="Mon",
        digest=b"1234567890123456",
        fingerprint=-5,
        next_due=NOW + 100,
    )


def test_changes_are_counted_by_digest(store: Store) -> None:
    crawl = begin(store)
    for turn, digest in enumerate([b"one", b"one", b"two", b"", b"two", b"one"]):
        write(store, crawl, visited=[visited("a", at=NOW + turn, digest=digest, fingerprint=turn)])
    url = known(store)
    assert (url.visits, url.changes, url.last_change, url.last_visit) == (6, 2, NOW + 5, NOW + 5)
    assert (url.digest, url.fingerprint) == (b"one", 5)


def test_an_answer_without_content_keeps_what_is_known_of_it(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, visited=[visited("a", digest=b"1", fingerprint=7, etag="e", next_due=NOW + 50)])
    write(store, crawl, visited=[visited("a", at=NOW + 1, outcome="not_modified")])
    url = known(store)
    assert (url.digest, url.fingerprint, url.etag, url.next_due) == (b"1", 7, "e", NOW + 50)
    write(store, crawl, visited=[visited("a", at=NOW + 2, etag="", state="gone")])
    assert (known(store).etag, known(store).state) == ("", "gone")


def test_two_visits_of_one_url_in_one_batch_both_count(store: Store) -> None:
    crawl = begin(store)
    first = visited("a", digest=b"1", etag="e")
    write(store, crawl, visited=[first, visited("a", at=NOW + 1, digest=b"2")])
    url = known(store)
    assert (url.visits, url.changes, url.last_visit, url.etag) == (2, 1, NOW + 1, "e")


def test_due_urls_come_longest_overdue_first(store: Store) -> None:
    crawl = begin(store)
    visits = [
        visited("a", role="list", next_due=NOW + 3),
        visited("b", role="list", next_due=NOW + 1),
        visited("c", role="detail", next_due=NOW + 2),
        visited("d", role="list", next_due=NOW + 9),
        visited("e", role="list"),
    ]
    write(store, crawl, visited=visits)

    def due(**values: object) -> list[str]:
        urls = store.due_urls("forum", now=NOW + 5, limit=10, **values)  # type: ignore[arg-type]  # one keyword
        return [url.url[-1] for url in urls]

    assert due() == ["b", "c", "a"]
    assert due(roles=["list"]) == ["b", "a"]
    assert [url.url[-1] for url in store.due_urls("forum", now=NOW + 5, limit=1)] == ["b"]
    assert store.due_urls("other", now=NOW + 5, limit=1) == []


def test_urls_are_listed_in_order_of_first_visit(store: Store) -> None:
    crawl = begin(store)
    for path in "cab":
        write(store, crawl, visited=[visited(path, role="list" if path == "a" else "detail")])
    assert [url.url[-1] for url in store.urls("forum")] == ["c", "a", "b"]
    assert [url.url[-1] for url in store.urls("forum", after=1, limit=1)] == ["a"]
    assert [url.url[-1] for url in store.urls("forum", roles=["detail"])] == ["c", "b"]


def test_pruning_keeps_what_is_known_of_the_urls(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, visited=[visited("a"), visited("a", at=NOW + 10), visited("b", at=NOW + 10)])
    assert store.prune_visits(before=NOW + 10) == 1
    assert known(store).visits == 2
    assert store.prune_visits(before=NOW + 11) == 2


def test_what_is_parked_waits_until_unparked(store: Store) -> None:
    crawl, other = begin(store), begin(store, "other")
    one = Parked(1, "u1", "login", NOW, "an account", "page", "anchor", "download", "attachment", 3)
    two = Parked(2, "u2", "robots", NOW + 1)
    write(store, crawl, parked=[one, two])
    write(store, other, parked=[Parked(1, "u3", "login", NOW + 2)])
    write(store, crawl, parked=[Parked(1, "u1", "reply", NOW + 9, "a reply")])
    assert [parked.url for parked in store.parked()] == ["u1", "u2", "u3"]
    assert store.parked("forum", kind="reply") == [
        Parked(1, "u1", "reply", NOW, "a reply", "page", "anchor", "download", "attachment", 3)
    ]
    assert store.walls() == {"login": 1, "reply": 1, "robots": 1}
    assert store.walls("forum") == {"reply": 1, "robots": 1}
    write(store, crawl, unparked=[1, 5])
    assert store.parked("forum") == [two]


def test_links_that_are_not_fetched_are_recorded_once(store: Store) -> None:
    crawl = begin(store)
    ed2k = LinkFound(1, "ed2k", "ed2k://|file|a|1|HASH|/", "https://forum.example/p", "a")
    ftp = LinkFound(2, "ftp", "ftp://f.example/a", "https://forum.example/p")
    write(store, crawl, links=[ed2k, ftp, ed2k])
    write(store, crawl, links=[ed2k])
    assert store.links_found() == [ed2k, ftp]
    assert store.links_found(site="forum", scheme="ftp") == [ftp]
    assert store.links_found(site="other") == []


def test_hosts_and_robots_are_remembered(store: Store) -> None:
    crawl = begin(store)
    state = HostState("h.example:8080", NOW, 5.5, 3, NOW + 60, NOW, 7, NOW, 70)
    write(
        store,
        crawl,
        hosts=[HostState("h.example:8080"), state],
        robots=[RobotsText("h.example", "User-agent: *\nDisallow: /春\x00", 200, NOW)],
    )
    assert store.host("h.example:8080") == state
    assert store.host("other") is None
    assert store.robots("h.example") == RobotsText("h.example", "User-agent: *\nDisallow: /春\x00", 200, NOW)
    write(store, crawl, robots=[RobotsText("h.example", "", 0, NOW + 1)])
    assert store.robots("h.example") == RobotsText("h.example", "", 0, NOW + 1)
    assert store.robots("other") is None
