"""A small forum in memory, crawled by an order over a frontier in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from harvester.crawl.learning import Guide
from harvester.links import canonical_key, key_hash
from harvester.model.order import EVERYTHING, Came, PageLink, PageSeen, Place
from harvester.model.site import Rule, SiteFile
from harvester.ordering.memory import MemoryFrontier

ORIGIN = "http://forum.example"
BOARDS = {1: "Talk", 2: "Shared", 3: "Pictures", 4: "More talk"}
THREADS = 40
"""Threads of a board, 20 a page; every thread of board 2 has a torrent, no other has one."""

Hit = tuple[str, str, tuple[int, int] | None]
"""URL, anchor, row."""


@dataclass
class Page:
    """What a URL shows: links, the icons of its rows, and whether it is a torrent."""

    came: Came
    links: list[Hit] = field(default_factory=list)
    marks: dict[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)


def forum(url: str) -> Page:
    """The forum's answer."""
    path = url.removeprefix(ORIGIN)
    noise: list[Hit] = [(f"{ORIGIN}/help", "Help", None), (f"{ORIGIN}/members?page=1", "Members", None)]
    if path == "/":
        boards: list[Hit] = [(f"{ORIGIN}/board/{n}", name, (0, n)) for n, name in BOARDS.items()]
        return Page(Came.PAGE, noise + boards)
    kind, _, rest = path[1:].partition("/")
    if kind == "board":
        number, _, page = rest.partition("?page=")
        return Page(Came.PAGE, noise + board_links(int(number), int(page or 1)))
    if kind == "thread":
        number = int(rest)
        people: list[Hit] = [(f"{ORIGIN}/member/{number * 7 + n}", f"user{n}", (1, n)) for n in range(6)]
        file: list[Hit] = [(f"{ORIGIN}/file/{number}", "holiday.torrent", None)]
        return Page(Came.PAGE, noise + people + (file if number // 1000 == 2 else []))
    return Page(Came.TORRENT) if kind == "file" else Page(Came.PAGE, noise)


def board_links(board: int, page: int) -> list[Hit]:
    """The rows and page numbers of a board."""
    links: list[Hit] = []
    for row in range(20):
        number = board * 1000 + (page - 1) * 20 + row
        links.append((f"{ORIGIN}/thread/{number}", f"A title of thread {number}", (2, row)))
        links.append((f"{ORIGIN}/member/{number * 7}", "user0", (2, row)))
    links += [(f"{ORIGIN}/board/{board}?page={n}", str(n), None) for n in (1, 2)]
    return links


@dataclass
class Rehearsal:
    """What a crawl did: the URLs asked for, in order, and the place of each torrent among them."""

    asked: list[str]
    torrents: list[int]
    guide: Guide

    @property
    def rules(self) -> list[Rule]:
        """What was learned."""
        return self.guide.rules()


def crawl(
    order: str,
    answer: Callable[[str], Page] = forum,
    most: int = 600,
    settings: dict[str, float] | None = None,
) -> Rehearsal:
    """Crawl to the end or to `most` requests."""
    site = SiteFile(site="forum", start=(f"{ORIGIN}/",), hosts=("forum.example",))
    guide = Guide(site, order, seed=1, settings=settings)
    frontier = MemoryFrontier(lifo=guide.order.lifo)
    met: set[int] = set()
    run = Rehearsal([], [], guide)
    queue: list[tuple[str, int, Place]] = [(f"{ORIGIN}/", 0, Place(-1.0))]
    while queue and len(run.asked) < most:
        url, depth, place = queue.pop(0)
        run.asked.append(url)
        page = answer(url)
        if page.came is Came.TORRENT:
            run.torrents.append(len(run.asked))
        links = tuple(link_of(hit, depth + 1, met) for hit in page.links)
        seen = PageSeen(
            url=url,
            host="forum.example",
            key_hash=key_hash(canonical_key(url)),
            came=page.came,
            depth=depth,
            note=place.note,
            priority=place.priority,
            torrents=int(page.came is Came.TORRENT),
            links=links,
            row_count=len({hit[2] for hit in page.links if hit[2]}),
            page_key=url.encode(),
            marks=page.marks,
        )
        places = guide.seen(seen)
        for link, given in zip([link for link in links if link.fresh], places, strict=True):
            frontier.add(link, given)
        if guide.review_is_due:
            frontier.reprioritise(guide.review(frontier.queued()))
        if not queue:
            queue = claim(guide, frontier)
    return run


def claim(guide: Guide, frontier: MemoryFrontier) -> list[tuple[str, int, Place]]:
    """What the order wants next."""
    for turn in [*guide.turns(), EVERYTHING]:
        wanted = turn._replace(limit=min(turn.limit, guide.order.window))
        taken = frontier.take(wanted, wanted.limit)
        if turn is not EVERYTHING:
            guide.claimed(wanted, len(taken))
        if taken:
            return [(item.link.url, item.link.depth, item.place) for item in taken]
    return []


def link_of(hit: Hit, depth: int, met: set[int]) -> PageLink:
    """A link as the crawl would report it."""
    url, anchor, row = hit
    key = key_hash(canonical_key(url))
    fresh = key not in met
    met.add(key)
    download = anchor.endswith(".torrent")
    return PageLink(
        url, "forum.example", key, depth=depth, anchor=anchor, row=row, fresh=fresh, download=download
    )
