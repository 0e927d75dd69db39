"""vBulletin 3/4: `showthread.php?t=` and `?p=`, sort links on every column, an endless calendar, an archive.

The session hash `s=` is on every link of the first page and goes once the cookie is there.
"""

from __future__ import annotations

from html import escape
from typing import ClassVar

from benchmarks.simulators.base import Asked, SimResponse, Target, page, paged, torrent_file
from benchmarks.simulators.forum import Board, ForumSimulator, Post, Thread, near, slice_of
from harvester.model.site import Role

_SORTS = ("title", "postusername", "lastpost", "replycount", "views", "voteavg")


class VBulletin(ForumSimulator):
    """See the module."""

    family: ClassVar[str] = "vbulletin"
    variants: ClassVar[dict[str, Role]] = {
        "one_post": Role.DETAIL,
        "print": Role.DETAIL,
        "archived_board": Role.LIST,
    }
    cookies: ClassVar[dict[str, str]] = {"bb_sessionhash": "5f0c1e2b", "bb_lastvisit": "1700000000"}
    posts_per_page: ClassVar[int] = 15

    def robots(self) -> str:
        """None."""
        return ""

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that the templates make."""
        name = path.strip("/")
        known = {key: value for key, value in query.items() if key != "s"}
        rest = f"{name}:{sorted(known.items())}"
        if name.startswith("archive"):
            return self._archive(name)
        match name:
            case "" | "index.php" | "forum.php":
                return Target(Role.START, "index", "index")
            case "forumdisplay.php":
                return self._forum(known)
            case "showthread.php":
                return self._thread(known)
            case "showpost.php" if known.get("p", "").isdigit() and int(known["p"]) in self.posts:
                return Target(Role.IGNORE, rest, "one_post", (int(known["p"]),))
            case "printthread.php" if known.get("t", "").isdigit() and int(known["t"]) in self.threads:
                return Target(Role.IGNORE, rest, "print", (int(known["t"]),))
            case "attachment.php":
                number = known.get("attachmentid", "")
                if number.isdigit() and int(number) in self.attachments:
                    return Target(Role.DOWNLOAD, f"attachment:{number}", "attachment", (int(number),))
                return None
            case "member.php" if known.get("u", "").isdigit() and 0 < int(known["u"]) <= len(self.users):
                return Target(Role.IGNORE, rest, "member", (int(known["u"]),))
            case "calendar.php":
                return Target(
                    Role.TRAP, rest, "calendar", (known.get("month", "1"), known.get("year", "2024"))
                )
            case "newreply.php" | "newthread.php" | "subscription.php" | "report.php" | "private.php":
                return Target(Role.ACTION, rest, "done")
            case "login.php" | "register.php" | "usercp.php":
                return Target(Role.LOGIN, rest, "login")
            case "memberlist.php" | "search.php" | "faq.php" | "misc.php" | "online.php":
                return Target(Role.IGNORE, rest, "text")
            case _:
                return None

    def _forum(self, query: dict[str, str]) -> Target | None:
        board, number = query.get("f", ""), query.get("page", "1")
        if query.get("do") == "markread":
            return Target(Role.ACTION, f"markread:{board}", "done")
        if not (board.isdigit() and number.isdigit() and int(board) in self.boards):
            return None
        known = self.boards[int(board)]
        shown = min(max(int(number), 1), self.board_pages(known))
        sort, order = query.get("sort", "lastpost"), query.get("order", "desc")
        if (sort, order) != ("lastpost", "desc"):
            return Target(
                Role.IGNORE,
                f"board:{board}:{shown}:{sort}:{order}",
                "board",
                (known.number, sort, order, shown),
            )
        return paged(Role.LIST, f"board:{board}", "board", (known.number, "", ""), shown)

    def _thread(self, query: dict[str, str]) -> Target | None:
        post, thread, number = query.get("p", ""), query.get("t", ""), query.get("page", "1")
        if post.isdigit() and int(post) in self.posts:
            known = self.posts[int(post)]
            return Target(Role.IGNORE, f"post:{post}", "thread", (known.number, self.page_of_post(int(post))))
        if not (thread.isdigit() and number.isdigit() and int(thread) in self.threads):
            return None
        known, goto = self.threads[int(thread)], query.get("goto", "")
        if goto in ("nextoldest", "nextnewest"):
            threads = self.boards[known.board].threads
            there = threads[(threads.index(known) + (1 if goto == "nextoldest" else -1)) % len(threads)]
            return Target(Role.IGNORE, f"{goto}:{thread}", "thread", (there.number, 1))
        if goto or "mode" in query or "highlight" in query:
            last = self.thread_pages(known) if goto else 1
            return Target(
                Role.IGNORE, f"thread:{thread}:{sorted(query.items())}", "thread", (known.number, last)
            )
        shown = min(max(int(number), 1), self.thread_pages(known))
        return paged(Role.DETAIL, f"thread:{thread}", "thread", (known.number,), shown)

    def _archive(self, name: str) -> Target | None:
        rest = name.removeprefix("archive/index.php").strip("/").removesuffix(".html")
        kind, _, number = rest.partition("-")
        if kind == "f" and number.isdigit() and int(number) in self.boards:
            return Target(Role.IGNORE, f"archive:{rest}", "archived_board", (int(number),))
        if kind == "t" and number.isdigit() and int(number) in self.threads:
            return Target(Role.IGNORE, f"archive:{rest}", "print", (int(number),))
        return Target(Role.IGNORE, "archive", "archive") if not rest else None

    # Pages -----------------------------------------------------------------------------------------

    def page_index(self, asked: Asked) -> SimResponse:
        """All boards."""
        rows = "".join(self._board_row(board, asked) for board in self.top_boards())
        days = "".join(
            f'<a href="calendar.php?{self._s(asked)}do=getinfo&amp;day=2024-5-{day}&amp;c=1">{day}</a>'
            for day in range(1, 29)
        )
        return self._page(asked, "Forums", f'<ol id="forums">{rows}</ol><div class="calendar">{days}</div>')

    def _board_row(self, board: Board, asked: Asked) -> str:
        s, last = self._s(asked), board.threads[0] if board.threads else None
        subs = "".join(
            f'<li class="subforum"><a href="forumdisplay.php?{s}f={sub.number}">{sub.name}</a></li>'
            for sub in self.sub_boards(board)
        )
        latest = ""
        if last is not None and not board.members_only:
            post = last.posts[-1]
            latest = (
                f'<p><a href="showthread.php?{s}t={last.number}&amp;goto=newpost" class="threadtitle">{escape(last.title)}</a>'
                f'</p><a class="username" href="member.php?{s}u={post.author}">{self.user(post.author)}</a>'
                f'<a href="showthread.php?{s}p={post.number}#post{post.number}" class="lastpostdate">12:30</a>'
            )
        return (
            f'<li class="forumbit_post"><div class="forumrow"><h2 class="forumtitle"><a href="forumdisplay.php?{s}f='
            f'{board.number}">{board.name}</a></h2><ol>{subs}</ol><ul class="forumstats"><li>Threads: '
            f'{len(board.threads)}</li></ul><div class="forumlastpost">{latest}</div></div></li>'
        )

    def page_board(self, asked: Asked, number: int, sort: str, order: str, page_number: int) -> SimResponse:
        """A board's threads in some order."""
        board, s = self.boards[number], self._s(asked)
        if board.members_only:
            return self._login(asked)
        threads = board.threads
        if sort:
            threads = sorted(threads, key=lambda thread: self.token(sort, order, thread.number))
        rows = "".join(
            self._thread_row(t, asked) for t in slice_of(threads, page_number, self.threads_per_page)
        )
        base = f"forumdisplay.php?{s}f={number}" + (f"&amp;sort={sort}&amp;order={order}" if sort else "")
        pager = self._pager(base, page_number, self.board_pages(board))
        heads = "".join(
            f'<a href="forumdisplay.php?{s}f={number}&amp;sort={name}&amp;order={way}">{name}</a>'
            for name in _SORTS
            for way in ("asc", "desc")
            if (name, way) != ("lastpost", "desc")
        )
        subs = "".join(self._board_row(sub, asked) for sub in self.sub_boards(board))
        return self._page(
            asked,
            board.name,
            f'<h1><a href="forumdisplay.php?{s}f={number}">{board.name}</a></h1><ol>{subs}</ol>'
            f'<a href="newthread.php?{s}do=newthread&amp;f={number}" class="newcontent">New thread</a>'
            f'<a href="forumdisplay.php?{s}do=markread&amp;f={number}&amp;markreadhash=guest">Mark read</a>'
            f'<div class="threadlisthead">{heads}</div><ol id="threads">{rows}</ol><div class="pagination">{pager}</div>',
        )

    def _pager(self, base: str, number: int, last: int) -> str:
        links = "".join(
            f'<span><a href="{base}{f"&amp;page={n}" if n > 1 else ""}">{n}</a></span>'
            for n in near(number, last, 2)
            if n != number
        )
        if number < last:
            links += (
                f'<span class="prev_next"><a rel="next" href="{base}&amp;page={number + 1}">Next</a></span>'
            )
        return links

    def _thread_row(self, thread: Thread, asked: Asked) -> str:
        s, number, last = self._s(asked), thread.number, thread.posts[-1]
        pages = "".join(
            f'<a href="showthread.php?{s}t={number}&amp;page={n}">{n}</a>'
            for n in range(2, min(self.thread_pages(thread), 5) + 1)
        )
        clip = (
            f'<a href="misc.php?{s}do=showattachments&amp;t={number}"><img src="images/paperclip.png"></a>'
            if any(p.attachments for p in thread.posts)
            else ""
        )
        return (
            f'<li class="threadbit" id="thread_{number}"><div class="rating0"><h3 class="threadtitle"><a class="title" '
            f'href="showthread.php?{s}t={number}" id="thread_title_{number}">{escape(thread.title)}</a></h3>{clip}'
            f'<div class="author">Started by <a href="member.php?{s}u={thread.author}" class="username">{self.user(thread.author)}'
            f'</a><span class="pagination">{pages}</span></div></div><ul class="threadstats"><li>Replies: '
            f'<a href="misc.php?{s}do=whoposted&amp;t={number}">{len(thread.posts) - 1}</a></li></ul><dl class="threadlastpost">'
            f'<a href="member.php?{s}u={last.author}">{self.user(last.author)}</a><a href="showthread.php?{s}p={last.number}'
            f'#post{last.number}" class="lastpostdate">Yesterday</a></dl></li>'
        )

    def page_thread(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """A page of posts."""
        thread, s = self.threads[number], self._s(asked)
        board = self.boards[thread.board]
        if board.members_only:
            return self._login(asked)
        posts = slice_of(thread.posts, page_number, self.posts_per_page)
        first = (page_number - 1) * self.posts_per_page + 1
        body = "".join(self._post(thread, post, n, asked) for n, post in enumerate(posts, first))
        pager = self._pager(f"showthread.php?{s}t={number}", page_number, self.thread_pages(thread))
        tools = (
            f'<a href="newreply.php?{s}do=newreply&amp;noquote=1&amp;p={thread.posts[0].number}">Reply to Thread</a>'
            f'<a href="printthread.php?{s}t={number}&amp;pp=15&amp;page={page_number}">Printable version</a>'
            f'<a href="subscription.php?{s}do=addsubscription&amp;t={number}">Subscribe</a>'
            f'<a href="showthread.php?{s}t={number}&amp;mode=linear">Linear</a>'
            f'<a href="showthread.php?{s}t={number}&amp;mode=hybrid">Hybrid</a>'
            f'<a href="showthread.php?{s}t={number}&amp;goto=nextoldest">Previous thread</a>'
            f'<a href="showthread.php?{s}t={number}&amp;goto=nextnewest">Next thread</a>'
        )
        return self._page(
            asked,
            thread.title,
            f'<div class="navbit"><a href="forumdisplay.php?{s}f={board.number}">{board.name}</a></div><h1>'
            f'<a href="showthread.php?{s}t={number}">{escape(thread.title)}</a></h1>{tools}<div class="pagination">{pager}'
            f'</div><ol id="posts">{body}</ol><div class="pagination">{pager}</div>',
        )

    def _post(self, thread: Thread, post: Post, count: int, asked: Asked) -> str:
        s, pid = self._s(asked), post.number
        files = ""
        if post.attachments and not post.wall:
            rows = "".join(
                f'<li><img src="images/attach/torrent.gif"><a href="attachment.php?{s}attachmentid={a.number}&amp;'
                f'd={1_700_000_000 + a.number}">{escape(a.torrent.name)}.torrent</a> (9.4 KB, 12 views)</li>'
                for a in post.attachments
            )
            files = f'<div class="attachments"><fieldset><legend>Attached Files</legend><ul>{rows}</ul></fieldset></div>'
        elif post.attachments:
            files = (
                "<div class='hidden'>***Hidden content: you have to reply to this thread to see it.***</div>"
            )
        return (
            f'<li class="postbitlegacy" id="post_{pid}"><div class="posthead"><a name="post{pid}" href="showthread.php?{s}p={pid}'
            f'&amp;viewfull=1#post{pid}" class="postcounter">#{count}</a><a href="showpost.php?{s}p={pid}&amp;postcount={count}">'
            f'view</a></div><div class="userinfo"><a class="username" href="member.php?{s}u={post.author}">'
            f'{self.user(post.author)}</a><a class="avatar" href="member.php?{s}u={post.author}"><img></a></div>'
            f'<blockquote class="postcontent">{post.text}</blockquote>{files}<div class="postfoot">'
            f'<a class="quickreply" href="newreply.php?{s}do=newreply&amp;p={pid}">Reply With Quote</a>'
            f'<a href="report.php?{s}p={pid}">Report</a></div></li>'
        )

    def page_one_post(self, asked: Asked, number: int) -> SimResponse:
        """One post in a window of its own."""
        thread = self.posts[number]
        if self.boards[thread.board].members_only:
            return self._login(asked)
        post = next(post for post in thread.posts if post.number == number)
        return page(f"<html><body><ol id='posts'>{self._post(thread, post, 1, asked)}</ol></body></html>")

    def page_print(self, asked: Asked, number: int) -> SimResponse:
        """The words of a thread."""
        thread = self.threads[number]
        if self.boards[thread.board].members_only:
            return self._login(asked)
        posts = "".join(f"<div><b>{self.user(p.author)}</b> {p.text}</div>" for p in thread.posts)
        return page(
            f"<html><body><h1>{escape(thread.title)}</h1><a href='{self.origin}/showthread.php?t={number}'>"
            f"{escape(thread.title)}</a>{posts}</body></html>"
        )

    def page_archive(self, asked: Asked) -> SimResponse:
        """The plain index."""
        rows = "".join(
            f'<li><a href="{self.origin}/archive/index.php/f-{b.number}.html">{b.name}</a></li>'
            for b in self.boards.values()
        )
        return page(f"<html><body><ul>{rows}</ul></body></html>")

    def page_archived_board(self, asked: Asked, number: int) -> SimResponse:
        """All titles of a board."""
        threads = () if self.boards[number].members_only else self.boards[number].threads
        rows = "".join(
            f'<li><a href="{self.origin}/archive/index.php/t-{t.number}.html">{escape(t.title)}</a></li>'
            for t in threads
        )
        return page(f"<html><body><ol>{rows}</ol></body></html>")

    def page_calendar(self, asked: Asked, month: str, year: str) -> SimResponse:
        """A month, with links to the next one and the one before, without end."""
        at = (int(year) * 12 + int(month) - 1) if month.isdigit() and year.isdigit() else 24288
        walk = "".join(
            f'<a href="calendar.php?{self._s(asked)}c=1&amp;month={n % 12 + 1}&amp;year={n // 12}">{n % 12 + 1}/{n // 12}</a>'
            for n in (at - 1, at + 1)
        )
        days = "".join(
            f'<td><a href="calendar.php?{self._s(asked)}do=getinfo&amp;day={at // 12}-{at % 12 + 1}-{day}&amp;c=1">{day}</a></td>'
            for day in range(1, 29)
        )
        return self._page(asked, "Calendar", f"<table>{walk}<tr>{days}</tr></table>")

    def page_member(self, asked: Asked, number: int) -> SimResponse:
        """A profile."""
        name, s = self.user(number), self._s(asked)
        tabs = "".join(
            f'<a href="member.php?{s}u={number}&amp;tab={tab}">{tab}</a>'
            for tab in ("activity", "about", "friends")
        )
        return self._page(
            asked,
            name,
            f'<h1>{name}</h1>{tabs}<a href="search.php?{s}do=finduser&amp;u={number}">Find posts</a>'
            f'<a href="private.php?{s}do=newpm&amp;u={number}">Send message</a>',
        )

    def page_attachment(self, asked: Asked, number: int) -> SimResponse:
        """The file, or the page that says no."""
        attachment = self.open_attachment(number)
        return self._login(asked) if attachment is None else torrent_file(attachment.torrent)

    def page_login(self, asked: Asked) -> SimResponse:
        """The login form."""
        return self._login(asked)

    def page_text(self, asked: Asked) -> SimResponse:
        """Search, help, lists."""
        return self._page(asked, "FAQ", "".join(f"<p>{text}</p>" for text in self._sentences[:5]))

    def page_done(self, asked: Asked) -> SimResponse:
        """What a link that acts answers."""
        return self._page(asked, "Message", "<p>Thank you for posting.</p>")

    def _login(self, asked: Asked) -> SimResponse:
        return self._page(
            asked,
            "Message",
            '<div class="standard_error"><p>You are not logged in or you do not have permission to access this page.</p>'
            '<form action="login.php?do=login" method="post"><input name="vb_login_username"><input type="password" '
            'name="vb_login_password"></form></div>',
        )

    def _s(self, asked: Asked) -> str:
        """The session parameter, as long as the visitor sends no cookie."""
        return "" if "bb_sessionhash" in asked.cookies else f"s={self.token('s', self.requests)}&amp;"

    def _page(self, asked: Asked, title: str, body: str) -> SimResponse:
        s = self._s(asked)
        menu = "".join(
            f'<li><a href="{url}">{text}</a></li>'
            for url, text in (
                (f"register.php?{s}a=1", "Register"),
                (f"faq.php?{s}a=1", "FAQ"),
                (f"calendar.php?{s}c=1", "Calendar"),
                (f"memberlist.php?{s}a=1", "Members"),
                (f"search.php?{s}do=getdaily", "Today's Posts"),
                (f"search.php?{s}a=1", "Search"),
                (f"online.php?{s}a=1", "Who's online"),
                ("archive/index.php", "Archive"),
            )
        )
        return page(
            f'<!DOCTYPE html><html><head><base href="{self.origin}/"><meta name="generator" content="vBulletin 4.2.2">'
            f'<title>{escape(title)}</title><script>var SECURITYTOKEN = "guest";</script></head><body><div class="above_body">'
            f'<a href="index.php?{s}a=1">Home</a><form action="login.php?do=login" method="post"></form><ul>{menu}</ul></div>'
            f'<div class="body_wrapper">{body}</div><div id="footer"><a href="#top">Top</a></div></body></html>'
        )
