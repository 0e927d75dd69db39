"""A board in the manner of phpBB 3.3: form tokens with an age, `sid` in links, captcha after three failures."""

from __future__ import annotations

import hashlib
from typing import ClassVar
from urllib.parse import quote

from harvester.demo.forums.base import Forum, Item, Visit, hidden, number_in
from harvester.demo.server import Response

LIFETIME = 7200
"""Seconds for which a form's token is good; in its first second it is not good yet."""


class PhpbbForum(Forum):
    """See the module."""

    name: ClassVar[str] = "phpbb"
    session_cookie: ClassVar[str] = "phpbb3_demo_sid"
    start: ClassVar[str] = "/index.php"

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        params = visit.request.params()
        match visit.request.path:
            case "/index.php" | "/":
                boards = [(1, "Open torrents"), (2, "Members")]
                rows = "".join(self._link(visit, f"viewforum.php?f={f}", name) for f, name in boards)
                return self._page(visit, rows)
            case "/viewforum.php":
                return self._board(visit, number_in(params.get("f", "")))
            case "/viewtopic.php":
                return self._topic(visit, number_in(params.get("t", "")))
            case "/download/file.php":
                return self._file(visit, number_in(params.get("id", "")))
            case "/ucp.php" if params.get("mode") == "login":
                return self._login(visit)
            case "/ucp.php" if params.get("mode") == "logout" and params.get("sid") == visit.session.key:
                visit.session.member = False
                return self.to("/index.php")
        return self._page(visit, "<p>No such page.</p>", status=404)

    def _page(self, visit: Visit, body: str, *, status: int = 200) -> Response:
        if visit.member:
            key = visit.session.key
            user = f'<a href="./ucp.php?mode=logout&amp;sid={key}">Logout</a>'
        else:
            user = self._link(visit, "ucp.php?mode=login", "Login") + self._link(
                visit, "ucp.php?mode=register", "Register"
            )
        search = '<form action="./search.php" method="get"><input type="search" name="keywords"></form>'
        mark = self._link(visit, "index.php?mark=forums&hash=ab12cd34", "Mark forums read")
        foot = 'Powered by <a href="https://www.phpbb.com/">phpBB</a>'
        return self.page(
            f'<div id="phpbb">{search}{user}{mark}<div id="page-body">{body}</div>{foot}</div>', status=status
        )

    def _link(self, visit: Visit, target: str, text: str) -> str:
        sid = f"{'&' if '?' in target else '?'}sid={visit.session.key}" if visit.fresh else ""
        return f'<p><a href="./{(target + sid).replace("&", "&amp;")}">{text}</a></p>'

    def _board(self, visit: Visit, board: int) -> Response:
        if board == 2 and not visit.member:
            return self._login_page(
                visit, "The board requires you to be registered and logged in to view this forum."
            )
        items = [item for item in self.items if item.members == (board == 2)]
        return self._page(
            visit, "".join(self._link(visit, f"viewtopic.php?t={one.number}", one.title) for one in items)
        )

    def _topic(self, visit: Visit, number: int) -> Response:
        item = self.item(number)
        if item is None:
            return self._page(
                visit, '<div id="message">The requested topic does not exist.</div>', status=404
            )
        if item.members and not visit.member:
            return self._login_page(
                visit, "You are required to be registered and logged in to read this topic."
            )
        return self._page(
            visit,
            f'<h2 class="topic-title">{item.title}</h2><div class="postbody">{self._post(visit, item)}</div>',
        )

    def _post(self, visit: Visit, item: Item) -> str:
        if not self.may_see(visit, item) and item.number % 3 == 2:
            return '<div class="rules">You do not have the required permissions to view the files attached to this post.</div>'
        href = f"./download/file.php?id={item.file}"
        return (
            f'<dl class="file"><dt><a class="postlink" href="{href}">{item.seed.name}.torrent</a></dt></dl>'
        )

    def _file(self, visit: Visit, number: int) -> Response:
        item = self.item(number)
        if item is None:
            return self._page(
                visit, '<div id="message">The selected attachment does not exist anymore.</div>', status=404
            )
        if not self.may_see(visit, item):
            text = "You are not authorised to download this attachment."
            return self._page(visit, f'<div id="message" class="panel">{text}</div>', status=403)
        return self.file(item)

    # Logging in

    def _sign(self, visit: Visit, created: str) -> str:
        return hashlib.sha1(
            f"{created}salt login{visit.session.key}".encode(), usedforsecurity=False
        ).hexdigest()

    def _login(self, visit: Visit) -> Response:
        if visit.request.method != "POST":
            return self._login_page(visit, "")
        fields = visit.request.form()
        created = fields.get("creation_time", "0")
        age = int(self.clock()) - (int(created) if created.isdigit() else 0)
        if not 0 < age <= LIFETIME or fields.get("form_token") != self._sign(visit, created):
            self.refuse(f"form token, age {age}")
            return self._login_page(visit, "The submitted form was invalid. Try submitting again.")
        if visit.session.failures >= 3:
            self.refuse("captcha")
            return self._login_page(
                visit,
                "You exceeded the maximum allowed number of login attempts. You must now confirm the code.",
            )
        if "login" not in fields or not self.knows(fields.get("username"), fields.get("password")):
            visit.session.failures += 1
            self.refuse("password")
            return self._login_page(
                visit, "You have specified an incorrect password. Please check your password and try again."
            )
        self.enter(visit)
        visit.cookies.append("phpbb3_demo_u=2; path=/; HttpOnly")
        return self.to(f"/index.php?sid={visit.session.key}")

    def _login_page(self, visit: Visit, error: str) -> Response:
        created = str(int(self.clock()))
        tokens = {
            "redirect": "./ucp.php?mode=login",
            "creation_time": created,
            "form_token": self._sign(visit, created),
            "sid": visit.session.key,
        }
        action = f"./ucp.php?mode=login&amp;sid={quote(visit.session.key)}"
        box = f'<div class="error">{error}</div>' if error else ""
        return self._page(
            visit,
            f'<form action="{action}" method="post" id="login"><h2 class="login-title">Login</h2>{box}'
            '<dl><dt><label for="username">Username:</label></dt><dd><input type="text" name="username" id="username" /></dd></dl>'
            '<dl><dt><label for="password">Password:</label></dt><dd><input type="password" id="password" name="password" /></dd></dl>'
            '<label><input type="checkbox" name="autologin" /> Remember me</label>'
            '<label><input type="checkbox" name="viewonline" /> Hide my online status this session</label>'
            f'{hidden(tokens)}<input type="submit" name="login" value="Login" />'
            f"{hidden({'redirect': 'index.php'})}</form>",
        )
