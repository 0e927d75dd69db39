"""Magnet links: read and written (BEP 9, BEP 53; libtorrent's magnet_uri.cpp as the partner)."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator
from urllib.parse import quote, unquote_to_bytes

from msgspec import Struct, field

from harvester.errors import LinkRejected
from harvester.model.magnet import Magnet
from harvester.torrents.encodings import decode_names
from harvester.torrents.paths import safe_text

MAX_LENGTH = 65_536
MAX_SIZE = 2**63 - 1

_SCHEME = re.compile(r"magnet:/{0,3}\??", re.IGNORECASE)
_BLANKS = re.compile(r"[\t\r\n]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ENTITY = re.compile(r"&(?:amp|quot|apos|lt|gt|#\d{1,7}|#x[0-9a-f]{1,6});", re.IGNORECASE)
_NUMBERED = re.compile(r"(xt|dn|tr|ws)\.\d{1,6}")
_NAME = re.compile(r"[a-z0-9._-]{1,40}")
_TOPIC = re.compile(r"urn:(bt[im]h):(.*)", re.IGNORECASE | re.DOTALL)
_V1_HEX = re.compile(r"[0-9a-f]{40}", re.IGNORECASE)
_V1_BASE32 = re.compile(r"[a-z2-7]{32}", re.IGNORECASE)
_V2_HEX = re.compile(r"1220([0-9a-f]{64})", re.IGNORECASE)
_SIZE = re.compile(r"\d{1,19}")


class _Found(Struct):
    """What the parameters said so far."""

    v1: str | None = None
    v2: str | None = None
    refusal: str = "no_xt"
    name: bytes = b""
    trackers: dict[str, None] = field(default_factory=dict)
    webseeds: dict[str, None] = field(default_factory=dict)
    peers: dict[str, None] = field(default_factory=dict)
    size: int | None = None
    select_only: str = ""
    other: list[tuple[str, str]] = field(default_factory=list)


def parse_magnet(text: str) -> Magnet:
    """Read a magnet link as pages write it: any case, `magnet:///?`, `&amp;`, blanks, `xt.1`, base32.

    Of several topics of one kind the first usable one counts, of several names the last; a bad topic
    beside a good one is passed over. A name in another charset than UTF-8 is detected. `+` is a blank,
    except in the addresses of trackers and seeds.

    Raises `LinkRejected` with the reason `not_a_link` (no magnet at all), `too_long` (over 65,536
    characters), `control_char`, `no_xt`, `no_bt_topic` (topics, but none of BitTorrent), `bad_hash` or
    `null_hash`.
    """
    if len(text) > MAX_LENGTH:
        raise LinkRejected("too_long", f"a magnet link of {len(text):,} characters; {MAX_LENGTH:,} are taken")
    text = _BLANKS.sub("", text.strip())
    scheme = _SCHEME.match(text)
    if scheme is None:
        raise LinkRejected("not_a_link", "it does not begin with magnet:")
    if _CONTROL.search(text):
        raise LinkRejected("control_char", "a control character inside a magnet link")
    found = _Found()
    for name, value in _parameters(text[scheme.end() :]):
        _take(found, name, value)
    if found.v1 is None and found.v2 is None:
        raise LinkRejected(found.refusal, _REFUSALS[found.refusal])
    return Magnet(
        infohash_v1=found.v1,
        infohash_v2=found.v2,
        display_name=safe_text(decode_names([found.name]).texts[0]),
        trackers=tuple(found.trackers),
        webseeds=tuple(found.webseeds),
        peers=tuple(found.peers),
        size=found.size,
        select_only=found.select_only,
        other=tuple(found.other),
    )


_REFUSALS = {
    "no_xt": "it has no topic (xt)",
    "no_bt_topic": "none of its topics is urn:btih or urn:btmh",
    "bad_hash": "an infohash is 40 hex digits or 32 base32 letters, after urn:btmh 1220 and 64 hex digits",
    "null_hash": "its infohash is all zeros",
}


def _parameters(query: str) -> Iterator[tuple[str, str]]:
    """Name (lower case, number dropped) and value, still percent-encoded.

    A piece without `=` after a name is the rest of a name that holds a bare `&`.
    """
    if "&" in query and ";" in query:
        query = _ENTITY.sub(lambda found: html.unescape(found.group()), query)
    name, value = "", ""
    for piece in query.split("&"):
        piece = piece.removeprefix("amp;")
        raw_name, equals, rest = piece.partition("=")
        if not equals and name == "dn":
            value += "%26" + piece
            continue
        if name:
            yield name, value
        name, value = raw_name.strip(" ?").lower() if equals else "", rest
        if _NUMBERED.fullmatch(name):
            name = name[:2]
    if name:
        yield name, value


def _take(found: _Found, name: str, value: str) -> None:
    """Put one parameter where it belongs."""
    if name == "dn":
        found.name = _bytes(value.replace("+", " ")) or found.name
        return
    text = safe_text(_bytes(value).decode("utf-8", "replace"))
    if not text:
        return
    if name == "xt":
        _take_topic(found, text)
    elif name == "tr":
        found.trackers[text] = None
    elif name == "ws":
        found.webseeds[text] = None
    elif name == "x.pe":
        found.peers[text] = None
    elif name == "so" and not found.select_only:
        found.select_only = text
    elif name == "xl" and found.size is None and _SIZE.fullmatch(text) and int(text) <= MAX_SIZE:
        found.size = int(text)
    elif _NAME.fullmatch(name):
        found.other.append((name, text))


def _take_topic(found: _Found, topic: str) -> None:
    """An infohash of BitTorrent, once for each version; every other topic is kept aside."""
    match = _TOPIC.fullmatch(topic)
    if match is None:
        if found.refusal == "no_xt":
            found.refusal = "no_bt_topic"
        found.other.append(("xt", topic))
        return
    kind, digits = match.group(1).lower(), match.group(2).strip()
    infohash = _v1(digits) if kind == "btih" else _v2(digits)
    if not infohash:
        found.refusal = "bad_hash"
    elif not infohash.strip("0"):
        found.refusal = "null_hash"
    elif kind == "btih":
        found.v1 = found.v1 or infohash
    else:
        found.v2 = found.v2 or infohash


def _v1(digits: str) -> str:
    """40 lower-case hex, or ""."""
    if _V1_HEX.fullmatch(digits):
        return digits.lower()
    return base64.b32decode(digits.upper()).hex() if _V1_BASE32.fullmatch(digits) else ""


def _v2(digits: str) -> str:
    """64 lower-case hex out of a SHA-256 multihash, or ""."""
    match = _V2_HEX.fullmatch(digits)
    return match.group(1).lower() if match else ""


def _bytes(value: str) -> bytes:
    """A value with its percent-encoding undone."""
    return unquote_to_bytes(value.encode("utf-8", "replace"))


def format_magnet(magnet: Magnet) -> str:
    """The canonical spelling, ASCII only: lower-case hex, v1 before v2, then dn, xl, tr, ws, x.pe, so, rest.

    `parse_magnet` gives the same value back. For an identity without trackers pass
    `msgspec.structs.replace(magnet, trackers=(), …)`, or call `magnet_uri`.
    """
    parts = [magnet_uri(magnet.infohash_v1, magnet.infohash_v2, magnet.display_name)]
    if magnet.size is not None:
        parts.append(f"xl={magnet.size}")
    parts += [f"tr={_quoted(tracker)}" for tracker in magnet.trackers]
    parts += [f"ws={_quoted(seed)}" for seed in magnet.webseeds]
    parts += [f"x.pe={quote(peer, safe=':[]')}" for peer in magnet.peers]
    if magnet.select_only:
        parts.append(f"so={quote(magnet.select_only, safe=',-')}")
    parts += [f"{name}={quote(value, safe=':')}" for name, value in magnet.other]
    return "&".join(parts)


def magnet_uri(infohash_v1: str | None, infohash_v2: str | None, display_name: str = "") -> str:
    """The short canonical magnet: topics and name, nothing that could hold a passkey."""
    parts = []
    if infohash_v1:
        parts.append(f"xt=urn:btih:{infohash_v1.lower()}")
    if infohash_v2:
        parts.append(f"xt=urn:btmh:1220{infohash_v2.lower()}")
    if display_name:
        parts.append(f"dn={quote(display_name, safe='!*()', errors='replace')}")
    return "magnet:?" + "&".join(parts)


def _quoted(url: str) -> str:
    return quote(url, safe="")
