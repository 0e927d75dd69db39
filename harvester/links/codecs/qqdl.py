"""QQ Xuanfeng: `qqdl://` + base64 of the URL, without markers."""

from __future__ import annotations

from harvester.errors import LinkRejected
from harvester.links.payload import Unwrapped, WrapperCodec, base64_readings, is_link, percent_decoded


def unwrap(payload: str) -> Unwrapped:
    """The first reading that is a link; anything else is left to the pipeline to refuse."""
    if is_link(payload) or is_link(percent_decoded(payload)):
        return Unwrapped(payload.encode(), lenient=True)
    readings = base64_readings(payload)
    for data in readings:
        if is_link(data):
            return Unwrapped(data)
    if not readings[0]:
        raise LinkRejected("empty")
    return Unwrapped(readings[0])


CODEC = WrapperCodec("qqdl", ("qqdl",), unwrap)
