"""A forum in the manner of SMF 2.1: randomly named tokens, `;` in addresses, 404 for what one may not have."""

from __future__ import annotations

import re
from typing import ClassVar

from harvester.demo.forums.base import Forum, Visit, hidden, number_in
from harvester.demo.server import Response


class SmfForum(Forum):
    """See the module."""

    name: ClassVar[str] = "smf"
    session_cookie: ClassVar[str] = "PHPSESSID"
    start: ClassVar[str] = "/index.php"

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        query = visit.request.query
        action = re.search(r"(?:^|;|&)action=(\w+)", query)
        match action[1] if action else "":
            case "login":
                return self._login_page(visit, "")
            case "login2" if visit.request.method == "POST":
                return self._log_in(visit)
            case "logout":
                visit.session.member = False
                return self.to("/index.php")
            case "dlattach":
                found = re.search(r"attach=(\d+)", query)
                item = self.item(number_in(found[1]) if found else 0)
                if item is None or not self.may_see(visit, item):
                    return Response(b"404 File Not Found", 404, "text/plain")
                return self.file(item)
        if found := re.search(r"topic=(\d+)", query):
            return self._topic(visit, int(found[1]))
        if found := re.search(r"board=(\d+)", query):
            board = int(found[1])
            if board == 2 and not visit.member:
                return self._login_page(visit, "Only registered members are allowed to access this section.")
            return self._page(visit, self._list(board))
        return self._page(visit, '<a href="?board=1.0">Torrents</a> <a href="?board=2.0">Members</a>')

    def _list(self, board: int) -> str:
        items = [item for item in self.items if item.members == (board == 2)]
        return "".join(
            f'<p><a href="{self.origin}/index.php?topic={one.number}.0">{one.title}</a></p>' for one in items
        )

    def _topic(self, visit: Visit, number: int) -> Response:
        item = self.item(number)
        if item is None or (item.members and not visit.member):
            return self._login_page(
                visit,
                "The topic or board you are looking for appears to be either missing or off limits to you. Please login below.",
            )
        href = f"{self.origin}/index.php?action=dlattach;topic={number}.0;attach={item.file}"
        return self._page(
            visit,
            f'<h1>{item.title}</h1><div class="post"><div class="inner">Have fun.</div>'
            f'<div class="attachments"><a href="{href}">{item.seed.name}.torrent</a></div></div>',
        )

    def _page(self, visit: Visit, body: str) -> Response:
        variables = visit.session.data.setdefault("session_var", self.token("var", 10))
        script = f"var smf_scripturl = '{self.origin}/index.php'; var smf_member_id = {int(visit.member)}; var smf_session_var = '{variables}';"
        logout = f'<a href="{self.origin}/index.php?action=logout;{variables}={visit.session.key}">Logout</a>'
        user = logout if visit.member else f'<a href="{self.origin}/index.php?action=login">Log in</a>'
        read = f'<a href="{self.origin}/index.php?action=markasread;sa=all;{variables}={visit.session.key}">Mark read</a>'
        return self.page(f"<script>{script}</script>{user} {read}<div id='content_section'>{body}</div>")

    # Logging in

    def _login_page(self, visit: Visit, error: str) -> Response:
        data = visit.session.data
        data["token_var"], data["token"] = "a" + self.token("name", 9), self.token("value")
        data.setdefault("session_var", self.token("var", 10))
        tokens = {data["session_var"]: visit.session.key, data["token_var"]: data["token"]}
        action = f"{self.origin}/index.php?action=login2"
        box = f'<p class="errorbox">{error}</p>' if error else ""
        lengths = '<select name="cookielength"><option value="60">1 Hour</option><option value="3153600" selected>Forever</option></select>'
        return self._page(
            visit,
            f'<div class="login"><h3>Log in</h3>{box}<form action="{action}" name="frmLogin" id="frmLogin" method="post" accept-charset="UTF-8">'
            '<dl><dt>Username:</dt><dd><input type="text" size="20" name="user" id="user"></dd>'
            '<dt>Password:</dt><dd><input type="password" id="passwrd" name="passwrd" value=""></dd>'
            f"<dt>Time to stay logged in:</dt><dd>{lengths}</dd></dl>"
            '<p><input type="submit" value="Log in" class="button"></p>'
            f"{hidden(tokens)}</form></div>",
        )

    def _log_in(self, visit: Visit) -> Response:
        fields, data = visit.request.form(), visit.session.data
        good = fields.get(data.get("session_var", "?")) == visit.session.key
        if not good or fields.get(data.get("token_var", "?")) != data.get("token"):
            self.refuse("token")
            return self._login_page(visit, "Token verification failed. Please go back and try again.")
        if visit.session.failures >= 3:
            self.refuse("too often")
            return self._login_page(
                visit, "You have exceeded the maximum number of login attempts. Please try again later."
            )
        if not self.knows(fields.get("user"), fields.get("passwrd")):
            visit.session.failures += 1
            self.refuse("password")
            return self._login_page(visit, "Password incorrect")
        self.enter(visit)
        visit.cookies.append(f"SMFCookie11={self.token('smf')}; path=/; HttpOnly")
        return self.to("/index.php")
