"""A URL taken apart into where to connect and what to ask for, without touching a byte of the latter."""

from __future__ import annotations

import re
from functools import lru_cache

import ada_url
from msgspec import Struct

from harvester.errors import Refused

_DEFAULT_PORTS = {"http": 80, "https": 443}
_END_OF_AUTHORITY = re.compile(r"[/\\?#]")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{0,40}")
_UNSENDABLE = re.compile(r"[^\x21-\x7e]")
_LONGEST = 64 * 1024


class Origin(Struct, frozen=True):
    """Scheme, host and port. `host` is as WHATWG normalises it: lower case, punycode, literals unmasked.

    IPv6 literals stand without brackets.
    """

    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        """Host and port as a Host header has them, the default port left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if _DEFAULT_PORTS.get(self.scheme) == self.port else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"


def split_url(url: str) -> tuple[Origin, str]:
    """The origin of an absolute URL, and its path and query as they stand in it (at least `/`).

    Fragment and userinfo are dropped. Blanks, controls and characters beyond ASCII in the path or query
    are percent-encoded as UTF-8, nothing else changes. Raises `Refused` (`scheme`, `bad_url`).
    """
    colon = url.find(":")
    if len(url) > _LONGEST:
        raise Refused(url[:200], "bad_url", "the URL is longer than 64 KiB")
    end = _END_OF_AUTHORITY.search(url, colon + 3)
    origin = _origin(url if end is None else url[: end.start()])
    if not isinstance(origin, Origin):
        raise Refused(url, *origin)
    if end is None:
        return origin, "/"
    target = url[end.start() :]
    fragment = target.find("#")
    if fragment >= 0:
        target = target[:fragment]
    if not target.startswith("/"):
        target = f"/{target.removeprefix(chr(92))}"
    if _UNSENDABLE.search(target):
        target = _UNSENDABLE.sub(_escape, target)
    return origin, target


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))


@lru_cache(maxsize=4096)
def _origin(text: str) -> Origin | tuple[str, str]:
    """The origin that `scheme://authority` names, or the reason and the words for refusing it."""
    scheme, colon, authority = text.partition(":")
    scheme = scheme.strip().lower()
    if colon and _SCHEME.fullmatch(scheme) and scheme not in _DEFAULT_PORTS:
        return "scheme", f"only http and https are fetched, not {scheme[:20]}"
    if not colon or scheme not in _DEFAULT_PORTS or not authority.startswith("//"):
        return "bad_url", "it is not an absolute URL"
    try:
        parsed = ada_url.URL(f"{text}/")
        host, port = parsed.hostname, parsed.port
    except ValueError:
        return "bad_url", "the host or port is not valid"
    return Origin(scheme, host.strip("[]"), int(port) if port else _DEFAULT_PORTS[scheme])
