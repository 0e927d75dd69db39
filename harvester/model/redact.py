"""Secrets out of text: what every log line, error and page of ours goes through.

Redacted are userinfo in URLs, query fields whose names say that they are keys (passkey, token, sid, …), path
forms in which trackers hide keys (`/announce/<32 hex>`, `/rss/ID.KEY`), and the values of headers that carry
credentials. Linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Set

from msgspec import Struct

MASK = "***"

_KEY_NAMES = (
    "passkey|authkey|torrent_pass|torrentpass|rsskey|rss_key|apikey|api_key|api_token|access_token|downhash|"
    "aid|sid|phpsessid|jsessionid|sess|session|sessionid|auth|token|_token|hash|passwd|password|pass|pwd|"
    "secret|formhash|csrf_token|my_post_key|_xftoken|securitytoken|form_token|signature|sig|\\w{0,20}code\\w{0,8}|"
    "\\w{0,20}passkey|\\w{0,20}token|\\w{0,20}password"
)
_CREDENTIAL_HEADERS = (
    "cookie|set-cookie|authorization|proxy-authorization|x-api-key|x-auth-token|x-csrf-token"
)

_USERINFO = re.compile(r"(?<=://)[^/?#\s@\"'<>]{1,512}@")
_QUERY = re.compile(rf"(?<=[?&;])((?:amp;)?(?:{_KEY_NAMES})=)[^&;#\s\"'<>]+", re.IGNORECASE)
_PATH = re.compile(
    r"(/announce/)[0-9a-f]{16,64}|(/)[0-9a-f]{32}(?=/announce)|(/rss/\d{1,12}\.)[\w-]{8,128}|"
    r"(/torrents?/download/\d{1,12}\.)[\w-]{8,128}",
    re.IGNORECASE,
)
_HEADER = re.compile(rf"(?im)((?:^|[\s\"'(\[{{,])(?:{_CREDENTIAL_HEADERS})[\"']?\s?[:=,]\s?)[^\r\n]+")


def redact_url(url: str) -> str:
    """The URL with its secrets replaced by `***`; everything else stays as it is."""
    if "@" in url:
        url = _USERINFO.sub(f"{MASK}@", url)
    if "=" in url:
        url = _QUERY.sub(_mask_value, url)
    return _PATH.sub(_mask_path, url)


def redact_text(text: str) -> str:
    """Any text (a log line, a traceback) with the secrets of its URLs and header lines replaced."""
    return redact_url(_HEADER.sub(_mask_value, text))


def redact_headers(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Header fields with the values of those that carry credentials replaced."""
    return [(name, MASK if is_secret_header(name) else value) for name, value in headers]


def is_secret_header(name: str) -> bool:
    """Whether a header of this name carries credentials."""
    return name.lower() in _CREDENTIAL_HEADER_SET


_CREDENTIAL_HEADER_SET = frozenset(_CREDENTIAL_HEADERS.split("|"))


def _mask_value(match: re.Match[str]) -> str:
    return f"{match[1]}{MASK}"


def _mask_path(match: re.Match[str]) -> str:
    return f"{next(group for group in match.groups() if group)}{MASK}"


def shown(value: Struct, *, hiding: Set[str]) -> str:
    """The repr of a value without fields that may hold secrets or bulk: reprs end in logs and tracebacks."""
    fields = (name for name in value.__struct_fields__ if name not in hiding)
    return f"{type(value).__name__}({', '.join(f'{name}={getattr(value, name)!r}' for name in fields)})"
