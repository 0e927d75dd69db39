"""From bytes to text: BOM, header, prescan, detector.

The order is that of the Encoding and HTML Standards; what is added is doubt. A declaration that the bytes
contradict is overruled: a header that says UTF-8 over a GBK body, or the other way round, is common on
Chinese sites, and a wrong guess there costs every title and file name of the site.
"""

from __future__ import annotations

import codecs
import re

import chardet

from harvester.model.text import DecidedBy, DecodedPage
from harvester.text.encoding_labels import CODEC_OF_NAME, encoding_name
from harvester.text.hanzi import COMMON_SIMPLIFIED, COMMON_TRADITIONAL
from harvester.text.prescan import LATE_BYTES, PRESCAN_BYTES, declared_encoding

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"',]{1,40})", re.IGNORECASE)
_NON_ASCII = re.compile(rb"[\x80-\xff]")
_UTF8_TRIPLE = re.compile(rb"[\xe0-\xef][\x80-\xbf]{2}")

_SAMPLE_BYTES = 32_768
"""What a detector reads, from the first byte that is not ASCII."""

_SHORT = 600
"""Fewer bytes outside ASCII than this and the detector's word alone is not enough."""

_LEGACY_CJK = frozenset({"gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"})


def decode_page(body: bytes, content_type: str | None = None, override: str | None = None) -> DecodedPage:
    """Decode a page or text body; never raises, whatever the bytes.

    In this order: `override` (the site file's `encoding`), BOM, the charset of the Content-Type header,
    the declaration in the first bytes (meta, XML), a detector. GBK and GB2312 are read as gb18030. A
    declaration that the bytes plainly contradict is overruled by what they are.
    """
    if override and (name := encoding_name(override)):
        return _decoded(body.removeprefix(codecs.BOM_UTF8) if name == "utf-8" else body, name, "override")
    if body[:1] in b"\xef\xff\xfe":
        for bom, name in _BOMS:
            if body.startswith(bom):
                return _decoded(body[len(bom) :], name, "bom")
    declared, how = _declaration(body, content_type)
    if declared is None:
        return _undeclared(body)
    if declared == "utf-8":
        try:
            return DecodedPage(body.decode(), "utf-8", how)
        except UnicodeDecodeError:
            return _broken_utf8(body, how)
    if declared in _LEGACY_CJK and _is_surely_utf8(body):
        return DecodedPage(body.decode(), "utf-8", "utf8")
    return _decoded(body, declared, how)


def python_codec(label: str) -> str | None:
    """The Python codec for a WHATWG encoding label, or None when the label is unknown."""
    name = encoding_name(label)
    return CODEC_OF_NAME[name] if name else None


def _declaration(body: bytes, content_type: str | None) -> tuple[str | None, DecidedBy]:
    if content_type and (match := _HEADER_CHARSET.search(content_type[:300])):
        name = encoding_name(match.group(1))
        if name is not None:
            return name, "header"
    declared = declared_encoding(body)
    if declared is None:
        return None, "detector"
    return declared[0], "xml" if declared[1] else "meta"


def _decoded(body: bytes, name: str, how: DecidedBy) -> DecodedPage:
    codec = CODEC_OF_NAME[name]
    try:
        return DecodedPage(body.decode(codec), name, how)
    except UnicodeDecodeError:
        text = body.decode(codec, "replace")
        return DecodedPage(text, name, how, text.count("�"))


def _undeclared(body: bytes) -> DecodedPage:
    if name := _utf16_without_bom(body):
        return _decoded(body, name, "detector")
    late = declared_encoding(body, LATE_BYTES) if len(body) > PRESCAN_BYTES else None
    if late is not None and late[0] != "utf-8":
        return _decoded(body, late[0], "meta")
    try:
        return DecodedPage(body.decode(), "utf-8", "utf8")
    except UnicodeDecodeError:
        pass
    if name := _detect(body):
        return _decoded(body, name, "detector")
    return _decoded(body, "windows-1252", "fallback")


def _broken_utf8(body: bytes, how: DecidedBy) -> DecodedPage:
    """A body declared as UTF-8 that is not: damaged in a few places, or something else altogether."""
    text = body.decode("utf-8", "replace")
    errors = text.count("�")
    outside_ascii = len(_NON_ASCII.findall(body))
    if errors * 20 <= outside_ascii:
        return DecodedPage(text, "utf-8", how, errors)
    inside = declared_encoding(body) if how == "header" else None
    if inside is not None and inside[0] != "utf-8":
        candidate = _decoded(body, inside[0], "meta")
        if candidate.errors < errors:
            return candidate
    if (name := _detect(body)) is not None and name != "utf-8":
        candidate = _decoded(body, name, "detector")
        if candidate.errors * 4 < errors:
            return candidate
    return DecodedPage(text, "utf-8", how, errors)


def _is_surely_utf8(body: bytes) -> bool:
    """Valid UTF-8 with at least eight three-byte characters: GBK text is that by chance in no real page."""
    if len(_UTF8_TRIPLE.findall(body, 0, _SAMPLE_BYTES)) < 8:
        return False
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _utf16_without_bom(body: bytes) -> str | None:
    head = body[:512]
    if len(head) < 16 or head.count(0) * 5 < len(head) * 2:
        return None
    return "utf-16le" if head[1::2].count(0) > head[0::2].count(0) else "utf-16be"


def _detect(body: bytes) -> str | None:
    """What the bytes look like; None when there is no telling. `body` is known not to be UTF-8."""
    first = _NON_ASCII.search(body)
    sample = body[first.start() : first.start() + _SAMPLE_BYTES] if first else body[:_SAMPLE_BYTES]
    if (chinese := _chinese(sample)) is not None:
        return chinese
    guess = chardet.detect(sample)
    name = encoding_name(str(guess.get("encoding") or ""))
    confidence = float(guess.get("confidence") or 0.0)
    if name is None or name.startswith("utf-") or confidence < 0.3:
        return None
    if name in _LEGACY_CJK and len(_NON_ASCII.findall(sample)) < _SHORT and not _fits(sample, name):
        return None
    return name


def _fits(sample: bytes, name: str) -> bool:
    text = sample.decode(CODEC_OF_NAME[name], "replace")
    return text.count("�") * 50 <= len(text)


def _chinese(sample: bytes) -> str | None:
    """GB18030 or Big5 where the share of everyday characters leaves no doubt.

    Detectors mistake short GB2312 for Big5 or for Korean. In running Chinese about half of all characters
    are among the 400 commonest; the same bytes read in a wrong encoding have a few per cent of them.
    """
    best: tuple[float, str] | None = None
    for name, common in (("gb18030", COMMON_SIMPLIFIED), ("big5", COMMON_TRADITIONAL)):
        text = sample.decode(CODEC_OF_NAME[name], "replace")
        wide = [character for character in text if "⺀" <= character <= "鿿" or character == "�"]
        if len(wide) < 4 or wide.count("�") * 50 > len(wide):
            continue
        # EUC-JP has its kana where GB2312 has them: this is Japanese, whatever else it may look like.
        if name == "gb18030" and sum("぀" <= character <= "ヿ" for character in wide) * 10 > len(wide):
            return None
        share = sum(character in common for character in wide) / len(wide)
        if share >= 0.25 and (best is None or share > best[0]):
            best = (share, name)
    return best[1] if best else None
