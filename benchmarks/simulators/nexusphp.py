"""NexusPHP opened to guests: a table of torrents with the download beside the title, and a small forum.

Rows link the details with `&hit=1`, which counts the visit and redirects to the address without it; comment
counts and snatch lists link the same page in other ways; every column sorts; categories filter.
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
)  # fmt: skip
from benchmarks.simulators.forum import near, slice_of
from harvester.model.site import Role

ROWS = 50
_CATEGORIES = {
    401: "Films",
    402: "Series",
    403: "Shows",
    404: "Documentaries",
    405: "Animation",
    408: "Audio",
    409: "Misc",
}


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    torrent: SimTorrent
    category: int
    uploader: int
    comments: int


class NexusPHP(Simulator):
    """See the module."""

    family: ClassVar[str] = "nexusphp"
    variants: ClassVar[dict[str, Role]] = {"hit": Role.DETAIL}
    mandatory: ClassVar[bool] = False
    """Whether only the details page has the download."""
    cookies: ClassVar[dict[str, str]] = {"c_lang_folder": "en"}

    def build(self) -> None:
        """Entries with gaps, users, forum topics."""
        rng = self.random
        self.users = words.user_names(rng, self.scaled(300, 8))
        self.entries: dict[int, _Entry] = {}
        number = 4000
        for _ in range(self.scaled(1100, 60)):
            number += rng.choice((1, 1, 1, 2, 4))
            torrent = self.add_torrent(words.title(rng))
            if len(self.torrents) > 30 and rng.random() < 0.03:
                torrent = rng.choice(list(self.torrents.values()))
            comments = rng.randrange(1, 30) if rng.random() < 0.35 else 0
            self.entries[number] = _Entry(
                number,
                torrent,
                rng.choice(list(_CATEGORIES)),
                rng.randrange(1, len(self.users) + 1),
                comments,
            )
        self._topics = self.scaled(260, 12)
        self._sorted: dict[tuple[str, ...], list[_Entry]] = {}
        self._sentences = [words.sentence(rng, 8, 40) for _ in range(120)]

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that the pages make."""
        name = path.strip("/")
        rest = f"{name}:{sorted(query.items())}"
        number = query.get("id", "")
        match name:
            case "" | "index.php":
                return Target(Role.START, "index", "index")
            case "torrents.php":
                return self._listing(query)
            case "details.php" if number.isdigit() and int(number) in self.entries:
                return self._details(int(number), query)
            case "download.php" if number.isdigit() and int(number) in self.entries:
                return Target(Role.DOWNLOAD, f"download:{number}", "download", (int(number),))
            case "forums.php":
                return self._forums(query)
            case "userdetails.php" if number.isdigit() and 0 < int(number) <= len(self.users):
                return Target(Role.IGNORE, f"user:{number}", "login")
            case (
                "bookmark.php"
                | "thanks.php"
                | "comment.php"
                | "report.php"
                | "takerating.php"
                | "attendance.php"
            ):
                return Target(Role.ACTION, rest, "done")
            case "login.php" | "signup.php" | "recover.php":
                return Target(Role.LOGIN, rest, "login")
            case (
                "rules.php"
                | "faq.php"
                | "topten.php"
                | "viewsnatches.php"
                | "viewpeerlist.php"
                | "viewfilelist.php"
            ):
                return Target(Role.IGNORE, rest, "text")
            case _:
                return None

    def _listing(self, query: dict[str, str]) -> Target | None:
        number = query.get("page", "0")
        if not number.isdigit():
            return None
        category = query.get("cat", "") or next(
            (k[3:] for k in query if k.startswith("cat") and k[3:].isdigit()), ""
        )
        sort = query.get("sort", "") + query.get("type", "")
        narrow = ":".join(
            f"{k}={query[k]}"
            for k in ("incldead", "spstate", "inclbookmarked", "search")
            if query.get(k, "0") not in ("0", "", "1")
        )
        last = -(-len(self._entries((category, sort, narrow))) // ROWS)
        shown = min(int(number) + 1, max(last, 1))
        target = paged(Role.LIST, f"list:{category}:{sort}:{narrow}", "list", (category, sort, narrow), shown)
        if sort or narrow:
            return Target(Role.IGNORE, target.identity, "list", target.args)
        return target

    def _entries(self, view: tuple[str, str, str]) -> list[_Entry]:
        if view not in self._sorted:
            category, sort, narrow = view
            found = [e for e in self.entries.values() if not category or str(e.category) == category]
            if narrow:
                found = [e for e in found if self.token(narrow, e.number)[0] in "0123"]
            found.sort(key=(lambda e: self.token(sort, e.number)) if sort else (lambda e: -e.number))
            self._sorted[view] = found
        return self._sorted[view]

    def _details(self, number: int, query: dict[str, str]) -> Target | None:
        entry = self.entries[number]
        if query.get("hit") and not self.mandatory:
            return Target(Role.IGNORE, f"hit:{number}", "hit", (number,))
        if query.get("hit"):
            return Target(Role.DETAIL, f"details:{number}", "hit", (number,))
        if query.keys() & {"dllist", "filelist", "tocomm"}:
            return Target(Role.IGNORE, f"details:{number}:{sorted(query.items())}", "details", (number, 1))
        shown = min(int(query.get("page", "0") or 0) + 1, max(1, -(-entry.comments // 10)))
        return paged(Role.DETAIL, f"details:{number}", "details", (number,), shown)

    def _forums(self, query: dict[str, str]) -> Target | None:
        action, topic = query.get("action", ""), query.get("topicid", "")
        if action in ("quotepost", "reply", "newtopic", "deletepost", "catchup"):
            return Target(Role.ACTION, f"forums:{sorted(query.items())}", "done")
        if action == "viewtopic" and topic.isdigit() and 0 < int(topic) <= self._topics:
            return Target(Role.IGNORE, f"topic:{sorted(query.items())}", "topic", (int(topic),))
        return Target(
            Role.IGNORE, f"forums:{sorted(query.items())}", "forum", (int(query.get("page", "0") or 0),)
        )

    # Pages -----------------------------------------------------------------------------------------

    def page_index(self, asked: Asked) -> SimResponse:
        """News, the latest torrents, the latest topics."""
        latest = "".join(
            f'<tr><td><a href="{self._details_url(e.number)}">{escape(e.torrent.name)}</a></td></tr>'
            for e in self._entries(("", "", ""))[:5]
        )
        topics = "".join(
            f'<tr><td><a href="forums.php?action=viewtopic&amp;topicid={n}&amp;page=last#last">{self._sentences[n % 120][:40]}</a>'
            f'</td><td><a href="userdetails.php?id={n % len(self.users) + 1}">{self.users[n % len(self.users)]}</a></td></tr>'
            for n in range(1, min(6, self._topics))
        )
        return self._page(
            "Index", f"<h2>News</h2><p>{self._sentences[0]}</p><table>{latest}</table><table>{topics}</table>"
        )

    def _details_url(self, number: int) -> str:
        return f"details.php?id={number}&amp;hit=1"

    def page_list(self, asked: Asked, category: str, sort: str, narrow: str, number: int) -> SimResponse:
        """A page of the table."""
        entries = self._entries((category, sort, narrow))
        kept = (f"cat={category}&amp;" if category else "") + (
            f"sort={sort[0]}&amp;type={sort[1:]}&amp;" if sort else ""
        )
        kept += f"{narrow}&amp;" if narrow else ""
        last = max(1, -(-len(entries) // ROWS))
        base = f"torrents.php?inclbookmarked=0&amp;incldead=1&amp;spstate=0&amp;{kept}"
        pager = "".join(
            f'<a href="{base}page={n - 1}"><b>{n * ROWS - ROWS + 1} - {n * ROWS}</b></a>'
            for n in near(number, last)
            if n != number
        )
        if number < last:
            pager += f'<a href="{base}page={number}"><b title="Alt+Pagedown">Next</b></a>'
        heads = "".join(
            f'<td class="colhead"><a href="?inclbookmarked=0&amp;incldead=1&amp;spstate=0&amp;{f"cat={category}&amp;" if category else ""}'
            f'sort={column}&amp;type={"desc" if column != "1" else "asc"}"><img></a></td>'
            for column in "1345678"
        )
        cats = "".join(
            f'<a href="?cat={c}"><img class="c_{c}" title="{name}"></a>' for c, name in _CATEGORIES.items()
        )
        filters = "".join(f'<a href="?incldead={n}">{text}</a>' for n, text in ((0, "all"), (2, "dead")))
        filters += "".join(f'<a href="?spstate={n}">{n}</a>' for n in range(2, 8))
        rows = "".join(self._row(entry) for entry in slice_of(entries, number, ROWS))
        return self._page(
            "Torrents",
            f'<div class="searchbox">{cats}{filters}</div><p align="center">{pager}</p>'
            f'<table class="torrents"><tr>{heads}</tr>{rows}</table><p align="center">{pager}</p>',
        )

    def _row(self, entry: _Entry) -> str:
        number, name = entry.number, escape(entry.torrent.name)
        files = (
            ""
            if self.mandatory
            else (
                f'<td width="20"><a href="download.php?id={number}"><img class="download" alt="download"></a>'
                f'<a id="bookmark{number}" href="bookmark.php?torrentid={number}"><img class="delbookmark"></a></td>'
            )
        )
        comments = (
            f'<b><a href="{self._details_url(number)}&amp;cmtpage=1#startcomments">{entry.comments}</a></b>'
            if entry.comments
            else f'<a href="comment.php?action=add&amp;pid={number}&amp;type=torrent">0</a>'
        )
        return (
            f'<tr><td class="rowfollow"><a href="?cat={entry.category}"><img class="c_{entry.category}"></a></td>'
            f'<td class="rowfollow"><table class="torrentname"><tr><td class="embedded"><a title="{name}" '
            f'href="{self._details_url(number)}"><b>{name}</b></a></td>{files}</tr></table></td><td>{comments}</td><td>2 days</td>'
            f'<td>{number % 40}.2 GB</td><td><b><a href="{self._details_url(number)}&amp;dllist=1#seeders">{number % 60}</a></b></td>'
            f'<td>{number % 9}</td><td><a href="viewsnatches.php?id={number}"><b>{number % 300}</b></a></td>'
            f'<td><a href="userdetails.php?id={entry.uploader}" class="User_Name"><b>{self.users[entry.uploader - 1]}</b></a></td></tr>'
        )

    def page_hit(self, asked: Asked, number: int) -> SimResponse:
        """Counts the visit, then the address without `hit`."""
        kept = "&".join(
            piece
            for piece in asked.url.partition("?")[2].partition("#")[0].split("&")
            if not piece.startswith(("hit=", "cmtpage="))
        )
        return redirect(f"{self.origin}/details.php?{kept}")

    def page_details(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """Everything about one torrent."""
        entry = self.entries[number]
        name = escape(entry.torrent.name)
        comments = "".join(
            f'<table class="comment" id="cid{n}"><tr><td><a href="userdetails.php?id={(number + n) % len(self.users) + 1}">'
            f'{self.users[(number + n) % len(self.users)]}</a> <a href="#cid{n}">#{n}</a></td><td>{self._sentences[(number * 7 + n) % 120]}'
            f'<a href="comment.php?action=add&amp;sub=quote&amp;cid={n}&amp;pid={number}&amp;type=torrent">quote</a>'
            f'<a href="report.php?commentid={n}">report</a></td></tr></table>'
            for n in range((page_number - 1) * 10 + 1, min(entry.comments, page_number * 10) + 1)
        )
        pages = "".join(
            f'<a href="details.php?id={number}&amp;page={n - 1}">{n}</a>'
            for n in range(1, -(-entry.comments // 10) + 1)
            if n != page_number
        )
        return self._page(
            name,
            f'<h1 id="top">{name}</h1><table><tr><td class="rowhead">Download</td><td class="rowfollow"><a class="index" '
            f'href="download.php?id={number}">{name}.torrent</a></td></tr><tr><td>Uploaded by</td><td><a href="userdetails.php?'
            f'id={entry.uploader}"><b>{self.users[entry.uploader - 1]}</b></a></td></tr><tr><td>Action</td><td><a title="Download" '
            f'href="download.php?id={number}"><img class="dt_download"></a><a href="thanks.php?torrentid={number}">thanks</a>'
            f'<a href="bookmark.php?torrentid={number}">bookmark</a><a href="report.php?torrent={number}">Report</a></td></tr><tr>'
            f'<td>Info</td><td>{self._sentences[number % 120]}<a href="viewfilelist.php?id={number}">Files</a>'
            f'<a href="viewpeerlist.php?id={number}">Peers</a><a href="viewsnatches.php?id={number}">Snatches</a></td></tr></table>'
            f'<h1 id="startcomments">Comments</h1>{pages}{comments}',
        )

    def page_download(self, asked: Asked, number: int) -> SimResponse:
        """The file."""
        return torrent_file(self.entries[number].torrent)

    def page_forum(self, asked: Asked, number: int) -> SimResponse:
        """Topics of the talk forum."""
        shown = range(number * 25 + 1, min(self._topics, number * 25 + 25) + 1)
        rows = "".join(
            f'<tr><td><a href="forums.php?action=viewtopic&amp;forumid=3&amp;topicid={n}">{self._sentences[n % 120][:50]}</a></td><td>'
            f'<a href="userdetails.php?id={n % len(self.users) + 1}">{self.users[n % len(self.users)]}</a></td><td>'
            f'<a href="forums.php?action=viewtopic&amp;topicid={n}&amp;page=last#last">last</a></td></tr>'
            for n in shown
        )
        pages = "".join(
            f'<a href="forums.php?action=viewforum&amp;forumid=3&amp;page={n}">{n + 1}</a>'
            for n in range(-(-self._topics // 25))
            if n != number
        )
        return self._page(
            "Forum",
            f'<a href="forums.php?catchup=1&amp;action=catchup">Catch up</a>{pages}<table>{rows}</table>',
        )

    def page_topic(self, asked: Asked, number: int) -> SimResponse:
        """Posts of one topic."""
        posts = "".join(
            f'<div id="pid{number * 10 + n}"><a href="forums.php?action=viewtopic&amp;topicid={number}&amp;page=p{number * 10 + n}#pid{number * 10 + n}">#{n}</a>'
            f'<a href="userdetails.php?id={(number + n) % len(self.users) + 1}">{self.users[(number + n) % len(self.users)]}</a>'
            f'<a href="forums.php?action=viewtopic&amp;topicid={number}&amp;authorid={(number + n) % len(self.users) + 1}">only this author</a>'
            f'<p>{self._sentences[(number * 3 + n) % 120]}</p><a href="forums.php?action=quotepost&amp;postid={number * 10 + n}">quote</a>'
            f'<a href="report.php?forumpost={number * 10 + n}">report</a></div>'
            for n in range(1, 4 + number % 7)
        )
        return self._page("Topic", f"<h1>{self._sentences[number % 120][:50]}</h1>{posts}")

    def page_login(self, asked: Asked) -> SimResponse:
        """Profiles, and what else is for members."""
        return self._page(
            "Login",
            '<h1>Not logged in!</h1><form method="post" action="takelogin.php"><input name="username">'
            '<input type="password" name="password"><input type="submit"></form>',
        )

    def page_text(self, asked: Asked) -> SimResponse:
        """Rules, lists of peers and files."""
        return self._page("List", "".join(f"<p>{text}</p>" for text in self._sentences[:6]))

    def page_done(self, asked: Asked) -> SimResponse:
        """What a link that acts answers."""
        return self._page("Success", "<p>Done.</p>")

    def _page(self, title: str, body: str) -> SimResponse:
        menu = "".join(
            f'<li><a href="{url}">{text}</a></li>'
            for url, text in (
                ("index.php", "Home"),
                ("forums.php", "Forums"),
                ("torrents.php", "Torrents"),
                ("topten.php", "Top 10"),
                ("rules.php", "Rules"),
                ("faq.php", "FAQ"),
                ("login.php", "Login"),
                ("signup.php", "Sign up"),
            )
        )
        return page(
            f'<!DOCTYPE html><html><head><meta name="generator" content="NexusPHP"><title>{title}</title></head><body>'
            f'<table class="mainouter"><tr><td id="nav_block"><ul id="mainmenu">{menu}</ul></td></tr><tr><td id="outer">{body}'
            "</td></tr></table></body></html>"
        )


class Tracker(NexusPHP):
    """A tracker whose rows have no download: the details page must be read, by way of `&hit=1` alone."""

    family: ClassVar[str] = "tracker-details"
    mandatory: ClassVar[bool] = True
