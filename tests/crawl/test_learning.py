"""The guide: what a crawl learns while it runs."""

from __future__ import annotations

from harvester.crawl.learning import HOPELESS_VISITS, MOST_RETURNS, Guide
from harvester.model.order import Came, PageLink, PageSeen
from harvester.model.site import SiteFile
from tests.ordering.rehearsal import Page, crawl

ORIGIN = "http://site.example"


def guide() -> Guide:
    return Guide(SiteFile(site="s", start=(f"{ORIGIN}/",), hosts=("site.example",)), seed=1)


def seen(url: str, came: Came = Came.PAGE, content: str = "", *, final: str = "") -> PageSeen:
    key = (content or url).encode()
    return PageSeen(f"{ORIGIN}{url}", "site.example", hash(url), came, final_url=final, page_key=key)


def test_a_site_without_torrents_is_hopeless_after_some_visits() -> None:
    def answer(url: str) -> Page:
        number = int(url.rpartition("/")[2] or 0)
        links = [f"http://forum.example/page/{number * 3 + n}" for n in (1, 2, 3)]
        return Page(Came.PAGE, [(link, "x", None) for link in links])

    run = crawl("bandit", answer, most=3 * HOPELESS_VISITS)
    assert "no torrent in" in run.guide.hopeless


def test_one_torrent_gives_hope() -> None:
    learned = guide()
    learned.seen(PageSeen(f"{ORIGIN}/a.torrent", "site.example", 1, Came.TORRENT, torrents=1))
    for n in range(2 * HOPELESS_VISITS):
        learned.seen(seen(f"/page/{n}"))
    assert not learned.hopeless


def test_pages_that_differ_in_an_irrelevant_parameter_are_read_once() -> None:
    learned = guide()
    for n in range(6):
        learned.seen(seen(f"/view?id={n}", content=f"page {n}"))
        learned.seen(seen(f"/view?from=list&id={n}", content=f"page {n}"))
    assert learned.relearn_keys()
    assert learned.ignored == {"from"}
    assert learned.was_read(f"{ORIGIN}/view?from=search&id=3")
    assert not learned.was_read(f"{ORIGIN}/view?from=search&id=77")


def test_the_start_is_looked_at_again_when_a_kind_is_given_up_and_not_without_end() -> None:
    learned = guide()
    returns = 0
    for kind in range(3 * MOST_RETURNS):
        word = chr(97 + kind)
        for n in range(10):
            learned.seen(seen(f"/{word}{word}.php?{word}={n}", Came.TORRENT))
        for n in range(10, 25):
            learned.seen(seen(f"/{word}{word}.php?{word}={n}", Came.GONE))
        returns += learned.again() == (f"{ORIGIN}/",)
    assert 1 <= returns <= MOST_RETURNS


def test_links_of_a_kind_that_gave_torrents_become_downloads() -> None:
    learned = guide()
    for n in range(4):
        learned.seen(seen(f"/x/{n}", Came.TORRENT))
    link = PageLink(f"{ORIGIN}/x/9", "site.example", 9, depth=1, anchor="a name")
    page = PageSeen(f"{ORIGIN}/list", "site.example", 5, Came.PAGE, links=(link,))
    assert learned.seen(page)[0].role == "download"
