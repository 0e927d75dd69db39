"""Decoding one candidate string to the link inside it."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace

from harvester.errors import LinkRejected
from harvester.links import codecs
from harvester.links.payload import (
    FinalCodec,
    Finished,
    WrapperCodec,
    is_link,
    read_bytes,
    refuse_controls,
    spelt,
    unescape_entities,
)
from harvester.links.urls import join, parse_url
from harvester.model.link import Decoded

MAX_WRAPPERS: Final = 5
MAX_LENGTH: Final = 65_536
"""Characters; a longer candidate is refused unread."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]{0,31}):")
_NEVER: Final = frozenset(
    [
        "javascript",
        "vbscript",
        "data",
        "file",
        "about",
        "blob",
        "mailto",
        "tel",
        "sms",
        "ws",
        "wss",
        "gopher",
        "ftps",
        "sftp",
        "ldap",
        "news",
        "nntp",
        "telnet",
        "view-source",
        "chrome",
        "jar",
        "res",
        "ms-its",
        "mhtml",
        "intent",
        "market",
        "tencent",
        "weixin",
        "mqqapi",
    ]
)
_INVISIBLE: Final = dict.fromkeys([0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF])
_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FULL_WIDTH_START: Final = re.compile(r"[A-Za-z0-9Ａ-Ｚａ-ｚ０-９]{3,10}[:：]")
_URN: Final = re.compile(r"(?:urn:)?bt(?:ih|mh):[0-9a-z]{32,68}(?![0-9a-z])", re.IGNORECASE)
_BLANKS: Final = " \t\r\n\f\v\u00a0\u3000"


class _Way(Struct):
    """How far a candidate has been unwrapped."""

    text: str
    charset: str = "utf-8"
    payload_encoding: str | None = None
    chain: list[str] = field(default_factory=list)
    lenient: bool = False
    file_name: str | None = None
    file_size: int | None = None
    after_wrapper: bool = False

    def enter(self, name: str) -> None:
        if len(self.chain) == MAX_WRAPPERS:
            raise LinkRejected("too_deep", f"more than {MAX_WRAPPERS} wrappers")
        self.chain.append(name)

    def take(self, data: bytes | str) -> None:
        """Go on with what was inside a wrapper."""
        if isinstance(data, str):
            refuse_controls(data)
            self.text = data
            return
        text, charset = read_bytes(data)
        refuse_controls(data)
        if not data.isascii():
            self.charset = self.payload_encoding = charset
        self.text = spelt(text, charset)


def decode_link(text: str, base_url: str | None = None) -> Decoded:
    """The link inside `text`: an encoded download link, a magnet, a plain or relative URL.

    At most 5 wrappers. Raises `LinkRejected` with a stable reason: empty, too_long, too_deep,
    not_a_link, scheme_not_allowed, bad_base64, bad_marker, control_char, no_host, bad_hash, null_hash,
    bad_size, not_a_file_link, no_xt, no_bt_topic.
    """
    if len(text) > MAX_LENGTH:
        raise LinkRejected("too_long", f"more than {MAX_LENGTH:,} characters")
    candidate = unescape_entities(text).translate(_INVISIBLE).strip(_BLANKS)
    if _FULL_WIDTH_START.match(candidate) and not _SCHEME.match(candidate):
        candidate = candidate.translate(_FULL_WIDTH)
    return _decoded(_Way(candidate), base_url)


def _decoded(way: _Way, base_url: str | None) -> Decoded:
    while True:
        way.text = way.text.strip(_BLANKS)
        if not way.text:
            raise LinkRejected("empty")
        codec = _codec_of(way, base_url)
        if isinstance(codec, FinalCodec):
            return _finished(way, codec)
        if codec is not None:
            way.enter(codec.name)
            payload = way.text.partition(":")[2]
            if payload.startswith("\\\\"):
                payload = "//" + payload[2:]
            inside = codec.unwrap(payload.removeprefix("//").strip(_BLANKS) or _refuse_empty())
            way.lenient = way.lenient or inside.lenient
            way.file_name = inside.file_name or way.file_name
            way.file_size = inside.file_size or way.file_size
            way.after_wrapper = True
            way.take(inside.data)


def _refuse_empty() -> str:
    raise LinkRejected("empty", "nothing after the scheme")


def _codec_of(way: _Way, base_url: str | None) -> WrapperCodec | FinalCodec | None:
    """The codec of the text's scheme; None after a disguise was taken off. Otherwise `LinkRejected`."""
    scheme = _SCHEME.match(way.text)
    if scheme:
        codec = codecs.by_scheme().get(scheme[1].lower())
        if codec is not None and not way.text.startswith("\\/", scheme.end()):
            return codec
    if _URN.match(way.text):
        way.text = "magnet:?xt=urn:" + re.sub("^urn:", "", way.text, flags=re.IGNORECASE)
        way.lenient = True
        return codecs.by_scheme()["magnet"]
    undisguised = _undisguised(way.text, MAX_WRAPPERS + 1 - len(way.chain))
    if undisguised is not None:
        names, inside = undisguised
        for name in names:
            way.enter(name)
        way.after_wrapper = False
        way.take(inside)
        return None
    if scheme and (scheme[1].lower() in _NEVER or way.text.startswith("//", scheme.end())):
        raise LinkRejected("scheme_not_allowed", f"{scheme[1].lower()}: is never followed")
    if base_url is not None and not way.chain:
        joined = join(base_url, way.text)
        if joined is not None:
            refuse_controls(way.text)
            way.text = joined
            return None
    raise LinkRejected("not_a_link", "no scheme of a link, plain or encoded")


def _undisguised(text: str, budget: int, last: str = "") -> tuple[list[str], bytes | str] | None:
    """The forms to undo, outermost first, until a link appears; None where none does."""
    for form in codecs.forms():
        if form.name == last == "reverse":
            continue
        inside = form.attempt(text)
        if not inside:
            continue
        if is_link(inside):
            return [form.name], inside
        if budget <= 1:
            continue
        deeper = _undisguised(
            inside if isinstance(inside, str) else inside.decode("latin-1"), budget - 1, form.name
        )
        if deeper is not None:
            return [form.name, *deeper[0]], deeper[1]
    return None


def _finished(way: _Way, codec: FinalCodec) -> Decoded:
    refuse_controls(way.text)
    finished = codec.finish(way.text, way.charset)
    inside = _peeled(way, codec, finished)
    if inside is not None:
        return inside
    chain = [*way.chain]
    if codec.named_after_wrapper or not way.after_wrapper:
        chain.append(codec.name)
    return Decoded(
        url=finished.url,
        chain=tuple(chain),
        display=finished.display,
        lenient=way.lenient,
        payload_encoding=way.payload_encoding,
        alternatives=_other_spellings(way, finished),
        fetch_allowed=may_fetch(finished.url),
        magnet=finished.magnet,
        ed2k=finished.ed2k,
        discuz_aid=finished.discuz_aid,
        file_name=way.file_name or _name_inside(finished),
        file_size=way.file_size or _size_inside(finished),
        secret_params=finished.secret_params,
    )


def _peeled(way: _Way, codec: FinalCodec, finished: Finished) -> Decoded | None:
    """The link a redirector leads to; None (stay with the outer link) where it leads to none."""
    target = codec.peel(finished.url)
    if target is None:
        return None
    inner = replace(way, chain=[*way.chain], text=target, after_wrapper=False)
    try:
        inner.enter("redirect")
        return _decoded(inner, None)
    except LinkRejected:
        return None


def _other_spellings(way: _Way, finished: Finished) -> tuple[str, ...]:
    """The UTF-8 spelling of a path that came in GB18030: some servers want that."""
    if way.charset == "utf-8" or finished.magnet or finished.ed2k or finished.display == finished.url:
        return ()
    return (quote(finished.display, safe="!#$%&'()*+,-./:;=?@[\\]^_`{|}~"),)


def _name_inside(finished: Finished) -> str | None:
    if finished.ed2k:
        return finished.ed2k.name
    return (finished.magnet.display_name or None) if finished.magnet else None


def _size_inside(finished: Finished) -> int | None:
    if finished.ed2k:
        return finished.ed2k.size
    return finished.magnet.size if finished.magnet else None


def may_fetch(url: str) -> bool:
    """Whether an HTTP request to it is thinkable: http(s), no literal private address, no localhost.

    Only what the URL itself says; the guard of the fetching side resolves names and decides.
    """
    parsed = parse_url(url)
    if parsed is None or parsed.scheme not in ("http", "https"):
        return False
    host = parsed.host.rstrip(".")
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return False
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return True
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_global)
