"""Held out: MyBB 1.8 with its search-friendly URLs (`forum-4-page-2.html`, `thread-9.html`, `attachment.php?aid=`).

No order and no learner was tuned on it. Every post has a permalink (`thread-9-post-33.html`), every list a form
with sorts and dates, threads have print, newest and last-post views, users have profiles, and many links carry
`my_post_key`.
"""

from __future__ import annotations

from html import escape
from typing import ClassVar

from benchmarks.simulators.base import Asked, SimResponse, Target, page, paged, redirect, torrent_file
from benchmarks.simulators.forum import Board, ForumSimulator, Post, Thread, near, slice_of
from harvester.model.site import Role

_SORTS = ("subject", "lastpost", "starter", "started", "rating", "replies", "views")
_MENU = (
    ("search.php", "Search"),
    ("memberlist.php", "Member List"),
    ("calendar.php", "Calendar"),
    ("misc.php?action=help", "Help"),
    ("member.php?action=login", "Login"),
    ("member.php?action=register", "Register"),
    ("misc.php?action=syndication", "Syndication"),
    ("showteam.php", "Forum Team"),
    ("archive/index.php", "Lite (Archive) Mode"),
)


class MyBB(ForumSimulator):
    """See the module."""

    family: ClassVar[str] = "mybb"
    variants: ClassVar[dict[str, Role]] = {
        "sorted_board": Role.LIST,
        "print": Role.DETAIL,
        "jump": Role.DETAIL,
    }
    cookies: ClassVar[dict[str, str]] = {"mybb[lastvisit]": "1790000000", "sid": "f00d5e55"}

    def robots(self) -> str:
        """As often met."""
        return "User-agent: *\nDisallow: /captcha.php\nDisallow: /search.php\nDisallow: /member.php\n"

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that the templates make."""
        name = path.strip("/")
        if name in ("", "index.php"):
            return Target(Role.START, "index", "index")
        if "my_post_key" in query or name in (
            "newthread.php",
            "newreply.php",
            "editpost.php",
            "reputation.php",
        ):
            return Target(Role.ACTION, f"act:{name}:{sorted(query.items())}", "text")
        if name == "attachment.php":
            number = query.get("aid", "")
            known = number.isdigit() and int(number) in self.attachments
            return (
                Target(Role.DOWNLOAD, f"attachment:{number}", "attachment", (int(number),)) if known else None
            )
        if name.endswith(".html"):
            return self._html(name.removesuffix(".html").split("-"), query)
        if name == "printthread.php" and int(query.get("tid", "0") or 0) in self.threads:
            return Target(Role.IGNORE, f"print:{query['tid']}", "print", (int(query["tid"]),))
        if name == "archive/index.php":
            return Target(Role.IGNORE, "archive", "text")
        return (
            Target(Role.IGNORE, f"{name}:{sorted(query.items())}", "text") if name.endswith(".php") else None
        )

    def _html(self, parts: list[str], query: dict[str, str]) -> Target | None:
        match parts:
            case ["forum", board, *rest] if board.isdigit() and int(board) in self.boards:
                known = self.boards[int(board)]
                number = min(_page(rest), self.board_pages(known))
                if query.keys() & {"sortby", "order", "datecut", "prefix"}:
                    identity = f"board:{board}:{number}:{sorted(query.items())}"
                    sort = query.get("sortby", "")
                    return Target(Role.IGNORE, identity, "sorted_board", (known.number, number, sort))
                return paged(Role.LIST, f"board:{board}", "board", (known.number,), number)
            case ["thread", thread, "post", post] if post.isdigit() and int(post) in self.posts:
                owner, number = self.posts[int(post)], self.page_of_post(int(post))
                return Target(Role.IGNORE, f"post:{thread}:{post}", "thread", (owner.number, number))
            case ["thread", thread, *rest] if thread.isdigit() and int(thread) in self.threads:
                known_thread = self.threads[int(thread)]
                if rest in (["lastpost"], ["newpost"], ["nextoldest"], ["nextnewest"]):
                    return Target(Role.IGNORE, f"jump:{thread}:{rest[0]}", "jump", (known_thread.number,))
                number = min(_page(rest), self.thread_pages(known_thread))
                return paged(Role.DETAIL, f"thread:{thread}", "thread", (known_thread.number,), number)
            case ["user", user] if user.isdigit() and 1 <= int(user) <= len(self.users):
                return Target(Role.IGNORE, f"user:{user}", "user", (int(user),))
            case _:
                return None

    # Pages -----------------------------------------------------------------------------------------

    def page_index(self, asked: Asked) -> SimResponse:
        """The boards, and who wrote last where."""
        return self._page(
            "A board", f"<table class='tborder'>{''.join(map(self._row_of, self.top_boards()))}</table>"
        )

    def _row_of(self, board: Board) -> str:
        last = board.threads[0] if board.threads and not board.members_only else None
        latest = (
            f'<a href="/thread-{last.number}-lastpost.html">{escape(last.title[:25])}</a> by {self._user(last.author)}'
            if last
            else ""
        )
        subs = "".join(f'<a href="/forum-{s.number}.html">{s.name}</a>' for s in self.sub_boards(board))
        return (
            f'<tr><td><strong><a href="/forum-{board.number}.html">{board.name}</a></strong>{subs}</td>'
            f'<td class="smalltext">{latest}</td></tr>'
        )

    def _user(self, number: int) -> str:
        return f'<a href="/user-{number}.html">{self.user(number)}</a>'

    def page_board(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """A board by last post."""
        return self._list(number, page_number, self.boards[number].threads, "")

    def page_sorted_board(self, asked: Asked, number: int, page_number: int, sort: str) -> SimResponse:
        """A board in another order."""
        threads = sorted(self.boards[number].threads, key=lambda t: self.token(sort, t.number))
        return self._list(number, page_number, threads, f"?sortby={sort}&amp;order=asc&amp;datecut=9999")

    def _list(self, number: int, page_number: int, threads: list[Thread], query: str) -> SimResponse:
        board = self.boards[number]
        if board.members_only:
            return self._denied()
        last = self.board_pages(board)
        pager = "".join(
            f'<a href="/forum-{number}{f"-page-{n}" if n > 1 else ""}.html{query}" class="pagination_page">{n}</a>'
            for n in near(page_number, last, 2)
            if n != page_number
        )
        if page_number < last:
            pager += f'<a href="/forum-{number}-page-{page_number + 1}.html{query}" class="pagination_next">Next »</a>'
        sorts = "".join(
            f'<a href="/forum-{number}.html?sortby={sort}&amp;order=asc&amp;datecut=9999">{sort}</a>'
            for sort in _SORTS
        )
        rows = "".join(map(self._thread_row, slice_of(threads, page_number, self.threads_per_page)))
        subs = "".join(map(self._row_of, self.sub_boards(board)))
        mark = f'<a href="/misc.php?action=markread&amp;fid={number}&amp;my_post_key={self.token("key")}">Mark read</a>'
        return self._page(
            board.name,
            f'<table>{subs}</table><div class="pagination">{pager}</div><a href="/newthread.php?fid={number}">Post '
            f"Thread</a>{mark}<div>{sorts}</div><table class='tborder'>{rows}</table>",
        )

    def _thread_row(self, thread: Thread) -> str:
        pages = "".join(
            f'<a href="/thread-{thread.number}-page-{n}.html">{n}</a>'
            for n in range(2, self.thread_pages(thread) + 1)
        )
        files = sum(len(post.attachments) for post in thread.posts)
        clip = (
            f'<img src="images/paperclip.png" title="This thread contains {files} attachment(s).">'
            if files
            else ""
        )
        return (
            f'<tr class="inline_row"><td>{clip}<span class="subject_old"><a href="/thread-{thread.number}.html">'
            f"{escape(thread.title)}</a></span> <span>({pages})</span><div>{self._user(thread.author)}</div></td><td>"
            f'<a href="/misc.php?action=whoposted&amp;tid={thread.number}">{len(thread.posts) - 1}</a></td><td>'
            f'<a href="/thread-{thread.number}-lastpost.html">Last Post</a>: {self._user(thread.posts[-1].author)}</td></tr>'
        )

    def page_thread(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """A page of posts."""
        thread, key = self.threads[number], self.token("key")
        if self.boards[thread.board].members_only:
            return self._denied()
        last = self.thread_pages(thread)
        pager = "".join(
            f'<a href="/thread-{number}{f"-page-{n}" if n > 1 else ""}.html" class="pagination_page">{n}</a>'
            for n in near(page_number, last, 2)
            if n != page_number
        )
        tools = (
            f'<a href="/thread-{number}-nextoldest.html">Next Oldest</a><a href="/thread-{number}-nextnewest.html">Next '
            f'Newest</a><a href="/printthread.php?tid={number}">View a Printable Version</a><a href="usercp2.php?'
            f'action=addsubscription&amp;tid={number}&amp;my_post_key={key}">Subscribe to this thread</a>'
            f'<a href="newreply.php?tid={number}">Post Reply</a>'
        )
        posts = "".join(
            self._post(thread, p) for p in slice_of(thread.posts, page_number, self.posts_per_page)
        )
        return self._page(
            thread.title,
            f'<a href="/forum-{thread.board}.html">{self.boards[thread.board].name}</a><h1>{escape(thread.title)}</h1>'
            f'<div class="pagination">{pager}</div>{posts}<div>{tools}</div>',
        )

    def _post(self, thread: Thread, post: Post) -> str:
        files = "".join(
            f'<br /><a href="/attachment.php?aid={a.number}" target="_blank">{escape(a.torrent.name)}.torrent</a> '
            f"(Size: 14.21 KB / Downloads: {a.number % 80})"
            for a in post.attachments
        )
        hidden = "<p>You must reply to see the attachments of this post.</p>" if post.attachments else ""
        return (
            f'<div class="post" id="post_{post.number}"><div class="author_information">{self._user(post.author)}</div>'
            f'<div class="post_head"><a href="/thread-{thread.number}-post-{post.number}.html#pid{post.number}">#'
            f'{post.number}</a></div><div class="post_body">{post.text}</div>{hidden if post.wall else files}<a href="'
            f'newreply.php?tid={thread.number}&amp;replyto={post.number}">Quote</a><a href="report.php?pid='
            f'{post.number}">Report</a><a href="search.php?action=finduser&amp;uid={post.author}">Find</a></div>'
        )

    def page_print(self, asked: Asked, number: int) -> SimResponse:
        """A thread without its files."""
        thread = self.threads[number]
        return self._page(thread.title, "".join(f"<p>{post.text}</p>" for post in thread.posts))

    def page_jump(self, asked: Asked, number: int) -> SimResponse:
        """To a post of the thread."""
        post = self.threads[number].posts[-1].number
        return redirect(f"{self.origin}/thread-{number}-post-{post}.html#pid{post}")

    def page_attachment(self, asked: Asked, number: int) -> SimResponse:
        """The file, or what a guest gets."""
        attachment = self.open_attachment(number)
        return torrent_file(attachment.torrent) if attachment is not None else self._denied()

    def page_user(self, asked: Asked, number: int) -> SimResponse:
        """A profile."""
        name = self.user(number)
        return self._page(
            f"Profile of {name}",
            f'<h1>{name}</h1><a href="search.php?action=finduser&amp;uid={number}">Posts</a>',
        )

    def page_text(self, asked: Asked) -> SimResponse:
        """Help, search, members and the like."""
        return self._page("Board", "".join(f"<p>{text}</p>" for text in self._sentences[:4]))

    def _denied(self) -> SimResponse:
        return self._page(
            "Board",
            "<p>You are either not logged in or do not have permission to view this page.</p><form method='post' "
            "action='member.php'><input name='username'><input type='password' name='password'></form>",
            403,
        )

    def _page(self, title: str, body: str, status: int = 200) -> SimResponse:
        menu = "".join(f'<li><a href="/{url}">{text}</a></li>' for url, text in _MENU)
        return page(
            f"<!DOCTYPE html><html><head><title>{escape(title)}</title></head><body><div id='header'><a href='/index.php'>"
            f"Home</a><ul class='menu'>{menu}</ul></div><div id='content'>{body}</div><div id='footer'>Powered by "
            "<a href='https://mybb.example'>MyBB</a></div></body></html>",
            status,
        )


def _page(rest: list[str]) -> int:
    return max(1, int(rest[1])) if len(rest) == 2 and rest[0] == "page" and rest[1].isdigit() else 1
