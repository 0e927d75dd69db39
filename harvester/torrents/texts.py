"""The texts of a torrent beside its names, and the marks that need no text (BEP 27, 35, 38, 39, 49)."""

from __future__ import annotations

from msgspec import Struct

from harvester.torrents.bencode import Dictionary, Value

_LONGEST_TEXT = 16_000  # bytes
_MAX_COLLECTIONS = 100
_TEXT_KEYS = ("comment", "created by", "publisher", "publisher-url", "title")
_CLIENT_DATA = (
    b"libtorrent_resume",
    b"rtorrent",
    b"azureus_properties",
    b"azureus_private_properties",
    b".fileguard",
)


class Texts(Struct):
    """Raw texts by key, with their `.utf-8` twins, and the hex infohashes of similar torrents (BEP 38).

    Keys: `comment`, `created by`, `publisher`, `publisher-url`, `title`, `source`, `update-url`, and
    `collection 0` and so on. What is absent or empty has no key.
    """

    raw: dict[str, bytes]
    twins: dict[str, bytes | None]
    similar: tuple[str, ...]


def read_texts(root: Dictionary, info: Dictionary, flags: set[str]) -> Texts:
    """Collect the texts, each no longer than 16,000 bytes. Adds to `flags`."""
    texts = Texts({}, {}, _similar(root, info, flags))
    for key in _TEXT_KEYS:
        for place in (root, info):
            if _take(texts, key, place.get(key.encode()), place.get(key.encode() + b".utf-8"), flags):
                break
    _take(texts, "source", info.get(b"source", root.get(b"source")), None, flags)
    _take(texts, "update-url", info.get(b"update-url"), None, flags)
    number = 0
    for place in (info, root):
        collections = place.get(b"collections")
        for value in collections[:_MAX_COLLECTIONS] if type(collections) is list else ():
            number += _take(texts, f"collection {number}", value, None, flags)
    return texts


def _take(texts: Texts, key: str, value: Value, twin: Value, flags: set[str]) -> bool:
    if type(value) is not bytes or not value:
        if type(twin) is not bytes or not twin:
            return False
        value, twin = twin, None
    texts.raw[key] = _cut(value, _LONGEST_TEXT, flags)
    texts.twins[key] = _cut(twin, _LONGEST_TEXT, flags) if type(twin) is bytes and twin else None
    return True


def _cut(text: bytes, longest: int, flags: set[str]) -> bytes:
    if len(text) > longest:
        flags.add("text_cut")
    return cut(text, longest)


def cut(text: bytes, longest: int) -> bytes:
    """The first bytes of a text, never ending inside a UTF-8 character."""
    if len(text) <= longest:
        return text
    end = longest
    while end > longest - 4 and text[end] & 0xC0 == 0x80:
        end -= 1
    return text[:end]


def _similar(root: Dictionary, info: Dictionary, flags: set[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for place in (info, root):
        similar = place.get(b"similar")
        for value in similar[:_MAX_COLLECTIONS] if type(similar) is list else ():
            if type(value) is bytes and len(value) in (20, 32):
                found[value.hex()] = None
    if found:
        flags.add("similar")
    return tuple(found)


def is_private(root: Dictionary, info: Dictionary, flags: set[str]) -> bool:
    """BEP 27's mark: 1 in `info`; also as a string or at the top level, which is flagged."""
    value = info.get(b"private")
    if type(value) is int:
        if value not in (0, 1):
            flags.add("odd_private")
        return value != 0
    if value is None:
        value = root.get(b"private")
        if value is None:
            return False
    flags.add("odd_private")
    if type(value) is int:
        return value != 0
    return type(value) is bytes and value.strip().lower() in (b"1", b"true", b"yes")


def mark_extensions(root: Dictionary, info: Dictionary, flags: set[str]) -> None:
    """Flag what a torrent carries beyond its content."""
    if type(info.get(b"ssl-cert")) is bytes:
        flags.add("ssl")
    if b"update-url" in info or b"originator" in info or b"bep49" in root or b"bep49" in info:
        flags.add("feed")
    if b"signatures" in root or b"signature" in root:
        flags.add("signed")
    if any(key in root for key in _CLIENT_DATA):
        flags.add("client_data")


def printable(text: str) -> str:
    """The text without characters that a terminal or a page would obey instead of show.

    Line ends and tabs become one blank each; invisible and direction-changing characters are left out.
    """
    if text.isprintable():
        return text
    shown = (" " if character in "\n\r\t" else character for character in text)
    return "".join(character for character in shown if character.isprintable() or character == "\u3000")


def printable_text(text: str) -> str:
    """As `printable`, but with its line ends and tabs."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in text if c.isprintable() or c in "\n\t\u3000")
