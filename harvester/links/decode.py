"""Decoding one candidate string to the link inside it."""

from __future__ import annotations

from harvester.model.link import Decoded


def decode_link(text: str, base_url: str | None = None) -> Decoded:
    """The link inside `text`: an encoded download link, a magnet, a plain or relative URL.

    At most 5 wrappers. Raises `LinkRejected` with a stable reason: empty, too_long, too_deep,
    not_a_link, scheme_not_allowed, bad_base64, bad_marker, bad_encoding, control_char, no_host,
    bad_hash, null_hash, bad_size, not_a_file_link, no_xt, no_bt_topic.
    """
    raise NotImplementedError
