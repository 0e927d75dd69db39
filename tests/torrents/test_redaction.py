"""No secret of a tracker's address is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.torrents.redaction import redact_tracker

KEY = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"http://t.example/announce?passkey={KEY}&x=1", "http://t.example/announce?passkey=***&x=1"),
        (f"http://t.example/{KEY}/announce", "http://t.example/***/announce"),
        (f"http://t.example/announce/{KEY}", "http://t.example/announce/***"),
        (f"http://t.example/announce.php?PASSKEY={KEY}", "http://t.example/announce.php?PASSKEY=***"),
        ("http://t.example/rss/123.abcdef0123", "http://t.example/rss/123.***"),
        ("http://me:secret@t.example/announce", "http://***@t.example/announce"),
        ("https://t.example/a?torrent_pass=short", "https://t.example/a?torrent_pass=***"),
        ("https://t.example/a?x=q1w2e3r4t5y6u7i8o9p0", "https://t.example/a?x=***"),
        (f"http://t.example/a%3Fpasskey%3D{KEY}", "http://t.example/a%3Fpasskey%***"),
        ("udp://tracker.example.org:6969/announce", "udp://tracker.example.org:6969/announce"),
        (
            "https://archive.example/download/ubuntu-22.04.iso",
            "https://archive.example/download/ubuntu-22.04.iso",
        ),
        ("no url at all", "no url at all"),
        ("http://[::1", "http://[::1"),
    ],
)
def test_an_address_is_shown_without_its_secrets(url: str, shown: str) -> None:
    assert redact_tracker(url) == shown


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_passkey_never_survives_whatever_stands_around_it(before: str, after: str) -> None:
    assert KEY not in redact_tracker(f"{before}{KEY}{after}")
