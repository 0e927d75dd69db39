"""phpBB 3 whose session cookie does not stick (a wrong cookie domain, as is often met): `sid=` everywhere.

A request without `sid` begins a session; with it the session goes on, and every link of the page carries
it. Topics appear under `t=`, `p=` (from every post and from the last-post arrows) and `view=`; lists sort by
`sk`, `sd`, `st`; `start` counts posts or topics. Attachments answer 403 where a guest may not have them.
"""

from __future__ import annotations

from html import escape
from typing import ClassVar

from benchmarks.simulators.base import Asked, SimResponse, Target, page, paged, redirect, torrent_file
from benchmarks.simulators.forum import Board, ForumSimulator, Post, Thread, near, slice_of
from harvester.model.site import Role

_SORTS = tuple((key, direction) for key in "atrsv" for direction in "ad")


class PhpBB(ForumSimulator):
    """See the module."""

    family: ClassVar[str] = "phpbb-sid"
    variants: ClassVar[dict[str, Role]] = {"sorted_board": Role.LIST, "walk": Role.DETAIL}
    threads_per_page: ClassVar[int] = 25

    def robots(self) -> str:
        """None is shipped; owners keep crawlers from the forms."""
        return "User-agent: *\nDisallow: /ucp.php\nDisallow: /search.php\nDisallow: /memberlist.php\n"

    def route(self, path: str, query: dict[str, str]) -> Target | None:
        """Every URL that prosilver makes."""
        name = path.strip("/").removeprefix("./")
        known = {key: value for key, value in query.items() if key != "sid"}
        if name in ("", "index.php"):
            if known.get("mark"):
                return Target(Role.ACTION, "mark", "done")
            return Target(Role.START, "index", "index")
        if name == "viewforum.php":
            return self._forum(known)
        if name == "viewtopic.php":
            return self._topic(known)
        if name == "download/file.php":
            number = known.get("id", "")
            if number.isdigit() and int(number) in self.attachments:
                return Target(Role.DOWNLOAD, f"attachment:{number}", "attachment", (int(number),))
            return None
        if name == "memberlist.php":
            return Target(Role.IGNORE, f"members:{sorted(known.items())}", "members", (known.get("u", ""),))
        if name == "posting.php":
            return Target(Role.ACTION, f"posting:{sorted(known.items())}", "done")
        if name == "ucp.php":
            mode = known.get("mode", "")
            role = Role.LOGIN if mode in ("login", "register", "sendpassword") else Role.IGNORE
            return Target(Role.ACTION if mode == "logout" else role, f"ucp:{mode}", "login")
        if name in ("search.php", "viewonline.php", "app.php/help/faq", "app.php/help/bbcode", "report.php"):
            return Target(Role.IGNORE, f"{name}:{sorted(known.items())}", "text")
        return None

    def _forum(self, query: dict[str, str]) -> Target | None:
        board, start = query.get("f", ""), query.get("start", "0")
        if not (board.isdigit() and start.isdigit() and int(board) in self.boards):
            return None
        known = self.boards[int(board)]
        number = min(int(start) // self.threads_per_page + 1, self.board_pages(known))
        if "mark" in query or "hash" in query:
            return Target(Role.ACTION, f"mark:{board}", "done")
        sort = (query.get("sk", "t"), query.get("sd", "d"))
        if sort != ("t", "d") or query.get("st", "0") != "0":
            identity = f"board:{board}:{number}:{sort}:{query.get('st')}"
            return Target(Role.IGNORE, identity, "sorted_board", (known.number, number, sort))
        return paged(Role.LIST, f"board:{board}", "board", (known.number,), number)

    def _topic(self, query: dict[str, str]) -> Target | None:
        post, topic, start = query.get("p", ""), query.get("t", ""), query.get("start", "0")
        if post.isdigit() and int(post) in self.posts:
            thread = self.posts[int(post)]
            return Target(Role.IGNORE, f"post:{post}", "topic", (thread.number, self.page_of_post(int(post))))
        if not (topic.isdigit() and start.isdigit() and int(topic) in self.threads):
            return None
        known = self.threads[int(topic)]
        number = min(int(start) // self.posts_per_page + 1, self.thread_pages(known))
        view = query.get("view", "")
        if view == "print" or query.get("sk", "t") != "t" or query.get("sd", "a") != "a":
            return Target(
                Role.IGNORE, f"topic:{topic}:{number}:{view or 'sorted'}", "topic", (known.number, number)
            )
        if view in ("next", "previous", "unread"):
            return Target(Role.IGNORE, f"topic:{topic}:{view}", "walk", (known.number, view))
        if "bookmark" in query or "watch" in query:
            return Target(Role.ACTION, f"act:{sorted(query.items())}", "done")
        return paged(Role.DETAIL, f"topic:{topic}", "topic", (known.number,), number)

    # Pages -----------------------------------------------------------------------------------------

    def page_index(self, asked: Asked) -> SimResponse:
        """Boards in two categories."""
        rows = "".join(self._board_row(b, asked) for b in self.top_boards())
        return self._page(
            asked,
            "Index page",
            f'<a href="./index.php?hash={self.token("mark", length=8)}&amp;mark=forums&amp;{self._sid(asked)}">'
            f'Mark forums read</a><div class="forabg"><ul class="topiclist forums">{rows}</ul></div>',
        )

    def _board_row(self, board: Board, asked: Asked) -> str:
        sid, last = self._sid(asked), board.threads[0] if board.threads else None
        subs = "".join(
            f'<a href="./viewforum.php?f={sub.number}&amp;{sid}" class="subforum read">{sub.name}</a>'
            for sub in self.sub_boards(board)
        )
        latest = ""
        if last is not None and not board.members_only:
            post = last.posts[-1]
            latest = (
                f'<a href="./viewtopic.php?p={post.number}&amp;{sid}#p{post.number}" class="lastsubject">'
                f"{escape(last.title)}</a> by {self._user_link(post.author, asked)}"
                f'<a href="./viewtopic.php?p={post.number}&amp;{sid}#p{post.number}"><i></i></a>'
            )
        return (
            f'<li class="row"><dl class="row-item"><dt><a href="./viewforum.php?f={board.number}&amp;{sid}" '
            f'class="forumtitle">{board.name}</a>{subs}</dt><dd class="lastpost">{latest}</dd></dl></li>'
        )

    def _user_link(self, user: int, asked: Asked) -> str:
        return (
            f'<a href="./memberlist.php?mode=viewprofile&amp;u={user}&amp;{self._sid(asked)}" class="username">'
            f"{self.user(user)}</a>"
        )

    def page_board(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """A board in its usual order."""
        return self._list(asked, number, page_number, self.boards[number].threads, "")

    def page_sorted_board(
        self, asked: Asked, number: int, page_number: int, sort: tuple[str, str]
    ) -> SimResponse:
        """A board in another order."""
        threads = sorted(self.boards[number].threads, key=lambda t: self.token(sort, t.number))
        return self._list(asked, number, page_number, threads, f"&amp;sk={sort[0]}&amp;sd={sort[1]}&amp;st=0")

    def _list(
        self, asked: Asked, number: int, page_number: int, threads: list[Thread], sort: str
    ) -> SimResponse:
        board, sid = self.boards[number], self._sid(asked)
        if board.members_only:
            return self._login(
                asked, "The board requires you to be registered and logged in to view this forum."
            )
        rows = "".join(
            self._topic_row(t, asked) for t in slice_of(threads, page_number, self.threads_per_page)
        )
        last, size = self.board_pages(board), self.threads_per_page
        pager = "".join(
            f'<li><a class="button" href="./viewforum.php?f={number}&amp;{sid}{sort}'
            f'{f"&amp;start={(n - 1) * size}" if n > 1 else ""}">{n}</a></li>'
            for n in near(page_number, last, 2)
            if n != page_number
        )
        if page_number < last:
            pager += (
                f'<li class="arrow next"><a rel="next" href="./viewforum.php?f={number}&amp;{sid}{sort}'
                f'&amp;start={page_number * size}">Next</a></li>'
            )
        sorts = "".join(
            f'<a href="./viewforum.php?f={number}&amp;{sid}&amp;sk={k}&amp;sd={d}&amp;st=0">{k}{d}</a>'
            for k, d in _SORTS
        )
        subs = "".join(self._board_row(sub, asked) for sub in self.sub_boards(board))
        post = f'<a href="./posting.php?mode=post&amp;f={number}&amp;{sid}" class="button">New Topic</a>'
        mark = (
            f'<a href="./viewforum.php?hash={self.token("mark", length=8)}&amp;f={number}&amp;mark=topics&amp;{sid}">'
            "Mark topics read</a>"
        )
        return self._page(
            asked,
            board.name,
            f'<h2><a href="./viewforum.php?f={number}&amp;{sid}">{board.name}</a></h2><ul>{subs}</ul>{post}{mark}'
            f'<div class="pagination"><ul>{pager}</ul></div><div class="forumbg"><ul class="topiclist topics">{rows}'
            f'</ul></div><div class="sorts">{sorts}</div><div class="pagination"><ul>{pager}</ul></div>',
        )

    def _topic_row(self, thread: Thread, asked: Asked) -> str:
        sid, last = self._sid(asked), thread.posts[-1]
        pages = "".join(
            f'<li><a class="button" href="./viewtopic.php?t={thread.number}&amp;{sid}&amp;'
            f'start={(n - 1) * self.posts_per_page}">{n}</a></li>'
            for n in range(2, min(self.thread_pages(thread), 5) + 1)
        )
        clip = '<i class="icon fa-paperclip"></i>' if any(p.attachments for p in thread.posts) else ""
        return (
            f'<li class="row bg1"><dl class="row-item topic_read"><dt><div class="list-inner">'
            f'<a href="./viewtopic.php?t={thread.number}&amp;{sid}" class="topictitle">{escape(thread.title)}</a>{clip}'
            f'<div class="pagination"><ul>{pages}</ul></div>by {self._user_link(thread.author, asked)}</div></dt>'
            f'<dd class="posts">{len(thread.posts) - 1}</dd><dd class="lastpost">{self._user_link(last.author, asked)}'
            f'<a href="./viewtopic.php?p={last.number}&amp;{sid}#p{last.number}" title="Go to last post"><i></i></a>'
            "</dd></dl></li>"
        )

    def page_topic(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """A page of posts."""
        thread, sid = self.threads[number], self._sid(asked)
        board = self.boards[thread.board]
        if board.members_only:
            return self._login(asked, "You are not authorised to read this forum.")
        posts = slice_of(thread.posts, page_number, self.posts_per_page)
        last, size = self.thread_pages(thread), self.posts_per_page
        base = f"./viewtopic.php?t={number}&amp;{sid}"
        pager = "".join(
            f'<li><a class="button" href="{base}{f"&amp;start={(n - 1) * size}" if n > 1 else ""}">{n}</a></li>'
            for n in near(page_number, last, 2)
            if n != page_number
        )
        if page_number < last:
            pager += f'<li class="arrow next"><a rel="next" href="{base}&amp;start={page_number * size}">Next</a></li>'
        tools = (
            f'<a href="./posting.php?mode=reply&amp;t={number}&amp;{sid}" class="button">Post Reply</a>'
            f'<a href="{base}&amp;view=print">Print view</a><a href="{base}&amp;sk=t&amp;sd=d&amp;st=0">Descending</a>'
            f'<a href="{base}&amp;sk=a&amp;sd=a&amp;st=0">Author</a><a href="{base}&amp;view=previous">Previous topic</a>'
            f'<a href="{base}&amp;view=next">Next topic</a>'
        )
        body = "".join(self._post(thread, post, asked) for post in posts)
        return self._page(
            asked,
            thread.title,
            f'<a href="./viewforum.php?f={board.number}&amp;{sid}">{board.name}</a><h2 class="topic-title">'
            f'<a href="{base}">{escape(thread.title)}</a></h2>{tools}<div class="pagination"><ul>{pager}</ul></div>'
            f'{body}<a href="./viewforum.php?f={board.number}&amp;{sid}" class="jumpbox-return">Return to '
            f"{board.name}</a>",
        )

    def _post(self, thread: Thread, post: Post, asked: Asked) -> str:
        sid, pid = self._sid(asked), post.number
        if post.wall:
            files = (
                '<div class="rules">You do not have the required permissions to view the files attached to this '
                "post.</div>"
                if post.attachments
                else ""
            )
        else:
            files = "".join(
                f'<dl class="file"><dt><i></i><a class="postlink" href="./download/file.php?id={a.number}&amp;{sid}">'
                f"{escape(a.torrent.name)}.torrent</a></dt><dd>(14.2 KiB) Downloaded {a.number % 90} times</dd></dl>"
                for a in post.attachments
            )
        return (
            f'<div id="p{pid}" class="post has-profile"><dl class="postprofile"><dt>'
            f"<a href='./memberlist.php?mode=viewprofile&amp;u={post.author}&amp;{sid}' class='avatar'><img></a>"
            f"{self._user_link(post.author, asked)}</dt><dd class='profile-posts'><a href='./search.php?author_id="
            f'{post.author}&amp;sr=posts&amp;{sid}\'>{post.author * 3}</a></dd></dl><div class="postbody"><h3>'
            f'<a href="./viewtopic.php?p={pid}&amp;{sid}#p{pid}">Re: {escape(thread.title)}</a></h3>'
            f'<ul class="post-buttons"><li><a href="./posting.php?mode=quote&amp;p={pid}&amp;{sid}">Quote</a></li>'
            f'<li><a href="./report.php?p={pid}&amp;{sid}">Report</a></li></ul><p class="author">'
            f'<a class="unread" href="./viewtopic.php?p={pid}&amp;{sid}#p{pid}">Post</a> by '
            f'{self._user_link(post.author, asked)}</p><div class="content">{post.text}</div>'
            f"{f'<dl class=attachbox><dd>{files}</dd></dl>' if files else ''}</div>"
            f'<a href="#wrap" class="top">Top</a></div>'
        )

    def page_walk(self, asked: Asked, number: int, view: str) -> SimResponse:
        """The thread before or after in its board."""
        threads = self.boards[self.threads[number].board].threads
        index = threads.index(self.threads[number]) + (1 if view == "previous" else -1)
        there = threads[index % len(threads)]
        return redirect(f"{self.origin}/viewtopic.php?t={there.number}&{self._sid(asked)}")

    def page_attachment(self, asked: Asked, number: int) -> SimResponse:
        """The file; its name only in the extended form."""
        attachment = self.open_attachment(number)
        if attachment is None:
            return self._page(asked, "Information", "<p>You are not authorised.</p>", 403)
        answer = torrent_file(attachment.torrent)
        name = attachment.torrent.name.replace(" ", "%20")
        headers = (answer.headers[0], ("Content-Disposition", f"attachment; filename*=UTF-8''{name}.torrent"))
        return SimResponse(200, headers, answer.body)

    def page_members(self, asked: Asked, user: str) -> SimResponse:
        """Profiles are for members."""
        return self._login(asked, "You need to be registered and logged in to view profiles.")

    def page_login(self, asked: Asked) -> SimResponse:
        """The login form."""
        return self._login(asked, "")

    def page_text(self, asked: Asked) -> SimResponse:
        """Search forms and help."""
        return self._page(asked, "Information", "".join(f"<p>{text}</p>" for text in self._sentences[:4]))

    def page_done(self, asked: Asked) -> SimResponse:
        """Something was changed, or a form that would."""
        return self._page(asked, "Information", "<p>The forums have been marked read.</p>")

    def _login(self, asked: Asked, why: str) -> SimResponse:
        return self._page(
            asked,
            "Login",
            f'<div class="error">{why}</div><form id="login" action="./ucp.php?mode=login&amp;{self._sid(asked)}" '
            'method="post"><h2 class="login-title">Login</h2><input name="username"><input type="password" '
            'name="password"><input type="submit" name="login" value="Login"></form>',
        )

    def _sid(self, asked: Asked) -> str:
        """The session's parameter: the one that came, or a new one."""
        came = asked.url.partition("sid=")[2][:32]
        fresh = self.token("session", self.requests)
        return f"sid={came if len(came) == 32 and came.isalnum() else fresh}"

    def _page(self, asked: Asked, title: str, body: str, status: int = 200) -> SimResponse:
        sid = self._sid(asked)
        menu = "".join(
            f'<li><a href="./{url}&amp;{sid}">{text}</a></li>'
            for url, text in (
                ("search.php?search_id=unanswered", "Unanswered topics"),
                ("search.php?search_id=active_topics", "Active topics"),
                ("search.php?a=1", "Search"),
                ("memberlist.php?mode=team", "The team"),
                ("app.php/help/faq?a=1", "FAQ"),
                ("ucp.php?mode=login", "Login"),
                ("ucp.php?mode=register", "Register"),
                ("ucp.php?mode=delete_cookies", "Delete cookies"),
            )
        )
        return page(
            f"<!DOCTYPE html><html><head><title>{escape(title)} - A board</title></head>"
            f'<body id="phpbb" class="nojs notouch section-viewforum"><div id="wrap"><a id="logo" '
            f'href="./index.php?{sid}">Board</a><ul id="nav-main">{menu}</ul><ul id="nav-breadcrumbs"><li>'
            f'<a href="./index.php?{sid}">Board index</a></li></ul><div id="page-body">{body}</div>'
            '<div class="copyright">Powered by <a href="https://www.phpbb.example/">phpBB</a>&reg;</div></div></body></html>',
            status,
        )
