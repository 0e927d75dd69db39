"""Magnet links (BEP 9, BEP 53); `harvester.torrents.magnet` reads and writes them."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from harvester.links.codecs.http import secret_names
from harvester.links.payload import FinalCodec, Finished, percent_decoded
from harvester.torrents.magnet import format_magnet, parse_magnet


def finish(link: str, charset: str) -> Finished:
    """The canonical magnet: lower-case hex, v1 before v2."""
    magnet = parse_magnet(link)
    url = format_magnet(magnet)
    secrets: dict[str, None] = {}
    for tracker in (*magnet.trackers, *magnet.webseeds):
        secrets.update(dict.fromkeys(secret_names(_query(tracker))))
    return Finished(url, percent_decoded(url, charset), magnet=magnet, secret_params=tuple(secrets))


def _query(tracker: str) -> list[str]:
    try:
        return [name for name, _ in parse_qsl(urlsplit(tracker).query, max_num_fields=100)]
    except ValueError:
        return []


CODEC = FinalCodec("magnet", ("magnet",), finish)
