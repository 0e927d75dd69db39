"""What an unfinished crawl knows of its downloads, on SQLite and PostgreSQL."""

from __future__ import annotations

from harvester.model.crawl import DownloadsMet
from harvester.ports.store import Store
from tests.store.builders import NOW, begin, found, key, next_crawl, source, torrent, v1, write


def test_a_crawl_knows_its_downloads_until_it_ends(store: Store) -> None:
    crawl = begin(store)
    write(
        store,
        crawl,
        torrents=[torrent("a", source("p1", "a.torrent"))],
        shown=[source("p1", "b.torrent"), source("p2", "b.torrent"), source("p2", "b.torrent")],
        found=[found("c.torrent", role="download"), found("page")],
    )
    met = store.downloads_met(crawl)
    assert met.taken == {key("a.torrent"): (v1("a"), None)}
    assert sorted(one.page_url for one in met.waiting) == [
        "https://forum.example/p1",
        "https://forum.example/p2",
    ]
    assert met.pages == ("https://forum.example/p1",)
    assert met.queued == {key("forum.example/c.torrent")}
    assert store.downloads_met(next_crawl(store, crawl)) == DownloadsMet()


def test_a_download_that_was_taken_waits_no_more(store: Store) -> None:
    crawl = begin(store)
    write(store, crawl, shown=[source("p2", "a.torrent")])
    write(store, crawl, NOW + 1, torrents=[torrent("a", source("p1", "a.torrent"))])
    assert store.downloads_met(crawl).waiting == ()
