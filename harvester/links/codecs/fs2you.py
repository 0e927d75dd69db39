"""RayFile: `fs2you://` + base64 of `[cachefile://]host/path|size|name-or-md5`."""

from __future__ import annotations

import re

from harvester.errors import LinkRejected
from harvester.links.payload import (
    Unwrapped,
    WrapperCodec,
    base64_readings,
    percent_decoded,
    read_bytes,
    refuse_controls,
)

_SCHEME = re.compile(rb"(?:cachefile|https?)://", re.IGNORECASE)
_HOST = re.compile(rb"[^/|\s]+\.[^/|\s]+|[^/|\s]+:[0-9]+")
_MD5 = re.compile(r"[0-9A-Fa-f]{32}")


def unwrap(payload: str) -> Unwrapped:
    """`http://host/path`, with the file's size and name where they are given."""
    if re.match(r"(?:cachefile|https?)://", payload, re.IGNORECASE):
        return _read(payload.encode(), lenient=True)
    readings = base64_readings(payload)
    for data in readings:
        if b"|" in data:
            return _read(data, lenient=False)
    raise LinkRejected("not_a_link", "no |size| in the payload")


def _read(data: bytes, *, lenient: bool) -> Unwrapped:
    address, _, rest = data.partition(b"|")
    size, _, name = rest.partition(b"|")
    scheme = _SCHEME.match(address)
    target = address[scheme.end() :] if scheme else address
    host = target.partition(b"/")[0]
    if not host:
        raise LinkRejected("no_host")
    if not _HOST.fullmatch(host):
        refuse_controls(data)
        raise LinkRejected("not_a_link", "no host before the path")
    prefix = b"https://" if scheme and scheme[0].lower() == b"https://" else b"http://"
    return Unwrapped(
        prefix + target,
        lenient=lenient,
        file_name=_file_name(name.strip(b"|/ "), target),
        file_size=int(size) if size.isdigit() and len(size) <= 18 else None,
    )


def _file_name(name: bytes, path: bytes) -> str | None:
    text = percent_decoded(read_bytes(name)[0]) if name else ""
    if not text or _MD5.fullmatch(text):
        text = percent_decoded(read_bytes(path.rpartition(b"/")[2])[0])
    return text or None


CODEC = WrapperCodec("fs2you", ("fs2you",), unwrap)
