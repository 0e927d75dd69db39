"""A public index in the manner of nyaa: rows with a download each, every listing capped.

Beyond page `CAP` a listing answers 404, so that the whole is reached only by sub-category, user or sort
order. Rows carry title, comments, magnet and download; column heads sort; view pages link users.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar
from urllib.parse import quote, unquote

from benchmarks.simulators import words
from benchmarks.simulators.base import (
    Asked,
    SimResponse,
    SimTorrent,
    Simulator,
    Target,
    not_found,
    page,
    paged,
    redirect,
    torrent_file,
)
from harvester.model.site import Role

ROWS = 40
CAP = 25
"""The last page of a listing that is shown."""
_CATEGORIES = {
    "1_0": "Audio", "1_1": "Lossless", "1_2": "Lossy", "2_0": "Books", "2_1": "English", "2_2": "Raw",
    "3_0": "Pictures", "3_1": "Photos", "3_2": "Graphics", "4_0": "Software", "4_1": "Applications",
    "4_2": "Games",
}  # fmt: skip
_SHARES = {"1_1": 8, "1_2": 48, "2_1": 14, "2_2": 10, "3_1": 6, "3_2": 4, "4_1": 7, "4_2": 3}
_SORTS = {
    "id": "Date",
    "size": "Size",
    "seeders": "Seeders",
    "leechers": "Leechers",
    "downloads": "Downloads",
}


@dataclass(frozen=True, slots=True)
class _Row:
    number: int
    torrent: SimTorrent
    category: str
    user: str
    ranks: dict[str, int]
    comments: tuple[str, ...]


class Nyaa(Simulator):
    """See the module."""

    family: ClassVar[str] = "nyaa"
    cookies: ClassVar[dict[str, str]] = {"session": "guest"}

    def build(self) -> None:
        """Torrents with gaps in their numbers; one in forty is posted a second time."""
        rng = self.random
        users = words.user_names(rng, self.scaled(120, 4))
        weights = [1 / (rank + 1) for rank in range(len(users))]
        self._rows: dict[int, _Row] = {}
        number = 10_000
        for _ in range(self.scaled(2400, 60)):
            number += rng.choice((1, 1, 1, 1, 2, 3))
            torrent = self.add_torrent(words.title(rng))
            if len(self.torrents) > 40 and rng.random() < 0.025:
                torrent = rng.choice(list(self.torrents.values()))
            self._rows[number] = _Row(
                number,
                torrent,
                rng.choices(list(_SHARES), weights=list(_SHARES.values()))[0],
                rng.choices(users, weights=weights)[0] if rng.random() < 0.85 else "",
                {"id": number, **{sort: rng.randrange(1_000_000) for sort in list(_SORTS)[1:]}},
                tuple(rng.choices(users, k=rng.randrange(4))) if rng.random() < 0.3 else (),
            )
        self._users = frozenset(users)
        self._listings: dict[tuple[object, ...], list[_Row]] = {}

    def robots(self) -> str:
        """As shipped."""
        return "User-agent: *\nDisallow: /login\nDisallow: /register\n"

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """The index's URLs."""
        match path.strip("/").split("/"):
            case [""] if query.get("page") == "rss":
                return Target(Role.DATA, "rss", "feed")
            case [""]:
                return self._listing("", query)
            case ["user", name]:
                return self._listing(unquote(name), query) if unquote(name) in self._users else None
            case ["view", number] if number.isdigit() and int(number) in self._rows:
                return Target(Role.DETAIL, f"view:{int(number)}", "view", (int(number),))
            case ["download", name] if name.removesuffix(".torrent").isdigit():
                row = int(name.removesuffix(".torrent"))
                if row in self._rows:
                    return Target(Role.DOWNLOAD, f"download:{row}", "download", (row,))
            case ["login" | "register" as name]:
                return Target(Role.LOGIN, name, "login")
            case ["help" | "rules" | "profile" as name]:
                return Target(Role.IGNORE, name, "text", (name,))
            case ["upload"]:
                return Target(Role.LOGIN, "upload", "to_login")
            case _:
                return None
        return None

    def _listing(self, user: str, query: dict[str, str]) -> Target | None:
        category = query.get("c", "0_0") or "0_0"
        sort, order = query.get("s", "id") or "id", query.get("o", "desc") or "desc"
        number = query.get("p", "1") or "1"
        known = category in ("0_0", *_CATEGORIES) and sort in _SORTS and order in ("asc", "desc")
        if not known or not number.isdigit() or not 1 <= int(number) <= CAP:
            return None
        words_asked = query.get("q", "")
        filtered = query.get("f", "0") or "0"
        args = (user, category, sort, order, words_asked, filtered)
        if int(number) > self._last_page(args):
            return None
        return paged(Role.LIST, ":".join(("list", *args)), "listing", args, int(number))

    def _found(self, args: tuple[str, ...]) -> list[_Row]:
        known = self._listings.get(args)
        if known is None:
            user, category, sort, order, asked, filtered = args
            rows = [
                row
                for row in self._rows.values()
                if (not user or row.user == user)
                and (
                    category == "0_0"
                    or row.category == category
                    or (category.endswith("_0") and row.category[0] == category[0])
                )
                and asked.lower() in row.torrent.name.lower()
                and (filtered != "2" or row.number % 9 == 0)
            ]
            rows.sort(key=lambda row: row.ranks[sort], reverse=order == "desc")
            known = self._listings[args] = rows
        return known

    def _last_page(self, args: tuple[str, ...]) -> int:
        return max(1, min(CAP, -(-len(self._found(args)) // ROWS)))

    # Pages -----------------------------------------------------------------------------------------

    def page_listing(self, asked: Asked, *args: Any) -> SimResponse:
        """A page of rows."""
        user, category, sort, order, words_asked, filtered, number = map(str, args)
        here = (user, category, sort, order, words_asked, filtered)
        rows = self._found(here)[(int(number) - 1) * ROWS : int(number) * ROWS]
        base = f"/user/{quote(user)}" if user else "/"
        kept = {"f": filtered, "c": category, "q": words_asked}
        kept = {name: value for name, value in kept.items() if value not in ("", "0", "0_0")}
        head = "".join(
            f'<th class="hdr-{name}"><a href="{_url(base, {**kept, "s": name, "o": _other(name, sort, order)})}">'
            f"</a>{label}</th>"
            for name, label in _SORTS.items()
        )
        sorted_by = {**kept, "s": sort, "o": order} if (sort, order) != ("id", "desc") else kept
        pager = self._pager(base, sorted_by, int(number), self._last_page(here))
        body = "".join(map(self._row, rows))
        return self._page(
            user if user else "Browse",
            f'<table class="table torrent-list"><thead><tr><th>Category</th><th>Name</th>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table><div class='center'>{pager}</div>",
        )

    def _row(self, row: _Row) -> str:
        name = escape(row.torrent.name)
        comments = (
            f'<a href="/view/{row.number}#comments" class="comments">{len(row.comments)}</a>'
            if row.comments
            else ""
        )
        magnet = f"magnet:?xt=urn:btih:{row.torrent.infohash}&amp;dn={quote(row.torrent.name)}"
        return (
            f'<tr class="default"><td><a href="/?c={row.category}" title="{_CATEGORIES[row.category]}">'
            f'<img src="/static/img/{row.category}.png"></a></td><td colspan="2">{comments}'
            f'<a href="/view/{row.number}" title="{name}">{name}</a></td><td class="text-center">'
            f'<a href="/download/{row.number}.torrent"><i class="fa fa-download"></i></a>'
            f'<a href="{magnet}"><i class="fa fa-magnet"></i></a></td><td>{row.ranks["size"] / 1000:.1f} MiB</td>'
            f"<td>{row.ranks['seeders'] % 90}</td><td>{row.ranks['leechers'] % 50}</td></tr>"
        )

    def _pager(self, base: str, kept: dict[str, str], number: int, last: int) -> str:
        shown = sorted({1, 2, *range(number - 3, number + 4), last - 1, last} & set(range(1, last + 1)))
        links = [f'<li><a href="{_url(base, {**kept, "p": str(n)})}">{n}</a></li>' for n in shown]
        if number < last:
            links.append(
                f'<li class="next"><a rel="next" href="{_url(base, {**kept, "p": str(number + 1)})}">'
                "&raquo;</a></li>"
            )
        return f'<ul class="pagination">{"".join(links)}</ul>'

    def page_view(self, asked: Asked, number: int) -> SimResponse:
        """One torrent with its description and comments."""
        row = self._rows[number]
        user = (
            f'<a class="text-default" href="/user/{quote(row.user)}">{row.user}</a>'
            if row.user
            else "Anonymous"
        )
        comments = "".join(
            f'<div class="panel comment" id="com-{n}"><a href="/user/{quote(name)}">{name}</a>'
            f'<a href="#com-{n}">2024-0{n + 1}-11</a><p>{words.sentence(self._local(row.number, n))}</p></div>'
            for n, name in enumerate(row.comments, 1)
        )
        magnet = f"magnet:?xt=urn:btih:{row.torrent.infohash}&amp;dn={quote(row.torrent.name)}"
        main, sub = f"{row.category[0]}_0", row.category
        return self._page(
            row.torrent.name,
            f'<div class="panel"><h3 class="panel-title">{escape(row.torrent.name)}</h3>'
            f'<div class="row"><div>Category:</div><a href="/?c={main}">{_CATEGORIES[main]}</a> - '
            f'<a href="/?c={sub}">{_CATEGORIES[sub]}</a></div><div class="row"><div>Submitter:</div>{user}</div>'
            f'<div class="panel-footer"><a href="/download/{row.number}.torrent">Download Torrent</a> or '
            f'<a href="{magnet}" class="card-footer-item">Magnet</a></div></div>'
            f'<div id="torrent-description">{words.sentence(self._local(row.number, 0), 20, 60)}</div>{comments}',
        )

    def page_download(self, asked: Asked, number: int) -> SimResponse:
        """The file."""
        return torrent_file(self._rows[number].torrent)

    def page_feed(self, asked: Asked) -> SimResponse:
        """The newest rows as RSS."""
        items = "".join(
            f"<item><title>{escape(row.torrent.name)}</title>"
            f"<link>{self.origin}/download/{row.number}.torrent</link>"
            f'<guid isPermaLink="true">{self.origin}/view/{row.number}</guid></item>'
            for row in self._found(("", "0_0", "id", "desc", "", "0"))[:ROWS]
        )
        text = f'<?xml version="1.0"?><rss version="2.0"><channel><title>feed</title>{items}</channel></rss>'
        return SimResponse(200, (("Content-Type", "application/rss+xml"),), text.encode())

    def page_login(self, asked: Asked) -> SimResponse:
        """A form with a password field."""
        return self._page(
            "Login",
            '<form method="post" action="/login"><input name="username"><input type="password" name="password">'
            '<input type="submit" value="Login"></form>',
        )

    def page_to_login(self, asked: Asked) -> SimResponse:
        """Members only."""
        return redirect("/login")

    def page_text(self, asked: Asked, name: str) -> SimResponse:
        """Help and rules; a guest's profile does not exist."""
        if name == "profile":
            return not_found()
        return self._page(str(name).title(), f"<p>{words.sentence(self._local(name), 60, 90)}</p>")

    def _local(self, *parts: object) -> random.Random:
        return random.Random(self.token(*parts))

    def _page(self, title: str, body: str) -> SimResponse:
        options = "".join(f'<option value="{c}">{label}</option>' for c, label in _CATEGORIES.items())
        return page(
            f'<!DOCTYPE html><html><head><title>{escape(title)} :: Index</title><link rel="alternate" '
            f'type="application/rss+xml" href="/?page=rss"></head><body><nav class="navbar">'
            '<a class="navbar-brand" href="/">Index</a><ul><li><a href="/upload">Upload</a></li>'
            '<li><a href="/rules">Rules</a></li><li><a href="/help">Help</a></li>'
            '<li><a href="/?page=rss">RSS</a></li><li><a href="/login">Login</a></li>'
            '<li><a href="/register">Register</a></li></ul><form action="/" method="get"><select name="f">'
            f'<option value="0">No filter</option></select><select name="c">{options}</select>'
            f'<input name="q"></form></nav><div class="container">{body}</div><footer>'
            "<p>dark mode</p></footer></body></html>"
        )


def _other(name: str, sort: str, order: str) -> str:
    """The order that a click on a column head asks for."""
    return "asc" if name == sort and order == "desc" else "desc"


def _url(base: str, query: dict[str, str]) -> str:
    text = "&amp;".join(f"{name}={quote(value)}" for name, value in query.items())
    return f"{base}?{text}" if text else base
