"""The identity of a URL, apart from the URL that is fetched. The rules stand in `docs/links.md`."""

from __future__ import annotations

import re
from base64 import b32decode
from binascii import Error as Base64Error
from typing import Final

import ada_url
import xxhash

from harvester.links.discuz import attachment_id

SESSION_NAMES: Final = frozenset(
    {
        "sid", "s", "phpsessid", "jsessionid", "sessid", "session", "sessionid", "session_id", "sess",
        "oscsid", "zenid", "cfid", "cftoken", "asp.net_sessionid", "_sid", "hsid", "token_sid", "ci_session",
    }
)  # fmt: skip
"""Parameters that are dropped when their value looks like a token."""
TRACKING_NAMES: Final = frozenset({"fbclid", "gclid", "yclid", "msclkid", "dclid", "mc_cid", "mc_eid"})
"""Parameters that are dropped whatever they hold, as is every `utm_…`."""
_CLOSER_LOOK: Final = SESSION_NAMES | TRACKING_NAMES | {"aid"}
_DEFAULT_PORTS: Final = {":": ":80", "s": ":443"}
"""By the fifth character of `http:` and `https`."""

_SIMPLE_URL: Final = re.compile(
    r"(https?://(?!xn--)(?:(?:[a-z0-9][a-z0-9\-]*\.(?!xn--))*[a-z][a-z0-9\-]*"
    r"|(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?![:/])|(?=[:/]))){4}))"
    r"(:(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}))?(/[!-\"$->@-\[\]-~]*)(?:\?([!-\"$-~]*))?"
)
"""A URL whose host WHATWG parsing leaves as it is, in printable ASCII, without a fragment."""
_AMP: Final = re.compile(r"&(?:(?:amp|#0{0,8}38|#x0{0,8}26);)+", re.IGNORECASE)
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~!$&()*+,;=:@/?]")
_SETTLED: Final = re.compile(r"[A-Za-z0-9\-._~!$&()*+,;=:@/?]*")
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SLASHES: Final = re.compile(r"//+")
_PATH_SESSION: Final = re.compile(r";(?:jsessionid|phpsessid|sid|sessionid)=[^/;]*", re.IGNORECASE)
_ASP_SESSION: Final = re.compile(r"/\((?:[A-Z]\([A-Za-z0-9_\-]{10,}\))+\)(?=/)")
_TOKEN: Final = re.compile(r"[A-Za-z0-9]{16,128}(?:[.!_,~\-][A-Za-z0-9.!_,~\-]{0,64})?")
_UUID: Final = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_HEX: Final = re.compile(r"[0-9A-Fa-f]{16,}")
_SHORT_SID: Final = re.compile(
    r"(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{6}|[A-Za-z]*[a-z][A-Z][A-Za-z]*"
)
_BTIH: Final = re.compile(r"urn(?::|%3a)btih(?::|%3a)([0-9a-f]{40}|[2-7a-z]{32})(?![0-9a-z])", re.I)
_BTMH: Final = re.compile(r"urn(?::|%3a)btmh(?::|%3a)(1220[0-9a-f]{64})(?![0-9a-z])", re.I)
_ED2K: Final = re.compile(r"ed2k://\|file\|[^|]*\|([0-9]+)\|([0-9a-f]{32})\|.*", re.I | re.S)


def key_hash(key: str, seed: int = 0) -> int:
    """The 64-bit hash of a key as the signed integer a database column holds (xxh3)."""
    value = xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"), seed)
    return value - (1 << 64) if value >> 63 else value


def canonical_key(url: str, ignore: frozenset[str] = frozenset()) -> str:
    """The identity of an absolute URL: two URLs with one key are one page.

    The rules stand in `docs/links.md`. `ignore` names query parameters (lower case) found irrelevant
    on that site. Idempotent: `canonical_key(canonical_key(u)) == canonical_key(u)`. Never raises; what
    is no URL is its own key.
    """
    simple = _SIMPLE_URL.fullmatch(url)
    if simple is None or "&amp;" in url or "&#" in url:
        return full_key(url, ignore)
    origin, port, path, query = simple.groups()
    if port and port != _DEFAULT_PORTS[url[4]]:
        origin += port
    return _assembled(origin, path, query or "", ignore)


def full_key(url: str, ignore: frozenset[str] = frozenset()) -> str:
    """`canonical_key` without its fast path; the tests hold both equal."""
    head = url.lstrip()[:8].lower()
    if head.startswith(("magnet:", "ed2k:")):
        return _hash_key(url)
    url = _AMP.sub("&", url).partition("#")[0]
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return url
    protocol, host, path = parsed.protocol, parsed.host, parsed.pathname
    if protocol not in ("http:", "https:", "ftp:"):
        return str(parsed.href)
    if host.endswith("."):
        host = host[:-1]
    elif ".:" in host:
        host = host.replace(".:", ":")
    if parsed.username or parsed.password:
        host = f"{parsed.username}:{parsed.password}@{host}".replace(":@", "@")
    return _assembled(f"{protocol}//{host}", path, parsed.search[1:], ignore)


def _assembled(origin: str, path: str, query: str, ignore: frozenset[str]) -> str:
    if not _SETTLED.fullmatch(path):
        path = _ESCAPE.sub(_normal_escape, path)
    if ";" in path:
        path = _PATH_SESSION.sub("", path)
    if "/(" in path:
        path = _ASP_SESSION.sub("", path)
    if "/." in path:
        path = _without_dots(path)
    if "//" in path:
        path = _SLASHES.sub("/", path)
    if not query:
        return origin + path
    if not _SETTLED.fullmatch(query):
        query = _ESCAPE.sub(_normal_escape, query)
    query = _normal_query(query, ignore)
    return f"{origin}{path}?{query}" if query else origin + path


def _hash_key(url: str) -> str:
    """Magnets and ed2k files are the same whatever their names and trackers: keyed on the hash."""
    ed2k = _ED2K.fullmatch(url.strip())
    if ed2k:
        return f"ed2k://|file||{int(ed2k[1][:20])}|{ed2k[2].lower()}|/"
    topic = _BTIH.search(url)
    if topic is None:
        topic = _BTMH.search(url)
        return f"magnet:?xt=urn:btmh:{topic[1].lower()}" if topic else url
    infohash = topic[1].lower()
    if len(infohash) == 32:
        try:
            infohash = b32decode(infohash, casefold=True).hex()
        except Base64Error:
            return url
    return f"magnet:?xt=urn:btih:{infohash}"


def _normal_escape(match: re.Match[str]) -> str:
    """RFC 3986 6.2.2: unreserved characters unescaped, hex in upper case, what is illegal escaped."""
    found = match[0]
    if len(found) == 3:
        code = int(found[1:], 16)
        return chr(code) if code in _UNRESERVED else found.upper()
    return "".join(f"%{byte:02X}" for byte in found.encode("utf-8", "replace"))


def _without_dots(path: str) -> str:
    """Unescaping may have made new dot segments (`%2E` is a dot); ada removed the others."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _normal_query(query: str, ignore: frozenset[str]) -> str:
    pairs: dict[str, None] = {}
    for piece in _pieces(query) if ";" in query else query.split("&"):
        name, _, value = piece.partition("=")
        lower = name.lower()
        if not name or lower in ignore:
            continue
        if lower in _CLOSER_LOOK or lower.startswith("utm_"):
            if lower == "aid":
                inside = attachment_id(value)
                piece = f"{name}={inside.aid}" if inside else piece
            elif lower not in SESSION_NAMES or looks_like_token(value, lower):
                continue
        pairs[piece if value else name] = None
    return "&".join(sorted(pairs, key=_name_of) if len(pairs) > 1 else pairs)


def _name_of(pair: str) -> str:
    return pair.partition("=")[0]


def _pieces(query: str) -> list[str]:
    """The pairs; `;` separates them only where every piece is a pair, so `q=tl;dr` stays whole."""
    pieces: list[str] = []
    for part in query.split("&"):
        split = part.split(";")
        if len(split) > 1 and all("=" in piece for piece in split if piece):
            pieces += split
        else:
            pieces.append(part)
    return pieces


def looks_like_token(value: str, name: str = "") -> bool:
    """Whether a parameter's value is a session id rather than a word, a number or a search."""
    if _HEX.fullmatch(value) or _UUID.fullmatch(value):
        return True
    if name == "sid" and len(value) == 6 and _SHORT_SID.fullmatch(value):
        return True  # Discuz: six random letters and digits
    if not _TOKEN.fullmatch(value):
        return False
    digits = sum(character.isdigit() for character in value)
    return digits >= 2 and len(value) - digits >= 2
