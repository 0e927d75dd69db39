"""The file name that a Content-Disposition header names, also when it breaks the RFCs.

RFC 6266 with RFC 5987/8187 (`filename*`), RFC 2231 continuations, RFC 2047 words, percent-escapes and raw
bytes in UTF-8 or GBK, which forums send. Bounded: a header longer than 8 KiB is cut there.
"""

from __future__ import annotations

import binascii
import re
from email.header import decode_header
from urllib.parse import unquote_to_bytes

_LONGEST = 8192
_ESCAPES = re.compile(rb"%[0-9A-Fa-f]{2}")
_ENCODED_WORD = re.compile(r"=\?[\w.:-]{1,40}\?[bqBQ]\?[^?\s]{0,4096}\?=")


def disposition_filename(value: bytes) -> str:
    """The file name in a Content-Disposition value as received: `filename*` before `filename`.

    Only the last path segment is returned, without controls; "" when there is no name.
    """
    parameters = _parameters(value[:_LONGEST])
    for name in (_extended(parameters), _continued(parameters), _plain(parameters)):
        cleaned = _last_segment(name)
        if cleaned:
            return cleaned
    return ""


def _parameters(value: bytes) -> dict[bytes, bytes]:
    """Parameters by lower-case name, the first of each; a quoted value keeps its semicolons."""
    found: dict[bytes, bytes] = {}
    semicolon, equals = value.find(b";"), value.find(b"=")
    # `filename=x` without a disposition type before it is seen in the wild.
    position = 0 if equals >= 0 and (semicolon < 0 or equals < semicolon) else semicolon + 1
    while (equals := value.find(b"=", position)) >= 0:
        name = value[position:equals].rpartition(b";")[2].strip().lower()
        start = equals + 1
        while value[start : start + 1] in (b" ", b"\t"):
            start += 1
        if value[start : start + 1] == b'"':
            content, end = _quoted(value, start + 1)
        else:
            end = value.find(b";", start)
            end = len(value) if end < 0 else end
            content = value[start:end].strip()
        found.setdefault(name, content)
        position = end + 1
    return found


def _quoted(value: bytes, start: int) -> tuple[bytes, int]:
    """The quoted string from `start`, and the position of the semicolon after it.

    A backslash escapes only a quote or itself: Windows paths and the second bytes of GBK stay whole.
    """
    content = bytearray()
    index = start
    while index < len(value):
        byte = value[index]
        if byte == 0x22:
            break
        if byte == 0x5C and value[index + 1 : index + 2] in (b'"', b"\\") and not _inside_gbk(content):
            index += 1
            byte = value[index]
        content.append(byte)
        index += 1
    end = value.find(b";", index)
    return bytes(content), len(value) if end < 0 else end


def _inside_gbk(content: bytearray) -> bool:
    """Whether the next byte is the second of a GBK pair (an odd number of lead bytes stands before it)."""
    count = 0
    for byte in reversed(content):
        if byte < 0x81:
            break
        count += 1
    return count % 2 == 1


def _extended(parameters: dict[bytes, bytes]) -> str:
    value = parameters.get(b"filename*", b"")
    charset, first, rest = value.partition(b"'")
    _, second, escaped = rest.partition(b"'")
    if not (first and second):
        return _decode(unquote_to_bytes(value)) if value else ""
    return _decode(unquote_to_bytes(escaped), charset.decode("ascii", "replace"))


def _continued(parameters: dict[bytes, bytes]) -> str:
    """RFC 2231 3: `filename*0`, `filename*1*`, …"""
    pieces = []
    charset = ""
    for index in range(64):
        plain, escaped = parameters.get(b"filename*%d" % index), parameters.get(b"filename*%d*" % index)
        if escaped is not None:
            if index == 0 and escaped.count(b"'") >= 2:
                name, _, rest = escaped.partition(b"'")
                charset, escaped = name.decode("ascii", "replace"), rest.partition(b"'")[2]
            pieces.append(unquote_to_bytes(escaped))
        elif plain is not None:
            pieces.append(plain)
        else:
            break
    return _decode(b"".join(pieces), charset)


def _plain(parameters: dict[bytes, bytes]) -> str:
    value = parameters.get(b"filename", b"")
    if value.isascii():
        text = value.decode("ascii")
        if _ENCODED_WORD.search(text):
            return _encoded_words(text)
        if _ESCAPES.search(value):
            return _unescaped(value)
    return _decode(value)


def _unescaped(value: bytes) -> str:
    """Percent-escapes undone when they hold text; a name that merely has a per cent sign stays."""
    raw = unquote_to_bytes(value)
    for encoding in ("utf-8", "gb18030"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if text.isprintable():
            return text
    return value.decode("ascii")


def _encoded_words(text: str) -> str:
    try:
        return "".join(
            part if isinstance(part, str) else _decode(part, charset or "")
            for part, charset in decode_header(text)
        )
    except (ValueError, binascii.Error):
        return text


def _decode(value: bytes, charset: str = "") -> str:
    for encoding in (charset, "utf-8", "gb18030"):
        if encoding:
            try:
                return value.decode("gb18030" if encoding.lower() in {"gbk", "gb2312"} else encoding)
            except (LookupError, ValueError):
                continue
    return value.decode("latin-1")


def _last_segment(name: str) -> str:
    name = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    name = "".join(character for character in name if character.isprintable()).strip()
    return "" if name in {".", ".."} else name
