"""What a body is: a torrent, or what else.

The structure decides. The Content-Type and the first bytes only say in which words a refusal is told; HTML
is never a torrent, whatever it is called.
"""

from __future__ import annotations

import re
import zlib

from harvester.errors import LimitExceeded, NotATorrent
from harvester.model.torrent import Recognition
from harvester.torrents import limits
from harvester.torrents.bencode import decode
from harvester.torrents.encodings import decode_names
from harvester.torrents.structure import Structure, judge

_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \t\r\n\v\f\0"
_HEAD = 65_536  # how much of something that is no torrent is looked at
_GZIP = b"\x1f\x8b\x08"
_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")

_MAGIC = (
    (b"PK\x03\x04", "archive", "a zip archive; a torrent inside it has to be unpacked first"),
    (b"PK\x05\x06", "archive", "an empty zip archive"),
    (b"Rar!\x1a\x07", "archive", "a RAR archive; a torrent inside it has to be unpacked first"),
    (b"7z\xbc\xaf\x27\x1c", "archive", "a 7z archive; a torrent inside it has to be unpacked first"),
    (b"BZh", "archive", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "archive", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "archive", "a Zstandard archive"),
    (b"%PDF-", "other", "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", "other", "a PNG image"),
    (b"\xff\xd8\xff", "other", "a JPEG image"),
    (b"GIF8", "other", "a GIF image"),
    (b"\x7fELF", "other", "a program"),
    (b"MZ", "other", "a Windows program"),
    (b"magnet:?", "text", "a magnet link as text"),
)
_HTML = re.compile(
    rb"<(?:!doctype\s{1,8}html|html|head|body|title|meta|script|style|div|table|center|form|br|p|h1|a|b|font|iframe|!--)"
    rb"[\s>/!]?",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"<title[^<>]{0,200}>([^<]{1,500})", re.IGNORECASE)
_CHARSET = re.compile(rb"charset\s{0,4}=\s{0,4}[\"']?([A-Za-z0-9._:-]{2,40})", re.IGNORECASE)
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&#039;", "'"), ("&nbsp;", " "))


def recognise(body: bytes, content_type: str | None = None) -> Recognition:
    """Say what `body` is; never raises, whatever the bytes.

    `content_type` is the header's value and only a hint: the structure decides, and HTML is never a
    torrent.
    """
    try:
        structure = open_torrent(body, content_type)
    except NotATorrent as error:
        return Recognition(error.kind, error.reason)
    except LimitExceeded as error:
        return Recognition("too_large", str(error))
    document = structure.document
    return Recognition("torrent", "", content_of(structure), tuple(sorted(document.flags)))


def open_torrent(body: bytes, content_type: str | None = None) -> Structure:
    """Take the wrapping off `body`, decode it and judge it; the flags are in `document.flags`.

    Raises NotATorrent with what it is instead, and LimitExceeded.
    """
    content, flags = (body, ()) if body[:1] == b"d" else unwrap(body)
    if content[:1] != b"d":
        raise NotATorrent(*describe(content, content_type))
    try:
        structure = judge(decode(content))
    except NotATorrent as error:
        if error.kind == "bencode" and not _looks_bencoded(content):
            raise NotATorrent(*describe(content, content_type)) from error
        raise
    structure.document.flags.update(flags)
    if content_type is not None and "html" in content_type[:100].lower():
        structure.document.flags.add("sent_as_html")
    return structure


def content_of(structure: Structure) -> bytes:
    """The bytes of the torrent file as it is stored: the root dictionary, nothing before or after it."""
    document = structure.document
    return document.body if document.end == len(document.body) else document.body[: document.end]


def unwrap(body: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Take off gzip or zlib, a byte order mark and blanks; the flags say what was there.

    Raises LimitExceeded when the decompressed data is larger than a torrent may be.
    """
    flags: list[str] = []
    content = _without_blanks(body, flags)
    if content.startswith(_GZIP) or content.startswith(_ZLIB):
        try:
            content = _without_blanks(_decompress(content, flags), flags)
        except zlib.error:
            return content, tuple(flags)
    return content, tuple(flags)


def _without_blanks(body: bytes, flags: list[str]) -> bytes:
    if body.startswith(_BOM):
        flags.append("leading_bom")
        body = body[len(_BOM) :]
    if body[:1] in (b" ", b"\t", b"\r", b"\n", b"\v", b"\f", b"\0"):
        flags.append("leading_blanks")
        body = body.lstrip(_BLANKS)
        if body.startswith(_BOM):
            flags.append("leading_bom")
            body = body[len(_BOM) :]
    return body


def _decompress(body: bytes, flags: list[str]) -> bytes:
    decompressor = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
    content = decompressor.decompress(body, limits.MAX_BYTES + 1)
    if len(content) > limits.MAX_BYTES:
        raise LimitExceeded("the decompressed file is too large", limits.MAX_BYTES)
    flags.append("gzip")
    if not decompressor.eof:
        flags.append("damaged_gzip")
    return content


def _looks_bencoded(content: bytes) -> bool:
    """Whether what begins with `d` goes on like a dictionary and not like a text."""
    return content[1:2].isdigit() or content.rstrip(_BLANKS) == b"de"


def describe(content: bytes, content_type: str | None = None) -> tuple[str, str]:
    """Kind and words for bytes that are no torrent."""
    if not content:
        return "empty", "an empty body"
    for magic, kind, words in _MAGIC:
        if content.startswith(magic):
            return kind, words
    if content.startswith(_GZIP) or content.startswith(_ZLIB):
        return "archive", "a damaged gzip or zlib file"
    head = content[:_HEAD]
    start = head[:1]
    if start == b"<":
        return _describe_markup(head, content_type)
    if start in (b"{", b"["):
        return "json", "a JSON document"
    if start in (b"i", b"l") or (start.isdigit() and b":" in head[:12]):
        return "bencode", "bencoded data that is no dictionary"
    return _describe_text(head, content_type)


def _describe_markup(head: bytes, content_type: str | None) -> tuple[str, str]:
    title = _TITLE.search(head)
    if _HTML.search(head[:2048]) or title:
        words = "an HTML page"
        if title:
            text = _title_text(title[1], head, content_type)
            words = f'an HTML page titled "{text}"' if text else words
        if content_type and "html" not in content_type.lower():
            words += f", sent as {_printable(content_type.split(';')[0].strip()[:60])}"
        return "html", words
    return "xml", "an XML document"


def _describe_text(head: bytes, content_type: str | None) -> tuple[str, str]:
    sample = head[:1024]
    if _HTML.search(head) and b"</" in head:
        return _describe_markup(head, content_type)
    printable = sum(byte >= 32 or byte in (9, 10, 13) for byte in sample)
    if b"\0" in sample or printable < len(sample) * 0.95:
        return "other", "binary data of an unknown kind"
    words = _printable(decode_names([sample[:60]]).texts[0])
    return "text", f'a text that begins "{words}"'


def _title_text(title: bytes, head: bytes, content_type: str | None) -> str:
    """The title as text, in the charset that the header or the page declares."""
    declared = _CHARSET.search((content_type or "").encode("utf-8", "replace")) or _CHARSET.search(
        head[:4096]
    )
    text = decode_names([title], declared=declared[1] if declared else None).texts[0]
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    text = _printable(" ".join(text.replace("&amp;", "&").split()))
    return text if len(text) <= 100 else text[:99] + "…"


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())
