"""A whole token that is hex of a link."""

from __future__ import annotations

import re

from harvester.links.payload import FormCodec

_TOKEN = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}")


def attempt(text: str) -> bytes | None:
    """At least 8 bytes, nothing else around them."""
    return bytes.fromhex(text) if _TOKEN.fullmatch(text) else None


CODEC = FormCodec("hex", 35, attempt)
