"""A forum in the manner of vBulletin 4: security tokens, md5 fields that may stay empty, hidden posts."""

from __future__ import annotations

from typing import ClassVar

from harvester.demo.forums.base import Forum, Item, Visit, Wall, hidden, number_in
from harvester.demo.server import Response

TRIES = 5


class VbulletinForum(Forum):
    """See the module."""

    name: ClassVar[str] = "vbulletin"
    session_cookie: ClassVar[str] = "bb_sessionhash"
    start: ClassVar[str] = "/index.php"
    walls: ClassVar[tuple[Wall, ...]] = ("none", "login", "reply", "login", "reply", "none")

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        request, params = visit.request, visit.request.params()
        match request.path, params.get("do", ""):
            case ("/index.php" | "/", _):
                boards = (
                    '<a href="forumdisplay.php?f=1">Torrents</a> <a href="forumdisplay.php?f=2">Members</a>'
                )
                return self._page(visit, boards)
            case ("/forumdisplay.php", _):
                return self._board(visit, number_in(params.get("f", "")))
            case ("/showthread.php", _):
                return self._thread(visit, number_in(params.get("t", "")))
            case ("/attachment.php", _):
                item = self.item(number_in(params.get("attachmentid", "")))
                return self.file(item) if item and self.may_see(visit, item) else self._refused(visit)
            case ("/login.php", "login") if request.method == "POST":
                return self._log_in(visit)
            case ("/login.php", "logout"):
                visit.session.member = False
                return self.to("/index.php")
            case ("/login.php", _):
                return self._page(visit, self._login_form(visit))
            case ("/newreply.php", "postreply") if request.method == "POST":
                return self._reply(visit, number_in(params.get("t", "")))
        return self._page(visit, '<div class="standard_error">Invalid page.</div>', status=404)

    def _security(self, visit: Visit) -> str:
        if not visit.member:
            return "guest"
        return visit.session.data.setdefault("security", f"{int(self.clock())}-{self.token('security', 40)}")

    def _page(self, visit: Visit, body: str, *, status: int = 200, quick: bool = True) -> Response:
        head = '<meta name="generator" content="vBulletin 4.2.5" /><script src="clientscript/vbulletin-core.js"></script>'
        script = f'<script>var SECURITYTOKEN = "{self._security(visit)}";</script>'
        if visit.member:
            user = f'<a href="login.php?do=logout&amp;logouthash={self._security(visit)}">Log Out</a>'
        else:
            form = self._login_form(visit, name="navbar_loginform") if quick else ""
            user = f'<div id="header">{form}</div><a href="register.php">Register</a>'
        return self.page(f'{script}{user}<div id="content">{body}</div>', status=status, head=head)

    def _board(self, visit: Visit, board: int) -> Response:
        if board == 2 and not visit.member:
            return self._refused(visit)
        items = [item for item in self.items if item.members == (board == 2)]
        rows = "".join(f'<h3><a href="showthread.php?t={one.number}">{one.title}</a></h3>' for one in items)
        return self._page(visit, rows)

    def _thread(self, visit: Visit, number: int) -> Response:
        item = self.item(number)
        if item is None or (item.members and not visit.member):
            return self._refused(visit)
        crumbs = f'<div class="navbit"><a href="forumdisplay.php?f={1 + item.members}">Board</a></div>'
        return self._page(
            visit, f"{crumbs}<h1>{item.title}</h1>{self._post(visit, item)}{self._quick_reply(visit, item)}"
        )

    def _post(self, visit: Visit, item: Item) -> str:
        if item.wall == "reply" and not self.may_see(visit, item):
            return '<div class="postcontent">Take it:<div class="hidebox">You must reply to see the hidden content here.</div></div>'
        href = f"attachment.php?attachmentid={item.file}&amp;d={int(self.clock())}"
        return f'<div class="postcontent">Take it: <a href="{href}">{item.seed.name}.torrent</a></div>'

    def _quick_reply(self, visit: Visit, item: Item) -> str:
        if not visit.member:
            return ""
        fields = {
            "fromquickreply": "1", "s": "", "securitytoken": self._security(visit), "do": "postreply",
            "t": str(item.number), "p": "who cares", "specifiedpost": "0", "parseurl": "1", "loggedinuser": "7",
        }  # fmt: skip
        return (
            f'<form action="newreply.php?do=postreply&amp;t={item.number}" method="post" name="vbform" id="quick_reply">'
            '<textarea name="message" rows="5"></textarea>'
            f'{hidden(fields)}<input type="submit" name="sbutton" value="Post Quick Reply" />'
            '<input type="submit" name="preview" value="Go Advanced" /></form>'
        )

    def _refused(self, visit: Visit) -> Response:
        text = "You are not logged in or you do not have permission to access this page. This could be due to one of several reasons:"
        if visit.member:
            text = "keeper, you do not have permission to access this page."
        form = "" if visit.member else self._login_form(visit)
        return self._page(
            visit, f'<!-- STANDARD_ERROR --><div class="standard_error">{text}{form}</div>', quick=False
        )

    def _login_form(self, visit: Visit, name: str = "loginform") -> str:
        del visit
        fields = {
            "s": "",
            "securitytoken": "guest",
            "do": "login",
            "vb_login_md5password": "",
            "vb_login_md5password_utf": "",
        }
        return (
            f'<form id="{name}" action="login.php?do=login" method="post" '
            'onsubmit="md5hash(vb_login_password, vb_login_md5password, vb_login_md5password_utf, 0)">'
            '<input type="text" name="vb_login_username" value="" /> <input type="password" name="vb_login_password" />'
            '<label><input type="checkbox" name="cookieuser" value="1" />Remember Me?</label>'
            f'<input type="submit" value="Log in" />{hidden(fields)}</form>'
        )

    def _log_in(self, visit: Visit) -> Response:
        fields = visit.request.form()
        good = fields.get("securitytoken") == "guest" and fields.get("do") == "login"
        if not good or fields.get("vb_login_md5password"):
            self.refuse("token")
            return self._page(
                visit,
                '<div class="standard_error">Your submission could not be processed because a security token was missing.</div>',
            )
        if visit.session.failures >= TRIES or not self.knows(
            fields.get("vb_login_username"), fields.get("vb_login_password")
        ):
            visit.session.failures += 1
            self.refuse("password")
            used = f"You have used {visit.session.failures} out of {TRIES} login attempts."
            return self._page(
                visit,
                f'<div class="standard_error">You have entered an invalid username or password. {used}</div>',
            )
        self.enter(visit)
        visit.cookies.append("bb_userid=7; path=/; HttpOnly")
        return self._page(
            visit, '<div class="standard_error">Thank you for logging in, keeper.</div>', quick=False
        )

    def _reply(self, visit: Visit, number: int) -> Response:
        fields, item = visit.request.form(), self.item(number)
        if (
            not visit.member
            or item is None
            or fields.get("securitytoken") != self._security(visit)
            or "preview" in fields
        ):
            self.refuse("reply")
            return self._page(
                visit, '<div class="standard_error">A security token was invalid; you may not post.</div>'
            )
        if why := self.reply_in(item, fields.get("message", "")):
            self.refuse(why)
            return self._page(
                visit, '<div class="standard_error">You must wait at least 30 seconds between posts.</div>'
            )
        return self.to(f"/showthread.php?t={number}&p=99")
