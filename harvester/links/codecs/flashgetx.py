"""FlashGet 3: `flashgetx://|mhts|base64(name)|size|hash|/`, an ed2k file in other words."""

from __future__ import annotations

import re

from harvester.errors import LinkRejected
from harvester.links.payload import Unwrapped, WrapperCodec, decode_base64, read_bytes, refuse_controls

_PIPE = re.compile(r"%7c", re.IGNORECASE)


def unwrap(payload: str) -> Unwrapped:
    """The same file as an ed2k link, whose codec checks size and hash."""
    fields = _PIPE.sub("|", payload).strip("/").strip("|").split("|")
    if fields[0].lower() != "mhts" or len(fields) < 4:
        raise LinkRejected("not_a_file_link", "only |mhts|name|size|hash| is a file")
    name = decode_base64(fields[1])
    refuse_controls(name)
    text, _ = read_bytes(name)
    raw = name.replace(b"%", b"%25").replace(b"|", b"%7C")
    link = b"ed2k://|file|%s|%s|%s|/" % (raw, fields[2].encode(), fields[3].encode())
    return Unwrapped(link, file_name=text)


CODEC = WrapperCodec("flashgetx", ("flashgetx",), unwrap)
