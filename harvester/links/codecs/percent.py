"""A whole link percent-encoded: `magnet%3A%3Fxt%3D…`."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from harvester.links.payload import FormCodec

_ENCODED = re.compile(r"(?:%[0-9a-f]{2}|[a-z0-9]){3,10}(?:%25){0,3}(?:%3a|:)", re.IGNORECASE)


def attempt(text: str) -> bytes | None:
    """One layer undone, where the scheme's colon (or a letter of the scheme) is encoded."""
    if "%" not in text[:64] or not _ENCODED.match(text):
        return _nested(text)
    return unquote_to_bytes(text)


def _nested(text: str) -> bytes | None:
    """`magnet%253A…`: a colon encoded twice or more."""
    return unquote_to_bytes(text) if re.match(r"[a-z0-9]{3,10}%(?:25){1,4}3a", text, re.IGNORECASE) else None


CODEC = FormCodec("percent", 10, attempt)
