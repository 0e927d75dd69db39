"""eDonkey: `ed2k://|file|name|size|md4|[h=aich|][p=…|]/`. Recorded; it is no torrent."""

from __future__ import annotations

import re
from urllib.parse import quote_from_bytes

from harvester.errors import LinkRejected
from harvester.links.payload import FinalCodec, Finished, percent_decoded, refuse_controls
from harvester.model.link import Ed2kFile

_PIPE = re.compile(r"%7c", re.IGNORECASE)
_HASH = re.compile(r"[0-9a-f]{32}")
_AICH = re.compile(r"[A-Z2-7]{32}")
_NAME_KEPT = "!$%&'()*+,-.:;=@[]^_`{}~"
MAX_SIZE = 2**63 - 1


def finish(link: str, charset: str) -> Finished:
    """The file of the link, its hash in lower case, its name as written (percent-encoded)."""
    body = link.partition(":")[2].lstrip("/")
    if "|" not in body:
        body = _PIPE.sub("|", body)
    fields = body.strip("|").split("|")
    if fields[0].lower() != "file":
        raise LinkRejected("not_a_file_link", "ed2k server, search or friend link")
    if len(fields) < 4 or not fields[1]:
        raise LinkRejected("not_a_file_link", "name, size and hash are needed")
    raw_name, size_text, file_hash = fields[1], fields[2].strip(), fields[3].strip().lower()
    if not size_text.isascii() or not size_text.isdigit() or not 0 < int(size_text[:20]) <= MAX_SIZE:
        raise LinkRejected("bad_size", f"{size_text[:40]!r} is no file size")
    if not _HASH.fullmatch(file_hash):
        raise LinkRejected("bad_hash", "an ed2k hash is 32 hex digits")
    if file_hash == "0" * 32:
        raise LinkRejected("null_hash", "all digits are zero")
    aich, parts = _extras(fields[4:])
    name = percent_decoded(raw_name, charset)
    refuse_controls(name)
    quoted = quote_from_bytes(raw_name.encode("utf-8", "replace"), _NAME_KEPT)
    size = int(size_text)
    spelt = {"p": f"p={':'.join(parts)}|" if parts else "", "h": f"h={aich}|" if aich else ""}
    order = "hp" if any(field[:2].lower() == "h=" for field in fields[4:5]) else "ph"
    extras = "".join(spelt[key] for key in order)
    return Finished(
        url=f"ed2k://|file|{quoted}|{size}|{file_hash}|{extras}/",
        display=f"ed2k://|file|{name}|{size}|{file_hash}|/",
        ed2k=Ed2kFile(name, size, file_hash, aich, parts),
    )


def _extras(fields: list[str]) -> tuple[str | None, tuple[str, ...]]:
    """AICH root hash and part hashes; what is malformed, and sources, are left out."""
    aich: str | None = None
    parts: tuple[str, ...] = ()
    for field in fields:
        if field == "/":
            break
        key, _, value = field.partition("=")
        if key.lower() == "h" and _AICH.fullmatch(value.upper()):
            aich = value.upper()
        elif key.lower() == "p":
            found = tuple(value.lower().split(":"))
            if all(_HASH.fullmatch(part) for part in found):
                parts = found
    return aich, parts


CODEC = FinalCodec("ed2k", ("ed2k",), finish)
