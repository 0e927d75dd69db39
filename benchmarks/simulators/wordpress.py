"""A WordPress blog of which every fourth post carries a .torrent among its uploads.

Dated permalinks under years, months, days, categories, tags, authors and their feeds; `?replytocom=` on
every comment, `?share=` buttons, `?p=` short links, attachment pages, comment feeds.
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

ROWS = 10
_CATEGORIES = {"news": 0.02, "releases": 0.85, "reviews": 0.1, "howto": 0.03, "live": 0.6, "personal": 0.0}


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    slug: str
    title: str
    date: tuple[int, int, int]
    author: str
    category: str
    tags: tuple[str, ...]
    comments: int
    torrents: tuple[SimTorrent, ...]

    @property
    def path(self) -> str:
        """Its permalink."""
        year, month, _ = self.date
        return f"/{year}/{month:02}/{self.slug}/"


class WordPress(Simulator):
    """See the module."""

    family: ClassVar[str] = "wordpress"
    variants: ClassVar[dict[str, Role]] = {"short": Role.DETAIL}
    cookies: ClassVar[dict[str, str]] = {}

    def build(self) -> None:
        """Posts by day, newest first in every archive."""
        rng = self.random
        authors = words.user_names(rng, 6)
        tags = [f"{word}-{n}" for n, word in enumerate(words.user_names(rng, self.scaled(160, 6)))]
        self._sentences = [words.sentence(rng, 8, 40) for _ in range(150)]
        self.entries: list[_Entry] = []
        day = 0
        for number in range(self.scaled(900, 40)):
            day += rng.choice((0, 1, 1, 2, 3))
            category = rng.choices(list(_CATEGORIES), weights=(30, 14, 16, 14, 8, 18))[0]
            title = words.title(rng)
            torrents: tuple[SimTorrent, ...] = ()
            if rng.random() < _CATEGORIES[category]:
                torrents = (self.add_torrent(words.slug(f"{title} {number}")),)
                if rng.random() < 0.15:
                    torrents = (*torrents, self.add_torrent(words.slug(f"{title} {number} flac")))
                if rng.random() < 0.04:
                    torrents = (rng.choice(list(self.torrents.values())),)
            self.entries.append(
                _Entry(
                    number * 3 + 11,
                    f"{words.slug(title)}-{number}",
                    title,
                    (2016 + day // 336, day // 28 % 12 + 1, day % 28 + 1),
                    rng.choice(authors),
                    category,
                    tuple(rng.sample(tags, rng.randrange(1, 5))),
                    min(int(rng.expovariate(0.25)), 40),
                    torrents,
                )
            )
        self.entries.reverse()
        self._at = {entry.number: index for index, entry in enumerate(self.entries)}
        self._lists: dict[tuple[str, ...], list[_Entry]] = {}
        self._sidebar = self._side()
        self._by_path = {entry.path: entry for entry in self.entries}
        self._by_number = {entry.number: entry for entry in self.entries}
        self._files = {
            f"/wp-content/uploads/{e.date[0]}/{e.date[1]:02}/{t.name}.torrent": t
            for e in self.entries
            for t in e.torrents
        }

    def robots(self) -> str:
        """As shipped."""
        return "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n"

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that the theme makes."""
        if path in self._files:
            return Target(Role.DOWNLOAD, f"file:{path}", "file", (path,))
        if path == "/wp-login.php":
            return Target(Role.LOGIN, "login", "login")
        if path in ("/about/", "/contact/", "/privacy-policy/"):
            return Target(Role.IGNORE, path, "text")
        if path == "/" and query.get("p", "").isdigit():
            entry = self._by_number.get(int(query["p"]))
            return Target(Role.IGNORE, f"short:{query['p']}", "short", (entry.path,)) if entry else None
        if path == "/" and "s" in query:
            return Target(Role.IGNORE, f"search:{query['s']}", "text")
        pieces = [piece for piece in path.split("/") if piece]
        if pieces and pieces[-1] == "feed":
            return self._feed(pieces[:-1])
        number = 1
        if len(pieces) >= 2 and pieces[-2] == "page" and pieces[-1].isdigit():
            number, pieces = int(pieces[-1]), pieces[:-2]
        if len(pieces) == 3 and "/" + "/".join(pieces) + "/" in self._by_path:
            entry = self._by_path["/" + "/".join(pieces) + "/"]
            return self._entry(entry, query)
        return self._archive(pieces, number)

    def _entry(self, entry: _Entry, query: dict[str, str]) -> Target | None:
        if "replytocom" in query:
            return Target(
                Role.ACTION, f"reply:{entry.number}:{query['replytocom']}", "entry", (entry.number,)
            )
        if query.keys() & {"share", "like_comment", "_wpnonce"}:
            role = Role.IGNORE if "share" in query else Role.ACTION
            return Target(role, f"entry:{entry.number}:{sorted(query.items())}", "away")
        return Target(Role.DETAIL, f"entry:{entry.number}", "entry", (entry.number,))

    def _feed(self, pieces: list[str]) -> Target | None:
        if not pieces:
            return Target(Role.DATA, "feed", "feed")
        if "/" + "/".join(pieces) + "/" in self._by_path:
            return Target(Role.IGNORE, "feed:" + "/".join(pieces), "comments_feed")
        return (
            Target(Role.IGNORE, "feed:" + "/".join(pieces), "comments_feed")
            if pieces[0] in ("category", "comments", "author", "tag")
            else None
        )

    def _archive(self, pieces: list[str], number: int) -> Target | None:
        found = self._found(tuple(pieces))
        if not found or number > -(-len(found) // ROWS):
            return None
        target = paged(Role.LIST, "archive:" + "/".join(pieces), "archive", (tuple(pieces),), number)
        return (
            target if pieces or number > 1 else Target(Role.START, target.identity, target.page, target.args)
        )

    def _found(self, pieces: tuple[str, ...]) -> list[_Entry]:
        if pieces not in self._lists:
            self._lists[pieces] = self._filtered(pieces)
        return self._lists[pieces]

    def _filtered(self, pieces: tuple[str, ...]) -> list[_Entry]:
        match pieces:
            case ():
                return self.entries
            case ("category", name):
                return [e for e in self.entries if e.category == name]
            case ("tag", name):
                return [e for e in self.entries if name in e.tags]
            case ("author", name):
                return [e for e in self.entries if e.author == name]
            case _ if len(pieces) <= 3 and all(piece.isdigit() for piece in pieces):
                date = tuple(map(int, pieces))
                return [e for e in self.entries if e.date[: len(date)] == date]
            case _:
                return []

    # Pages -----------------------------------------------------------------------------------------

    def page_archive(self, asked: Asked, pieces: tuple[str, ...], number: int) -> SimResponse:
        """Excerpts, newest first."""
        found = self._found(pieces)
        base = "/" + "".join(f"{piece}/" for piece in pieces)
        last = -(-len(found) // ROWS)
        pager = "".join(
            f'<a class="page-numbers" href="{base}{f"page/{n}/" if n > 1 else ""}">{n}</a>'
            for n in near(number, last, 2)
            if n != number
        )
        if number < last:
            pager += f'<a class="next page-numbers" href="{base}page/{number + 1}/">Older</a>'
        return self._page(
            " ".join(pieces) or "Home",
            "".join(map(self._excerpt, slice_of(found, number, ROWS)))
            + f'<nav class="pagination">{pager}</nav>',
        )

    def _meta(self, entry: _Entry) -> str:
        year, month, day = entry.date
        return (
            f'<span class="posted-on"><a href="/{year}/{month:02}/{day:02}/">{year}-{month:02}-{day:02}</a></span> by '
            f'<a class="url fn n" href="/author/{entry.author}/">{entry.author}</a> in <a rel="category tag" href="/category/{entry.category}/">'
            f"{entry.category}</a>"
        )

    def _excerpt(self, entry: _Entry) -> str:
        return (
            f'<article id="post-{entry.number}" class="post"><h2 class="entry-title"><a href="{entry.path}" rel="bookmark">{escape(entry.title)}</a>'
            f'</h2>{self._meta(entry)}<div class="entry-summary"><p>{self._sentences[entry.number % 150]}</p><a href="{entry.path}" '
            f'class="more-link">Continue reading</a></div><span class="comments-link"><a href="{entry.path}#comments">{entry.comments} comments'
            "</a></span></article>"
        )

    def page_entry(self, asked: Asked, number: int) -> SimResponse:
        """A post with its files and comments."""
        entry = self._by_number[number]
        at = self._at[number]
        walk = "".join(
            f'<a rel="{rel}" href="{self.entries[index].path}">{escape(self.entries[index].title)}</a>'
            for rel, index in (("prev", at + 1), ("next", at - 1))
            if 0 <= index < len(self.entries)
        )
        files = "".join(
            f'<p>Download: <a href="/wp-content/uploads/{entry.date[0]}/{entry.date[1]:02}/{t.name}.torrent">{escape(t.name)}</a></p>'
            for t in entry.torrents
        )
        tags = "".join(f'<a href="/tag/{tag}/" rel="tag">{tag}</a> ' for tag in entry.tags)
        shares = "".join(
            f'<a rel="nofollow" href="{entry.path}?share={name}&amp;nb=1">{name}</a>'
            for name in ("twitter", "facebook", "reddit")
        )
        comments = "".join(
            f'<li id="comment-{number * 50 + n}" class="comment"><cite>{self._sentences[(number + n) % 150].split()[0]}</cite><a href="{entry.path}#comment-'
            f'{number * 50 + n}"><time>2020</time></a><p>{self._sentences[(number * 3 + n) % 150]}</p><a rel="nofollow" class="comment-reply-link" '
            f'href="{entry.path}?replytocom={number * 50 + n}#respond">Reply</a></li>'
            for n in range(entry.comments)
        )
        return self._page(
            entry.title,
            f'<article id="post-{number}"><h1 class="entry-title">{escape(entry.title)}</h1>{self._meta(entry)}<div class="entry-content">'
            f"<p>{self._sentences[number % 150]}</p><p>{self._sentences[number * 7 % 150]}</p>{files}</div>{shares}<footer>{tags}</footer></article>"
            f'<nav class="post-navigation">{walk}</nav><ol class="comment-list">{comments}</ol>',
            extra=f'<link rel="shortlink" href="{self.origin}/?p={number}"><link rel="alternate" type="application/rss+xml" href="{entry.path}feed/">',
        )

    def page_file(self, asked: Asked, path: str) -> SimResponse:
        """An upload."""
        return torrent_file(self._files[path])

    def page_short(self, asked: Asked, path: str) -> SimResponse:
        """A short link."""
        return redirect(self.origin + path, 301)

    def page_away(self, asked: Asked) -> SimResponse:
        """A share button leaves the site."""
        return redirect("https://share.example/")

    def page_feed(self, asked: Asked) -> SimResponse:
        """The newest posts."""
        items = "".join(
            f"<item><title>{escape(e.title)}</title><link>{self.origin}{e.path}</link></item>"
            for e in self.entries[:10]
        )
        text = f'<?xml version="1.0"?><rss version="2.0"><channel><title>feed</title>{items}</channel></rss>'
        return SimResponse(200, (("Content-Type", "application/rss+xml; charset=UTF-8"),), text.encode())

    def page_comments_feed(self, asked: Asked) -> SimResponse:
        """Feeds that nobody reads."""
        text = '<?xml version="1.0"?><rss version="2.0"><channel><title>comments</title></channel></rss>'
        return SimResponse(200, (("Content-Type", "application/rss+xml; charset=UTF-8"),), text.encode())

    def page_login(self, asked: Asked) -> SimResponse:
        """The login form."""
        return page(
            '<html><body class="login"><form id="loginform" method="post"><input name="log"><input type="password" name="pwd"></form></body></html>'
        )

    def page_text(self, asked: Asked) -> SimResponse:
        """A page of words."""
        return self._page("About", "".join(f"<p>{text}</p>" for text in self._sentences[:8]))

    def _side(self) -> str:
        """The bar that stands beside every page."""
        months = dict.fromkeys((e.date[0], e.date[1]) for e in self.entries)
        cloud = list(dict.fromkeys(tag for e in self.entries[:200] for tag in e.tags))[:30]
        return (
            "".join(f'<li><a href="{e.path}">{escape(e.title)}</a></li>' for e in self.entries[:5])
            + "".join(f'<li><a href="/{y}/{m:02}/">{y}-{m}</a></li>' for y, m in list(months)[:24])
            + "".join(
                f'<li class="cat-item"><a href="/category/{name}/">{name}</a></li>' for name in _CATEGORIES
            )
            + "".join(f'<a class="tag-cloud-link" href="/tag/{tag}/">{tag}</a>' for tag in cloud)
            + '<li><a href="/wp-login.php">Log in</a></li><li><a href="/feed/">Entries feed</a></li><li><a href="/comments/feed/">Comments feed</a></li>'
        )

    def _page(self, title: str, body: str, extra: str = "") -> SimResponse:
        side = self._sidebar
        return page(
            f'<!DOCTYPE html><html><head><title>{escape(title)} - A blog</title><meta name="generator" content="WordPress 6.4"><link rel="alternate" '
            f'type="application/rss+xml" href="/feed/">{extra}</head><body class="wp"><header><a href="/" rel="home">A blog</a><ul class="menu"><li>'
            '<a href="/">Home</a></li><li><a href="/about/">About</a></li><li><a href="/contact/">Contact</a></li></ul><form role="search" action="/">'
            f'<input name="s"></form></header><main>{body}</main><aside>{side}</aside><footer><a href="/privacy-policy/">Privacy</a></footer></body></html>'
        )
