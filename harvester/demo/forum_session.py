"""Who asks the demo forum, by their cookies, and the cookies that its answer sets."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from harvester.demo.forum_ajax import is_ajax
from harvester.demo.server import Request, Response

PREFIX = "demo_2132_"
MEMBER_UID = 7


def short_digest(text: str, length: int) -> str:
    """So many hex digits that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


class Visitor:
    """A guest or the member, for one request.

    `moment` differs between requests; new salts and session ids are made from it. A guest without a session
    cookie gets `sid` (`&sid=…`), to be put into links as forums do; it is "" for the others.
    """

    def __init__(self, request: Request, member: str, moment: int) -> None:
        cookies = request.cookies
        self._member = member
        self._cookies: list[str] = []
        self._salt = cookies.get(f"{PREFIX}saltkey", "")
        if not self._salt:
            self._salt = short_digest(f"salt {moment}", 8)
            self._cookies.append(f"{PREFIX}saltkey={self._salt}; path=/; HttpOnly")
        self.ajax = is_ajax(request)
        self.sid = ""
        if f"{PREFIX}sid" not in cookies:
            sid = short_digest(f"sid {moment}", 6)
            self.sid = f"&sid={sid}"
            self._cookies.append(f"{PREFIX}sid={sid}; path=/")
        self.uid = MEMBER_UID if cookies.get(f"{PREFIX}auth") == self._auth() else 0

    @property
    def user(self) -> str:
        """The member's name, "" for a guest."""
        return self._member if self.uid else ""

    @property
    def formhash(self) -> str:
        """Bound to the salt cookie and to being logged in, as in Discuz."""
        return short_digest(f"{self._salt}:{self.uid}:formhash", 8)

    def _auth(self) -> str:
        return short_digest(f"{self._salt}:{self._member}:auth", 32)

    def log_in(self) -> None:
        """Give the member's cookie."""
        self.uid = MEMBER_UID
        self._cookies.append(f"{PREFIX}auth={self._auth()}; path=/; HttpOnly")

    def log_out(self) -> None:
        """Take it back."""
        self.uid = 0
        self._cookies.append(f"{PREFIX}auth=; path=/; Max-Age=0")

    def with_cookies(self, response: Response) -> Response:
        """The response with the cookies that are to be set."""
        cookies = [("Set-Cookie", cookie) for cookie in self._cookies]
        return replace(response, headers=[*response.headers, *cookies])
