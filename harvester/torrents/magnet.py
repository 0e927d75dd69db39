"""Magnet links: read and written (BEP 9, BEP 53; libtorrent's magnet_uri.cpp as the partner)."""

from __future__ import annotations

from harvester.model.magnet import Magnet


def parse_magnet(text: str) -> Magnet:
    """Read a magnet link as pages write it: any case, `magnet:///?`, `&amp;`, blanks, `xt.1`, base32.

    Raises `LinkRejected` with the reason `not_a_link` (no magnet at all), `too_long`, `control_char`,
    `no_xt`, `no_bt_topic` (topics, but none of BitTorrent), `bad_hash` or `null_hash`.
    """
    raise NotImplementedError


def format_magnet(magnet: Magnet) -> str:
    """The canonical spelling, ASCII only: lower-case hex, v1 before v2, then dn, xl, tr, ws, x.pe, so, rest.

    `parse_magnet` gives the same value back. For an identity without trackers pass
    `dataclasses.replace(magnet, trackers=(), …)`, or call `magnet_uri`.
    """
    raise NotImplementedError


def magnet_uri(infohash_v1: str | None, infohash_v2: str | None, display_name: str = "") -> str:
    """The short canonical magnet: topics and name, nothing that could hold a passkey."""
    raise NotImplementedError
