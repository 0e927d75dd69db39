"""What the codecs share: the shapes they are registered as, strict base64, bytes and text."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

from msgspec import Struct

from harvester.errors import LinkRejected
from harvester.model.link import DiscuzAid, Ed2kFile
from harvester.model.magnet import Magnet

LINK_SCHEME: Final = re.compile(
    r"(?:https?|ftp|ed2k|thunder|flashgetx?|qqdl|fs2you)://|magnet:", re.IGNORECASE
)
"""The start of every link that is decoded."""
_KEPT: Final = "!#$%&'()*+,-./:;=?@[\\]^_`{|}~"
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]+")
_BLANKS: Final = str.maketrans({"\r": None, "\n": None, "\t": None, " ": "+", "-": "+", "_": "/"})
_ENTITY: Final = re.compile(
    r"&(?:(amp|lt|gt|quot|apos|nbsp)|#0{0,8}([0-9]{1,7})|#x0{0,8}([0-9a-f]{1,6}));", re.I
)
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": " "}


class Unwrapped(Struct, frozen=True):
    """What one wrapper held: raw bytes, and what it says of the file behind the link."""

    data: bytes
    lenient: bool = False
    file_name: str | None = None
    file_size: int | None = None


class Finished(Struct, frozen=True):
    """A final link: nothing more to unwrap."""

    url: str
    display: str
    magnet: Magnet | None = None
    ed2k: Ed2kFile | None = None
    discuz_aid: DiscuzAid | None = None
    secret_params: tuple[str, ...] = ()


class WrapperCodec(Struct, frozen=True):
    """A scheme that wraps another link. `unwrap` takes what follows `scheme://`.

    Raises `LinkRejected` where the payload is broken.
    """

    name: str
    schemes: tuple[str, ...]
    unwrap: Callable[[str], Unwrapped]


class FinalCodec(Struct, frozen=True):
    """A scheme that a decoded link may have. `finish` takes the whole link and its payload's charset."""

    name: str
    schemes: tuple[str, ...]
    finish: Callable[[str, str], Finished]
    named_after_wrapper: bool = True
    """Whether the chain still names it when a download scheme gave the link."""
    peel: Callable[[str], str | None] = lambda _link: None
    """The link inside that link (a redirector's target), or None."""


class FormCodec(Struct, frozen=True):
    """A disguise without a scheme (base64, reversed, …). `attempt` gives the undisguised text or None.

    Tried in `order`; a result that is no link counts as None.
    """

    name: str
    order: int
    attempt: Callable[[str], str | bytes | None]


Codec = WrapperCodec | FinalCodec | FormCodec


def decode_base64(text: str) -> bytes:
    """Base64 as pages write it: blanks, line breaks, the URL-safe alphabet, %XX, no padding.

    Otherwise strict: a foreign character or an impossible length raises `LinkRejected("bad_base64")`.
    """
    if "%" in text:
        text = unquote_to_bytes(text).decode("latin-1")
    cleaned = text.strip().translate(_BLANKS).rstrip("=")
    if not cleaned:
        raise LinkRejected("empty")
    if len(cleaned) % 4 == 1 or not _BASE64.fullmatch(cleaned):
        raise LinkRejected("bad_base64", "foreign characters or an impossible length")
    try:
        return b64decode(cleaned + "=" * (-len(cleaned) % 4), validate=True)
    except Base64Error as error:
        raise LinkRejected("bad_base64", str(error)) from error


def base64_readings(text: str) -> list[bytes]:
    """The possible readings of a base64 payload, best first: as it is, then without a trailing `/`.

    Browsers append a slash to what they take for a host. At least one, or `LinkRejected`.
    """
    readings: list[bytes] = []
    refusal: LinkRejected | None = None
    stripped = text.strip()
    for candidate in dict.fromkeys((stripped, stripped.rstrip("/"))):
        try:
            readings.append(decode_base64(candidate))
        except LinkRejected as error:
            refusal = refusal or error
    if not readings:
        assert refusal is not None
        raise refusal
    return readings


def read_bytes(data: bytes) -> tuple[str, str]:
    """(text, charset) of payload bytes: UTF-8, else GB18030, both strict, else `LinkRejected`."""
    for charset in ("utf-8", "gb18030"):
        try:
            return data.decode(charset), charset
        except UnicodeDecodeError:
            continue
    raise LinkRejected("not_a_link", "the payload is text in no charset")


def spelt(text: str, charset: str) -> str:
    """Payload text as it goes into a URL: what GB18030 bytes are beyond ASCII is percent-encoded bytewise.

    UTF-8 text is left alone (it is percent-encoded at the end). Of a two-byte character whose second
    byte is an ASCII sign that byte is encoded too, so that it is not taken for a part of the URL.
    """
    if charset == "utf-8":
        return text
    return "".join(
        character if character.isascii() else quote_from_bytes(character.encode(charset), "")
        for character in text
    )


def refuse_controls(data: bytes | str) -> None:
    """Raise `LinkRejected("control_char")` for control characters: they never stand in a link."""
    codes = data if isinstance(data, bytes) else map(ord, data)
    if any(code < 0x20 or code == 0x7F for code in codes):
        raise LinkRejected("control_char", "a control character inside the link")


def is_link(data: bytes | str) -> bool:
    """Whether it begins with a scheme that is decoded, plainly or percent-encoded."""
    text = data if isinstance(data, str) else data[:64].decode("latin-1")
    return LINK_SCHEME.match(text) is not None


def percent_decoded(text: str, charset: str = "utf-8") -> str:
    """Percent-encoding undone for display: in UTF-8, else in `charset`, else left as it is."""
    data = unquote_to_bytes(text)
    for name in dict.fromkeys(("utf-8", charset, "gb18030")):
        try:
            decoded = data.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
        return text if any(ord(c) < 0x20 or c == "\x7f" for c in decoded) else decoded
    return text


def unescape_entities(text: str) -> str:
    """HTML entities undone, only those with a semicolon: `&copy=1` in a query is no copyright sign."""
    for _ in range(3):
        if "&" not in text or ";" not in text:
            return text
        undone = _ENTITY.sub(_entity, text)
        if undone == text:
            return text
        text = undone
    return text


def _entity(match: re.Match[str]) -> str:
    named, decimal, hexadecimal = match.groups()
    if named:
        return _NAMED[named.lower()]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
