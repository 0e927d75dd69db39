"""Cookies that the operator brings from a browser: a Netscape file, or a pasted header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harvester.errors import AccessError
from harvester.links import parse_url
from harvester.model.http import Cookie

_MAX = 1_000_000
_PAIR = re.compile(r"[^=;\s]{1,200}=[^;\r\n]{0,8000}")


def read_cookies(text: str, hosts: Sequence[str]) -> tuple[Cookie, ...]:
    """The cookies for the site's hosts in a cookie file or header; `AccessError` when there is none.

    A file has seven fields a line, tab-separated (domain, sub-domains too, path, secure, expiry, name,
    value); `#HttpOnly_` before the domain is understood. A header is `Cookie: a=1; b=2` or what follows
    the colon; its cookies are bound to the first host. Those of other sites are left out.
    """
    if len(text) > _MAX:
        raise AccessError("the cookies are too many", why=f"{len(text):,} characters")
    names = [_name(host) for host in hosts]
    rows = [line.split("\t") for line in text.splitlines()]
    if any(len(row) == 7 for row in rows):
        found = tuple(cookie for row in rows if (cookie := _from_row(row, names)) is not None)
    else:
        found = _from_header(text, names[0])
    if not found:
        raise AccessError(
            "no cookie in it is for this site",
            why=f"its hosts are {', '.join(hosts)}",
            hint="export them from a browser that is logged in there, in Netscape format",
        )
    return found


def _name(host: str) -> str:
    parsed = parse_url(f"http://{host}/")
    return parsed.host if parsed is not None else host


def _from_row(row: list[str], hosts: list[str]) -> Cookie | None:
    if len(row) != 7:
        return None
    domain = row[0].strip()
    if domain.startswith("#") and not domain.startswith("#HttpOnly_"):
        return None
    domain = domain.removeprefix("#HttpOnly_").lower()
    bare = domain.removeprefix(".")
    wide = row[1].strip().upper() == "TRUE"
    if bare not in hosts and not (wide and any(host.endswith(f".{bare}") for host in hosts)):
        return None
    expires = row[4].strip().partition(".")[0]
    return Cookie(
        name=row[5],
        value=row[6].rstrip("\r\n"),
        domain=bare,
        path=row[2] or "/",
        host_only=not wide,
        secure=row[3].strip().upper() == "TRUE",
        expires=float(expires) if expires.isdigit() and expires != "0" else None,
    )


def _from_header(text: str, host: str) -> tuple[Cookie, ...]:
    line = next((line for line in text.splitlines() if "=" in line), "")
    if line.lower().startswith("cookie:"):
        line = line[7:]
    found = []
    for part in line.split(";")[:200]:
        if _PAIR.fullmatch(part.strip()):
            name, _, value = part.strip().partition("=")
            found.append(Cookie(name=name, value=value, domain=host))
    return tuple(found)
