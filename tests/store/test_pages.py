"""Page versions and notes, on SQLite and PostgreSQL."""

from __future__ import annotations

from msgspec.structs import replace

from harvester.model.stored import AnchorFound, Block, Event, PageVersion, QueryCount
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, write

PAGE = PageVersion(
    key_hash=7,
    url="https://forum.example/p",
    reversed_host="example.forum",
    at=NOW,
    digest=b"1",
    title="标题",
    text="正文\x00 text",
    links=(("https://a.example/", "a"), ("https://b.example/", "")),
    language="zh",
    fingerprint=-1,
    heading="一级标题",
)


def test_a_page_is_stored_with_everything_said_about_it(store: Store) -> None:
    write(store, begin(store), pages=[PAGE])
    assert store.page("forum", 7) == PAGE
    assert store.page("other", 7) is None


def test_a_version_is_written_only_when_the_content_changed(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, pages=[PAGE, replace(PAGE, at=NOW + 1)])
    write(store, crawl, pages=[replace(PAGE, at=NOW + 2), replace(PAGE, at=NOW + 3, digest=b"2")])
    write(store, crawl, pages=[replace(PAGE, at=NOW + 4)])
    assert store.page_versions("forum", 7) == [NOW, NOW + 3, NOW + 4]
    current = store.page("forum", 7, at=NOW + 3.5)
    assert current is not None
    assert (current.at, current.digest) == (NOW + 3, b"2")
    assert store.page("forum", 7, at=NOW - 1) is None


def test_the_anchors_that_point_to_a_page_are_read_with_it(store: Store) -> None:
    crawl = begin(store)
    write(
        store, crawl, pages=[PAGE], anchors=[AnchorFound(7, "二"), AnchorFound(7, "二"), AnchorFound(8, "x")]
    )
    write(
        store,
        crawl,
        NOW + 5,
        anchors=[AnchorFound(7, "later"), AnchorFound(7, "二"), AnchorFound(7, "a" * 999)],
    )
    page = store.page("forum", 7)
    assert page is not None
    assert page.anchors == ("二", "a" * 120, "later")
    earlier = store.page("forum", 7, at=NOW)
    assert earlier is not None
    assert earlier.anchors == ("二",)


def test_the_pages_of_a_domain_lie_together(store: Store) -> None:
    pages = [
        replace(PAGE, key_hash=number, reversed_host=host)
        for number, host in enumerate(["org.example", "org.example.www", "org.example-x", "org.exampl"])
    ]
    write(store, begin(store), pages=[*pages, replace(pages[0], at=NOW + 1, digest=b"2")])
    found = store.pages_of_host("org.example")
    assert [(page.reversed_host, page.at) for page in found] == [
        ("org.example", NOW + 1),
        ("org.example.www", NOW),
    ]
    assert len(store.pages_of_host("org.example", limit=1)) == 1


def test_the_texts_that_a_crawl_read_come_in_the_order_of_reading(store: Store) -> None:
    before = begin(store)
    write(store, before, pages=[replace(PAGE, key_hash=1, at=before.started_at - 1)])
    pages = [
        replace(PAGE, key_hash=number, at=before.started_at + number, text=f"{number}")
        for number in (4, 2, 3)
    ]
    write(store, before, pages=pages)
    assert store.texts_read(before, limit=2) == [(2, "标题", "2"), (3, "标题", "3")]
    assert [key for key, _, _ in store.texts_read(before, limit=10)] == [4, 2, 3]


def test_the_audit_log_is_read_newest_first(store: Store) -> None:
    login = Event(NOW, "login", "forum", {"ok": True, "user": "名"}, 3)
    refused = Event(NOW + 1, "refused", "other")
    store.record(login)
    store.record(refused)
    assert store.events() == [refused, login]
    assert store.events(site="forum") == [login]
    assert store.events(kind="refused", limit=1) == [refused]


def test_queries_are_counted(store: Store) -> None:
    for query, opened in (("a", False), ("b", False), ("a", False), ("a", True)):
        store.count_query(query, opened=opened, now=NOW)
    assert store.query_counts() == [QueryCount("a", 2, 1, NOW), QueryCount("b", 1, 0, NOW)]
    assert len(store.query_counts(limit=1)) == 1


def test_blocks_are_lifted_again(store: Store) -> None:
    block = Block("word", "bad", "asked to", NOW)
    store.add_block(block)
    store.add_block(replace(block, reason="better reason", since=NOW + 5))
    assert store.blocks() == [replace(block, reason="better reason")]
    assert store.remove_block("word", "bad")
    assert not store.remove_block("word", "bad")
    assert store.blocks() == []
