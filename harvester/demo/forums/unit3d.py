"""A tracker in the manner of UNIT3D: a honeypot, a hidden captcha bound to the browser, a form that expires."""

from __future__ import annotations

import hashlib
import re
from typing import ClassVar

from harvester.demo.forums.base import PASSKEY, Forum, Visit, Wall, hidden
from harvester.demo.server import Response

LIFETIME = 1200
"""Seconds for which the login form is good."""


class Unit3dForum(Forum):
    """See the module."""

    name: ClassVar[str] = "unit3d"
    session_cookie: ClassVar[str] = "laravel_session"
    walls: ClassVar[tuple[Wall, ...]] = ("login",) * 6
    private: ClassVar[bool] = True

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        request = visit.request
        if request.path == "/login":
            return self._log_in(visit) if request.method == "POST" else self._login_page(visit, "")
        if not visit.member:
            return self.to("/login")
        if request.path in ("/", "/torrents"):
            rows = "".join(
                f'<p><a href="{self.origin}/torrents/{one.number}">{one.title}</a></p>' for one in self.items
            )
            return self._page(visit, f'<a href="{self.origin}/torrents">Torrents</a>{rows}')
        if found := re.fullmatch(r"/torrents/(\d+)", request.path):
            item = self.item(int(found[1]))
            if item is not None:
                links = f'<a href="{self.origin}/torrents/download/{item.number}">Download</a> <a href="{self.origin}/torrent/download/{item.number}.{PASSKEY}">Direct</a>'
                return self._page(visit, f"<h1>{item.title}</h1>{links}")
        if found := re.fullmatch(r"/torrents?/download/(\d+)(?:\.\w+)?", request.path):
            item = self.item(int(found[1]))
            if item is not None:
                return self.file(item)
        return self.page('<main class="error__body">404</main>', status=404)

    def _page(self, visit: Visit, body: str) -> Response:
        token = visit.session.data.setdefault("csrf", self.token("csrf", 40))
        logout = f'<form role="form" method="POST" action="{self.origin}/logout">{hidden({"_token": token})}<button type="submit">Logout</button></form>'
        return self.page(f'<nav>{logout}</nav><main data-app="unit3d">{body}</main>')

    def _captcha(self, visit: Visit, moment: str) -> str:
        text = f"{visit.session.key}|{visit.session.agent}|{moment}"
        return hashlib.sha256(text.encode()).hexdigest()

    def _login_page(self, visit: Visit, error: str) -> Response:
        data = visit.session.data
        moment = str(int(self.clock()))
        data["csrf"], data["field"] = self.token("csrf", 40), "f" + self.token("field", 15)
        tokens = {"_captcha": self._captcha(visit, moment), data["field"]: moment}
        style = "<style>.auth-form__trap { position: fixed; transform: translateX(-10000px); }</style>"
        box = f'<ul class="auth-form__errors"><li class="auth-form__error">{error}</li></ul>' if error else ""
        return self.page(
            f'<main>{box}<form class="auth-form__form" method="POST" action="{self.origin}/login">{hidden({"_token": data["csrf"]})}'
            '<p class="auth-form__text-input-group"><label for="username">Username</label><input id="username" class="auth-form__text-input" name="username" required type="text" autocomplete="username" /></p>'
            '<p><label for="password">Password</label><input id="password" type="password" name="password" required autocomplete="current-password" /></p>'
            '<p class="auth-form__checkbox-input-group"><input id="remember" type="checkbox" name="remember" /><label for="remember">Remember me</label></p>'
            f'{hidden({"_captcha": tokens["_captcha"]})}<input type="text" name="_username" class="auth-form__trap" tabindex="-1" />'
            f'{hidden({data["field"]: moment})}<button class="auth-form__primary-button">Login</button></form>'
            f'<a href="{self.origin}/register">Register</a><p>UNIT3D</p></main>',
            head=style,
        )

    def _log_in(self, visit: Visit) -> Response:
        fields, data = visit.request.form(), visit.session.data
        moment = fields.get(data.get("field", "?"), "")
        if fields.get("_token") != data.get("csrf"):
            self.refuse("csrf")
            return self.page("<h1>Page Expired</h1>", status=419)
        fresh = moment.isdigit() and 0 <= self.clock() - int(moment) <= LIFETIME
        if (
            fields.get("_username") != ""
            or not fresh
            or fields.get("_captcha") != self._captcha(visit, moment)
        ):
            self.refuse("hidden captcha")
            return self._login_page(visit, "Captcha error")
        if not self.knows(fields.get("username"), fields.get("password")):
            self.refuse("password")
            return self._login_page(visit, "These credentials do not match our records.")
        self.enter(visit)
        return self.to("/")
