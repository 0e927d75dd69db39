"""The hostile site's pages: well-formed HTTP, misleading content."""

from __future__ import annotations

import calendar as almanac
import hashlib
from collections.abc import Mapping
from html import escape

from harvester.demo.server import Response

LAST_PAGE = 4
NEAR_PAGES = 120
WIDE_LINKS = 400

WIRE = (
    "bomb.html", "brotli.html", "slow.html", "slow.torrent", "endless.html", "huge.torrent", "headers.html",
    "silent.html", "chunks.html", "garbage.html", "nothing.html", "reset.html", "short.torrent",
    "badgzip.html",
)  # fmt: skip
"""Answers that break the protocol, under /wire/."""
FILES = ("fake", "cut", "empty", "prefix", "negative", "deep", "bomb", "trailing", "text", "page")
"""What calls itself a torrent, under /files/; the last three are some."""


def html(title: str, body: str, status: int = 200) -> Response:
    """A page in UTF-8."""
    head = f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head>"
    text = f"{head}<body><h1>{escape(title)}</h1>{body}</body></html>"
    return Response(text.encode(), status)


def _links(targets: Mapping[str, str]) -> str:
    return (
        "<ul>"
        + "".join(f'<li><a href="{escape(url)}">{escape(text)}</a></li>' for url, text in targets.items())
        + "</ul>"
    )


def _token(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:12]


def front(neighbour: str) -> Response:
    """The start page: traps first, real things between and after them."""
    targets = {
        "/maze/": "Archive",
        "/grow?n=1": "More results",
        "/calendar/2026/11": "Calendar",
        "/repeat/a/b/": "Folders",
        "/board?f=1": "Board",
        "/paged?page=1": "Newest",
        "/near?id=1": "Printable",
        "/missing/start": "Old news",
        "/loop/a": "Loop",
        "/loop/self": "Again",
        "/loop/chain/0": "Chain",
        "/loop/refresh": "Refresh",
        "/loop/empty": "Empty",
        "/loop/bad": "Bad",
        "/loop/act": "Elsewhere",
        "/loop/moved": "Moved",
        "/cookie/": "Cookie",
    }
    for name in ("port", "name", "decimal", "hex", "zero", "mapped", "file", "gopher", "data"):
        targets[f"/out/{name}"] = f"Out by {name}"
    targets |= {
        f"{neighbour}/secret.torrent": "A neighbour",
        "file:///etc/hostname": "A file",
        "javascript:void(0)": "A script",
        "http://": "Nothing",
        "http://[::1": "Half an address",
    }
    targets |= {f"/wire/{name}": name for name in WIRE}
    targets |= {f"/files/{name}.torrent": f"{name}.torrent" for name in FILES}
    targets |= {f"/flaky/{name}.torrent": f"flaky {name}" for name in ("busy", "limit", "reset", "cut")}
    targets |= {f"/encodings/{name}": f"In {name}" for name in ENCODINGS}
    targets |= {
        "/act/logout?token=2f6c": "Log out",
        "/act/delete?id=1&_wpnonce=5ad1e0": "Delete",
        "/act/vote?id=1&my_post_key=77aa": "Vote",
        "/act/buy?id=1": "Buy",
        "/act/thank?id=1": "Thank",
        "/act/checkin": "Check in",
        "/forbidden/secret.torrent": "Forbidden",
        "/list?p=1": "All books",
    }
    return html("Books of all kinds", _links(targets))


def listing(params: Mapping[str, str]) -> Response:
    """Two honest pages of honest links."""
    if params.get("p") == "2":
        return html("All books, page 2", _links({"/good/3": "Book 3", "/good/4": "Book 4"}))
    books = {f"/good/{number}": f"Book {number}" for number in range(3)}
    return html("All books", _links({**books, "/list?p=2": "next"}))


def maze(path: str) -> Response:
    """Every page leads to new ones, one level deeper and wider; the first has a torrent."""
    deeper = {f"{path.rstrip('/')}/{_token(path, turn)}/": f"Door {turn}" for turn in range(5)}
    if path.rstrip("/") == "/maze":
        deeper["/files/maze.torrent"] = "The book at the gate"
    return html("Archive", _links(deeper))


def grow(query: str) -> Response:
    """A number that only grows, and a query that gets longer on every page."""
    numbers = [
        int(part[2:])
        for part in query.split("&")
        if part[:2] == "n=" and part[2:].isdigit() and len(part) < 12
    ]
    number = numbers[0] if numbers else 1
    targets = {f"/grow?n={number + 1}": "more", f"/grow?{query}&x={len(query)}": "longer"}
    if number == 1:
        targets["/files/grow.torrent"] = "The first result"
    return html(f"Results from {number}", _links(targets))


def calendar(rest: str) -> Response:
    """Months without beginning or end, each day a page that says nothing."""
    parts = [int(part) for part in rest.split("/") if part.isdigit() and len(part) < 5]
    year, month = ([*parts, 2026, 11][:2]) if len(parts) >= 2 else (2026, 11)
    year, month = min(max(year, 1), 9998), min(max(month, 1), 12)
    if len(parts) == 3:
        return html(f"{year}-{month}-{parts[2]}", "<p>Nothing happens on this day.</p>")
    later = f"{year + month // 12}/{month % 12 + 1}"
    sooner = f"{year - (month == 1)}/{(month - 2) % 12 + 1}"
    days = {
        f"/calendar/{year}/{month}/{day}": str(day)
        for day in range(1, almanac.monthrange(year, month)[1] + 1)
    }
    targets = {f"/calendar/{sooner}": "earlier", f"/calendar/{later}": "later", **days}
    if (year, month) == (2026, 11):
        targets["/files/calendar.torrent"] = "Book of the month"
    return html(f"{year}-{month:02}", _links(targets))


def repeated(rest: str) -> Response:
    """A relative link that repeats its own folder: /a/b/a/b/a/b/…"""
    targets = {"a/b/": "Folder", "../b/": "Beside"}
    if rest == "/a/b/":
        targets["/files/repeat.torrent"] = "The book in the folder"
    return html("Folders", _links(targets))


def sessions(params: Mapping[str, str], moment: int) -> Response:
    """A board whose every view hands out a new session id, cookies or not."""
    sid = hashlib.md5(str(moment).encode(), usedforsecurity=False).hexdigest()
    targets = {f"/topic?t={topic}&sid={sid}": f"Topic {topic}" for topic in (1, 2, 3)}
    targets |= {f"/board?f=1&sid={sid}": "Board", f"/board?sid={sid}&f=1&order=1": "Sorted"}
    return html(f"Board {params.get('f', '')}", _links(targets))


def paged(params: Mapping[str, str]) -> Response:
    """A list whose last page repeats itself for ever, and always has a next."""
    text = params.get("page", "1")
    number = int(text) if text.isdigit() and len(text) < 8 else 1
    shown = min(number, LAST_PAGE)
    items = {f"/good/{shown % 3}?from={shown}": f"Item {shown}"}
    if shown == LAST_PAGE:
        items["/files/paged.torrent"] = "The last book"
    return html("Newest", _links({**items, f"/paged?page={number + 1}": "next"}))


_TEXT = " ".join(
    f"Paragraph {number} of the same old story, which every copy tells in the same words."
    for number in range(60)
)


def near(params: Mapping[str, str]) -> Response:
    """Many pages with one text, a counter apart."""
    text = params.get("id", "1")
    number = int(text) if text.isdigit() and len(text) < 6 else 1
    targets = {f"/near?id={(number + step) % NEAR_PAGES + 1}": f"Copy {step}" for step in (1, 7, 31)}
    if number == 1:
        targets["/files/near.torrent"] = "The book that all copies are of"
    return html("The same old story", f"<p>{_TEXT}</p><p>Views: {number}</p>{_links(targets)}")


def soft_missing(path: str) -> Response:
    """Not found, with 200, and with links that lead to more of it."""
    targets = {f"/missing/{_token(path, turn)}": "Perhaps here" for turn in range(3)}
    return html(
        "Page not found", f"<p>Sorry, the page you are looking for was not found.</p>{_links(targets)}"
    )


def encodings(rest: str) -> Response:
    """Pages whose bytes are not what they are declared to be."""
    name = rest.removeprefix("/")
    if name not in ENCODINGS:
        return soft_missing(rest)
    return ENCODINGS[name]


_CHINESE = '<title>电影下载</title><p>公有领域影片</p><a href="/files/encoding.torrent">种子下载</a>'
ENCODINGS = {
    "gbk-as-utf8": Response(_CHINESE.encode("gbk") + b"\x80\xff"),
    "unknown": Response(
        b'<meta charset="x-klingon">' + _CHINESE.encode(), content_type="text/html; charset=x-klingon"
    ),
    "nul": Response(b"\0<html>\0<a hr\0ef='/good/1'>\0 \xc0\xaf \xed\xa0\x80</html>\0"),
    "utf16": Response(b"\xff\xfe" + _CHINESE.encode("utf-16-le"), content_type="text/html"),
    "wide": Response(
        (
            "<a href='/good/2'>x</a>" + "".join(f"<a href='/missing/w{n}'>w</a>" for n in range(WIDE_LINKS))
        ).encode()
    ),
    "nested": Response(b"<div>" * 30_000 + b"<a href='/good/0'>x</a>"),
    "binary": Response(bytes(range(256)) * 64),
}
