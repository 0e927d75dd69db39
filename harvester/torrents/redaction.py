"""Addresses of trackers and web seeds made safe to show."""

from __future__ import annotations

import re

from harvester.model.redact import MASK, redact_url

_SHORT_KEYS = frozenset(("key", "pk", "pid", "uk"))
_PARAMETER = re.compile(r"(?<=[?&;])([^=&;#?]{1,100})=([^&;#]{1,4000})")
_SEGMENT = re.compile(r"(?<=/)[^/?#]{1,400}")
_KEY_LIKE = re.compile(r"[0-9a-fA-F]{16,}|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[0-9A-Za-z_]{20,}")
_ID_AND_KEY = re.compile(r"\d{1,12}\.[0-9A-Za-z]{8,}")
_LONG_HEX = re.compile(r"[0-9a-fA-F]{32,}")


def redact_tracker(url: str) -> str:
    """The address with every secret replaced by `***`. Never raises.

    Beyond what `model.redact` knows by name, whatever looks like a key (a path part or a value of 16 hex
    or 20 mixed characters) is taken for one: of an address that trackers make up for one person, too much
    is hidden rather than too little. For pages this would hide their ids.
    """
    address, mark, query = redact_url(url).partition("?")
    start = address.find("://")
    host_end = address.find("/", start + 3 if start >= 0 else 0)
    if host_end >= 0:
        address = address[:host_end] + _SEGMENT.sub(_hide_segment, address[host_end:])
    if mark:
        query = _PARAMETER.sub(_hide_parameter, mark + query)
    return _LONG_HEX.sub(MASK, address + query)


def _hide_segment(found: re.Match[str]) -> str:
    text = found.group()
    return MASK if _KEY_LIKE.fullmatch(text) or _ID_AND_KEY.fullmatch(text) else text


def _hide_parameter(found: re.Match[str]) -> str:
    name, value = found.groups()
    secret = name.lower() in _SHORT_KEYS or _KEY_LIKE.fullmatch(value) or _ID_AND_KEY.fullmatch(value)
    return f"{name}={MASK}" if secret else found.group()
