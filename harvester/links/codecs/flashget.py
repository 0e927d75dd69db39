"""FlashGet: `flashget://` + base64 of `[FLASHGET]` + URL + `[FLASHGET]`, then `&` and a user or referer."""

from __future__ import annotations

from harvester.errors import LinkRejected
from harvester.links.payload import Unwrapped, WrapperCodec, base64_readings, is_link, percent_decoded

_MARKER = b"[flashget]"


def unwrap(payload: str) -> Unwrapped:
    """Markers in any case; without any, only a plain link is taken."""
    if is_link(payload) or is_link(percent_decoded(payload)):
        return Unwrapped(payload.encode(), lenient=True)
    readings = base64_readings(payload.partition("&")[0])
    for data in readings:
        lower = data.lower()
        if lower.startswith(_MARKER) and lower.endswith(_MARKER) and len(data) >= 2 * len(_MARKER):
            inner = data[len(_MARKER) : -len(_MARKER)]
            if not inner:
                raise LinkRejected("empty")
            return Unwrapped(inner)
    for data in readings:
        if data.lower().startswith(_MARKER) or (is_link(data) and data.lower().endswith(_MARKER)):
            raise LinkRejected("bad_marker", "one of the markers is missing: the link was cut")
        if is_link(data):
            return Unwrapped(data, lenient=True)
    raise LinkRejected("not_a_link", "the payload is no link")


CODEC = WrapperCodec("flashget", ("flashget",), unwrap)
