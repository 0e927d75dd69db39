"""One torrent for the API and the page: whether it may be shown, its file, its magnet, its history."""

from __future__ import annotations

import re
from typing import Any
from unicodedata import category
from urllib.parse import quote

from harvester.model.magnet import Magnet
from harvester.model.redact import redact_text, redact_url
from harvester.model.stored import Sighting, StoredTorrent, Variant
from harvester.ports.store import Store
from harvester.search.blocked import block_of
from harvester.search.records import Record, detailed_record, timestamp
from harvester.torrents.magnet import format_magnet
from harvester.torrents.redaction import redact_tracker
from harvester.web.authentication import Principal
from harvester.web.problems import not_found
from harvester.web.services import Services

MAX_TRACKERS = 20
"""Trackers that a magnet carries."""
_ASCII_UNSAFE = re.compile(r"[^A-Za-z0-9 .()\[\]_-]+")
_UNSAFE = re.compile(r"[\x00/\\:*?\"<>|]+")
_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Unicode categories that no file name needs: controls, direction marks, surrogates, line ends."""


def shown_torrent(services: Services, principal: Principal, digest: str) -> StoredTorrent:
    """The torrent with this hash; `Problem` 404 when there is none that this principal may see.

    Private torrents are there for the operator only, blocked ones for nobody.
    """
    found = services.store.find_torrent(digest.lower())
    hidden = found is None or (found.private and not principal.is_operator)
    if found is None or hidden or block_of(services.store, found.id) is not None:
        raise not_found("there is no such torrent")
    return found


def record_of(services: Services, torrent: StoredTorrent) -> Record:
    """Everything about it, with every secret of addresses and comments redacted."""
    store = services.store
    record = detailed_record(
        torrent, store.variants(torrent.id), store.sightings(torrent.id), store.files(torrent.id)
    )
    record["trackers"] = list(dict.fromkeys(redact_tracker(one) for one in record["trackers"]))
    for variant in record["variants"]:
        variant["trackers"] = [redact_tracker(one) for one in variant["trackers"]]
    record["metadata"] = {name: _redacted(value) for name, value in torrent.metadata.items()}
    record["magnet"] = magnet_of(store, torrent)
    return record


def servable(store: Store, torrent: StoredTorrent, principal: Principal, digest: str = "") -> Variant | None:
    """The file to hand out: the first variant whose addresses hold nobody's key; to the operator any.

    A `digest` that is a variant's MD5 asks for that one. None when there is none to hand out.
    """
    variants = store.variants(torrent.id)
    variants = [one for one in variants if one.md5.hex() == digest.lower()] or variants
    seeds = torrent.metadata.get("webseeds")
    # Addresses of web seeds are long by nature: only what is named as a key is taken for one.
    keyed = isinstance(seeds, list) and any(redact_url(str(seed)) != str(seed) for seed in seeds)
    open_ones = [one for one in variants if all(redact_tracker(url) == url for url in one.trackers)]
    if open_ones and not keyed:
        return open_ones[0]
    return variants[0] if variants and principal.is_operator else None


def magnet_of(store: Store, torrent: StoredTorrent) -> str:
    """Its magnet link; trackers only of torrents that are not private, and none with a key in it."""
    trackers: list[str] = []
    if not torrent.private:
        for variant in store.variants(torrent.id):
            trackers += [url for url in variant.trackers if redact_tracker(url) == url]
    return format_magnet(
        Magnet(
            infohash_v1=torrent.infohash_v1.hex() if torrent.infohash_v1 else None,
            infohash_v2=torrent.infohash_v2.hex() if torrent.infohash_v2 else None,
            display_name=torrent.name[:300],
            trackers=tuple(dict.fromkeys(trackers))[:MAX_TRACKERS],
        )
    )


def short_magnet(torrent: StoredTorrent) -> str:
    """The magnet link without trackers, which needs nothing but the row."""
    return format_magnet(
        Magnet(
            infohash_v1=torrent.infohash_v1.hex() if torrent.infohash_v1 else None,
            infohash_v2=torrent.infohash_v2.hex() if torrent.infohash_v2 else None,
            display_name=torrent.name[:300],
        )
    )


def history_of(torrent: StoredTorrent, variants: list[Variant], sightings: list[Sighting]) -> list[Record]:
    """What happened to it, oldest first."""
    events: list[tuple[float, Record]] = [(torrent.first_seen, {"what": "first_seen"})]
    events += [(one.first_seen, {"what": "file", "md5": one.md5.hex(), "size": one.size}) for one in variants]
    for one in sightings:
        told: dict[str, Any] = {
            "site": one.site,
            "page": redact_text(one.page_url),
            "wall": one.wall or "none",
        }
        events.append((one.first_seen, {"what": "seen", **told}))
        if one.last_seen > one.first_seen:
            events.append((one.last_seen, {"what": "seen_again", "times": one.times, **told}))
    events.sort(key=lambda event: event[0])
    return [{"at": timestamp(at), **told} for at, told in events]


def disposition(name: str) -> str:
    """The Content-Disposition of a .torrent file, whatever the torrent calls itself (RFC 6266).

    No path survives in it, and nothing that could end the header.
    """
    shown = "".join("\0" if category(one) in _INVISIBLE else one for one in name[:1000])
    base = _UNSAFE.sub("_", shown).strip(" .")[:100] or "torrent"
    plain = _ASCII_UNSAFE.sub("_", base).strip(" .") or "torrent"
    return f"attachment; filename=\"{plain}.torrent\"; filename*=UTF-8''{quote(f'{base}.torrent', safe='')}"


def _redacted(value: object) -> object:
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, list):
        return [_redacted(one) for one in value]
    return value
