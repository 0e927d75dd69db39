"""Discuz attachment ids: `base64(aid|key|time|uid|tid)`, new at every visit; the first field is the file."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from urllib.parse import unquote_to_bytes

from harvester.model.link import DiscuzAid

_MAX_DIGITS = 18


def attachment_id(value: str) -> DiscuzAid | None:
    """The inside of the value of an `aid` parameter as it stands in a URL; None where it is another id."""
    data = unquote_to_bytes(value).rstrip(b"=")
    try:
        text = b64decode(data + b"=" * (-len(data) % 4), validate=True).decode("ascii")
    except (Base64Error, ValueError):
        return None
    fields = text.split("|")
    if not 3 <= len(fields) <= 8 or not _number(fields[0]):
        return None
    time, uid, tid = (_number(field) for field in (*fields[2:5], "", "")[:3])
    return DiscuzAid(_number(fields[0]), fields[1], time, uid, tid)


def _number(field: str) -> int:
    return int(field) if field.isdigit() and len(field) <= _MAX_DIGITS else 0
