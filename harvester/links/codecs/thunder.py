"""Xunlei: `thunder://` + base64 of `AA` + URL + `ZZ`."""

from __future__ import annotations

from harvester.errors import LinkRejected
from harvester.links.payload import Unwrapped, WrapperCodec, base64_readings, is_link, percent_decoded


def unwrap(payload: str) -> Unwrapped:
    """Strip exactly the two bytes of each marker; without any marker only a plain link is taken."""
    if is_link(payload) or is_link(percent_decoded(payload)):
        return Unwrapped(payload.encode(), lenient=True)
    readings = base64_readings(payload)
    for data in readings:
        if data.startswith(b"AA") and data.endswith(b"ZZ") and len(data) > len(b"AAZZ"):
            return Unwrapped(data[2:-2])
    for data in readings:
        if data == b"AAZZ":
            raise LinkRejected("empty")
        if data.startswith(b"AA") or (data.endswith(b"ZZ") and is_link(data)):
            raise LinkRejected("bad_marker", "one of AA and ZZ is missing: the link was cut")
        if is_link(data):
            return Unwrapped(data, lenient=True)
    raise LinkRejected("not_a_link", "the payload is no link")


CODEC = WrapperCodec("thunder", ("thunder",), unwrap)
