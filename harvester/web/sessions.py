"""Operators who logged in on the page: sessions in memory, gone with the process."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass

COOKIE = "harvest_session"
LOGIN_COOKIE = "harvest_login"
"""Ties a log-in form to the browser that got it."""
LIFETIME = 12 * 3600.0
MAX_SESSIONS = 200


@dataclass(frozen=True, slots=True)
class Session:
    """One log-in. `csrf` has to come back with every form; `key_id` is the key it was opened with."""

    key_id: str
    name: str
    csrf: str
    until: float


class Sessions:
    """Sessions by the hash of their cookie. Takes `now` (UTC seconds). For one event loop."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Session] = OrderedDict()

    def begin(self, key_id: str, name: str, now: float) -> tuple[str, Session]:
        """A new session and the value of its cookie."""
        token = secrets.token_urlsafe(32)
        session = Session(key_id, name, secrets.token_urlsafe(24), now + LIFETIME)
        self._open[_digest(token)] = session
        if len(self._open) > MAX_SESSIONS:
            self._open.popitem(last=False)
        return token, session

    def find(self, token: str, now: float) -> Session | None:
        """The session of a cookie, None when it is over."""
        digest = _digest(token)
        session = self._open.get(digest)
        if session is not None and session.until <= now:
            del self._open[digest]
            return None
        return session

    def end(self, token: str) -> None:
        """Log out."""
        self._open.pop(_digest(token), None)


def same(one: str, other: str) -> bool:
    """Whether two secrets are equal, in a time that says nothing of where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
