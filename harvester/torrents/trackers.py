"""Trackers by tier, web seeds and DHT nodes, as programs really write them (BEP 3, 5, 12, 17, 19)."""

from __future__ import annotations

from msgspec import Struct

from harvester.torrents.bencode import Dictionary, Value
from harvester.torrents.redaction import redact_tracker

_MAX_URLS = 1_000
_MAX_LOOKED_AT = 5_000
_MAX_URL_LENGTH = 2_048
_TRACKER_SCHEMES = ("http://", "https://", "udp://", "ws://", "wss://")
_WEBSEED_SCHEMES = ("http://", "https://", "ftp://", "ftps://")


class Outlets(Struct):
    """Where a torrent's peers and content are to be had; see `Torrent` for the fields."""

    trackers: tuple[tuple[str, ...], ...]
    webseeds: tuple[str, ...]
    nodes: tuple[str, ...]


def read_outlets(root: Dictionary, flags: set[str]) -> Outlets:
    """Read `announce`, `announce-list`, `url-list`, `httpseeds` and `nodes` of a root dictionary.

    Each URL is kept once, in the first tier that has it; tiers that end up empty are left out. Adds to
    `flags`.
    """
    return Outlets(_tiers(root, flags), _webseeds(root, flags), _nodes(root.get(b"nodes"), flags))


def _tiers(root: Dictionary, flags: set[str]) -> tuple[tuple[str, ...], ...]:
    announce_list = root.get(b"announce-list")
    announce = root.get(b"announce")
    raw_tiers: list[list[Value]] = []
    if type(announce_list) is list:
        if len(announce_list) > _MAX_LOOKED_AT:
            flags.add("too_many_urls")
        for tier in announce_list[:_MAX_LOOKED_AT]:
            if type(tier) is list:
                raw_tiers.append(tier)
            else:
                flags.add("odd_announce")
                raw_tiers.append([tier])
    elif announce_list is not None:
        flags.add("odd_announce")
        raw_tiers.append([announce_list])
    if type(announce) is not bytes and announce is not None:
        flags.add("odd_announce")
    lone = announce if type(announce) is list else [] if announce is None else [announce]

    seen: set[str] = set()
    tiers = [tier for tier in (_tier(urls, seen, flags) for urls in raw_tiers) if tier]
    last = _tier(lone, seen, flags)
    if last:
        if tiers:
            flags.add("announce_not_in_list")
        tiers.append(last)
    if any(redact_tracker(url) != url for url in seen):
        flags.add("passkey")
    return tuple(tiers)


def _tier(urls: list[Value], seen: set[str], flags: set[str]) -> tuple[str, ...]:
    tier: list[str] = []
    for number, raw in enumerate(urls):
        if len(seen) >= _MAX_URLS or number >= _MAX_LOOKED_AT:
            flags.add("too_many_urls")
            break
        if raw == b"":
            continue
        url = _url(raw, _TRACKER_SCHEMES)
        if url is None:
            flags.add("bad_tracker")
        elif url not in seen:
            seen.add(url)
            tier.append(url)
    return tuple(tier)


def _webseeds(root: Dictionary, flags: set[str]) -> tuple[str, ...]:
    seeds: dict[str, None] = {}
    for key in (b"url-list", b"httpseeds"):
        value = root.get(key)
        if value is None or value == b"":
            continue
        if type(value) is not list:
            value = [value]
        for number, raw in enumerate(value):
            if len(seeds) >= _MAX_URLS or number >= _MAX_LOOKED_AT:
                flags.add("too_many_urls")
                break
            if raw == b"":
                continue
            url = _url(raw, _WEBSEED_SCHEMES)
            if url is None:
                flags.add("odd_webseed")
            else:
                seeds[url] = None
    return tuple(seeds)


def _url(raw: Value, schemes: tuple[str, ...]) -> str | None:
    """A URL without blanks around it and without control characters, or None where it is none."""
    if type(raw) is not bytes or len(raw) > _MAX_URL_LENGTH:
        return None
    try:
        url = raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        url = raw.decode("latin-1").strip()
    if not url.isprintable() or " " in url:
        url = "".join(c for c in url if c.isprintable()).replace(" ", "%20")
    lower = url[:8].lower()
    for scheme in schemes:
        if lower.startswith(scheme) and len(url) > len(scheme):
            return url
    return None


def _nodes(value: Value, flags: set[str]) -> tuple[str, ...]:
    if value is None or value == b"":
        return ()
    if type(value) is not list:
        flags.add("odd_nodes")
        value = [value]
    nodes: dict[str, None] = {}
    for number, raw in enumerate(value):
        if len(nodes) >= _MAX_URLS or number >= _MAX_LOOKED_AT:
            flags.add("too_many_urls")
            break
        node, odd = _node(raw)
        if odd:
            flags.add("odd_nodes")
        if node is not None:
            nodes[node] = None
    return tuple(nodes)


def _node(raw: Value) -> tuple[str | None, bool]:
    """`host:port` and whether it was written oddly: `[port, host]`, a string, the port as a string."""
    odd = type(raw) is bytes
    pair: Value = raw.rpartition(b":")[::2] if odd else raw
    if type(pair) not in (list, tuple) or len(pair) != 2:
        return None, True
    host, port = pair
    if type(host) is int:
        host, port = port, host
        odd = True
    if type(port) is bytes and 0 < len(port) <= 5 and port.isdigit():
        port = int(port)
        odd = True
    if type(host) is not bytes or type(port) is not int or not 0 < len(host) <= 255 or not 0 < port < 65_536:
        return None, True
    text = host.decode("utf-8", "replace").strip()
    if not text.isprintable() or not text:
        return None, True
    bracketed = f"[{text}]" if ":" in text and not text.startswith("[") else text
    return f"{bracketed}:{port}", odd
