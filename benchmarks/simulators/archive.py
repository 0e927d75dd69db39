"""In the manner of archive.org: items with files, of which one is `ID_archive.torrent`; not every item has one.

Opaque identifiers, facets and sorts on every collection, subject and creator lists, a page for every file
of an item, reviews, a "similar items" strip.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import ClassVar
from urllib.parse import quote

from benchmarks.simulators import words
from benchmarks.simulators.base import (
    Asked,
    SimResponse,
    SimTorrent,
    Simulator,
    Target,
    page,
    paged,
    torrent_file,
)
from benchmarks.simulators.forum import near, slice_of
from harvester.model.site import Role

ROWS = 50
_COLLECTIONS = {
    "audio": 0.95,
    "opensource_audio": 0.9,
    "texts": 0.9,
    "movies": 0.85,
    "software": 0.7,
    "web": 0.0,
    "lending": 0.0,
}
_SORTS = ("-downloads", "-publicdate", "titleSorter", "-titleSorter", "-date", "creatorSorter", "-reviewdate")
_FILES = ("files.xml", "meta.xml", "text.txt", "page.zip", "thumb.jpg")


@dataclass(frozen=True, slots=True)
class _Item:
    identifier: str
    title: str
    collection: str
    subjects: tuple[str, ...]
    creator: str
    torrent: SimTorrent | None


class Archive(Simulator):
    """See the module."""

    family: ClassVar[str] = "archive"

    def build(self) -> None:
        """Items in collections of unequal size."""
        rng = self.random
        subjects = [words.slug(name) for name in words.user_names(rng, self.scaled(70, 5))]
        creators = words.user_names(rng, self.scaled(140, 5))
        self._sentences = [words.sentence(rng, 10, 40) for _ in range(120)]
        self.items: dict[str, _Item] = {}
        for number in range(self.scaled(1300, 60)):
            title = words.title(rng)
            shape = rng.random()
            identifier = words.slug(title).replace(
                "-", "_" if shape < 0.3 else "-" if shape < 0.6 else ""
            ) + (f"_{number}" if shape < 0.8 else f".{number:05x}")
            collection = rng.choices(list(_COLLECTIONS), weights=(20, 25, 22, 12, 6, 18, 14))[0]
            torrent = (
                self.add_torrent(f"{identifier}_archive") if rng.random() < _COLLECTIONS[collection] else None
            )
            self.items[identifier] = _Item(
                identifier, title, collection, tuple(rng.sample(subjects, 2)), rng.choice(creators), torrent
            )
        self._lists: dict[tuple[str, str, str], list[_Item]] = {}

    def robots(self) -> str:
        """Keeps crawlers out of very little."""
        return "User-agent: *\nDisallow: /control/\nDisallow: /report/\n"

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that the pages make."""
        pieces = [piece for piece in path.split("/") if piece]
        match pieces:
            case []:
                return Target(Role.START, "home", "home")
            case ["details", name] if name in _COLLECTIONS:
                return self._list("collection", name, query)
            case ["details", "subject", name] | ["details", "creator", name] if self._of(pieces[1], name, ""):
                return self._list(pieces[1], name, query)
            case ["details", name] if name in self.items:
                role = Role.IGNORE if query else Role.DETAIL
                return Target(role, f"item:{name}:{sorted(query.items())}", "item", (name,))
            case ["download", name] if name in self.items:
                return Target(Role.DETAIL, f"files:{name}", "files", (name,))
            case ["download", name, file] if name in self.items:
                if file == f"{name}_archive.torrent" and self.items[name].torrent is not None:
                    return Target(Role.DOWNLOAD, f"torrent:{name}", "torrent", (name,))
                known = [f"{name}_{ending}" for ending in _FILES]
                return Target(Role.IGNORE, f"file:{name}/{file}", "file") if file in known else None
            case [
                "about" | "contact" | "help" | "donate" | "search" | "stream" | "embed" | "projects" | "jobs",
                *_,
            ]:
                return Target(Role.IGNORE, path + repr(sorted(query.items())), "text")
            case ["account", ("login" | "signup")]:
                return Target(Role.LOGIN, path, "login")
            case ["bookmarks.php" | "write-review.php", *_] | ["control" | "report", *_]:
                return Target(Role.ACTION, path + repr(sorted(query.items())), "text")
            case _:
                return None

    def _of(self, kind: str, name: str, sort: str) -> list[_Item]:
        key = (kind, name, sort)
        if key not in self._lists:
            found = [
                item
                for item in self.items.values()
                if (kind == "collection" and item.collection == name)
                or (kind == "subject" and name in item.subjects)
                or (kind == "creator" and item.creator == name)
            ]
            if sort:
                found.sort(key=lambda item: self.token(sort, item.identifier))
            self._lists[key] = found
        return self._lists[key]

    def _list(self, kind: str, name: str, query: dict[str, str]) -> Target | None:
        sort, facet, number = query.get("sort", ""), query.get("and[]", ""), query.get("page", "1")
        if not number.isdigit() or int(number) > max(1, -(-len(self._of(kind, name, "")) // ROWS)):
            return None
        target = paged(
            Role.LIST, f"{kind}:{name}:{sort}:{facet}", "list", (kind, name, sort, facet), int(number)
        )
        if sort or facet or query.get("tab") or kind != "collection":
            role = Role.LIST if kind != "collection" and not sort and not facet else Role.IGNORE
            return (
                target
                if role is Role.LIST
                else Target(role, f"{target.identity}:{query.get('tab')}", "list", target.args)
            )
        return target

    # Pages -----------------------------------------------------------------------------------------

    def page_home(self, asked: Asked) -> SimResponse:
        """The collections."""
        tiles = "".join(
            f'<div class="collection-tile"><a href="/details/{name}">{name}</a></div>'
            for name in _COLLECTIONS
        )
        return self._page("Home", f'<div class="tiles">{tiles}</div>')

    def page_list(
        self, asked: Asked, kind: str, name: str, sort: str, facet: str, number: int
    ) -> SimResponse:
        """Tiles of items with facets and sorts."""
        items = self._of(kind, name, sort)
        if facet:
            items = [item for item in items if self.token(facet, item.identifier)[0] in "01234"]
        base = f"/details/{name}" if kind == "collection" else f"/details/{kind}/{quote(name)}"
        kept = (f"sort={sort}&amp;" if sort else "") + (f"and[]={facet}&amp;" if facet else "")
        last = max(1, -(-len(items) // ROWS))
        pager = "".join(f'<a href="{base}?{kept}page={n}">{n}</a>' for n in near(number, last) if n != number)
        sorts = "".join(f'<a href="{base}?sort={way}">{way}</a>' for way in _SORTS)
        years = "".join(
            f'<li><a href="{base}?and[]=year%3A{year}">{year}</a></li>' for year in range(1998, 2012)
        )
        subjects = list(dict.fromkeys(subject for item in items for subject in item.subjects))[:12]
        facets = "".join(f'<li><a href="{base}?and[]=subject%3A{s}">{s}</a></li>' for s in subjects)
        tabs = "".join(f'<a href="{base}?tab={tab}">{tab}</a>' for tab in ("about", "forum", "collection"))
        tiles = "".join(map(self._tile, slice_of(items, number, ROWS)))
        return self._page(
            name,
            f'<h1>{escape(name)}</h1>{tabs}<div class="sortbar">{sorts}</div><ul class="facets">{years}{facets}</ul><div class="results">{tiles}</div>'
            f'<div class="pages">{pager}</div>',
        )

    def _tile(self, item: _Item) -> str:
        return (
            f'<div class="item-ia" data-id="{item.identifier}"><a class="stealth" href="/details/{item.collection}"><img></a><div class="C234">'
            f'<a href="/details/{item.identifier}" title="{escape(item.title)}"><div class="ttl">{escape(item.title)}</div></a></div>'
            f'<div class="by"><a href="/details/creator/{quote(item.creator)}">{item.creator}</a></div></div>'
        )

    def page_item(self, asked: Asked, identifier: str) -> SimResponse:
        """One item with its download options."""
        item = self.items[identifier]
        files = "".join(
            f'<a class="format-summary download-pill" href="/download/{identifier}/{identifier}_{ending}">{ending}</a>'
            for ending in _FILES
        )
        if item.torrent is not None:
            files += f'<a class="format-summary download-pill" href="/download/{identifier}/{identifier}_archive.torrent">TORRENT</a>'
        subjects = "".join(f'<a href="/details/subject/{s}">{s}</a>' for s in item.subjects)
        around = self._of("collection", item.collection, "-similar")
        at = around.index(item)
        similar = "".join(map(self._tile, (around[(at + n) % len(around)] for n in range(1, 9))))
        return self._page(
            item.title,
            f'<h1 class="item-title">{escape(item.title)}</h1>by <a href="/details/creator/{quote(item.creator)}">{item.creator}</a><p>'
            f'{self._sentences[len(identifier) * 7 % 120]}</p><div>Topics {subjects} Collection <a href="/details/{item.collection}">{item.collection}</a>'
            f'</div><section class="item-download-options"><h4>Download options</h4>{files}<a class="show-all" href="/download/{identifier}">SHOW ALL</a>'
            f'</section><a href="/write-review.php?identifier={identifier}">Add review</a><a href="/bookmarks.php?add_bookmark=1&amp;identifier={identifier}">'
            f'Favorite</a><a href="/embed/{identifier}">Embed</a><a href="/details/{identifier}?view=theater">Theater</a><div class="similar">{similar}</div>',
        )

    def page_files(self, asked: Asked, identifier: str) -> SimResponse:
        """The folder of an item."""
        names = [f"{identifier}_{ending}" for ending in _FILES]
        if self.items[identifier].torrent is not None:
            names.append(f"{identifier}_archive.torrent")
        rows = "".join(
            f'<tr><td><a href="/download/{identifier}/{name}">{name}</a></td><td>2019</td><td>4K</td></tr>'
            for name in names
        )
        return self._page(
            f"Files for {identifier}",
            f'<table class="directory-listing-table">{rows}</table><a href="/details/{identifier}">Up</a>',
        )

    def page_torrent(self, asked: Asked, identifier: str) -> SimResponse:
        """The torrent of an item."""
        torrent = self.items[identifier].torrent
        assert torrent is not None
        return torrent_file(torrent)

    def page_file(self, asked: Asked) -> SimResponse:
        """Any other file."""
        return SimResponse(200, (("Content-Type", "application/octet-stream"),), b"\x00\x01\x02 data" * 20)

    def page_login(self, asked: Asked) -> SimResponse:
        """The login form."""
        return self._page(
            "Log in",
            '<form method="post"><input name="username"><input type="password" name="password"></form>',
        )

    def page_text(self, asked: Asked) -> SimResponse:
        """Words."""
        return self._page("About", "".join(f"<p>{text}</p>" for text in self._sentences[:8]))

    def _page(self, title: str, body: str) -> SimResponse:
        menu = "".join(
            f'<a href="/{name}">{name}</a>'
            for name in ("about", "help", "donate", "contact", "projects", "jobs", "search?advanced=1")
        )
        main = "".join(
            f'<a href="/details/{name}">{name}</a>'
            for name in ("web", "texts", "movies", "audio", "software")
        )
        return page(
            f'<!DOCTYPE html><html><head><title>{escape(title)}</title></head><body class="navia"><nav><a href="/">Home</a>{main}'
            f'<a href="/account/login">Log in</a><a href="/account/signup">Sign up</a></nav><div class="container">{body}</div><footer>{menu}</footer></body></html>'
        )
