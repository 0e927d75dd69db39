"""Near-duplicates and canonical links: one page is kept, everything behind the copies is taken."""

from __future__ import annotations

from pathlib import Path

from harvester.crawl.options import CrawlOptions
from harvester.demo.catalogue import torrents_of
from harvester.links import canonical_key, key_hash
from harvester.model.stored import PageVersion
from harvester.patterns.sitefile import site_from_url
from tests.crawl.harvesting import crawl, harvested, store_in
from tests.crawl.loopback import HTML, page, raw_site
from tests.servers.raw import Handler, replies

SEEDS = [entry.seed for entry in torrents_of("book")[:3]]
TORRENT = "Content-Type: application/x-bittorrent"
STORY = " ".join(
    f"the {word} of the same old story is told once more" for word in ("first", "second", "last")
)


def told(number: int, link: str, *, title: str = "The same old story", head: str = "") -> Handler:
    """One of several pages with one text, a counter apart."""
    body = f"<p>{STORY}</p><p>Views: {number}</p><a href='{link}'>the file</a>"
    html = f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    return replies(200, html.encode(), HTML)


def stored(folder: Path, url: str) -> PageVersion | None:
    with store_in(folder) as store:
        return store.page(site_from_url(url).site, key_hash(canonical_key(url)))


def test_the_first_of_several_copies_is_kept_and_the_links_of_all_are_followed(tmp_path: Path) -> None:
    table = {"/": page("/oak", "/elm", "/ash", title="All")}
    for number, (tree, seed) in enumerate(zip(("oak", "elm", "ash"), SEEDS, strict=True)):
        table[f"/{tree}"] = told(number, f"/{tree}.torrent")
        table[f"/{tree}.torrent"] = replies(200, seed.data, TORRENT)
    with raw_site(table) as (origin, _, _seen):
        report = crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_seconds=30))
    assert report.figures.left["near_duplicate"] == 2
    with store_in(tmp_path) as store:
        assert harvested(store).files == {seed.infohash for seed in SEEDS}
        outcomes = [left.reason for left in store.left(store.crawls()[0])]
        assert "near_duplicate" in outcomes
    kept = [stored(tmp_path, f"{origin}/{tree}") for tree in ("oak", "elm", "ash")]
    assert sum(page is not None for page in kept) == 1


def test_a_run_that_goes_on_knows_the_pages_that_were_read_before(tmp_path: Path) -> None:
    table = {"/": page("/oak", "/elm", title="All")}
    table |= {f"/{tree}": told(number, "/") for number, tree in enumerate(("oak", "elm"))}
    with raw_site(table) as (origin, _, _seen):
        first = crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_seconds=30, max_requests=3))
        rest = crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_seconds=30))
    assert rest.resumed
    assert (first.figures.pages, rest.figures.pages) == (2, 1)
    assert first.figures.left["near_duplicate"] == 0
    assert rest.figures.left["near_duplicate"] == 1
    kept = [stored(tmp_path, f"{origin}/{tree}") for tree in ("oak", "elm")]
    assert sum(page is not None for page in kept) == 1


def test_pages_with_titles_of_their_own_are_no_copies(tmp_path: Path) -> None:
    table = {"/": page("/oak", "/elm", title="All")}
    table |= {f"/{tree}": told(1, "/", title=f"Episode {tree}") for tree in ("oak", "elm")}
    with raw_site(table) as (origin, _, _seen):
        report = crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_seconds=30))
    assert report.figures.left["near_duplicate"] == 0
    assert stored(tmp_path, f"{origin}/oak") is not None
    assert stored(tmp_path, f"{origin}/elm") is not None


def test_a_page_is_stored_with_its_heading_and_the_texts_of_links_to_it(tmp_path: Path) -> None:
    front = b"<title>Front</title><a href='/oak'>the oak</a> <a href='/oak?'>again</a><h1>All trees</h1>"
    table = {"/": replies(200, front, HTML), "/oak": page("/", text="oak", title="Oak")}
    with raw_site(table) as (origin, _, _seen):
        crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_seconds=30))
    oak, all_trees = stored(tmp_path, f"{origin}/oak"), stored(tmp_path, f"{origin}/")
    assert oak is not None
    assert "the oak" in oak.anchors
    assert all_trees is not None
    assert all_trees.heading == "All trees"


def test_the_page_that_a_canonical_link_names_is_not_asked_for_again(tmp_path: Path) -> None:
    head = "<link rel='canonical' href='/oak?id=5'>"
    table = {
        "/": page("/oak?id=5&sort=up", title="All"),
        "/oak": told(1, "/oak?id=5", head=head, title="Oak"),
    }
    with raw_site(table) as (origin, _, seen):
        report = crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_seconds=30))
    assert [target for target in seen.targets if target.startswith("/oak")] == ["/oak?id=5&sort=up"]
    assert report.figures.left["already_read"] == 1


def test_a_canonical_link_to_another_page_is_not_believed(tmp_path: Path) -> None:
    head = "<link rel='canonical' href='/oak'>"
    table = {
        "/": page("/oak?id=5", title="All"),
        "/oak": told(1, "/oak", head=head, title="Oak"),
    }
    with raw_site(table) as (origin, _, seen):
        crawl(tmp_path, f"{origin}/", options=CrawlOptions(max_seconds=30))
    assert "/oak" in seen.targets
