"""What a crawl tells its learner and its order about pages and links, and what they answer.

Pure values: nothing here knows of HTTP, of a store or of a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

DOWNLOADS_FIRST = -1e9
"""Priority of a known download in orders that fetch them before anything else."""


class Came(StrEnum):
    """What a visit brought."""

    PAGE = "page"
    TORRENT = "torrent"
    WALL = "wall"
    """A page that says that something is needed first (login, reply, points, a captcha)."""
    GONE = "gone"
    """404, 410, or a page that says so with 200."""
    REDIRECT = "redirect"
    """A redirect that led away from the site, or to a page that was read already."""
    OTHER = "other"
    """Neither a page nor a torrent: an image, a broken file."""
    FAILED = "failed"
    """No answer, or an error of the server: says nothing about the URL."""


class PageLink(Struct, frozen=True):
    """One link of a page that may be followed.

    `key_hash` is its identity, `role` and `rule` what the rules in force say ("" nothing). `row` is its
    place in a list of repeated siblings (group, index). `fresh`: no page of this run linked to it before.
    `is_next`: the page itself calls it the next one. `download`: it looks like, or a rule says it is, a
    download.
    """

    url: str
    host: str
    key_hash: int
    role: str = ""
    rule: str = ""
    depth: int = 0
    anchor: str = ""
    tag_path: str = ""
    row: tuple[int, int] | None = None
    fresh: bool = True
    is_next: bool = False
    download: bool = False


class PageSeen(Struct, frozen=True):
    """One visit as learner and order see it.

    `url` is what was asked for, `final_url` what answered, `redirects` the URLs that it was redirected to, or
    that it was asked for under instead since the site has moved. `role` and `rule` are what was expected,
    `note` the number that the order gave the URL when it was found, `priority` its place in the frontier.
    `torrents`
    counts torrents that this visit itself brought and that were not known to this run (a file, or magnets
    on a page), `repeated` those it brought that were. `links` are all that may be followed, fresh or not.
    `row_count` is the length of the longest list of repeated rows with links. `fingerprint` is the signed
    64-bit simhash of the main text, None without one; `page_key` identifies the very content. `marks` are the
    icons of rows (see `PageLinks.marks`) by their places in lists.
    """

    url: str
    host: str
    key_hash: int
    came: Came
    final_url: str = ""
    redirects: tuple[str, ...] = ()
    depth: int = 0
    role: str = ""
    rule: str = ""
    note: int = 0
    priority: float = 0.0
    torrents: int = 0
    repeated: int = 0
    links: tuple[PageLink, ...] = ()
    row_count: int = 0
    password_form: bool = False
    fingerprint: int | None = None
    page_key: bytes = b""
    title: str = ""
    marks: Mapping[tuple[int, int], tuple[int, ...]] | None = None

    def fresh_links(self) -> tuple[PageLink, ...]:
        """The links that no page of this run had before."""
        return tuple([link for link in self.links if link.fresh])


class Place(NamedTuple):
    """Where a fresh link goes in the frontier.

    Smaller `priority` is fetched first. `note` comes back with the URL when it is visited
    (`FoundUrl.tunnel`); at most 32,767. `role` and `rule` are what the learner believes it to be ("" for
    nothing).
    `drop`: not worth a request.
    """

    priority: float
    note: int = 0
    role: str = ""
    rule: str = ""
    drop: bool = False


class Turn(NamedTuple):
    """What to claim next: up to `limit` URLs with `low` <= priority < `high`, of `hosts` (() any)."""

    limit: int
    low: float = float("-inf")
    high: float = float("inf")
    hosts: tuple[str, ...] = ()


EVERYTHING = Turn(1 << 30)
"""Whatever has the smallest priority."""
