from __future__ import annotations

from harvester.links.decode import decode_link
from tests.links.vectors import HASH, HASH_V2, MAGNET, b64, thunder


def test_topics_are_canonical_and_v1_comes_first() -> None:
    decoded = decode_link(f"magnet:?xt.1=urn:btmh:1220{HASH_V2.upper()}&xt.2=urn:btih:{HASH.upper()}")
    assert decoded.url == f"{MAGNET}&xt=urn:btmh:1220{HASH_V2}"
    assert decoded.chain == ("magnet",)


def test_passkeys_in_trackers_are_named() -> None:
    decoded = decode_link(f"{MAGNET}&tr=http%3A%2F%2Ft.example%2Fa%3Fpasskey%3Dabc%26x%3D1&tr=udp%3A%2F%2Fu")
    assert decoded.secret_params == ("passkey",)


def test_a_magnet_is_found_in_every_disguise() -> None:
    for link in (
        thunder(MAGNET),
        b64(MAGNET),
        MAGNET[::-1],
        b64(MAGNET)[::-1],
        MAGNET.encode().hex(),
        "".join(f"\\x{ord(c):02X}" for c in MAGNET),
        "".join(f"%u{ord(c):04x}" for c in MAGNET),
        "".join(f"%{ord(c):02x}" for c in MAGNET),
        MAGNET.replace(":", "%3A").replace("%3A", "%253A"),
    ):
        assert decode_link(link).url == MAGNET
