"""The cookies of one site and account (RFC 6265), values kept as they came.

Two departures from the RFC, both towards caution: a cookie that came over https is never sent in clear, and
nothing is kept for a public suffix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

from msgspec.structs import asdict
from publicsuffixlist import PublicSuffixList

from harvester.fetch.guard import closed_kind
from harvester.fetch.place import Origin
from harvester.model.http import Cookie

_MOST_PER_DOMAIN = 200
_LONGEST = 8192
_BAD = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_DIGITS = re.compile(r"-?[0-9]{1,18}")


class CookieJar:
    """Cookies by domain. `now` is UTC seconds."""

    def __init__(self, cookies: Iterable[Cookie] = ()) -> None:
        self._by_domain: dict[str, dict[tuple[str, str], Cookie]] = {}
        for cookie in cookies:
            self.put(cookie)

    def __len__(self) -> int:
        return sum(map(len, self._by_domain.values()))

    def put(self, cookie: Cookie) -> None:
        """Keep a cookie in place of one with its domain, path and name; the oldest gives way when full."""
        kept = self._by_domain.setdefault(cookie.domain, {})
        key = (cookie.path, cookie.name)
        if key not in kept and len(kept) >= _MOST_PER_DOMAIN:
            del kept[next(iter(kept))]
        kept[key] = cookie

    def clear(self) -> None:
        """Forget everything."""
        self._by_domain.clear()

    def cookies(self, now: float) -> tuple[Cookie, ...]:
        """Those that have not expired."""
        return tuple(
            cookie for kept in self._by_domain.values() for cookie in kept.values() if _alive(cookie, now)
        )

    def header(self, origin: Origin, target: str, now: float) -> str:
        """The Cookie header for a request (RFC 6265 5.4): longest path first, "" when nothing fits."""
        if not self._by_domain:
            return ""
        path = target.partition("?")[0]
        found: list[Cookie] = []
        domain = origin.host
        while True:
            kept = self._by_domain.get(domain)
            if kept:
                found.extend(
                    cookie
                    for cookie in kept.values()
                    if _alive(cookie, now)
                    and (not cookie.host_only or domain == origin.host)
                    and (not cookie.secure or origin.scheme == "https")
                    and _path_matches(cookie.path, path)
                )
            _, dot, domain = domain.partition(".")
            if not dot:
                break
        if len(found) > 1:
            found.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" if cookie.name else cookie.value for cookie in found)

    def store(self, origin: Origin, target: str, set_cookies: Iterable[str], now: float) -> bool:
        """Keep what an answer's Set-Cookie fields set; whether anything changed."""
        changed = False
        for text in set_cookies:
            cookie = parse_set_cookie(text, origin, target, now)
            if cookie is None:
                continue
            kept = self._by_domain.get(cookie.domain, {})
            before = kept.get((cookie.path, cookie.name))
            if not _alive(cookie, now):
                changed = kept.pop((cookie.path, cookie.name), None) is not None or changed
            elif before != cookie:
                changed = changed or before is None or before.value != cookie.value
                self.put(cookie)
        return changed

    def to_dict(self, now: float) -> dict[str, Any]:
        """All that is needed to go on later; secrets, so only for a file of mode 0600."""
        return {"version": 1, "cookies": [asdict(cookie) for cookie in self.cookies(now)]}

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> CookieJar:
        """The jar that `to_dict` described. Raises `ValueError` for anything else."""
        try:
            return cls(Cookie(**fields) for fields in stored["cookies"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"no saved cookies: {error}") from None


def parse_set_cookie(text: str, origin: Origin, target: str, now: float) -> Cookie | None:
    """Read one Set-Cookie value (RFC 6265 5.2, 5.3); None when it is to be ignored."""
    if len(text) > _LONGEST or _BAD.search(text):
        return None
    pair, _, rest = text.partition(";")
    name, equals, value = pair.partition("=")
    if not equals:
        name, value = "", pair
    name, value = name.strip(" \t"), value.strip(" \t")
    if not name and not value:
        return None
    attributes = _attributes(rest)
    domain = attributes.get("domain", "").strip().lower().removeprefix(".")
    host_only = not domain or (domain == origin.host and (is_literal(domain) or is_public_suffix(domain)))
    if host_only is False and domain != origin.host and not _may_widen(origin.host, domain):
        return None
    secure = "secure" in attributes
    if secure and origin.scheme != "https":
        return None  # RFC 6265bis: only a secure origin may set it
    if (name.startswith("__Secure-") and not secure) or (
        name.startswith("__Host-") and not (secure and not domain and attributes.get("path") == "/")
    ):
        return None
    path = attributes.get("path", "")
    return Cookie(
        name=name,
        value=value,
        domain=domain or origin.host,
        path=path if path.startswith("/") else _default_path(target),
        host_only=host_only,
        secure=secure or origin.scheme == "https",
        expires=_expiry(attributes, now),
    )


def _may_widen(host: str, domain: str) -> bool:
    """Whether `host` may set a cookie for all of `domain` above it."""
    return host.endswith(f".{domain}") and not is_literal(host) and not is_public_suffix(domain)


def is_literal(host: str) -> bool:
    """Whether a host is an address and not a name."""
    return ":" in host or host.replace(".", "").isdigit() or bool(closed_kind(host))


@lru_cache(maxsize=4096)
def is_public_suffix(domain: str) -> bool:
    """Whether strangers may have names under `domain`, by the public suffix list that its package carries."""
    return bool(_suffixes().is_public(domain))


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # read once, and only when a cookie names a domain: it takes 35 ms


def _attributes(rest: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in rest.split(";", 32)[:32]:
        name, _, value = part.partition("=")
        found[name.strip().lower()] = value.strip()  # the last of a name wins
    return found


def _default_path(target: str) -> str:
    path = target.partition("?")[0]
    return path[: path.rfind("/")] or "/"


def _path_matches(cookie_path: str, path: str) -> bool:
    if cookie_path == "/" or cookie_path == path:
        return True
    return path.startswith(cookie_path) and (cookie_path.endswith("/") or path[len(cookie_path)] == "/")


def _alive(cookie: Cookie, now: float) -> bool:
    return cookie.expires is None or cookie.expires > now


def _expiry(attributes: dict[str, str], now: float) -> float | None:
    """Max-Age before Expires; a value that cannot be read is as if it were not there."""
    age = attributes.get("max-age", "")
    if _DIGITS.fullmatch(age):
        return now + int(age) if int(age) > 0 else 0.0
    return _cookie_date(attributes["expires"]) if "expires" in attributes else None


_TIME = re.compile(r"(\d{1,2}):(\d{1,2}):(\d{1,2})")
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}


def _cookie_date(text: str) -> float | None:
    """RFC 6265 5.1.1: any order, any separators; UTC seconds, None when it is no date."""
    clock: tuple[int, ...] | None = None
    day = month = year = None
    for token in re.split(r"[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+", text[:100]):
        if clock is None and (match := _TIME.match(token)):
            clock = tuple(map(int, match.groups()))
        elif day is None and token.isascii() and token.isdigit() and len(token) <= 2:
            day = int(token)
        elif month is None and token[:3].lower() in _MONTHS:
            month = _MONTHS[token[:3].lower()]
        elif year is None and token.isascii() and token.isdigit() and 2 <= len(token) <= 4:
            year = int(token)
    if clock is None or day is None or month is None or year is None:
        return None
    if year < 100:
        year += 1900 if year >= 70 else 2000
    try:
        return datetime(year, month, day, clock[0], clock[1], clock[2], tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return None
