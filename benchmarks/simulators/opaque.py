"""Held out: a software of its own, whose URLs say nothing: `/x/9fk2c`, `/g/5bd1`, `/x/9fk2c/get`.

Items, groups, people and tags are slugs of one shape; the download is a redirect to a file under a content
hash; an invisible link on every page leads into a maze without end. After a move `/x/` is `/entry/` and `/g/` is `/shelf/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import ClassVar

from benchmarks.simulators import words
from benchmarks.simulators.base import (
    Asked,
    SimResponse,
    SimTorrent,
    Simulator,
    Target,
    page,
    paged,
    redirect,
    torrent_file,
)
from benchmarks.simulators.forum import near, slice_of
from harvester.model.site import Role

ROWS = 30


@dataclass(frozen=True, slots=True)
class _Item:
    slug: str
    title: str
    shelf: str
    person: str
    tags: tuple[str, ...]
    torrent: SimTorrent | None
    notes: int


class Opaque(Simulator):
    """See the module."""

    family: ClassVar[str] = "opaque-slugs"
    variants: ClassVar[dict[str, Role]] = {"person": Role.LIST, "tag": Role.LIST}
    can_move: ClassVar[bool] = True

    def build(self) -> None:
        """Shelves of articles, shelves of torrents."""
        rng = self.random
        self._sentences = [words.sentence(rng, 8, 40) for _ in range(120)]
        shelves = [
            (self._slug("shelf", n), share, weight)
            for n, (share, weight) in enumerate(
                ((0.92, 22), (0.8, 10), (0.0, 40), (0.01, 34), (0.0, 18), (0.25, 12))
            )
        ]
        people = [self._slug("person", n) for n in range(self.scaled(160, 6))]
        tags = [self._slug("tag", n) for n in range(self.scaled(60, 6))]
        self._shelves: dict[str, list[_Item]] = {slug: [] for slug, *_ in shelves}
        self._people: dict[str, list[_Item]] = {slug: [] for slug in people}
        self._tags: dict[str, list[_Item]] = {slug: [] for slug in tags}
        self._items: dict[str, _Item] = {}
        for number in range(self.scaled(2000, 60)):
            slug, share, _ = rng.choices(shelves, weights=[weight for *_, weight in shelves])[0]
            torrent = self.add_torrent(words.slug(words.title(rng))) if rng.random() < share else None
            if torrent is not None and rng.random() < 0.03:
                torrent = rng.choice(list(self.torrents.values()))
            item = _Item(
                self._slug("item", number),
                words.title(rng),
                slug,
                rng.choice(people),
                tuple(rng.sample(tags, 2)),
                torrent,
                min(int(rng.expovariate(0.4)), 20),
            )
            self._items[item.slug] = item
            self._shelves[slug].append(item)
            self._people[item.person].append(item)
            for tag in item.tags:
                self._tags[tag].append(item)
        self._blobs = {torrent.infohash[:24]: torrent for torrent in self.torrents.values()}

    def _slug(self, *parts: object) -> str:
        """Five to seven letters and digits."""
        number = int(self.token("slug", *parts, length=12), 16)
        text = ""
        while len(text) < 5 + number % 3:
            text += "0123456789abcdefghijkmnpqrstuvwxyz"[number % 34]
            number //= 3
        return f"{text}{int(self.token('end', *parts, length=4), 16) % 97}"

    @property
    def _x(self) -> str:
        return "entry" if self.moved else "x"

    @property
    def _g(self) -> str:
        return "shelf" if self.moved else "g"

    def successor(self, target: Target, path: str) -> str | None:
        """The other spelling."""
        first, _, rest = path.strip("/").partition("/")
        old, new = {"x": "entry", "g": "shelf"}, {"entry": "x", "shelf": "g"}
        turned = (old if self.moved else new).get(first)
        return f"{self.origin}/{turned}/{rest}" if turned else None

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that the pages make."""
        number = query.get("after", "0")
        shown = int(number) // ROWS + 1 if number.isdigit() else 1
        match [piece for piece in path.split("/") if piece]:
            case []:
                return Target(Role.START, "home", "home")
            case ["x" | "entry", slug] if slug in self._items:
                role = Role.IGNORE if query else Role.DETAIL
                return Target(role, f"item:{slug}:{sorted(query.items())}", "item", (slug,))
            case ["x" | "entry", slug, "get"] if (
                slug in self._items and self._items[slug].torrent is not None
            ):
                return Target(Role.DOWNLOAD, f"get:{slug}", "get", (slug,))
            case ["x" | "entry", slug, ("like" | "flag" | "reply")] if slug in self._items:
                return Target(Role.ACTION, path, "done")
            case ["g" | "shelf", slug] if slug in self._shelves and not query.get("by"):
                return paged(Role.LIST, f"shelf:{slug}", "shelf", (slug, ""), shown)
            case ["g" | "shelf", slug] if slug in self._shelves:
                return Target(
                    Role.IGNORE, f"shelf:{slug}:{shown}:{query['by']}", "shelf", (slug, query["by"], shown)
                )
            case ["p", slug] if slug in self._people:
                return Target(Role.IGNORE, f"person:{slug}", "person", (slug,))
            case ["t", slug] if slug in self._tags:
                return Target(Role.IGNORE, f"tag:{slug}", "tag", (slug,))
            case ["b", blob] if blob in self._blobs:
                return Target(Role.DOWNLOAD, f"blob:{blob}", "blob", (blob,))
            case ["enter" | "join"]:
                return Target(Role.LOGIN, path, "enter")
            case ["more", *_] as rooms:
                return Target(Role.TRAP, path, "maze", (len(rooms), path))
            case ["words", _]:
                return Target(Role.IGNORE, path, "text")
            case _:
                return None

    # Pages -----------------------------------------------------------------------------------------

    def page_home(self, asked: Asked) -> SimResponse:
        """The shelves."""
        rows = "".join(
            f'<section><h3><a href="/{self._g}/{slug}">{self._sentences[n][:24]}</a></h3>{len(items)}</section>'
            for n, (slug, items) in enumerate(self._shelves.items())
        )
        return self._page("Home", rows)

    def page_shelf(self, asked: Asked, slug: str, by: str, number: int) -> SimResponse:
        """Items of a shelf."""
        items = self._shelves[slug]
        if by:
            items = sorted(items, key=lambda item: self.token(by, item.slug))
        base = f"/{self._g}/{slug}"
        kept, last = (f"by={by}&amp;" if by else ""), max(1, -(-len(items) // ROWS))
        pager = "".join(
            f'<a href="{base}?{kept}after={(n - 1) * ROWS}">{n}</a>'
            for n in near(number, last)
            if n != number
        )
        sorts = "".join(
            f'<a href="{base}?by={way}">{way}</a>' for way in ("name", "size", "age", "notes", "person")
        )
        return self._page(
            slug,
            f"<div>{sorts}</div>{''.join(map(self._card, slice_of(items, number, ROWS)))}<nav>{pager}</nav>",
        )

    def _card(self, item: _Item) -> str:
        tags = "".join(f'<a href="/t/{tag}">{tag}</a>' for tag in item.tags)
        return (
            f'<div class="card"><a href="/{self._x}/{item.slug}"><b>{escape(item.title)}</b></a> <a href="/p/{item.person}">{item.person}</a>'
            f'<a href="/{self._x}/{item.slug}?show=notes">{item.notes} notes</a>{tags}</div>'
        )

    def page_item(self, asked: Asked, slug: str) -> SimResponse:
        """One item."""
        item = self._items[slug]
        get = f'<a class="btn" href="/{self._x}/{slug}/get">Get it</a>' if item.torrent is not None else ""
        acts = "".join(f'<a href="/{self._x}/{slug}/{act}">{act}</a>' for act in ("like", "flag", "reply"))
        notes = "".join(
            f'<p><a href="/p/{self._items[slug].person}">{item.person}</a> <a href="/{self._x}/{slug}?note={n}#n{n}">#{n}</a> {self._sentences[n]}</p>'
            for n in range(item.notes)
        )
        return self._page(
            item.title,
            f'<h1>{escape(item.title)}</h1><a href="/{self._g}/{item.shelf}">shelf</a>{self._card(item)}<p>{self._sentences[len(item.title)]}</p>{get}{acts}{notes}',
        )

    def page_get(self, asked: Asked, slug: str) -> SimResponse:
        """Leads to the file."""
        torrent = self._items[slug].torrent
        assert torrent is not None
        return redirect(f"{self.origin}/b/{torrent.infohash[:24]}")

    def page_blob(self, asked: Asked, blob: str) -> SimResponse:
        """The file."""
        return torrent_file(self._blobs[blob])

    def page_person(self, asked: Asked, slug: str) -> SimResponse:
        """The latest of one person."""
        return self._page(slug, "".join(map(self._card, self._people[slug][-5:])))

    def page_tag(self, asked: Asked, slug: str) -> SimResponse:
        """The latest under one tag."""
        return self._page(slug, "".join(map(self._card, self._tags[slug][-8:])))

    def page_maze(self, asked: Asked, depth: int, path: str) -> SimResponse:
        """Made-up words with links to more of them, for whoever follows what nobody sees."""
        links = "".join(
            f'<a href="/more/{self._slug("maze", path, n)}">{self._sentences[(depth + n) % 120][:20]}</a>'
            for n in range(4)
        )
        return self._page("More", f"<p>{self._sentences[len(path) % 120]}</p>{links}")

    def page_enter(self, asked: Asked) -> SimResponse:
        """The login form."""
        return self._page(
            "Enter", '<form method="post"><input name="who"><input type="password" name="word"></form>'
        )

    def page_done(self, asked: Asked) -> SimResponse:
        """What a link that acts answers."""
        return self._page("Thanks", "<p>Noted.</p>")

    def page_text(self, asked: Asked) -> SimResponse:
        """Words."""
        return self._page("Words", "".join(f"<p>{text}</p>" for text in self._sentences[:6]))

    def _page(self, title: str, body: str) -> SimResponse:
        cloud = "".join(f'<a href="/t/{tag}">{tag}</a>' for tag in list(self._tags)[:20])
        return page(
            f'<!DOCTYPE html><html><head><title>{escape(title)}</title></head><body><nav><a href="/">home</a><a href="/enter">enter</a><a href="/join">join</a>'
            f'<a href="/words/about">about</a><a href="/words/help">help</a></nav><main>{body}</main><aside>{cloud}</aside><div style="display:none"><a href="/more/{self._slug("maze", title)}" rel="nofollow">more</a></div></body></html>'
        )
