"""Every page that shows a download is a sighting, across kills too."""

from __future__ import annotations

from harvester.crawl.downloads import Downloads
from harvester.model.crawl import DownloadsMet
from harvester.model.stored import Source, TakenTorrent

HASH = b"h" * 20


def shown_on(page: int) -> Source:
    return Source(f"http://a.example/{page}", page, "http://a.example/f.torrent", 7)


def test_pages_wait_for_the_file_and_are_sightings_then() -> None:
    downloads = Downloads()
    assert downloads.seen_again(shown_on(1)) == shown_on(1)
    taken = downloads.taken(TakenTorrent(shown_on(0), HASH, raw=b"file"))
    assert [(one.infohash_v1, one.source.page_hash) for one in taken] == [(HASH, 1)]
    again = downloads.seen_again(shown_on(2))
    assert isinstance(again, TakenTorrent)
    assert again.infohash_v1 == HASH


def test_of_a_download_that_never_comes_only_so_many_pages_wait() -> None:
    downloads = Downloads()
    assert sum(downloads.seen_again(shown_on(page)) is not None for page in range(200)) == 50


def test_a_run_that_goes_on_knows_what_the_one_before_knew() -> None:
    downloads = Downloads()
    met = DownloadsMet(taken={7: (HASH, None)}, waiting=(Source("p", 3, "d", 8),), queued=frozenset({9}))
    downloads.recall(met)
    assert [download in downloads for download in (7, 8, 9, 10)] == [True, True, True, False]
    assert isinstance(downloads.seen_again(shown_on(1)), TakenTorrent)
    assert len(downloads.taken(TakenTorrent(Source("p", 0, "d", 8), HASH, raw=b"file"))) == 1
