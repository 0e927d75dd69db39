"""Forums in the manner of phpwind 9 and 8.7: blocks that are hidden, encrypted or sold, files for points."""

from __future__ import annotations

import html
import json
import re
from typing import ClassVar

from harvester.demo.forums.base import Forum, Item, Visit, Wall, hidden, number_in
from harvester.demo.server import Response

UNIT = "铜币"
_GUEST = "游客无法下载，请登录后操作"
_WRONG_TOKEN = "令牌错误，请刷新页面后重试"  # noqa: S105 - what the page says, no secret


class PhpwindForum(Forum):
    """Version 9: a welcome page sets the cookie, a file for points shows its price first and is paid by a POST."""

    name: ClassVar[str] = "phpwind"
    session_cookie: ClassVar[str] = "winduser"
    start: ClassVar[str] = "/index.php"
    walls: ClassVar[tuple[Wall, ...]] = ("none", "login", "reply", "login", "pay", "none", "reply", "pay")
    acting: ClassVar[re.Pattern[str]] = re.compile(r"a=logout|c=like|c=punch|submit=1|c=buythread")
    robots: ClassVar[str] = (
        "User-agent: *\nDisallow: /admin.php\nDisallow: /*?m=u&c=login\nDisallow: /*c=post\nDisallow: /*c=attach\n"
    )

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        params = visit.request.params()
        post = visit.request.method == "POST"
        match params.get("c", ""), params.get("a", ""):
            case ("", _):
                return self.shown(
                    visit,
                    '<a href="index.php?m=bbs&amp;c=thread&amp;fid=2">资源</a> <a href="index.php?m=bbs&amp;c=thread&amp;fid=3">会员</a>',
                )
            case ("thread", _):
                return self.board(visit, number_in(params.get("fid", "")))
            case ("read", _):
                return self.thread(visit, number_in(params.get("tid", "")))
            case ("attach", "download"):
                return self._download(visit, number_in(params.get("aid", "")), post=post)
            case ("login", "dorun") if post:
                return self._log_in(visit)
            case ("login", "welcome"):
                if params.get("_statu") == visit.session.data.get("statu"):
                    self.enter(visit)
                return self.shown(visit, "<p>欢迎</p>")
            case ("login", ""):
                return self.shown(visit, self._login_form(visit))
            case ("post", "doreply") if post:
                return self._reply(visit)
        return self.say(visit, "抱歉，您访问的页面不存在")

    # Pages

    def csrf(self, visit: Visit) -> str:
        """The token that a form of this session carries."""
        return visit.session.data.setdefault("csrf", self.token("csrf", 16))

    def shown(self, visit: Visit, body: str) -> Response:
        """A page of the software."""
        user = (
            '<a href="index.php?m=u&amp;c=login&amp;a=logout">退出</a>'
            if visit.member
            else '<a href="index.php?m=u&amp;c=login">登录</a> <a href="index.php?m=u&amp;c=register">注册</a>'
        )
        head = f'<meta name="generator" content="phpwind 9.0" /><script>var GV = {{ JS_ROOT : "/res/js/dev/", TOKEN : "{self.csrf(visit)}" }};</script>'
        foot = '<p>Powered by <a href="http://www.phpwind.net/">phpwind v9.0</a></p>'
        return self.page(
            f'<div class="header_login">{user}</div><div class="main">{body}</div>{foot}', head=head
        )

    def say(self, visit: Visit, text: str) -> Response:
        """The error page, with status 200 whatever it says."""
        return self.shown(visit, f'<div class="error_wrap"><ul id="J_error_tips"><li>{text}</li></ul></div>')

    def board_address(self, board: int) -> str:
        """The address of a board."""
        return f"index.php?m=bbs&amp;c=thread&amp;fid={board}"

    def thread_address(self, item: Item) -> str:
        """The address of a thread."""
        return f"index.php?m=bbs&amp;c=read&amp;tid={item.number}"

    def board(self, visit: Visit, board: int) -> Response:
        """A list of threads."""
        if board == 3 and not visit.member:
            return self.say(visit, "游客无法访问，请登录后操作")
        items = [item for item in self.items if item.members == (board == 3)]
        rows = "".join(
            f'<tr><td class="subject"><a href="{self.thread_address(one)}" class="st">{html.escape(one.title)}</a></td></tr>'
            for one in items
        )
        return self.shown(visit, f"<table>{rows}</table>")

    def thread(self, visit: Visit, number: int) -> Response:
        """A thread."""
        item = self.item(number)
        if item is None:
            return self.say(visit, "帖子不存在或已被删除")
        if item.members and not visit.member:
            return self.say(visit, "游客无法访问，请登录后操作")
        crumbs = f'<div class="bread_crumb"><a href="index.php">首页</a> &gt; <a href="{self.board_address(2 + item.members)}">资源</a></div>'
        form = self.reply_form(visit, item) if visit.member else ""
        return self.shown(
            visit,
            f'{crumbs}<h1 id="J_post_title">{html.escape(item.title)}</h1><div class="editor_content">{self.post(visit, item)}</div>{form}',
        )

    def post(self, visit: Visit, item: Item) -> str:
        """The first post as the visitor sees it."""
        if item.wall == "reply" and not self.may_see(visit, item):
            return (
                '<div class="content_hidden" id="J_need_reply">本部分内容设定了隐藏,需要回复后才能看到</div>'
            )
        inside = self.attached(visit, item)
        if item.wall == "reply":
            return f'<div class="content_hidden"><h6>本部分设定了隐藏,您已回复过了,以下是隐藏的内容</h6>{inside}</div>'
        return inside

    def attached(self, visit: Visit, item: Item) -> str:
        """An attachment's box."""
        del visit
        price = f"<li>售价：{item.price}{UNIT}</li>" if item.wall == "pay" else ""
        href = f"index.php?m=bbs&amp;c=attach&amp;a=download&amp;aid={item.file}"
        return (
            f'<div class="file_list"><dl class="J_attach"><dt><a href="{href}" class="J_attach_post_buy">{item.seed.name}.torrent</a>'
            f"<em>({len(item.seed.data) / 1024:.1f} KB)</em></dt><dd><ul>{price}<li>下载次数：7</li></ul></dd></dl></div>"
        )

    # Actions

    def _download(self, visit: Visit, number: int, *, post: bool) -> Response:
        item = self.item(number)
        if item is None:
            return self.say(visit, "附件不存在")
        if item.wall != "none" and not visit.member:
            return self.say(visit, _GUEST)
        if item.wall == "pay" and item.number not in self.bought:
            if not post:
                told = {
                    "state": "success",
                    "message": [f"下载此附件需要消耗 {item.price}{UNIT}，您确定要下载吗？"],
                }
                return Response(
                    json.dumps(told, ensure_ascii=False).encode(), 200, "application/json; charset=utf-8"
                )
            self.sell(item)
        return self.file(item) if self.may_see(visit, item) else self.say(visit, "附件不存在")

    def _login_form(self, visit: Visit) -> str:
        fields = {"backurl": "/index.php", "invite": "", "csrf_token": self.csrf(visit)}
        return (
            '<form id="J_u_login_form" class="J_ajaxForm" action="index.php?m=u&amp;c=login&amp;a=dorun" method="post"><dl><dt>帐号：</dt><dd><input name="username" id="J_u_login_username" class="input" value=""></dd></dl>'
            '<dl><dt>密码：</dt><dd><input name="password" type="password" class="input"></dd></dl><dl id="J_u_login_qa" style="display:none"><dt>安全问题：</dt><dd><select name="question"><option value="">请选择</option></select><input name="answer"></dd></dl>'
            f'<input type="checkbox" name="rememberme" value="31536000"><button class="btn" type="submit">登录</button>{hidden(fields)}</form>'
        )

    def _log_in(self, visit: Visit) -> Response:
        fields = visit.request.form()
        if fields.get("csrf_token") != self.csrf(visit):
            self.refuse("csrf")
            return self.say(visit, _WRONG_TOKEN)
        if not self.knows(fields.get("username"), fields.get("password")):
            self.refuse("password")
            return self.say(visit, "帐号或密码错误,您还可以尝试5次")
        statu = visit.session.data["statu"] = self.token("statu", 20)
        onward = html.escape(f"{self.origin}/index.php?m=u&c=login&a=welcome&_statu={statu}")
        return self.shown(visit, f'<meta http-equiv="refresh" content="2;url={onward}"><p>登录成功</p>')

    def reply_form(self, visit: Visit, item: Item) -> str:
        """The quick reply below a thread."""
        fields = {"tid": str(item.number), "pid": "0", "csrf_token": self.csrf(visit)}
        return (
            f'<form id="J_reply_form" action="index.php?m=bbs&amp;c=post&amp;a=doreply&amp;fid={2 + item.members}" method="post">{hidden(fields)}'
            '<textarea id="J_reply_ta" name="atc_content"></textarea><label><input type="checkbox" name="hide" value="1">隐藏</label><button type="submit" class="btn">回复</button></form>'
        )

    def _reply(self, visit: Visit) -> Response:
        fields = visit.request.form()
        item = self.item(number_in(fields.get("tid", "")))
        if not visit.member or item is None or fields.get("csrf_token") != self.csrf(visit):
            self.refuse("reply")
            return self.say(visit, _WRONG_TOKEN)
        if why := self.reply_in(item, fields.get("atc_content", "")):
            self.refuse(why)
            return self.say(visit, "发帖速度太快，请稍候再发表")
        return self.to(f"/index.php?m=bbs&c=read&tid={item.number}")


class Phpwind8Forum(PhpwindForum):
    """Version 8.7 in GBK: a file for points takes them when its link is asked for; a token bound to the browser."""

    name: ClassVar[str] = "phpwind8"
    charset: ClassVar[str] = "gbk"
    acting: ClassVar[re.Pattern[str]] = re.compile(r"action=(?:quit|buytopic|buy|vote|favor)")
    robots: ClassVar[str] = (
        "User-agent: *\n"
        + "".join(f"Disallow: /{name}.php\n" for name in ("login", "post", "job", "ck", "search"))
        + "Disallow: /attachment/\n"
    )

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        params, post = visit.request.params(self.charset), visit.request.method == "POST"
        match visit.request.path.strip("/").removesuffix(".php"), params.get("action", ""):
            case ("index" | "", _):
                return self.shown(
                    visit, '<a href="thread.php?fid=2">资源</a> <a href="thread.php?fid=3">会员</a>'
                )
            case ("thread", _):
                return self.board(visit, number_in(params.get("fid", "")))
            case ("read", _):
                return self.thread(visit, number_in(params.get("tid", "")))
            case ("job", "download"):
                return self._job(visit, number_in(params.get("aid", "")), asks="check" in params)
            case ("login", "quit"):
                visit.session.member = False
                return self.to("/index.php")
            case ("login", _):
                return self._enter(visit) if post else self.shown(visit, self._form(visit))
            case ("post", _) if post:
                return self._post(visit)
        return self.say(visit, "非法操作，请返回")

    def csrf(self, visit: Visit) -> str:
        """`verify`, which the browser's name goes into."""
        return visit.session.data.setdefault("verify", self.token(f"verify {visit.session.agent}", 8))

    def shown(self, visit: Visit, body: str) -> Response:
        """See the base."""
        user = (
            f'<a href="login.php?action=quit&amp;verify={self.csrf(visit)}">退出</a>'
            if visit.member
            else '<a href="login.php">登录</a> <a href="register.php">注册</a>'
        )
        head = '<meta name="generator" content="PHPWind 8.7" /><script src="js/pw_ajax.js"></script>'
        foot = '<p>Powered by <a href="http://www.phpwind.net/">phpwind v8.7</a></p>'
        return self.page(f'<div id="toptool">{user}</div><div id="main">{body}</div>{foot}', head=head)

    def say(self, visit: Visit, text: str) -> Response:
        """See the base."""
        return self.shown(visit, f'<div class="f_two regMessage">{text}</div>')

    def board_address(self, board: int) -> str:
        """See the base."""
        return f"thread.php?fid={board}"

    def thread_address(self, item: Item) -> str:
        """See the base."""
        return f"read.php?tid={item.number}&amp;fpage=1"

    def post(self, visit: Visit, item: Item) -> str:
        """See the base."""
        if item.wall == "reply" and not self.may_see(visit, item):
            return f'<div class="quoteTips" id="hidden_1_{item.number}">此帖被设置隐藏内容,需要回复才能查看</div>'
        return self.attached(visit, item)

    def attached(self, visit: Visit, item: Item) -> str:
        """The price stands after the link; every link has the same script."""
        del visit
        price = f" 售价:{item.price} {UNIT}" if item.wall == "pay" and item.number not in self.bought else ""
        return (
            f'<div id="att_{item.file}" class="f12"><a id="td_{item.file}" href="job.php?action=download&amp;aid={item.file}" '
            f"onclick=\"return ajaxurl(this,'&amp;check=1');\"><b>{item.seed.name}.torrent</b></a> ({len(item.seed.data) // 1024} K) 下载次数:7{price}</div>"
        )

    def _job(self, visit: Visit, number: int, *, asks: bool) -> Response:
        item = self.item(number)
        if item is None or (item.wall != "none" and not visit.member):
            return self.say(visit, _GUEST)
        if asks:
            told = f"ajax\tconfirm\t下载需要支付 {item.price} {UNIT}" if item.price else "ajax\tjump\t"
            return Response(told.encode(self.charset), 200, f"text/html; charset={self.charset}")
        if item.wall == "pay" and item.number not in self.bought:
            self.sell(item)
        return self.file(item) if self.may_see(visit, item) else self.say(visit, "附件不存在")

    def _form(self, visit: Visit) -> str:
        del visit
        return (
            f'<form action="login.php?" method="post" name="login">{hidden({"forward": "", "jumpurl": self.url, "step": "2"})}'
            '<select name="lgt"><option value="0">用户名</option><option value="1">UID</option><option value="2">邮箱</option></select><input class="input" name="pwuser" />密码 <input class="input" type="password" name="pwpwd" />'
            '<select name="question"><option value="0">无安全问题</option><option value="1">我爸爸的出生地</option></select><input name="customquest" style="display:none" /><input name="answer" />'
            '<input type="checkbox" name="cktime" value="31536000" checked />下次自动登录<input type="submit" name="submit" value="登 录" /></form>'
        )

    def _enter(self, visit: Visit) -> Response:
        fields = visit.request.form(self.charset)
        if fields.get("step") != "2" or fields.get("lgt") != "0":
            self.refuse("form")
            return self.say(visit, "非法操作，请返回")
        if not self.knows(fields.get("pwuser"), fields.get("pwpwd")):
            self.refuse("password")
            return self.say(visit, "密码错误，您还可以尝试 5 次")
        self.enter(visit)
        return self.shown(
            visit,
            '<meta http-equiv="refresh" content="1;url=index.php"><div class="f_two">您已经顺利登录</div>',
        )

    def reply_form(self, visit: Visit, item: Item) -> str:
        """See the base."""
        fields = {
            "step": "2", "action": "reply", "fid": str(2 + item.members), "tid": str(item.number),
            "verify": self.csrf(visit), "_hexie": "abcdef12", "atc_title": "",
        }  # fmt: skip
        return f'<form name="anchor" method="post" action="post.php?">{hidden(fields)}<textarea name="atc_content" rows="8"></textarea><input type="submit" name="Submit" value="提交回复" /></form>'

    def _post(self, visit: Visit) -> Response:
        fields = visit.request.form(self.charset)
        item = self.item(number_in(fields.get("tid", "")))
        good = fields.get("verify") == self.csrf(visit) and fields.get("action") == "reply"
        if not visit.member or item is None or not good or fields.get("step") != "2":
            self.refuse("reply")
            return self.say(visit, "非法操作，请返回")
        if why := self.reply_in(item, fields.get("atc_content", "")):
            self.refuse(why)
            return self.say(visit, "您发帖速度太快，请稍候再发表")
        return self.to(f"/read.php?tid={item.number}")
