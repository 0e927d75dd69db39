"""The pages of Discuz! X3 and the links on them, in either spelling of URLs."""

from __future__ import annotations

import base64
from html import escape
from typing import ClassVar
from urllib.parse import quote

from benchmarks.simulators.base import Asked, SimResponse, page, redirect, torrent_file
from benchmarks.simulators.forum import Attachment, Board, ForumSimulator, Post, Thread, near, slice_of

_ORDERS = ("dateline", "replies", "views", "lastpost", "heats")
_FILTERS = ("author", "digest", "heat", "hot", "reply", "specialtype")
_GUIDES = ("hot", "digest", "new", "newthread", "sofa")


class DiscuzPages(ForumSimulator):
    """Templates; what a URL means is in `discuz.py`."""

    rewritten: ClassVar[bool] = False
    """Whether boards, threads and people have `.html` addresses from the first day."""

    @property
    def _rewrites(self) -> bool:
        return self.rewritten or self.moved

    # URLs ------------------------------------------------------------------------------------------

    def _board_url(self, number: int, page_number: int = 1) -> str:
        if self._rewrites:
            return f"forum-{number}-{page_number}.html"
        tail = f"&amp;page={page_number}" if page_number > 1 else ""
        return f"forum.php?mod=forumdisplay&amp;fid={number}{tail}"

    def _thread_url(self, number: int, page_number: int = 1, came_from: int = 1) -> str:
        if self._rewrites:
            return f"thread-{number}-{page_number}-{came_from}.html"
        extra = f"&amp;extra=page%3D{came_from}"
        tail = f"&amp;page={page_number}" if page_number > 1 else ""
        return f"forum.php?mod=viewthread&amp;tid={number}{extra}{tail}"

    def _space_url(self, user: int) -> str:
        return f"space-uid-{user}.html" if self._rewrites else f"home.php?mod=space&amp;uid={user}"

    def _attachment_url(self, attachment: Attachment) -> str:
        key = self.token("attach", attachment.number, self.requests, length=8)
        text = f"{attachment.number}|{key}|{1_700_000_000 + self.requests}|0|{attachment.thread}"
        return f"forum.php?mod=attachment&amp;aid={quote(base64.b64encode(text.encode()).decode())}"

    @property
    def _formhash(self) -> str:
        return self.token("formhash", length=8)

    # Pages -----------------------------------------------------------------------------------------

    def page_index(self, asked: Asked) -> SimResponse:
        """The list of boards; members' boards are not shown to guests."""
        rows = "".join(self._board_row(board) for board in self.top_boards() if not board.members_only)
        newest = sorted(self.threads.values(), key=lambda thread: -thread.number)[:8]
        box = "".join(
            f'<li><a href="{self._thread_url(t.number)}">{escape(t.title)}</a></li>'
            for t in newest
            if not self.boards[t.board].members_only
        )
        return self._page(
            "论坛",
            f'<div class="bm"><ul class="newest">{box}</ul></div><div id="category_1"><h2>'
            f'<a href="forum.php?gid=1">版块</a></h2><table class="fl_tb">{rows}</table></div>',
        )

    def _board_row(self, board: Board) -> str:
        url, last = self._board_url(board.number), board.threads[0] if board.threads else None
        subs = "".join(
            f'<a href="{self._board_url(sub.number)}">{sub.name}</a>' for sub in self.sub_boards(board)
        )
        latest = ""
        if last is not None:
            user = last.posts[-1].author
            latest = (
                f'<a href="forum.php?mod=redirect&amp;tid={last.number}&amp;goto=lastpost#lastpost">'
                f'{escape(last.title)}</a> <cite><a href="{self._space_url(user)}">{self.user(user)}</a></cite>'
            )
        return (
            f'<tr><td class="fl_icn"><a href="{url}"><img src="static/image/common/forum.gif"></a></td><td><h2>'
            f'<a href="{url}">{board.name}</a></h2><p>子版块: {subs}</p></td><td class="fl_by">{latest}</td></tr>'
        )

    def page_board(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """A board's list of threads."""
        board = self.boards[number]
        if board.members_only:
            return self._message("抱歉，您没有权限访问该版块", login=True)
        return self._list(board, page_number, slice_of(board.threads, page_number, self.threads_per_page))

    def page_filtered(
        self, asked: Asked, number: int, page_number: int, variant: tuple[tuple[str, str], ...]
    ) -> SimResponse:
        """The same threads in another order, or fewer of them."""
        board = self.boards[number]
        if board.members_only:
            return self._message("抱歉，您没有权限访问该版块", login=True)
        threads = sorted(board.threads, key=lambda thread: self.token(variant, thread.number))
        if dict(variant).get("filter") in ("digest", "hot", "heat", "specialtype"):
            threads = threads[:12]
        query = "".join(f"&amp;{name}={quote(value)}" for name, value in variant)
        shown = slice_of(threads, page_number, self.threads_per_page)
        return self._list(board, page_number, shown, query)

    def _list(self, board: Board, number: int, threads: object, variant: str = "") -> SimResponse:
        assert isinstance(threads, list)
        base = f"forum.php?mod=forumdisplay&amp;fid={board.number}"
        filters = "".join(
            f'<a href="{base}&amp;filter={name}&amp;orderby={order}">{name}</a>'
            for name, order in zip(_FILTERS, (*_ORDERS, "lastpost"), strict=True)
        ) + "".join(f'<a href="{base}&amp;orderby={order}&amp;filter=reply">{order}</a>' for order in _ORDERS)
        dates = "".join(
            f'<a href="{base}&amp;orderby=lastpost&amp;filter=dateline&amp;dateline={seconds}">{seconds}</a>'
            for seconds in (86400, 172800, 604800, 2592000, 7948800)
        )
        rows = "".join(self._thread_row(thread, number) for thread in threads)
        subs = "".join(self._board_row(sub) for sub in self.sub_boards(board))
        last = self.board_pages(board)
        links = "".join(self._page_link(board.number, n, number, variant) for n in near(number, last, 4))
        if number < last:
            links += self._page_link(board.number, number + 1, number, variant, "下一页", "nxt")
        post = f'<a href="forum.php?mod=post&amp;action=newthread&amp;fid={board.number}">发帖</a>'
        return self._page(
            board.name,
            f'<div id="pt"><a href="./">论坛</a> &rsaquo; <a href="{self._board_url(board.number)}">{board.name}'
            f'</a><a href="home.php?mod=spacecp&amp;ac=favorite&amp;type=forum&amp;id={board.number}'
            f'&amp;formhash={self._formhash}">收藏本版</a></div><table class="subs">{subs}</table>{post}'
            f'<div class="tf">{filters}{dates}</div><table id="threadlisttableid">{rows}</table>'
            f'<div class="pg">{links}</div>{post}',
        )

    def _page_link(
        self, board: int, number: int, current: int, variant: str, text: str = "", css: str = ""
    ) -> str:
        if number == current:
            return f"<strong>{number}</strong>"
        url = (
            f"forum.php?mod=forumdisplay&amp;fid={board}{variant}&amp;page={number}"
            if variant
            else self._board_url(board, number)
        )
        return f'<a href="{url}" class="{css}">{text or number}</a>'

    def _thread_row(self, thread: Thread, came_from: int) -> str:
        url, number = self._thread_url(thread.number, 1, came_from), thread.number
        pages = "".join(
            f'<a href="{self._thread_url(number, n, came_from)}">{n}</a>'
            for n in range(2, min(self.thread_pages(thread), 6) + 1)
        )
        author, last = thread.author, thread.posts[-1].author
        has_files = any(post.attachments for post in thread.posts)
        clip = '<i class="fico-attachment fic4 fc-p fnmr vm" title="附件"></i>' if has_files else ""
        return (
            f'<tbody id="normalthread_{number}"><tr><td class="icn"><a href="{url}" title="新窗口打开" '
            f'target="_blank"><img src="static/image/common/folder_common.gif"></a></td><th class="common">'
            f'<a href="{url}" class="s xst">{escape(thread.title)}</a>{clip}<span class="tps">{pages}</span></th>'
            f'<td class="by"><cite><a href="{self._space_url(author)}">{self.user(author)}</a></cite></td>'
            f'<td class="num"><a href="{url}" class="xi2">{len(thread.posts) - 1}</a></td><td class="by"><cite>'
            f'<a href="{self._space_url(last)}">{self.user(last)}</a></cite><em>'
            f'<a href="forum.php?mod=redirect&amp;tid={number}&amp;goto=lastpost#lastpost">2024-5-{last % 28 + 1}'
            "</a></em></td></tr></tbody>"
        )

    def page_thread(self, asked: Asked, number: int, page_number: int) -> SimResponse:
        """Posts with their attachments."""
        thread = self.threads[number]
        if self.boards[thread.board].members_only:
            return self._message("抱歉，您没有权限访问该版块", login=True)
        return self._posts(thread, page_number, slice_of(thread.posts, page_number, self.posts_per_page))

    def page_variant(
        self, asked: Asked, number: int, page_number: int, variant: tuple[tuple[str, str], ...]
    ) -> SimResponse:
        """One author's posts, the posts backwards, or the page for a printer."""
        thread, options = self.threads[number], dict(variant)
        if self.boards[thread.board].members_only:
            return self._message("抱歉，您没有权限访问该版块", login=True)
        posts = [p for p in thread.posts if options.get("authorid") in (None, str(p.author))]
        if options.get("ordertype") == "1":
            posts = posts[::-1]
        return self._posts(thread, page_number, slice_of(posts, page_number, self.posts_per_page))

    def _posts(self, thread: Thread, number: int, posts: object) -> SimResponse:
        assert isinstance(posts, list)
        board = self.boards[thread.board]
        last = self.thread_pages(thread)
        links = "".join(
            f'<a href="{self._thread_url(thread.number, n)}">{n}</a>'
            for n in near(number, last, 4)
            if n != number
        )
        if number < last:
            links += f'<a href="{self._thread_url(thread.number, number + 1)}" class="nxt">下一页</a>'
        body = "".join(self._post(thread, post) for post in posts)
        tid, fid = thread.number, board.number
        acts = (
            f'<a href="home.php?mod=spacecp&amp;ac=favorite&amp;type=thread&amp;id={tid}'
            f'&amp;formhash={self._formhash}">收藏</a><a href="forum.php?mod=misc&amp;action=recommend&amp;'
            f'do=add&amp;tid={tid}&amp;hash={self._formhash}">支持</a><a href="forum.php?mod=misc&amp;'
            f'action=recommend&amp;do=subtract&amp;tid={tid}&amp;hash={self._formhash}">反对</a>'
        )
        walk = "".join(
            f'<a href="forum.php?mod=redirect&amp;goto={goto}set&amp;tid={tid}">{text}</a>'
            for goto, text in (("nextold", "上一主题"), ("nextnew", "下一主题"))
        )
        return self._page(
            thread.title,
            f'<div id="pt"><a href="./">论坛</a> &rsaquo; <a href="{self._board_url(fid)}">{board.name}</a> &rsaquo; '
            f'<a href="{self._thread_url(tid)}">{escape(thread.title)}</a></div>'
            f'<a href="forum.php?mod=post&amp;action=reply&amp;fid={fid}&amp;tid={tid}">回复</a>'
            f'<a href="forum.php?mod=post&amp;action=newthread&amp;fid={fid}">发帖</a><div id="postlist"><h1>'
            f'<span id="thread_subject">{escape(thread.title)}</span></h1><a href="forum.php?mod=viewthread&amp;'
            f'action=printable&amp;tid={tid}">打印</a>{walk}{body}</div>{acts}<div class="pg">{links}</div>',
            mobile=f"forum.php?mod=viewthread&amp;tid={tid}&amp;mobile=yes",
        )

    def _post(self, thread: Thread, post: Post) -> str:
        tid, fid, pid, user = thread.number, thread.board, post.number, post.author
        if post.wall == "reply":
            files = (
                '<div class="locked">游客，如果您要查看本帖隐藏内容请<a href="forum.php?mod=post&amp;'
                f'action=reply&amp;fid={fid}&amp;tid={tid}">回复</a></div>'
            )
        elif post.wall == "login":
            files = (
                '<div class="attach_nopermission attach_tips">您需要 <a href="member.php?mod=logging&amp;'
                'action=login">登录</a> 才可以下载或查看，没有账号？</div>'
            )
        else:
            files = "".join(
                f'<dl class="tattl"><dd><p class="attnm"><a href="{self._attachment_url(a)}" id="aid{a.number}" '
                f'target="_blank">{escape(a.torrent.name)}.torrent</a></p></dd></dl>'
                for a in post.attachments
            )
        name = self.user(user)
        opening = post is thread.posts[0]
        order = (
            f'<a href="forum.php?mod=viewthread&amp;tid={tid}&amp;extra=&amp;ordertype=1">倒序浏览</a>'
            if opening
            else ""
        )
        return (
            f'<div id="post_{pid}"><table class="plhin"><tr><td class="pls"><div class="authi">'
            f'<a href="{self._space_url(user)}" class="xw1">{name}</a></div><div class="avatar">'
            f'<a href="{self._space_url(user)}"><img src="uc_server/avatar.php?uid={user}"></a></div>'
            f'<a href="home.php?mod=spacecp&amp;ac=pm&amp;op=showmsg&amp;touid={user}">发消息</a></td>'
            f'<td class="plc"><div class="pi"><a href="forum.php?mod=redirect&amp;goto=findpost&amp;ptid={tid}'
            f'&amp;pid={pid}" id="postnum{pid}">#</a><a href="forum.php?mod=viewthread&amp;tid={tid}'
            f'&amp;page=1&amp;authorid={user}" rel="nofollow">只看该作者</a>{order}</div><div class="pct">'
            f'<td class="t_f" id="postmessage_{pid}">{post.text}</td>{files}</div><div class="po">'
            f'<a class="fastre" href="forum.php?mod=post&amp;action=reply&amp;fid={fid}&amp;tid={tid}'
            f'&amp;repquote={pid}">回复</a><a href="misc.php?mod=report&amp;rtype=post&amp;rid={pid}">举报</a></div>'
            "</td></tr></table></div>"
        )

    def page_attachment(self, asked: Asked, number: int) -> SimResponse:
        """The file, with the headers that Discuz sends; a message page where a guest may not have it."""
        attachment = self.open_attachment(number)
        if attachment is None:
            return self._message("抱歉，只有特定用户可以下载本站附件", login=True)
        answer = torrent_file(attachment.torrent, content_type="application/octet-stream")
        return SimResponse(200, (*answer.headers, ("Content-Encoding", "none")), answer.body)

    def page_jump(self, asked: Asked, thread: int, number: int) -> SimResponse:
        """Where findpost and lastpost lead: always the form with parameters."""
        return redirect(f"{self.origin}/forum.php?mod=viewthread&tid={thread}&page={number}#pid", 301)

    def page_user(self, asked: Asked, number: int) -> SimResponse:
        """A profile, with links that a guest cannot use."""
        name = self.user(number)
        base = f"home.php?mod=space&amp;uid={number}"
        tabs = "".join(
            f'<a href="{base}&amp;do={do}&amp;from=space">{do}</a>' for do in ("thread", "blog", "wall")
        )
        visitors = "".join(
            f'<a href="{self._space_url(other)}">{self.user(other)}</a>'
            for other in ((number * step) % len(self.users) + 1 for step in (3, 7, 11, 13))
        )
        return self._page(
            name,
            f'<div id="uhd"><h2>{name}</h2>{tabs}<a href="home.php?mod=spacecp&amp;ac=friend&amp;op=add&amp;'
            f'uid={number}">加为好友</a></div><div class="visitors">{visitors}</div>',
        )

    def page_guide(self, asked: Asked) -> SimResponse:
        """The newest threads of everywhere, one page of them."""
        view = asked.target.identity
        shown = sorted(self.threads.values(), key=lambda t: self.token(view, t.number))[:30]
        rows = "".join(self._thread_row(t, 1) for t in shown if not self.boards[t.board].members_only)
        return self._page("导读", f'<table id="threadlist">{rows}</table>')

    def page_archiver(self, asked: Asked) -> SimResponse:
        """The plain index."""
        rows = "".join(
            f'<li><a href="fid-{b.number}.html">{b.name}</a></li>'
            for b in self.boards.values()
            if not b.members_only
        )
        return page(f"<html><body><h1><a href='./'>Archiver</a></h1><ul>{rows}</ul></body></html>")

    def page_archived_board(self, asked: Asked, number: int) -> SimResponse:
        """All titles of a board on one plain page."""
        rows = "".join(
            f'<li><a href="tid-{t.number}.html">{escape(t.title)}</a></li>'
            for t in self.boards[number].threads[:100]
        )
        return page(f"<html><body><a href='./'>Archiver</a><ol>{rows}</ol></body></html>")

    def page_archived_thread(self, asked: Asked, number: int) -> SimResponse:
        """A thread's words without its files."""
        thread = self.threads[number]
        posts = "".join(f"<p><strong>{self.user(p.author)}</strong> {p.text}</p>" for p in thread.posts[:20])
        return page(
            f"<html><body><a href='./'>Archiver</a><h3>{escape(thread.title)}</h3>{posts}"
            f'<a href="../{self._thread_url(number)}">查看完整版本</a></body></html>'
        )

    def page_mobile(self, asked: Asked) -> SimResponse:
        """The touch view says to get a plugin."""
        return page("<html><body><p>手机版</p><a href='forum.php?mobile=yes'>首页</a></body></html>")

    def page_text(self, asked: Asked) -> SimResponse:
        """Search, help, ranking lists."""
        return self._page("帮助", "<p>帮助</p>" + "".join(self._sentences[:3]))

    def page_login(self, asked: Asked) -> SimResponse:
        """The login form."""
        return self._message("", login=True)

    def page_done(self, asked: Asked) -> SimResponse:
        """Something was changed, or would have been for a member."""
        return self._message("操作成功")

    def _message(self, text: str, *, login: bool = False) -> SimResponse:
        form = (
            '<div id="messagelogin"><form method="post" id="loginform_LxYz1" action="member.php?mod=logging&amp;'
            'action=login&amp;loginsubmit=yes&amp;loginhash=LxYz1"><input name="username">'
            '<input type="password" name="password"></form></div>'
            if login
            else ""
        )
        return self._page("提示信息", f'<div id="messagetext" class="alert_info"><p>{text}</p></div>{form}')

    def _page(self, title: str, body: str, mobile: str = "forum.php?mobile=yes") -> SimResponse:
        guides = "".join(
            f'<li><a href="forum.php?mod=guide&amp;view={view}">{view}</a></li>' for view in _GUIDES
        )
        return page(
            f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{escape(title)} - Powered by Discuz!</title>"
            '<meta name="generator" content="Discuz! X3.5" /><base href="' + self.origin + '/" />'
            f"<script>var STYLEID = '1', charset = 'utf-8', discuz_uid = '0', cookiepre = 'aB3d_2132_';</script>"
            '</head><body id="nv_forum"><div id="hd"><a href="./">首页</a><a href="member.php?mod=logging&amp;'
            'action=login">登录</a><a href="member.php?mod=register">立即注册</a><a href="member.php?mod=logging&amp;'
            'action=login&amp;viewlostpw=1">找回密码</a><ul id="nv"><li><a href="forum.php">论坛</a></li>'
            f"{guides}<li><a href='misc.php?mod=ranklist'>排行榜</a></li><li><a href='misc.php?mod=faq'>帮助</a>"
            "</li><li><a href='search.php?mod=forum'>搜索</a></li></ul></div>"
            f'<div id="wp">{body}</div><div id="ft"><a href="archiver/">Archiver</a><a href="{mobile}">手机版</a>'
            "<a href='misc.php?mod=stat&amp;op=trend'>统计</a><a href='https://www.discuz.example/'>Discuz!</a></div>"
            "</body></html>"
        )
