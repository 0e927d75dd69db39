"""How the demo forum's member comes in: tries are counted, a captcha stands in the form or after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from harvester.demo.forum_captcha import Captchas
from harvester.demo.forum_rules import LOGIN_TRIES, WRONG_FORM
from harvester.demo.forum_session import Visitor, short_digest

_WRONG_CODE = "抱歉，验证码填写错误"


@dataclass(frozen=True, slots=True)
class Told:
    """What the forum answers: `entered`, or `step`, the address of the page that goes on with the login."""

    text: str
    entered: bool = False
    step: str = ""


class Entrance:
    """The login of one account (name, password).

    With `asks` the form itself has a captcha; with `second_step` the right password leads to a page that has
    one, known by the token `auth` (`location_login`).
    """

    def __init__(
        self, account: tuple[str, str], captchas: Captchas | None, *, asks: bool, second_step: bool
    ) -> None:
        self._account = account
        self._captchas = captchas
        self._asks = asks
        self._second_step = second_step
        self._failures = 0
        self._tokens = 0

    def sechash(self, auth: str) -> str:
        """The hash of a captcha for the login page (`auth`: for the second step); "" for none."""
        asked = bool(auth) if self._second_step else self._asks
        return self._captchas.new_hash() if self._captchas is not None and asked else ""

    def take(self, fields: Mapping[str, str], visitor: Visitor) -> Told:
        """Judge a login form; the visitor is logged in by it or not."""
        if fields.get("formhash") != visitor.formhash:
            return Told(WRONG_FORM)
        if self._failures >= LOGIN_TRIES:
            return Told("密码错误次数过多，请 15 分钟后重新登录")
        if auth := fields.get("auth", ""):
            if auth != self._auth() or not self._is_right(fields):
                return Told(_WRONG_CODE)
            return self._entered(visitor)
        if self._asks and not self._second_step and not self._is_right(fields):
            return Told(_WRONG_CODE)
        if (fields.get("username"), fields.get("password")) != self._account:
            self._failures += 1
            return Told(f"登录失败，您还可以尝试 {LOGIN_TRIES - self._failures} 次")
        if self._second_step:
            self._tokens += 1
            step = (
                f"member.php?mod=logging&action=login&auth={quote(self._auth(), safe='')}&referer=forum.php"
            )
            return Told("请输入验证码后继续登录", step=step)
        return self._entered(visitor)

    def _entered(self, visitor: Visitor) -> Told:
        self._failures = 0
        visitor.log_in()
        return Told(f"欢迎您回来，{visitor.user}，现在将转入登录前页面", entered=True)

    def _auth(self) -> str:
        return f"{short_digest(f'{self._account[0]} second step {self._tokens}', 20)}+/=="

    def _is_right(self, fields: Mapping[str, str]) -> bool:
        return self._captchas is not None and self._captchas.is_right(fields)
