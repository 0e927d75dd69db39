"""A small Chinese forum in GBK that behaves as Discuz! X does, with real login, reply walls and tokens.

What is like the real one: GBK bytes in pages and in Content-Disposition, attachment tokens that differ
on every view, message pages with HTTP 200 for every wall, `[hide]` blocks that one reply opens, formhash
checks, a flood limit, five tries to log in, and the links that waste a crawl (findpost, lastpost,
orderby, authorid, print, quote, sid). Links that change state by GET exist, do nothing, and are counted.
"""

from __future__ import annotations

import base64
import hashlib
import re
import time
from collections.abc import Callable, Sequence
from html import escape
from urllib.parse import quote, unquote_to_bytes

from harvester.demo.forum_pages import login_form, message, page, pager, reply_form
from harvester.demo.forum_threads import BOARDS, USERS, Board, Offer, Thread, compose
from harvester.demo.server import Request, Response, SiteState, redirect
from harvester.demo.truth import TruthRow

CHARSET = "gbk"
PREFIX = "demo_2132_"
PER_PAGE = 10
LOGIN_TRIES = 5
MESSAGE_MINIMUM = 10
"""Least bytes of a reply, as Discuz ships it."""

ROBOTS = """User-agent: *
Disallow: /misc.php
Disallow: /search.php
Disallow: /home.php?mod=spacecp
Disallow: /member.php
Disallow: /forum.php?mod=post*
Disallow: /forum.php?mod=redirect*
Disallow: /*?mod=misc*
Disallow: /*mobile=yes*
"""
_FORBIDDEN = re.compile(
    r"/misc\.php|/search\.php|/home\.php\?mod=spacecp|/member\.php|/forum\.php\?mod=(post|redirect)"
    r"|/[^?]*\?mod=misc|/.*mobile=yes"
)
_STATE_CHANGING = re.compile(
    r"action=(logout|rate|attachpay|pay|report|markread|recommend)\b|ac=(favorite|friend|click)\b"
    r"|[?&]delete=|mod=topicadmin"
)


class DiscuzForum:
    """The forum at `origin` (no slash at the end) with one account (name, password).

    `flood_seconds` is the least time between two replies of the account.
    """

    name = "demo-forum"

    def __init__(self, origin: str, account: tuple[str, str], flood_seconds: float = 15.0) -> None:
        self._origin = origin
        self._account = account
        self._flood_seconds = flood_seconds
        self._state = SiteState()
        self._threads = {thread.tid: thread for thread in compose()}
        self._boards = {board.fid: board for board in BOARDS}
        self._attachments = {
            offer.aid: (thread, offer)
            for thread in self._threads.values()
            for offer in thread.opening.offers
            if offer.aid
        }
        self._files = {
            unquote_to_bytes(_file_target(offer)): offer.entry.seed.data
            for thread in self._threads.values()
            for offer in thread.opening.offers
            if offer.part == "thunder"
        }
        self._replied: set[tuple[int, int]] = set()
        self._last_reply = -1e9
        self._failures = 0
        self._routes: dict[str, Callable[[Request, _Visitor], Response]] = {
            "/": self._index,
            "/index.php": self._index,
            "/forum.php": self._forum_php,
            "/member.php": self._member_php,
            "/home.php": self._home_php,
            "/misc.php": self._nothing,
            "/search.php": self._nothing,
        }

    @property
    def url(self) -> str:
        """The start page."""
        return f"{self._origin}/forum.php"

    @property
    def state(self) -> SiteState:
        """What the forum has seen."""
        return self._state

    def truth(self) -> Sequence[TruthRow]:
        """Every torrent, thread by thread. An attachment's URL is one of the many that lead to it."""
        return [
            self._truth_of(thread, offer)
            for thread in self._threads.values()
            for offer in thread.opening.offers
            if offer.part != "ed2k"
        ]

    def _truth_of(self, thread: Thread, offer: Offer) -> TruthRow:
        page_url = f"{self._origin}/thread-{thread.tid}-1-1.html"
        url, fetched = page_url, "-"
        if offer.part == "attachment":
            url = f"{self._origin}/forum.php?mod=attachment&aid={self._token(offer.aid, thread.tid, 0, 0)}"
            fetched = {"none": "anon", "login": "login"}.get(offer.wall, "reply")
        elif offer.part == "thunder":
            url = self._origin + _file_target(offer)
        assert offer.part != "ed2k"
        return TruthRow(offer.entry.seed.infohash, url, offer.wall, page_url, offer.part, fetched)

    async def answer(self, request: Request) -> Response:
        """Answer one request."""
        self._state.record(request)
        if request.method == "GET" and _STATE_CHANGING.search(request.target):
            self._state.violations.append(request.target)
        if request.method == "GET" and _FORBIDDEN.match(request.target):
            self._state.robots_violations.append(request.target)
        if request.path == "/robots.txt":
            return Response(ROBOTS.encode(), content_type="text/plain")
        if (file := self._files.get(unquote_to_bytes(request.path))) is not None:
            return Response(file, content_type="application/x-bittorrent")
        visitor = _Visitor(request, self._account[0], self._state.requests)
        return visitor.with_cookies(self._route(request, visitor))

    def _route(self, request: Request, visitor: _Visitor) -> Response:
        if found := re.fullmatch(r"/forum-(\d{1,6})-(\d{1,6})\.html", request.path):
            return self._board(visitor, int(found[1]), int(found[2]))
        if found := re.fullmatch(r"/thread-(\d{1,6})-(\d{1,6})-\d{1,6}\.html", request.path):
            return self._thread(visitor, int(found[1]), int(found[2]))
        if request.path in self._routes:
            return self._routes[request.path](request, visitor)
        return self._say(visitor, "抱歉，您请求的页面不存在", status=404)

    # Pages

    def _page(
        self, visitor: _Visitor, title: str, body: str, crumbs: Sequence[str] = (), status: int = 200
    ) -> Response:
        text = page(
            title,
            body,
            origin=self._origin,
            uid=visitor.uid,
            user=visitor.user,
            formhash=visitor.formhash,
            crumbs=crumbs,
        )
        return Response(text.encode(CHARSET, "xmlcharrefreplace"), status, "text/html; charset=gbk")

    def _say(
        self,
        visitor: _Visitor,
        text: str,
        *,
        login: bool = False,
        onward: str = "",
        good: bool = False,
        status: int = 200,
    ) -> Response:
        kind = "alert_right" if good else "alert_info" if status == 200 else "alert_error"
        return self._page(
            visitor, "提示信息", message(text, kind=kind, login=login, onward=onward), status=status
        )

    def _nothing(self, request: Request, visitor: _Visitor) -> Response:
        return self._say(visitor, "抱歉，演示站点没有这个功能")

    def _index(self, request: Request, visitor: _Visitor) -> Response:
        rows = []
        for board in BOARDS:
            threads = self._threads_of(board)
            posts = sum(len(thread.posts) for thread in threads)
            last = threads[0]
            rows.append(
                f'<tr><td><h2><a href="forum-{board.fid}-1.html">{escape(board.name)}</a></h2>'
                f'<p class="xg2">{escape(board.about)}</p></td><td>{len(threads)} / {posts}</td>'
                f'<td><a href="forum.php?mod=redirect&amp;tid={last.tid}&amp;goto=lastpost#lastpost">'
                f"{escape(last.title[:24])}</a></td></tr>"
            )
        body = (
            f'<div class="bm"><div class="bm_h">全部版块</div><table class="fl_tb">{"".join(rows)}</table></div>'
            f'<p><a href="forum.php?mod=misc&amp;action=markread&amp;formhash={visitor.formhash}">标记已读</a></p>'
        )
        return self._page(visitor, "首页", body)

    def _threads_of(self, board: Board) -> list[Thread]:
        return [thread for thread in reversed(self._threads.values()) if thread.board is board]

    def _board(self, visitor: _Visitor, fid: int, number: int) -> Response:
        board = self._boards.get(fid)
        if board is None:
            return self._say(visitor, "抱歉，指定的版块不存在")
        if board.members and not visitor.uid:
            return self._say(visitor, "抱歉，您尚未登录，没有权限访问该版块", login=True)
        threads = self._threads_of(board)
        pages = max(1, -(-len(threads) // PER_PAGE))
        number = min(max(number, 1), pages)
        shown = threads[(number - 1) * PER_PAGE : number * PER_PAGE]
        rows = "".join(self._row(visitor, thread, number) for thread in shown)
        sorts = " | ".join(
            f'<a href="forum.php?mod=forumdisplay&amp;fid={fid}&amp;filter={order}&amp;orderby={order}{visitor.sid}">{label}</a>'
            for order, label in (
                ("lastpost", "最后发表"),
                ("dateline", "发帖时间"),
                ("heats", "热门"),
                ("views", "查看"),
            )
        )
        flips = pager([f"forum-{fid}-{i}.html" for i in range(1, pages + 1)], number)
        body = (
            f'<div>{sorts} | <a href="forum.php?mod=post&amp;action=newthread&amp;fid={fid}">发帖</a> | '
            f'<a href="home.php?mod=spacecp&amp;ac=favorite&amp;type=forum&amp;id={fid}&amp;'
            f'formhash={visitor.formhash}">收藏本版</a></div>'
            f'<table id="threadlisttableid">{rows}</table>{flips}'
        )
        return self._page(
            visitor, board.name, body, [f'<a href="forum-{fid}-1.html">{escape(board.name)}</a>']
        )

    def _row(self, visitor: _Visitor, thread: Thread, number: int) -> str:
        author = thread.opening.uid
        dynamic = f"forum.php?mod=viewthread&amp;tid={thread.tid}&amp;extra=page%3D{number}{visitor.sid}"
        last = thread.posts[-1].uid
        return (
            f'<tbody id="normalthread_{thread.tid}"><tr><td class="icn"><a href="{dynamic}">&#128193;</a></td>'
            f'<th class="new"><a href="thread-{thread.tid}-1-{number}.html" class="s xst">{escape(thread.title)}</a></th>'
            f'<td class="by"><cite><a href="home.php?mod=space&amp;uid={author}">{USERS[author]}</a></cite></td>'
            f'<td class="num"><a href="{dynamic}" class="xi2">{len(thread.posts) - 1}</a></td>'
            f'<td class="by"><cite><a href="home.php?mod=space&amp;uid={last}">{USERS[last]}</a></cite> '
            f'<em><a href="forum.php?mod=redirect&amp;tid={thread.tid}&amp;goto=lastpost#lastpost">最后</a></em>'
            "</td></tr></tbody>"
        )

    def _thread(self, visitor: _Visitor, tid: int, number: int) -> Response:
        thread = self._threads.get(tid)
        if thread is None:
            return self._say(visitor, "抱歉，指定的主题不存在或已被删除或正在被审核")
        if thread.board.members and not visitor.uid:
            return self._say(visitor, "抱歉，您尚未登录，没有权限访问该版块", login=True)
        pages = -(-len(thread.posts) // PER_PAGE)
        number = min(max(number, 1), pages)
        first = (number - 1) * PER_PAGE
        posts = "".join(
            self._post(visitor, thread, place)
            for place in range(first, min(first + PER_PAGE, len(thread.posts)))
        )
        flips = pager([f"thread-{tid}-{i}-1.html" for i in range(1, pages + 1)], number)
        fid = thread.board.fid
        links = (
            f'<a href="forum.php?mod=viewthread&amp;action=printable&amp;tid={tid}">打印</a> | '
            f'<a href="forum.php?mod=viewthread&amp;tid={tid}&amp;extra=page%3D1&amp;ordertype=1">倒序浏览</a> | '
            f'<a href="home.php?mod=spacecp&amp;ac=favorite&amp;type=thread&amp;id={tid}&amp;'
            f'formhash={visitor.formhash}">收藏</a> | '
            f'<a href="forum.php?mod=misc&amp;action=recommend&amp;do=add&amp;tid={tid}&amp;'
            f'hash={visitor.formhash}">支持</a>'
        )
        form = reply_form(fid, tid, visitor.formhash) if visitor.uid else ""
        body = (
            f'<table><tr><th class="bm_h"><span id="thread_subject">{escape(thread.title)}</span></th>'
            f'<td class="bm_h">{links}</td></tr></table><div id="postlist">{posts}</div>{flips}{form}'
        )
        board = f'<a href="forum-{fid}-1.html">{escape(thread.board.name)}</a>'
        return self._page(visitor, thread.title, body, [board, escape(thread.title[:30])])

    def _post(self, visitor: _Visitor, thread: Thread, place: int) -> str:
        post = thread.posts[place]
        fid, tid, pid = thread.board.fid, thread.tid, post.pid
        offers = "".join(self._offers(visitor, thread)) if place == 0 else ""
        text = escape(post.text).replace("\n", "<br />\n")
        links = (
            f'<a href="forum.php?mod=redirect&amp;goto=findpost&amp;ptid={tid}&amp;pid={pid}">#{place + 1}</a>'
            f'<a href="forum.php?mod=viewthread&amp;tid={tid}&amp;page=1&amp;authorid={post.uid}">只看该作者</a>'
            f'<a href="forum.php?mod=post&amp;action=reply&amp;fid={fid}&amp;tid={tid}&amp;repquote={pid}">回复</a>'
            f'<a href="forum.php?mod=misc&amp;action=rate&amp;tid={tid}&amp;pid={pid}&amp;'
            f'formhash={visitor.formhash}">评分</a>'
            f'<a href="misc.php?mod=report&amp;rtype=post&amp;rid={pid}&amp;tid={tid}">举报</a>'
        )
        return (
            f'<div id="post_{pid}"><table><tr><td class="pls"><a href="home.php?mod=space&amp;uid={post.uid}">'
            f'{USERS[post.uid]}</a></td><td class="plc"><div class="t_f" id="postmessage_{pid}">{text}</div>'
            f'{offers}<div class="po">{links}</div></td></tr></table></div>'
        )

    def _offers(self, visitor: _Visitor, thread: Thread) -> Sequence[str]:
        opened = (visitor.uid, thread.tid) in self._replied
        shown = []
        for offer in thread.opening.offers:
            if offer.hidden and not opened:
                who = escape(visitor.user) if visitor.uid else "游客"
                shown.append(
                    f'<div class="locked">{who}，如果您要查看本帖隐藏内容请<a href="forum.php?mod=post&amp;'
                    f'action=reply&amp;fid={thread.board.fid}&amp;tid={thread.tid}">回复</a></div>'
                )
            elif offer.hidden:
                inner = self._offer(visitor, thread, offer)
                shown.append(f'<div class="showhide"><h4>本帖隐藏的内容</h4>{inner}</div>')
            else:
                shown.append(self._offer(visitor, thread, offer))
        return shown

    def _offer(self, visitor: _Visitor, thread: Thread, offer: Offer) -> str:
        seed = offer.entry.seed
        if offer.part == "magnet":
            link = escape(seed.magnet())
            return f'<div class="blockcode">磁力链接：<a href="{link}">{link}</a></div>'
        if offer.part == "plainhash":
            return f'<div class="blockcode">特征码：{seed.infohash.upper()}</div>'
        if offer.part == "ed2k":
            name = offer.entry.title.replace("|", " ")
            digest = hashlib.md5(seed.data, usedforsecurity=False).hexdigest().upper()
            link = escape(f"ed2k://|file|{quote(name)}|{seed.size}|{digest}|/")
            return f'<div class="blockcode">电驴：<a href="{link}">{link}</a></div>'
        if offer.part == "thunder":
            link = _thunder(self._origin, offer)
            return f'<div class="blockcode">迅雷下载：<a href="{link}" thunderrestitle="{escape(seed.name)}">{link}</a></div>'
        if offer.wall == "login" and not visitor.uid and not thread.board.members and offer.aid % 2:
            return (
                '<div class="attach_nopermission attach_tips"><div><h3><strong>本帖子中包含更多资源</strong></h3>'
                '<p>您需要 <a href="member.php?mod=logging&amp;action=login">登录</a> 才可以下载或查看，没有账号？'
                '<a href="member.php?mod=register">立即注册</a></p></div></div>'
            )
        token = self._token(offer.aid, thread.tid, visitor.uid, self._state.requests)
        name = escape(offer.entry.file_name)
        return (
            f'<dl class="tattl"><dd><p class="attnm"><a href="forum.php?mod=attachment&amp;aid={token}" '
            f'id="aid{offer.aid}" target="_blank">{name}</a></p>'
            f"<p>{len(seed.data) / 1024:.1f} KB, 下载次数: {offer.aid * 7 % 90}</p></dd></dl>"
        )

    # Attachments

    def _token(self, aid: int, tid: int, uid: int, moment: int) -> str:
        """Discuz's `aid|key|time|uid|tid` in base64 and percent-encoded; `moment` makes each view's token new."""
        when = 1_796_063_592 + moment
        key = hashlib.md5(f"{aid}:{when}:{uid}:harvest".encode(), usedforsecurity=False).hexdigest()[:8]
        return quote(base64.b64encode(f"{aid}|{key}|{when}|{uid}|{tid}".encode()).decode(), safe="")

    def _attachment(self, visitor: _Visitor, token: str) -> Response:
        try:
            aid, key, when, uid, tid = base64.b64decode(token, validate=True).decode("ascii").split("|")
            thread, offer = self._attachments[int(aid)]
            genuine = self._token(int(aid), int(tid), int(uid), int(when) - 1_796_063_592)
        except (ValueError, KeyError):
            return self._say(visitor, "抱歉，该附件无法读取")
        if key != base64.b64decode(genuine.replace("%3D", "=")).decode().split("|")[1]:
            return self._say(visitor, "抱歉，该附件无法读取")
        if thread.board.members and not (visitor.uid or int(uid)):
            return self._say(visitor, "抱歉，您尚未登录，没有权限下载本附件", login=True)
        if offer.wall == "login" and not (visitor.uid or int(uid)):
            return self._say(visitor, "抱歉，只有特定用户可以下载本站附件", login=True)
        if offer.hidden and (visitor.uid or int(uid), thread.tid) not in self._replied:
            return self._say(visitor, "抱歉，该附件无法读取")
        return Response(
            offer.entry.seed.data,
            content_type="application/octet-stream",
            headers=[("Content-Disposition", _disposition(offer))],
        )

    # The scripts that take parameters

    def _forum_php(self, request: Request, visitor: _Visitor) -> Response:
        params = request.params(CHARSET)
        mod = params.get("mod", "")
        number = _number(params.get("page", "1")) or 1
        if mod == "":
            return self._index(request, visitor)
        if mod == "forumdisplay":
            return self._board(visitor, _number(params.get("fid", "")), number)
        if mod == "viewthread":
            return self._thread(visitor, _number(params.get("tid", "")), number)
        if mod == "attachment":
            return self._attachment(visitor, params.get("aid", ""))
        if mod == "redirect":
            tid = _number(params.get("tid") or params.get("ptid", ""))
            thread = self._threads.get(tid)
            last = -(-len(thread.posts) // PER_PAGE) if thread else 1
            return redirect(f"{self._origin}/forum.php?mod=viewthread&tid={tid}&page={last}")
        if mod == "post" and params.get("action") == "reply" and request.method == "POST":
            return self._reply(request, visitor, _number(params.get("tid", "")))
        if mod == "post":
            tid = _number(params.get("tid", ""))
            if not visitor.uid:
                return self._say(visitor, "抱歉，您尚未登录，没有权限在该版块回帖", login=True)
            return self._page(
                visitor, "参与/回复主题", reply_form(_number(params.get("fid", "")), tid, visitor.formhash)
            )
        return self._nothing(request, visitor)

    def _home_php(self, request: Request, visitor: _Visitor) -> Response:
        uid = _number(request.params(CHARSET).get("uid", ""))
        if request.params(CHARSET).get("mod") != "space" or uid not in USERS:
            return self._nothing(request, visitor)
        own = [thread for thread in self._threads.values() if thread.opening.uid == uid]
        body = (
            f"<h2>{USERS[uid]} 的个人资料</h2><p>主题 {len(own)}，注册于 2019-3-{uid}</p>"
            f'<p><a href="home.php?mod=spacecp&amp;ac=friend&amp;op=add&amp;uid={uid}">加为好友</a> | '
            f'<a href="home.php?mod=space&amp;uid={uid}&amp;do=thread&amp;view=me">全部主题</a></p>'
        )
        return self._page(visitor, f"{USERS[uid]} 的空间", body)

    def _member_php(self, request: Request, visitor: _Visitor) -> Response:
        params = request.params(CHARSET)
        if params.get("mod") != "logging":
            return self._nothing(request, visitor)
        if params.get("action") == "logout":
            if params.get("formhash") == visitor.formhash:
                visitor.log_out()
            return self._say(visitor, "您已退出站点，现在将以游客身份转入退出前页面", onward="forum.php")
        if request.method == "POST":
            return self._log_in(request, visitor)
        loginhash = (
            "L" + hashlib.md5(str(self._state.requests).encode(), usedforsecurity=False).hexdigest()[:4]
        )
        referer = request.headers.get("referer", f"{self._origin}/forum.php")
        return self._page(visitor, "登录", login_form(loginhash, visitor.formhash, referer))

    def _log_in(self, request: Request, visitor: _Visitor) -> Response:
        fields = request.form(CHARSET)
        if fields.get("formhash") != visitor.formhash:
            return self._say(visitor, "您的请求来路不正确或表单验证串不符，无法提交")
        if self._failures >= LOGIN_TRIES:
            return self._say(visitor, "密码错误次数过多，请 15 分钟后重新登录")
        if (fields.get("username"), fields.get("password")) != self._account:
            self._failures += 1
            return self._say(visitor, f"登录失败，您还可以尝试 {LOGIN_TRIES - self._failures} 次")
        self._failures = 0
        self._state.logins += 1
        visitor.log_in()
        return self._say(
            visitor, f"欢迎您回来，{self._account[0]}，现在将转入登录前页面", good=True, onward="forum.php"
        )

    def _reply(self, request: Request, visitor: _Visitor, tid: int) -> Response:
        fields = request.form(CHARSET)
        thread = self._threads.get(tid)
        if thread is None:
            return self._say(visitor, "抱歉，指定的主题不存在或已被删除或正在被审核")
        if not visitor.uid:
            return self._say(visitor, "抱歉，您尚未登录，没有权限在该版块回帖", login=True)
        if fields.get("formhash") != visitor.formhash or "replysubmit" not in {**request.params(), **fields}:
            return self._say(visitor, "您的请求来路不正确或表单验证串不符，无法提交")
        text = fields.get("message", "").strip()
        if len(text.encode(CHARSET, "replace")) < MESSAGE_MINIMUM:
            return self._say(visitor, f"抱歉，您的帖子小于 {MESSAGE_MINIMUM} 个字符的限制")
        if time.monotonic() - self._last_reply < self._flood_seconds:
            return self._say(visitor, f"抱歉，您两次发表间隔少于 {self._flood_seconds:g} 秒，请稍候再发表")
        self._last_reply = time.monotonic()
        self._state.replies += 1
        self._replied.add((visitor.uid, tid))
        last = max(post.pid for other in self._threads.values() for post in other.posts)
        thread.posts.append(type(thread.opening)(last + 1, visitor.uid, text))
        return self._say(
            visitor, "非常感谢，回复发布成功，现在将转入主题页", good=True, onward=f"thread-{tid}-1-1.html"
        )


class _Visitor:
    """Who asks, by their cookies, and the cookies that the answer sets."""

    def __init__(self, request: Request, member: str, moment: int) -> None:
        cookies = request.cookies
        self._member = member
        self._set: list[str] = []
        self._salt = cookies.get(f"{PREFIX}saltkey", "")
        if not self._salt:
            self._salt = hashlib.sha1(f"salt{moment}".encode(), usedforsecurity=False).hexdigest()[:8]
            self._set.append(f"{PREFIX}saltkey={self._salt}; path=/; HttpOnly")
        self.sid = ""
        if f"{PREFIX}sid" not in cookies:
            sid = hashlib.sha1(f"sid{moment}".encode(), usedforsecurity=False).hexdigest()[:6]
            self.sid = f"&amp;sid={sid}"
            self._set.append(f"{PREFIX}sid={sid}; path=/")
        self.uid = 7 if cookies.get(f"{PREFIX}auth") == self._auth() else 0

    @property
    def user(self) -> str:
        """The member's name, "" for a guest."""
        return self._member if self.uid else ""

    @property
    def formhash(self) -> str:
        """Bound to the salt cookie and to being logged in, as in Discuz."""
        text = f"{self._salt}:{self.uid}:formhash"
        return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[8:16]

    def _auth(self) -> str:
        return hashlib.sha256(f"{self._salt}:{self._member}:auth".encode()).hexdigest()[:32]

    def log_in(self) -> None:
        """Give the member's cookie."""
        self.uid = 7
        self._set.append(f"{PREFIX}auth={self._auth()}; path=/; HttpOnly")

    def log_out(self) -> None:
        """Take it back."""
        self.uid = 0
        self._set.append(f"{PREFIX}auth=; path=/; Max-Age=0")

    def with_cookies(self, response: Response) -> Response:
        """The response with the cookies that are to be set."""
        headers = [*response.headers, *(("Set-Cookie", cookie) for cookie in self._set)]
        return Response(response.body, response.status, response.content_type, headers)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _file_target(offer: Offer) -> str:
    """The target of a file that a thunder link leads to: GBK percent-encoded."""
    return "/down/" + quote(offer.entry.file_name.encode(CHARSET, "xmlcharrefreplace"), safe="")


def _thunder(origin: str, offer: Offer) -> str:
    """`thunder://` over the file's URL with raw GBK bytes in its path, as site software writes it."""
    path = f"/down/{offer.entry.file_name}".encode(CHARSET, "xmlcharrefreplace")
    return "thunder://" + base64.b64encode(b"AA" + origin.encode() + path + b"ZZ").decode()


def _disposition(offer: Offer) -> bytes:
    """Raw GBK bytes behind a GBK edge; two of five also carry `filename*`, as newer versions do."""
    name = offer.entry.file_name
    raw = b'attachment; filename="' + name.encode(CHARSET, "replace").replace(b'"', b"") + b'"'
    if offer.aid % 5 < 2:
        raw += f"; filename*=utf-8''{quote(name, safe='')}".encode("ascii")
    return raw
