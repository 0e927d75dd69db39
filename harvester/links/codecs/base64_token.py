"""A whole token that is base64 of a link."""

from __future__ import annotations

import re

from harvester.errors import LinkRejected
from harvester.links.payload import FormCodec, decode_base64

_TOKEN = re.compile(r"[A-Za-z0-9+/\-_\s]{16,}(?:=|%3d){0,2}", re.IGNORECASE)


def attempt(text: str) -> bytes | None:
    """At least 16 characters, nothing else around them."""
    if not _TOKEN.fullmatch(text):
        return None
    try:
        return decode_base64(text)
    except LinkRejected:
        return None


CODEC = FormCodec("base64", 40, attempt)
