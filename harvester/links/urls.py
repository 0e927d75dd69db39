"""URLs: parsing by the WHATWG URL standard (ada-url), joining that sends what the site wrote.

`docs/links.md` states what is promised about bytes; the tests hold `join` against ada on every case:
both must be the same URL by WHATWG rules, ours merely spelt as the page spelt it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import quote_from_bytes

import ada_url
from msgspec import Struct

MAX_URL: Final = 65_536
"""Longer hrefs are no links (characters)."""

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_FETCHED: Final = frozenset({"http", "https", "ftp"})
_PLAIN: Final = re.compile(r"[A-Za-z0-9\-._~:/?@!$&'()*+,;=%|\[\]]*")
"""Characters that WHATWG parsing leaves as they are, both in a path and in a query (`'`: see docs)."""
_STRIPPED: Final = "".join(map(chr, range(0x21)))
_REMOVED: Final = str.maketrans("", "", "\t\n\r")
_SPLIT: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*)://([^/?#\\]*)([^?#]*)(\?[^#]*)?")
_DOT_SEGMENT: Final = re.compile(r"/(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_PATH_KEPT: Final = "!$&'()*+,-./:;=@[]_|~%"
_QUERY_KEPT: Final = "!$&'()*+,-./:;=?@[\\]^_`{|}~%"
_REFERENCE: Final = re.compile(rb"&#(\d+);")


class ParsedUrl(Struct, frozen=True):
    """The parts of a URL after WHATWG parsing; `port` is 0 where it is the scheme's own.

    `query` and `fragment` are without their `?` and `#`.
    """

    href: str
    scheme: str
    host: str
    port: int
    path: str
    query: str
    fragment: str


def parse_url(url: str, base: str | None = None) -> ParsedUrl | None:
    """Parse by WHATWG rules; None where the standard says failure. Never raises."""
    try:
        parsed = ada_url.URL(url, base) if base is not None else ada_url.URL(url)
    except ValueError:  # UnicodeEncodeError (lone surrogates) is one too
        return None
    return ParsedUrl(
        href=parsed.href,
        scheme=parsed.protocol[:-1],
        host=parsed.hostname,
        port=int(parsed.port or 0),
        path=parsed.pathname,
        query=parsed.search[1:],
        fragment=parsed.hash[1:],
    )


def join(base: str, href: str, page_encoding: str = "utf-8") -> str | None:
    """The absolute fetch URL of `href` found on `base`, without its fragment.

    None where it is no http, https or ftp URL. Never raises. What is promised about bytes stands in
    `docs/links.md`: an absolute ASCII href stays as written; of a relative one only the path is
    resolved; text beyond ASCII is UTF-8 in the path and `page_encoding` in the query, as browsers do.
    """
    if len(href) > MAX_URL:
        return None
    plain = href.partition("#")[0]
    if not _PLAIN.fullmatch(plain):
        plain = _tidied(href, base, page_encoding)
    return _resolved(base, plain)


def _tidied(href: str, base: str, page_encoding: str) -> str:
    """`href` in plain characters only and without its fragment, the same URL by WHATWG rules.

    Idempotent, and the identity on plain characters: this is what makes the fast path safe.
    """
    href = href.strip(_STRIPPED).translate(_REMOVED).partition("#")[0]
    prefix, rest = "", href
    scheme = _SCHEME.match(href)
    if scheme:
        if scheme[0][:-1].lower() not in _FETCHED:
            return href
        prefix, rest = scheme[0], href[scheme.end() :]
    path, mark, query = rest.partition("?")
    path = path.replace("\\", "/")
    authority = ""
    if path.startswith("//"):
        host_end = path.find("/", len(path) - len(path.lstrip("/")))
        host_end = len(path) if host_end < 0 else host_end
        authority, path = path[:host_end], path[host_end:]
    elif prefix and not path.startswith("/") and prefix[:-1].lower() != _scheme_of(base):
        authority, slash, path = path.partition("/")
        path = slash + path
    path = quote_from_bytes(path.encode("utf-8", "replace"), _PATH_KEPT)
    return prefix + authority + path + mark + _encoded_query(query, page_encoding)


def _encoded_query(query: str, page_encoding: str) -> str:
    """A query as browsers send it: in the page's charset, `&#N;` for what that charset lacks."""
    if query.isascii():
        return quote_from_bytes(query.encode(), _QUERY_KEPT)
    encoding = page_encoding.lower()
    if encoding.startswith(("utf-16", "utf16", "utf-32", "utf-7")):
        encoding = "utf-8"
    try:
        data = query.encode(encoding, "xmlcharrefreplace")
    except (LookupError, ValueError):
        data = query.encode("utf-8", "replace")
    else:
        if encoding.replace("-", "") != "utf8":
            data = _REFERENCE.sub(rb"%26%23\1%3B", data)
    return quote_from_bytes(data, _QUERY_KEPT)


def _scheme_of(base: str) -> str:
    return base.partition(":")[0].lower()


def _resolved(base: str, href: str) -> str | None:
    """Resolve a tidied href: only its path is touched, and only where it has dot segments."""
    scheme = _SCHEME.match(href)
    if scheme:
        name = scheme[0][:-1].lower()
        if name not in _FETCHED:
            return None
        rest = href[scheme.end() :]
        if rest.startswith("//") or name != _scheme_of(base):
            return _absolute(name, rest)
        href = rest  # `http:page.html` on an http page is relative, says the standard
    elif href.startswith("//"):
        return _absolute(_scheme_of(base), href)
    parts = _base_parts(base)
    if parts is None:
        return None
    origin, path, query = parts
    if not href:
        return origin + path + query
    if href[0] == "?":
        return origin + path + href
    if href[0] == "/":
        if href.startswith("//"):
            return _absolute(_scheme_of(base), href)
        joined = href
    else:
        joined = path[: path.rfind("/") + 1] + href
    return origin + _without_dots(joined)


def _absolute(scheme: str, rest: str) -> str | None:
    """`scheme:` + `rest` as written, if its host is one; more or fewer slashes than two are mended."""
    if scheme not in _FETCHED:
        return None
    rest = rest.lstrip("/")
    end = min((i for i in (rest.find("/"), rest.find("?")) if i >= 0), default=len(rest))
    authority = _checked_authority(scheme, rest[:end])
    return None if authority is None else f"{scheme}://{authority}{rest[end:]}"


@lru_cache(maxsize=4096)
def _checked_authority(scheme: str, authority: str) -> str | None:
    """The authority as written where it is spelt plainly, else as WHATWG spells it; None: no host."""
    try:
        parsed = ada_url.URL(f"{scheme}://{authority}/")
    except ValueError:
        return None
    host = parsed.hostname
    if not host:
        return None
    written_host = re.sub(r":\d*$", "", authority.rpartition("@")[2])
    if written_host.lower() == host and authority.isascii() and _PLAIN.fullmatch(authority):
        return authority
    credentials = parsed.username + (f":{parsed.password}" if parsed.password else "")
    return f"{credentials}@{parsed.host}" if credentials else str(parsed.host)


@lru_cache(maxsize=1024)
def _base_parts(base: str) -> tuple[str, str, str] | None:
    """(`scheme://authority`, path, `?query`) of a base as written; None where it cannot be a base."""
    base = base.partition("#")[0]
    if not _PLAIN.fullmatch(base):
        base = _tidied(base, "", "utf-8")
    split = _SPLIT.fullmatch(base)
    if split is None or split[1].lower() not in _FETCHED:
        return None
    scheme = split[1].lower()
    authority = _checked_authority(scheme, split[2])
    if authority is None:
        return None
    return f"{scheme}://{authority}", _without_dots(split[3] or "/"), split[4] or ""


def _without_dots(path_and_query: str) -> str:
    """Remove `.` and `..` segments from the path (also spelt `%2e`), leave the query alone."""
    path, mark, query = path_and_query.partition("?")
    if "/." not in path and "/%2" not in path:
        return path_and_query
    if not _DOT_SEGMENT.search(path):
        return path_and_query
    kept: list[str] = []
    segments = path.split("/")[1:]
    for position, segment in enumerate(segments):
        plain = segment.lower().replace("%2e", ".") if len(segment) <= len("%2e%2e") else segment
        if plain == "..":
            if kept:
                kept.pop()
        elif plain != ".":
            kept.append(segment)
            continue
        if position == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept) + mark + query
