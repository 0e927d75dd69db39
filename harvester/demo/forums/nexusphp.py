"""A tracker in the manner of NexusPHP: an image code at login, passkeys in torrents, everything for members."""

from __future__ import annotations

import io
from typing import ClassVar
from urllib.parse import quote

from PIL import Image, ImageDraw

from harvester.demo.forums.base import Forum, Visit, Wall, hidden, number_in
from harvester.demo.server import Response

TRIES = 10


class NexusForum(Forum):
    """See the module. `codes` holds what each image said, for whoever plays the operator."""

    name: ClassVar[str] = "nexusphp"
    session_cookie: ClassVar[str] = "c_secure_pass"
    start: ClassVar[str] = "/torrents.php"
    walls: ClassVar[tuple[Wall, ...]] = ("login",) * 6
    private: ClassVar[bool] = True

    def __init__(self, origin: str, **options: object) -> None:
        super().__init__(origin, **options)  # type: ignore[arg-type]  # passed through
        self.codes: dict[str, str] = {}
        self._failures = 0

    def route(self, visit: Visit) -> Response:
        """See `Forum`."""
        request, params = visit.request, visit.request.params()
        match request.path:
            case "/login.php":
                return self._login_page()
            case "/image.php" if params.get("action") == "regimage":
                return self._image(params.get("imagehash", ""))
            case "/takelogin.php" if request.method == "POST":
                return self._log_in(visit)
        if not visit.member:
            return self.to(f"/login.php?returnto={quote(request.target.lstrip('/'), safe='')}")
        match request.path:
            case "/torrents.php" | "/index.php" | "/":
                return self._page(
                    "".join(
                        f'<p><a class="torrentname" href="details.php?id={one.number}&amp;hit=1">{one.title}</a></p>'
                        for one in self.items
                    )
                )
            case "/details.php" if "hit" in params:
                return self.to(f"/details.php?id={number_in(params.get('id', ''))}")
            case "/details.php":
                item = self.item(number_in(params.get("id", "")))
                if item is not None:
                    return self._page(
                        f'<h1>{item.title}</h1><a class="index" href="download.php?id={item.number}">Download</a> <a href="thanks.php?id={item.number}">Thanks</a>'
                    )
            case "/download.php":
                item = self.item(number_in(params.get("id", "")))
                if item is not None:
                    return self.file(item)
            case "/logout.php":
                visit.session.member = False
                return self.to("/login.php")
        return Response(b"<h1>Not Found</h1>", 404)

    def _page(self, body: str) -> Response:
        head = '<meta name="generator" content="NexusPHP" />'
        return self.page(
            f'<a href="logout.php">[退出]</a><table class="torrents"><tr><td>{body}</td></tr></table>',
            head=head,
        )

    def _login_page(self, error: str = "") -> Response:
        imagehash = self.token("image")
        digits = "".join(str(int(one, 16) % 9 + 1) for one in self.token("code", 6))
        self.codes[imagehash] = digits
        left = TRIES - self._failures
        fields = {"secret": "", "imagehash": imagehash, "returnto": "torrents.php"}
        head = '<meta name="generator" content="NexusPHP" />'
        rows = (
            '<tr><td class="rowhead">用户名：</td><td><input type="text" name="username" style="width: 180px" /></td></tr>'
            '<tr><td class="rowhead">密码：</td><td><input type="password" name="password" style="width: 180px" /></td></tr>'
            '<tr><td class="rowhead">两步验证码：</td><td><input type="text" name="two_step_code" placeholder="没有则留空" /></td></tr>'
            f'<tr><td class="rowhead">图片代码：</td><td><img src="image.php?action=regimage&amp;imagehash={imagehash}&amp;secret=" alt="CAPTCHA" /></td></tr>'
            '<tr><td class="rowhead">输入代码：</td><td><input type="text" name="imagestring" value="" /></td></tr>'
            '<tr><td>自动登出：</td><td><input type="checkbox" name="logout" value="yes" />15分钟后自动登出</td></tr>'
            '<tr><td colspan="2"><input type="submit" value="登录" /> <input type="reset" value="重置" /></td></tr>'
        )
        box = f'<table><tr><td class="embedded"><h2>登录失败</h2>{error}</td></tr></table>' if error else ""
        return self.page(
            f'{box}<h3>请登录</h3><table><form method="post" action="takelogin.php">{rows}{hidden(fields)}</form></table>'
            f'<p>你还有 [{left}] 次尝试机会。</p><a href="signup.php">注册</a> <a href="recover.php">找回密码</a>',
            head=head,
        )

    def _image(self, imagehash: str) -> Response:
        code = self.codes.get(imagehash)
        if code is None:
            return Response(b"", 404)
        image = Image.new("RGB", (150, 40), "white")
        ImageDraw.Draw(image).text((20, 14), code, fill="black")
        written = io.BytesIO()
        image.save(written, "PNG")
        return Response(written.getvalue(), content_type="image/png")

    def _log_in(self, visit: Visit) -> Response:
        fields = visit.request.form()
        code = self.codes.pop(fields.get("imagehash", ""), None)
        if code is None or fields.get("imagestring", "").upper() != code:
            self._failures += 1
            self.refuse("captcha")
            return self._login_page("图片代码无效！不要返回，图片代码已被清除。")
        if fields.get("two_step_code") or not self.knows(fields.get("username"), fields.get("password")):
            self._failures += 1
            self.refuse("password")
            return self._login_page("用户名或密码不正确！")
        self.enter(visit)
        visit.cookies.append("c_secure_uid=Nw%3D%3D; path=/; HttpOnly")
        return self.to(f"/{fields.get('returnto') or 'index.php'}")
