"""Hashes as people write them."""

from __future__ import annotations

import base64
import re

_HEX = re.compile(r"(?:1220)?[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}")
_BASE32 = re.compile(r"[a-z2-7]{32}")
_TOPIC = re.compile(r"xt(?:\.\d{1,3})?=urn:bt(?:ih|mh):([0-9A-Za-z]{32,68})(?:&|$)", re.IGNORECASE)


def digests_in(text: str) -> tuple[str, ...]:
    """The hashes that `text` may be, in lower-case hex; () when it is none.

    40 digits are an infohash v1 or the beginning of a v2, 64 a v2 (`1220` before it is a multihash's), 32 an
    MD5; 32 letters of base32 are an infohash v1.
    """
    folded = text.strip().lower()
    found = []
    if _HEX.fullmatch(folded):
        found.append(folded[-64:])
    if _BASE32.fullmatch(folded):
        found.append(base64.b32decode(folded.upper()).hex())
    return tuple(found)


def magnet_digests(link: str) -> tuple[str, ...]:
    """The infohashes of a magnet link (BEP 9, BEP 52)."""
    found: dict[str, None] = {}
    for topic in _TOPIC.findall(link.partition("?")[2]):
        found.update(dict.fromkeys(digests_in(topic)))
    return tuple(found)
