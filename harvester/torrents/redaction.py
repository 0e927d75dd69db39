"""URLs of trackers and seeds made safe to show: passkeys and user names out."""

from __future__ import annotations

import re

HIDDEN = "***"
SECRET_KEYS = frozenset(
    "passkey authkey torrent_pass rsskey apikey api_key api_token downhash aid token sid sess session auth hash "
    "key pk pid uk secret password pass pwd access_token signature sig".split()
)

_USER = re.compile(r"(?<=://)[^/?#@\s]{1,2000}@")
_PARAMETER = re.compile(r"(?<=[?&;])([^=&;#?]{1,100})=([^&;#]{1,4000})")
_SEGMENT = re.compile(r"(?<=/)[^/?#]{1,400}")
_KEY_LIKE = re.compile(r"[0-9a-fA-F]{16,}|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[0-9A-Za-z_]{20,}")
_ID_AND_KEY = re.compile(r"\d{1,12}\.[0-9A-Za-z]{8,}")
_LONG_HEX = re.compile(r"[0-9a-fA-F]{32,}")


def redact_url(url: str) -> str:
    """The URL with every secret replaced by `***`: query values, passkey path parts, user info. Never raises.

    Too much is hidden rather than too little: whatever looks like a key is taken for one.
    """
    url = _USER.sub(f"{HIDDEN}@", url)
    address, mark, query = url.partition("?")
    start = address.find("://")
    host_end = address.find("/", start + 3 if start >= 0 else 0)
    if host_end >= 0:
        address = address[:host_end] + _SEGMENT.sub(_hide_segment, address[host_end:])
    if mark:
        query = _PARAMETER.sub(_hide_parameter, mark + query)
    return _LONG_HEX.sub(HIDDEN, address + query)


def _hide_segment(found: re.Match[str]) -> str:
    text = found.group()
    return HIDDEN if _KEY_LIKE.fullmatch(text) or _ID_AND_KEY.fullmatch(text) else text


def _hide_parameter(found: re.Match[str]) -> str:
    name, value = found.groups()
    secret = (
        name.lower().strip("_") in SECRET_KEYS or _KEY_LIKE.fullmatch(value) or _ID_AND_KEY.fullmatch(value)
    )
    return f"{name}={HIDDEN}" if secret else found.group()
