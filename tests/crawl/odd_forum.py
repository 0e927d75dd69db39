"""A forum of no known software, whose oddities can be chosen one by one."""

from __future__ import annotations

import re
from typing import ClassVar
from urllib.parse import parse_qsl

from harvester.demo.forums.base import MEMBER, Forum, Visit, hidden, number_in
from harvester.demo.server import Response

WORDS = {
    "en": ("Sign in", "Sign out", "Name", "Password", "Wrong name or password"),
    "ru": ("Вход", "Выход", "Имя", "Пароль", "Неверный пароль"),
    "zh": ("登录", "退出", "用户名", "密码", "密码错误"),
    "de": ("Anmelden", "Abmelden", "Benutzername", "Kennwort", "Falsches Passwort"),
    "ja": ("ログイン", "ログアウト", "ユーザー名", "パスワード", "パスワードが違います"),
}


class OddForum(Forum):
    """See the module.

    `odd` names its oddities: `sidebar` (the form is on every page and nowhere else), `greets` (no way to
    log out, only the name), `silent` (nothing tells a member but new links), `multipart`, `refresh` (the
    session begins where the answer's meta refresh leads), `referer` (wanted for the form), `button` (its
    name is wanted), `strict` (a token that one page is good for), `dark` (the walled file answers 403
    without a word), `table` (the form is broken by a table), `tokens` (a file's address is good
    for one session), `points` (a file's address leads to one that spends points), `hotlink` (a file is empty
    without a Referer), `robots` (files are forbidden to robots).
    """

    name: ClassVar[str] = "odd"
    session_cookie: ClassVar[str] = "ticket"

    def __init__(
        self, origin: str, *, language: str = "en", encoding: str = "utf-8", odd: str = "", **options: object
    ) -> None:
        super().__init__(origin, **options)  # type: ignore[arg-type]  # passed through
        self.language, self.words = language, WORDS[language]
        self.encoding = encoding
        self.odd = set(odd.split())

    @property
    def robots(self) -> str:  # type: ignore[override]  # by oddity
        return "User-agent: *\nDisallow: /get\n" if "robots" in self.odd else "User-agent: *\nDisallow:\n"

    acting = re.compile(r"/leave|action=attachcredit")

    def route(self, visit: Visit) -> Response:
        path, query = visit.request.path, visit.request.query
        if path == "/enter" and visit.request.method == "POST":
            return self._enter(visit)
        if path == "/enter":
            return self._page(visit, self._form(visit, ""))
        if path == "/welcome" and visit.session.data.get("half"):
            self.enter(visit)
            return self.to("/")
        if path.startswith("/item/"):
            item = self.item(number_in(path))
            if item is not None and (not item.members or visit.member):
                href = f"/get?n={item.file}"
                if "tokens" in self.odd:
                    href += f"&amp;key={visit.session.key}"
                return self._page(
                    visit, f'<h1>{item.title}</h1><a href="{href}">{item.seed.name}.torrent</a>'
                )
            return self._wall(visit)
        if path == "/get":
            item = self.item(number_in(query))
            if "tokens" in self.odd and not query.endswith(f"key={visit.session.key}"):
                return self._page(visit, "<p>This link is no longer valid.</p>")
            if "points" in self.odd and item is not None:
                return self.to(f"/forum.php?mod=misc&action=attachcredit&aid={item.file}&formhash=12345678")
            if "hotlink" in self.odd and not visit.request.headers.get("referer", "").startswith(self.origin):
                return Response(b"", 200, "application/octet-stream")
            return self.file(item) if item is not None and self.may_see(visit, item) else self._wall(visit)
        shown = [item for item in self.items if not item.members or visit.member]
        rows = "".join(f'<p><a href="/item/{one.number}">{one.title}</a></p>' for one in shown)
        return self._page(visit, rows)

    def _wall(self, visit: Visit) -> Response:
        if "dark" in self.odd:
            return Response(b"", 403, "text/plain")
        return (
            self.to("/enter?next=/")
            if "sidebar" not in self.odd
            else self._page(visit, "<p>No.</p>", status=403)
        )

    def _page(self, visit: Visit, body: str, *, status: int = 200) -> Response:
        sign_in, sign_out, *_ = self.words
        if visit.member:
            bar = '<a href="/mailbox">Mail</a><a href="/my/settings">Me</a>'
            if "silent" not in self.odd:
                bar += (
                    f"<b><a href='/u/7'>{MEMBER[0]}</a></b>"
                    if "greets" in self.odd
                    else f'<a href="/leave">{sign_out}</a>'
                )
        elif "silent" in self.odd:
            bar = ""
        else:
            bar = self._form(visit, "") if "sidebar" in self.odd else f'<a href="/enter">{sign_in}</a>'
        search = '<form action="/find"><input name="q"><input type="submit" value="?"></form>'
        text = f'<html><head><meta charset="{self.encoding}"><title>Odd</title></head><body><div class="box">{bar}</div>{search}{body}</body></html>'
        return Response(
            text.encode(self.encoding, "xmlcharrefreplace"), status, f"text/html; charset={self.encoding}"
        )

    def _form(self, visit: Visit, error: str) -> str:
        sign_in, _, name, password, _ = self.words
        token = visit.session.data["token"] = self.token("form")
        enctype = ' enctype="multipart/form-data"' if "multipart" in self.odd else ""
        rows = (
            f'<tr><td>{name}</td><td><input name="x17" size="20"></td></tr>'
            f'<tr><td>{password}</td><td><input type="password" name="x18"></td></tr>'
            f'<tr><td></td><td><input type="text" name="url" style="display: none"><button name="do" value="in">{sign_in}</button></td></tr>'
        )
        head = (
            f'<form method="post" action="/enter"{enctype}>{hidden({"k" + token[:4]: token, "token": token})}'
        )
        form = (
            f"<table>{head}{rows}</form></table>"
            if "table" in self.odd
            else f"{head}<table>{rows}</table></form>"
        )
        return f"{f'<p class=error>{error}</p>' if error else ''}{form}"

    def _enter(self, visit: Visit) -> Response:
        fields = self._fields(visit)
        referer = visit.request.headers.get("referer", "")
        for oddity, fine in (
            ("strict", fields.get("token") == visit.session.data.get("token")),
            ("referer", referer.startswith(self.origin)),
            ("button", fields.get("do") == "in"),
        ):
            if oddity in self.odd and not fine:
                self.refuse(oddity)
                return self._page(visit, self._form(visit, "Form expired"))
        if fields.get("url") != "":
            self.refuse("trap")
            return self._page(visit, "<p>Bye.</p>", status=403)
        if not self.knows(fields.get("x17"), fields.get("x18")):
            self.refuse("password")
            return self._page(visit, self._form(visit, self.words[4]))
        if "refresh" in self.odd:
            visit.session.data["half"] = "1"
            return self._page(visit, '<meta http-equiv="refresh" content="1; url=/welcome"><p>OK</p>')
        self.enter(visit)
        return self.to("/")

    def _fields(self, visit: Visit) -> dict[str, str]:
        body = visit.request.body
        if "multipart" not in self.odd:
            return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, encoding=self.encoding))
        boundary = visit.request.headers.get("content-type", "").partition("boundary=")[2]
        fields = {}
        for part in body.decode(self.encoding).split(f"--{boundary}\r\n")[1:]:
            head, _, value = part.partition("\r\n\r\n")
            fields[head.partition('name="')[2].partition('"')[0]] = value.split("\r\n--")[0].rstrip("\r\n")
        return fields
