"""A forum in the manner of XenForo 2: csrf bound to a cookie, two-step login, 403 for guests, hidden blocks."""

from __future__ import annotations

import re
from typing import ClassVar

from harvester.demo.forums.base import Forum, Item, Visit, Wall, hidden, number_in
from harvester.demo.server import Response

CODE = "246810"
"""The code of the second step."""


class XenforoForum(Forum):
    """See the module; `two_step` asks for a code after the password."""

    name: ClassVar[str] = "xenforo"
    session_cookie: ClassVar[str] = "xf_session"
    walls: ClassVar[tuple[Wall, ...]] = ("none", "login", "reply", "login", "reply", "none")

    two_step: bool = False

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        request = visit.request
        match request.path:
            case "/":
                boards = '<a href="/forums/torrents.1/">Torrents</a> <a href="/forums/members.2/">Members</a>'
                return self._page(visit, boards)
            case "/login/":
                return self._page(visit, self._login_form(visit, ""), template="login")
            case "/login/login" if request.method == "POST":
                return self._log_in(visit)
            case "/login/two-step":
                return self._second_step(visit)
            case "/logout/":
                visit.session.member = False
                return self.to("/")
        if found := re.fullmatch(r"/forums/\w+\.(\d+)/", request.path):
            return self._board(visit, int(found[1]))
        if found := re.fullmatch(r"/threads/[\w-]+\.(\d+)/", request.path):
            return self._thread(visit, int(found[1]))
        if found := re.fullmatch(r"/threads/[\w-]+\.(\d+)/add-reply", request.path):
            return self._reply(visit, int(found[1]))
        if found := re.fullmatch(r"/attachments/[\w-]+\.(\d+)/", request.path):
            item = self.item(int(found[1]))
            return self.file(item) if item and self.may_see(visit, item) else self._refused(visit)
        return self._page(
            visit, '<div class="blockMessage">The requested page could not be found.</div>', status=404
        )

    def _csrf(self, visit: Visit) -> str:
        cookie = visit.request.cookies.get("xf_csrf", "")
        known = visit.session.data.get("csrf", "")
        if not known or (cookie and cookie != known):
            known = visit.session.data["csrf"] = self.token("csrf", 16)
            visit.cookies.append(f"xf_csrf={known}; path=/")
        return f"{int(self.clock())},{known}"

    def _good(self, visit: Visit) -> bool:
        cookie = visit.request.cookies.get("xf_csrf", "")
        sent = visit.request.form().get("_xfToken", "").partition(",")[2]
        return bool(cookie) and sent == cookie == visit.session.data.get("csrf")

    def _page(self, visit: Visit, body: str, *, status: int = 200, template: str = "forum_list") -> Response:
        token = self._csrf(visit)
        logged = "true" if visit.member else "false"
        user = (
            f'<a href="/logout/?t={token}">Log out</a>'
            if visit.member
            else '<a href="/login/">Log in</a> <a href="/register/">Register</a>'
        )
        text = (
            f'<!DOCTYPE html><html id="XF" data-template="{template}" data-logged-in="{logged}" data-csrf="{token}" '
            f'data-cookie-prefix="xf_"><head><title>Forum</title></head><body>{user}'
            f'<a href="/forums/-/mark-read?date=1">Mark read</a><div class="p-body-pageContent">{body}</div></body></html>'
        )
        return Response(text.encode(), status)

    def _board(self, visit: Visit, board: int) -> Response:
        if board == 2 and not visit.member:
            return self._refused(visit)
        items = [item for item in self.items if item.members == (board == 2)]
        rows = "".join(f'<p><a href="/threads/torrent.{one.number}/">{one.title}</a></p>' for one in items)
        return self._page(visit, rows, template="forum_view")

    def _thread(self, visit: Visit, number: int) -> Response:
        item = self.item(number)
        if item is None or (item.members and not visit.member):
            return self._refused(visit)
        crumbs = (
            f'<ul class="p-breadcrumbs"><li><a href="/forums/board.{1 + item.members}/">Board</a></li></ul>'
        )
        form = ""
        if visit.member:
            fields = {
                "_xfToken": self._csrf(visit),
                "attachment_hash": self.token("hash"),
                "last_date": "1",
                "load_extra": "1",
            }
            form = (
                f'<form action="/threads/torrent.{number}/add-reply" method="post" class="block js-quickReply">'
                f'<textarea name="message"></textarea>{hidden(fields)}<button type="submit" class="button">Post reply</button></form>'
            )
        return self._page(
            visit, f"{crumbs}<h1>{item.title}</h1>{self._post(visit, item)}{form}", template="thread_view"
        )

    def _post(self, visit: Visit, item: Item) -> str:
        if item.wall == "reply" and not self.may_see(visit, item):
            return '<div class="bbCodeBlock bbCodeBlock--hide bbCodeBlock--hidden">You need to reply to this in order to see this content.</div>'
        return f'<ul class="attachmentList"><li><a href="/attachments/file-torrent.{item.file}/">{item.seed.name}.torrent</a></li></ul>'

    def _refused(self, visit: Visit) -> Response:
        if visit.member:
            text = "You do not have permission to view this page or perform this action."
            return self._page(visit, f'<div class="blockMessage">{text}</div>', status=403, template="error")
        body = (
            f'<div class="blockMessage">You must be logged-in to do that.</div>{self._login_form(visit, "")}'
        )
        return self._page(visit, body, status=403, template="login")

    # Logging in

    def _login_form(self, visit: Visit, error: str) -> str:
        box = (
            f'<div class="blockMessage blockMessage--error blockMessage--iconic">{error}</div>'
            if error
            else ""
        )
        fields = {"_xfRedirect": self.origin + "/", "_xfToken": self._csrf(visit)}
        return (
            f'{box}<form action="/login/login" method="post" class="block"><dl><dt><label for="l">Your name or email address</label></dt>'
            '<dd><input type="text" class="input" name="login" id="l" autocomplete="username" /></dd></dl>'
            '<dl><dt>Password</dt><dd><input type="password" name="password" class="input" /></dd></dl>'
            '<label><input type="checkbox" name="remember" value="1" checked="checked" />Stay logged in</label>'
            f'<button type="submit" class="button--primary button">Log in</button>{hidden(fields)}</form>'
        )

    def _log_in(self, visit: Visit) -> Response:
        fields = visit.request.form()
        if not self._good(visit):
            self.refuse("csrf")
            return self._page(
                visit,
                '<div class="blockMessage">Security error occurred. Please press back, refresh the page, and try again.</div>',
                status=400,
                template="error",
            )
        if not self.knows(fields.get("login"), fields.get("password")):
            self.refuse("password")
            return self._page(
                visit, self._login_form(visit, "Incorrect password. Please try again."), template="login"
            )
        if self.two_step:
            visit.session.data["half"] = "1"
            return self.to("/login/two-step?remember=1")
        return self._entered(visit)

    def _entered(self, visit: Visit) -> Response:
        self.enter(visit)
        visit.cookies.append("xf_user=7%2Cabcdefabcdef; path=/; HttpOnly")
        return self.to("/")

    def _second_step(self, visit: Visit) -> Response:
        if visit.session.data.get("half") != "1":
            return self.to("/login/")
        error = ""
        if visit.request.method == "POST":
            if self._good(visit) and visit.request.form().get("code") == CODE:
                return self._entered(visit)
            self.refuse("code")
            error = '<div class="blockMessage blockMessage--error">The two-step verification value could not be confirmed. Please try again.</div>'
        fields = {"confirm": "1", "provider": "totp", "remember": "1", "_xfToken": self._csrf(visit)}
        body = (
            f'{error}<form action="/login/two-step" method="post"><p>Two-step verification required</p>'
            '<input type="text" name="code" autofocus="autofocus" /><label><input type="checkbox" name="trust" value="1" />Trust this device for 30 days</label>'
            f'<button type="submit">Confirm</button>{hidden(fields)}</form>'
        )
        return self._page(visit, body, template="login_two_step")

    def _reply(self, visit: Visit, number: int) -> Response:
        item = self.item(number)
        if not visit.member or item is None or not self._good(visit):
            self.refuse("reply")
            return self._refused(visit)
        if why := self.reply_in(item, visit.request.form().get("message", "")):
            self.refuse(why)
            return self._page(
                visit,
                '<div class="blockMessage">You must wait at least 15 seconds before performing this action.</div>',
                template="error",
            )
        return self.to(f"/threads/torrent.{number_in(str(number))}/")


class TwoStepForum(XenforoForum):
    """The same with a second step for everybody."""

    name: ClassVar[str] = "xenforo-two-step"
    two_step = True
