"""A forum in the manner of Discuz! 7.2, and one in that of 6.0: tokens in attachments, things for points."""

from __future__ import annotations

import base64
import html
import re
from typing import ClassVar
from urllib.parse import quote

from harvester.demo.forums.base import Forum, Item, Visit, Wall, hidden, number_in
from harvester.demo.server import Response

UNIT = "金钱"
_NO_ROBOT = re.compile(r"bot|crawl|spider", re.IGNORECASE)
_LOCKED = "本帖隐藏的内容需要回复才可以浏览"


class Discuz7Forum(Forum):
    """Version 7.2: the attachment's address differs on every view and is good for one session."""

    name: ClassVar[str] = "discuz7"
    session_cookie: ClassVar[str] = "abc_sid"
    start: ClassVar[str] = "/index.php"
    charset: ClassVar[str] = "gbk"
    walls: ClassVar[tuple[Wall, ...]] = ("none", "login", "reply", "login", "pay", "pay", "reply", "login")
    acting: ClassVar[re.Pattern[str]] = re.compile(
        r"action=(?:logout|rate|votepoll|report|buy)|topicadmin|my\.php|ck="
    )
    robots: ClassVar[str] = (
        "User-agent: *\n"
        + "".join(
            f"Disallow: /{name}.php\n"
            for name in ("logging", "post", "misc", "member", "ajax", "seccode", "search", "rss")
        )
        + "Disallow: /attachments/\n"
    )
    version: ClassVar[str] = "7.2"

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        request, params = visit.request, visit.request.params(self.charset)
        script = request.path.strip("/").removesuffix(".php")
        closed_to_robots = script in ("logging", "post", "attachment", "seccode")
        if closed_to_robots and _NO_ROBOT.search(visit.session.agent):
            return Response(b"", 403, "text/html")
        action, post = params.get("action", ""), request.method == "POST"
        match script, action:
            case ("index" | "", _):
                return self.shown(
                    visit,
                    '<a href="forumdisplay.php?fid=2">资源</a> <a href="forumdisplay.php?fid=3">会员</a>',
                )
            case ("forumdisplay", _):
                return self._board(visit, number_in(params.get("fid", "")))
            case ("viewthread", _):
                return self._thread(visit, number_in(params.get("tid", "")))
            case ("attachment", _):
                return self._attachment(visit, params.get("aid", ""))
            case ("logging", "login"):
                return self.log_in(visit) if post else self.shown(visit, self.login_form(visit))
            case ("post", "reply") if post:
                return self._reply(visit, number_in(params.get("tid", "")))
            case ("misc", "attachpay" | "pay"):
                return self._pay(visit, number_in(params.get("aid") or params.get("tid", "")), post=post)
        return self.say(visit, "未定义操作，请返回。")

    # Pages

    def formhash(self, visit: Visit) -> str:
        """Eight characters that a form of this session carries."""
        return visit.session.data.setdefault(f"formhash {visit.member}", self.token("formhash", 8))

    def shown(self, visit: Visit, body: str) -> Response:
        """A page of the software."""
        out = f'<a href="logging.php?action=logout&amp;formhash={self.formhash(visit)}">退出</a>'
        user = (
            f"<cite>keeper</cite>{out}"
            if visit.member
            else '<a href="logging.php?action=login">登录</a> <a href="register.php">注册</a>'
        )
        head = f'<meta name="generator" content="Discuz! {self.version}" /><script src="include/js/common.js"></script>'
        script = f"<script>var STYLEID = '1', IMGDIR = 'images/default', discuz_uid = {7 if visit.member else 0};</script>"
        foot = f'<p>Powered by <strong><a href="http://www.discuz.net">Discuz!</a></strong> <em>{self.version}</em></p>'
        return self.page(f'{script}<div id="umenu">{user}</div><div id="wrap">{body}</div>{foot}', head=head)

    def say(self, visit: Visit, text: str, *, onward: str = "") -> Response:
        """The message page, with status 200 whatever it says."""
        kind = "alert_right" if onward else "alert_info"
        link = f'<p><a href="{onward}">如果您的浏览器没有自动跳转，请点击这里</a></p>' if onward else ""
        return self.shown(
            visit,
            f'<div class="alert_win"><div class="postbox"><div class="{kind}"><p>{text}</p>{link}</div></div></div>',
        )

    def _board(self, visit: Visit, board: int) -> Response:
        if board == 3 and not visit.member:
            return self.say(visit, "对不起，您还没有登录，无法进行此操作。")
        items = [item for item in self.items if item.members == (board == 3)]
        rows = "".join(
            f'<tbody><tr><th><a href="viewthread.php?tid={one.number}&amp;extra=page%3D1">{html.escape(one.title)}</a></th></tr></tbody>'
            for one in items
        )
        return self.shown(visit, f'<table summary="forum_{board}">{rows}</table>')

    def _thread(self, visit: Visit, number: int) -> Response:
        item = self.item(number)
        if item is None:
            return self.say(visit, "指定的主题不存在或已被删除或正在被审核，请返回。")
        if item.members and not visit.member:
            return self.say(visit, "对不起，您还没有登录，无法进行此操作。")
        crumbs = f'<div id="nav"><a href="index.php">论坛</a> &raquo; <a href="forumdisplay.php?fid={2 + item.members}">资源</a></div>'
        return self.shown(
            visit,
            f'{crumbs}<h1>{html.escape(item.title)}</h1><div class="t_msgfont">{self.post(visit, item)}</div>{self._quick_reply(visit, item)}',
        )

    def post(self, visit: Visit, item: Item) -> str:
        """The first post of a thread as the visitor sees it."""
        if item.wall == "reply":
            if not self.may_see(visit, item):
                return self.locked()
            return (
                f'<div class="showhide"><h4>以下内容需要回复才能看到</h4>{self.attached(visit, item)}</div>'
            )
        return self.attached(visit, item)

    def locked(self) -> str:
        """What stands for a hidden block."""
        return f'<div class="locked">{_LOCKED}</div>'

    def attached(self, visit: Visit, item: Item) -> str:
        """An attachment's box."""
        name, price = f"{item.seed.name}.torrent", ""
        href = f"attachment.php?aid={quote(self.aid(visit, item), safe='')}"
        if item.wall == "pay":
            pay = f"misc.php?action=attachpay&amp;aid={item.file}"
            records = f'<a href="misc.php?action=viewattachpayments&amp;aid={item.file}">记录</a>'
            price = f"<p>售价: <strong>{item.price} {UNIT}</strong> [{records}]"
            bought = item.number in self.bought and visit.member
            href, price = (
                (href, price + "</p>") if bought else (pay, f'{price} [<a href="{pay}">购买</a>]</p>')
            )
        size = f"({len(item.seed.data) / 1024:.2f} KB)"
        return f'<dl class="t_attachlist"><dt><a href="{href}" target="_blank">{name}</a> <em>{size}</em></dt><dd>{price}<p>下载次数: 7</p></dd></dl>'

    def aid(self, visit: Visit, item: Item) -> str:
        """The `aid` parameter of a view."""
        return base64.b64encode(
            f"{item.file}|{self.token('k', 8)}|1790000000|{visit.session.key}".encode()
        ).decode()

    def item_of_aid(self, visit: Visit, aid: str) -> Item | None:
        """The item behind an `aid`; None when it is not this session's."""
        try:
            number, _, _, session = base64.b64decode(aid, validate=True).decode("ascii").split("|")
        except ValueError:
            return None
        return self.item(number_in(number)) if session == visit.session.key else None

    # Actions

    def _attachment(self, visit: Visit, aid: str) -> Response:
        item = self.item_of_aid(visit, aid)
        if item is None:
            return self.say(visit, "抱歉，原附件链接已失效，请返回原帖重新下载。")
        if item.wall != "none" and not visit.member:
            return self.say(visit, "对不起，您还没有登录，没有权限下载本附件。")
        if item.wall == "pay" and item.number not in self.bought:
            return self.say(visit, f"对不起，本附件需要向作者支付 {item.price} {UNIT} 才能下载。")
        if not self.may_see(visit, item):
            return self.say(visit, "对不起，附件不存在或无法读取。")
        return self.file(item)

    def login_form(self, visit: Visit) -> str:
        """The form of the login page."""
        fields = {"formhash": self.formhash(visit), "referer": "index.php"}
        return (
            '<form method="post" name="login" id="loginform" class="s_clear" action="logging.php?action=login&amp;loginsubmit=yes">'
            f'{hidden(fields)}<select name="loginfield"><option value="username">用户名</option><option value="uid">UID</option></select>'
            '<input type="text" name="username" tabindex="2" value="" /><input type="password" name="password" tabindex="3" />'
            '<select name="questionid"><option value="0">安全提问</option><option value="1">母亲的名字</option></select><input type="text" name="answer" />'
            '<input type="checkbox" name="cookietime" value="2592000" />记住我的登录状态<button type="submit" name="loginsubmit" value="true">登录</button></form>'
        )

    def log_in(self, visit: Visit) -> Response:
        """Take the login form."""
        fields = visit.request.form(self.charset)
        if fields.get("formhash") != self.formhash(visit) or not fields.get("loginsubmit"):
            self.refuse("formhash")
            return self.say(visit, "您的请求来路不正确或表单验证串不符，无法提交。")
        if not self.knows(fields.get("username"), fields.get("password")) or fields.get("questionid") != "0":
            self.refuse("password")
            return self.say(visit, "登录失败，您还可以尝试 4 次")
        self.enter(visit)
        return self.say(visit, "欢迎您回来，keeper。现在将转入登录前页面。", onward="index.php")

    def reply_id(self) -> str:
        """The id of the form to reply with."""
        return "fastpostform"

    def _quick_reply(self, visit: Visit, item: Item) -> str:
        if not visit.member:
            return ""
        action = f"post.php?action=reply&amp;fid={2 + item.members}&amp;tid={item.number}&amp;extra=&amp;replysubmit=yes"
        return (
            f'<form method="post" id="{self.reply_id()}" action="{action}">{hidden({"formhash": self.formhash(visit), "usesig": "0"})}'
            '<input type="text" name="subject" value="" /><textarea name="message" rows="5"></textarea>'
            '<button type="submit" name="replysubmit" value="replysubmit">发表回复</button></form>'
        )

    def _reply(self, visit: Visit, number: int) -> Response:
        fields, item = visit.request.form(self.charset), self.item(number)
        if not visit.member or item is None or fields.get("formhash") != self.formhash(visit):
            self.refuse("reply")
            return self.say(visit, "您的请求来路不正确或表单验证串不符，无法提交。")
        if why := self.reply_in(item, fields.get("message", "")):
            self.refuse(why)
            return self.say(visit, "对不起，您两次发表间隔少于 15 秒，请返回。")
        return self.say(
            visit, "非常感谢，您的回复已经发布，现在将转入主题页。", onward=f"viewthread.php?tid={number}"
        )

    def _pay(self, visit: Visit, number: int, *, post: bool) -> Response:
        item = self.item(number)
        if not visit.member or item is None or item.wall != "pay":
            return self.say(visit, "对不起，您还没有登录，无法进行此操作。")
        if post:
            fields = visit.request.form(self.charset)
            if fields.get("formhash") != self.formhash(visit) or not fields.get("paysubmit"):
                self.refuse("pay")
                return self.say(visit, "您的请求来路不正确或表单验证串不符，无法提交。")
            if why := self.sell(item):
                self.refuse(why)
                return self.say(visit, f"对不起，您的{UNIT}不足，无法购买。")
            return self.say(
                visit, "附件购买成功，现在将转入主题页。", onward=f"viewthread.php?tid={item.number}"
            )
        fields = {"formhash": self.formhash(visit), "referer": "", "aid": str(item.file)}
        rows = f"<tr><th>售价({UNIT})</th><td>{item.price}</td></tr><tr><th>购买后余额({UNIT})</th><td>{self.points - item.price}</td></tr>"
        return self.shown(
            visit,
            f'<form method="post" id="attachpayform" action="misc.php?action=attachpay&amp;tid={item.number}">{hidden(fields)}<table>{rows}</table>'
            '<label><input type="checkbox" name="buyall" value="yes" />购买主题所有附件</label><button type="submit" name="paysubmit" value="true">购买附件</button></form>',
        )


class Discuz6Forum(Discuz7Forum):
    """Version 6.0: plain numbers, notices, a second page of the login for the security question."""

    name: ClassVar[str] = "discuz6"
    version: ClassVar[str] = "6.0.0"
    secret_answer: ClassVar[str] = "青岛"  # noqa: S105 - made up, and of use nowhere else

    def __init__(self, origin: str, *, question: bool = False, **options: object) -> None:
        super().__init__(origin, **options)  # type: ignore[arg-type]  # passed through
        self.question = question

    def say(self, visit: Visit, text: str, *, onward: str = "") -> Response:
        """The message box of 6.0."""
        link = f'<p><a href="{onward}">如果您的浏览器没有自动跳转，请点击这里</a></p>' if onward else ""
        return self.shown(
            visit, f'<div class="box message"><h1>Discuz! 提示信息</h1><p>{text}</p>{link}</div>'
        )

    def locked(self) -> str:
        """A notice, not a block of its own kind."""
        return f'<div class="notice" style="width: 500px">{_LOCKED}</div>'

    def aid(self, visit: Visit, item: Item) -> str:
        """A plain number."""
        del visit
        return str(item.file)

    def item_of_aid(self, visit: Visit, aid: str) -> Item | None:
        """Whose number it is."""
        del visit
        return self.item(number_in(aid))

    def reply_id(self) -> str:
        """See the base."""
        return "postform"

    def login_form(self, visit: Visit) -> str:
        """Radios and selects, as 6.0 has them."""
        times = "".join(
            f'<input class="radio" type="radio" name="cookietime" value="{seconds}"{" checked" if seconds == 2592000 else ""} /> {seconds}'
            for seconds in (315360000, 2592000, 86400, 3600, 0)
        )
        fields = {"formhash": self.formhash(visit), "referer": "index.php"}
        return (
            f'<form method="post" name="login" action="logging.php?action=login&amp;">{hidden(fields)}<div class="mainbox formbox"><h1>会员登录</h1>'
            '<label><input type="radio" name="loginfield" value="username" checked />用户名</label><label><input type="radio" name="loginfield" value="uid" />UID</label>'
            '<input type="text" id="username" name="username" size="25" /><input type="password" id="password" name="password" size="25" />'
            f'{times}<select name="loginmode"><option value="">- 使用默认 -</option><option value="normal">正常模式</option></select>'
            '<select name="styleid"><option value="">- 使用默认 -</option></select><button class="submit" type="submit" name="loginsubmit" value="true">提交</button></div></form>'
        )

    def log_in(self, visit: Visit) -> Response:
        """Take the login form, or the page of the security question that follows it."""
        fields = visit.request.form(self.charset)
        if fields.get("formhash") != self.formhash(visit) or not fields.get("loginsubmit"):
            self.refuse("formhash")
            return self.say(visit, "您的请求来路不正确或表单验证串不符，无法提交。")
        if fields.get("loginauth"):
            if (fields["loginauth"], fields.get("questionid"), fields.get("answer")) != (
                visit.session.data.get("loginauth"),
                "1",
                self.secret_answer,
            ):
                self.refuse("question")
                return self.say(visit, "密码错误次数过多或安全提问错误，登录失败，您还可以尝试 4 次")
        elif not self.knows(fields.get("username"), fields.get("password")):
            self.refuse("password")
            return self.say(visit, "登录失败，您还可以尝试 4 次")
        elif self.question:
            auth = visit.session.data["loginauth"] = self.token("loginauth")
            kept = {
                "formhash": self.formhash(visit),
                "referer": "index.php",
                "loginauth": auth,
                "cookietime": "2592000",
            }
            return self.shown(
                visit,
                f'<form method="post" name="login" action="logging.php?action=login&amp;">{hidden(kept)}<div class="mainbox formbox"><h1>请选择安全提问以及填写正确的答案</h1>'
                '<select id="questionid" name="questionid"><option value="0">无安全提问</option><option value="1">母亲的名字</option><option value="2">爷爷的名字</option></select>'
                '<input type="text" id="answer" name="answer" size="25" /><button type="submit" name="loginsubmit" value="true">提交</button></div></form>',
            )
        self.enter(visit)
        return self.say(visit, "欢迎您回来，keeper。现在将转入登录前页面。", onward="index.php")
