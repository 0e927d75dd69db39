"""A small Chinese forum in GBK that behaves as Discuz! X does, with real login, reply walls and tokens.

What is like the real one: GBK bytes in pages and in Content-Disposition, attachment tokens that differ
on every view, message pages with HTTP 200 for every wall, `[hide]` blocks that one reply opens, formhash
checks, a flood limit, five tries to log in, and the links that waste a crawl (findpost, lastpost,
orderby, authorid, print, quote, sid). Links that change state by GET exist, do nothing, and are counted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import unquote_to_bytes

from harvester.demo.forum_ajax import told_a_script
from harvester.demo.forum_captcha import Captchas
from harvester.demo.forum_contents import Contents
from harvester.demo.forum_entrance import Entrance
from harvester.demo.forum_links import (
    CHARSET,
    disposition,
    read_token,
    shown_offer,
)
from harvester.demo.forum_points import UNIT, Purse, item_of, sold_by
from harvester.demo.forum_rules import (
    FORBIDDEN,
    GUESTS_NO_ATTACHMENT,
    GUESTS_NO_BOARD,
    GUESTS_NO_REPLY,
    MESSAGE_MINIMUM,
    NO_ATTACHMENT,
    NO_BOARD,
    NO_THREAD,
    PAY,
    PER_PAGE,
    ROBOTS,
    STATE_CHANGING,
    WRONG_FORM,
)
from harvester.demo.forum_session import Visitor, short_digest
from harvester.demo.forum_threads import USERS, Board, Post, Thread
from harvester.demo.server import Request, Response, SiteState, redirect
from harvester.demo.templating import render
from harvester.demo.truth import TruthRow


class DiscuzForum:
    """The forum at `origin` (no slash at the end) with one account (name, password).

    `flood_seconds` is the least time between two replies of the account; with `captcha` the login form asks
    for one, with `reply_captcha` the reply form, with `points` there is a board where things are sold, with
    `ajax` forms are answered for scripts, with `strict_robots` attachments are forbidden to robots, as Discuz
    ships it, with `second_step` the right password leads to a page with a captcha.
    """

    name = "demo-forum"

    def __init__(
        self,
        origin: str,
        account: tuple[str, str],
        flood_seconds: float = 15.0,
        *,
        captcha: bool = False,
        points: bool = False,
        reply_captcha: bool = False,
        ajax: bool = False,
        strict_robots: bool = False,
        second_step: bool = False,
    ) -> None:
        self._origin = origin
        self._account = account
        self._flood_seconds = flood_seconds
        self.captchas = Captchas() if captcha or reply_captcha or second_step else None
        self._reply_captcha, self._ajax = reply_captcha, ajax
        self._entrance = Entrance(account, self.captchas, asks=captcha, second_step=second_step)
        self._robots = ROBOTS + ("Disallow: /*?mod=attachment*\n" if strict_robots else "")
        self._state = SiteState()
        self._contents = Contents(points=points)
        self.purse = Purse() if points else None
        self._replied: set[tuple[int, int]] = set()
        self._last_reply = -flood_seconds
        self._routes: dict[str, Callable[[Request, Visitor], Response]] = {
            "/": self._forum_php,
            "/index.php": self._forum_php,
            "/forum.php": self._forum_php,
            "/member.php": self._member_php,
            "/home.php": self._home_php,
            "/misc.php": self._misc_php,
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
        return self._contents.truth(self._origin)

    def post_torrent(self) -> str:
        """See `Contents`."""
        return self._contents.post_torrent()

    async def answer(self, request: Request) -> Response:
        """Answer one request."""
        self._state.record(request)
        shows_a_price = self.purse is not None and PAY.search(request.target)
        if request.method == "GET" and STATE_CHANGING.search(request.target) and not shows_a_price:
            self._state.violations.append(request.target)
        if request.method == "GET" and FORBIDDEN.match(request.target):
            self._state.robots_violations.append(request.target)
        if request.path == "/robots.txt":
            return Response(self._robots.encode(), content_type="text/plain")
        if (file := self._contents.files.get(unquote_to_bytes(request.path))) is not None:
            return Response(file, content_type="application/x-bittorrent")
        visitor = Visitor(request, self._account[0], self._state.requests)
        return visitor.with_cookies(self._route(request, visitor))

    def _route(self, request: Request, visitor: Visitor) -> Response:
        if found := re.fullmatch(r"/forum-(\d{1,6})-(\d{1,6})\.html", request.path):
            return self._board(visitor, int(found[1]), int(found[2]))
        if found := re.fullmatch(r"/thread-(\d{1,6})-(\d{1,6})-\d{1,6}\.html", request.path):
            return self._thread(visitor, int(found[1]), int(found[2]))
        if request.path in self._routes:
            return self._routes[request.path](request, visitor)
        return self._say(visitor, "抱歉，您请求的页面不存在", status=404)

    # Pages

    def _page(
        self,
        visitor: Visitor,
        template: str,
        title: str,
        *,
        status: int = 200,
        board: Board | None = None,
        thread: Thread | None = None,
        **values: object,
    ) -> Response:
        text = render(
            f"forum/{template}.html",
            origin=self._origin,
            visitor=visitor,
            title=title,
            users=USERS,
            board=board,
            thread=thread,
            ajax="&amp;handlekey=login&amp;inajax=1" if self._ajax else "",
            **{"sechash": "", **values},
        )
        return Response(text.encode(CHARSET, "xmlcharrefreplace"), status, f"text/html; charset={CHARSET}")

    def _say(
        self,
        visitor: Visitor,
        text: str,
        *,
        login: bool = False,
        onward: str = "",
        step: str = "",
        status: int = 200,
    ) -> Response:
        """Discuz's message page; it comes with HTTP 200 whatever it says. `step` goes on with a login."""
        if visitor.ajax:
            return told_a_script("login", text, onward, CHARSET, step=step)
        kind = "alert_right" if onward else "alert_info" if status == 200 else "alert_error"
        return self._page(
            visitor,
            "message",
            "提示信息",
            status=status,
            text=text,
            kind=kind,
            login=login,
            onward=onward,
            step=step,
        )

    def _index(self, visitor: Visitor) -> Response:
        boards = []
        for board in self._contents.boards.values():
            threads = self._contents.threads_of(board)
            boards.append((board, threads, sum(len(thread.posts) for thread in threads)))
        return self._page(visitor, "index", "首页", boards=boards)

    def _board(self, visitor: Visitor, fid: int, number: int) -> Response:
        board = self._contents.boards.get(fid)
        if board is None:
            return self._say(visitor, NO_BOARD)
        if board.members and not visitor.uid:
            return self._say(visitor, GUESTS_NO_BOARD, login=True)
        threads = self._contents.threads_of(board)
        pages = max(1, -(-len(threads) // PER_PAGE))
        number = min(max(number, 1), pages)
        return self._page(
            visitor,
            "board",
            board.name,
            board=board,
            threads=threads[(number - 1) * PER_PAGE : number * PER_PAGE],
            number=number,
            addresses=[f"forum-{fid}-{place}.html" for place in range(1, pages + 1)],
        )

    def _thread(self, visitor: Visitor, tid: int, number: int) -> Response:
        thread = self._contents.threads.get(tid)
        if thread is None:
            return self._say(visitor, NO_THREAD)
        if thread.board.members and not visitor.uid:
            return self._say(visitor, GUESTS_NO_BOARD, login=True)
        pages = -(-len(thread.posts) // PER_PAGE)
        number = min(max(number, 1), pages)
        first = (number - 1) * PER_PAGE
        opened = (visitor.uid, tid) in self._replied
        moment = self._state.requests
        posts = [
            (
                first + place,
                post,
                [
                    shown_offer(self._origin, thread, offer, visitor, opened, moment, self._paid(thread))
                    for offer in post.offers
                ],
            )
            for place, post in enumerate(thread.posts[first : first + PER_PAGE], 1)
        ]
        return self._page(
            visitor,
            "thread",
            thread.title,
            board=thread.board,
            thread=thread,
            posts=posts,
            number=number,
            addresses=[f"thread-{tid}-{place}-1.html" for place in range(1, pages + 1)],
            sechash=self.captchas.new_hash() if self.captchas is not None and self._reply_captcha else "",
        )

    def _paid(self, thread: Thread) -> bool:
        return not thread.sold or (self.purse is not None and self.purse.owns(thread))

    def _attachment(self, visitor: Visitor, token: str) -> Response:
        try:
            aid, token_uid = read_token(token)
            thread, offer = self._contents.attachments[aid]
        except (ValueError, KeyError):
            return self._say(visitor, NO_ATTACHMENT)
        uid = visitor.uid or token_uid  # a member's token works without cookies, as on the real one
        if offer.wall != "none" and not uid:
            return self._say(visitor, GUESTS_NO_ATTACHMENT, login=True)
        if offer.hidden and (uid, thread.tid) not in self._replied:
            return self._say(visitor, NO_ATTACHMENT)
        if not self._paid(thread):
            return self._say(visitor, f"抱歉，本附件需向作者支付 {thread.price} {UNIT} 才能下载")
        headers = [("Content-Disposition", disposition(offer))]
        return Response(offer.entry.seed.data, content_type="application/octet-stream", headers=headers)

    # The scripts that take parameters

    def _forum_php(self, request: Request, visitor: Visitor) -> Response:
        params = request.params(CHARSET)
        tid = _number(params.get("tid") or params.get("ptid", ""))
        fid = _number(params.get("fid", ""))
        match params.get("mod", ""):
            case "":
                return self._index(visitor)
            case "forumdisplay":
                return self._board(visitor, fid, _number(params.get("page", "1")))
            case "viewthread":
                return self._thread(visitor, tid, _number(params.get("page", "1")))
            case "attachment":
                return self._attachment(visitor, params.get("aid", ""))
            case "redirect":
                thread = self._contents.threads.get(tid)
                last = -(-len(thread.posts) // PER_PAGE) if thread else 1
                return redirect(f"{self._origin}/forum.php?mod=viewthread&tid={tid}&page={last}#lastpost")
            case "misc" if self.purse is not None and PAY.search(request.target + "&"):
                return self._pay(request, visitor, self.purse)
            case "post" if request.method == "POST" and params.get("action") == "reply":
                return self._reply(request, visitor, tid)
            case "post" if not visitor.uid:
                return self._say(visitor, GUESTS_NO_REPLY, login=True)
            case "post":
                return self._page(visitor, "reply", "参与/回复主题", fid=fid, tid=tid)
        return self._say(visitor, "抱歉，演示站点没有这个功能")

    def _home_php(self, request: Request, visitor: Visitor) -> Response:
        params = request.params(CHARSET)
        uid = _number(params.get("uid", ""))
        if params.get("mod") != "space" or uid not in USERS:
            return self._say(visitor, "抱歉，您指定的用户空间不存在")
        own = sum(thread.opening.uid == uid for thread in self._contents.threads.values())
        return self._page(visitor, "profile", f"{USERS[uid]} 的空间", name=USERS[uid], uid=uid, own=own)

    def _member_php(self, request: Request, visitor: Visitor) -> Response:
        params = request.params(CHARSET)
        if params.get("mod") != "logging":
            return self._say(visitor, "抱歉，演示站点不开放注册")
        if params.get("action") == "logout":
            if params.get("formhash") == visitor.formhash:
                visitor.log_out()
            return self._say(visitor, "您已退出站点，现在将以游客身份转入退出前页面", onward="forum.php")
        if request.method == "POST":
            return self._log_in(request.form(CHARSET), visitor)
        loginhash = "L" + short_digest(f"loginhash {self._state.requests}", 4)
        referer = request.headers.get("referer", self.url)
        auth = params.get("auth", "")
        return self._page(
            visitor,
            "login",
            "登录",
            loginhash=loginhash,
            referer=referer,
            sechash=self._entrance.sechash(auth),
            auth=auth,
        )

    def _log_in(self, fields: Mapping[str, str], visitor: Visitor) -> Response:
        told = self._entrance.take(fields, visitor)
        self._state.logins += told.entered
        if told.step:
            return self._say(visitor, told.text, step=told.step)
        return self._say(visitor, told.text, onward="forum.php" if told.entered else "")

    def _is_right(self, fields: Mapping[str, str]) -> bool:
        return self.captchas is not None and self.captchas.is_right(fields)

    def _misc_php(self, request: Request, visitor: Visitor) -> Response:
        params = request.params(CHARSET)
        if self.captchas is None or params.get("mod") != "seccode":
            return self._say(visitor, "抱歉，演示站点没有这个功能")
        return self.captchas.answer(params, request.headers, self._origin)

    def _reply(self, request: Request, visitor: Visitor, tid: int) -> Response:
        fields = {**request.params(CHARSET), **request.form(CHARSET)}
        thread = self._contents.threads.get(tid)
        if thread is None:
            return self._say(visitor, NO_THREAD)
        if not visitor.uid:
            return self._say(visitor, GUESTS_NO_REPLY, login=True)
        if fields.get("formhash") != visitor.formhash or not fields.get("replysubmit"):
            return self._say(visitor, WRONG_FORM)
        text = fields.get("message", "").strip()
        if len(text.encode(CHARSET, "replace")) < MESSAGE_MINIMUM:
            return self._say(visitor, f"抱歉，您的帖子小于 {MESSAGE_MINIMUM} 个字符的限制")
        if self._reply_captcha and not self._is_right(fields):
            return self._say(visitor, "抱歉，验证码填写错误")
        if time.monotonic() - self._last_reply < self._flood_seconds:
            return self._say(visitor, f"抱歉，您两次发表间隔少于 {self._flood_seconds:g} 秒，请稍候再发表")
        self._last_reply = time.monotonic()
        self._state.replies += 1
        self._replied.add((visitor.uid, tid))
        thread.posts.append(Post(self._contents.next_post(), visitor.uid, text))
        return self._say(visitor, "非常感谢，回复发布成功，现在将转入主题页", onward=f"thread-{tid}-1-1.html")

    def _pay(self, request: Request, visitor: Visitor, purse: Purse) -> Response:
        fields = {**request.params(CHARSET), **request.form(CHARSET)}
        thread = sold_by(self._contents.threads, fields)
        if thread is None or not visitor.uid:
            return self._say(visitor, NO_ATTACHMENT, login=not visitor.uid)
        if request.method == "POST":
            if fields.get("formhash") != visitor.formhash or not fields.get("paysubmit"):
                return self._say(visitor, WRONG_FORM)
            return self._say(visitor, purse.pay(thread), onward=f"thread-{thread.tid}-1-1.html")
        purse.asked.append(item_of(thread))
        number = item_of(thread).partition(":")[2]
        referer = request.headers.get("referer", self.url)
        return self._page(visitor, "pay", "购买", thread=thread, number=number, purse=purse, referer=referer)


def _number(text: str) -> int:
    """The number that a parameter holds; 0 when it holds none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
