"""Secrets out of text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.model.redact import is_secret_header, redact_headers, redact_text, redact_url

KEY = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"https://t.example/announce?passkey={KEY}&x=1", "https://t.example/announce?passkey=***&x=1"),
        (f"https://t.example/{KEY}/announce", "https://t.example/***/announce"),
        (f"https://t.example/announce/{KEY}", "https://t.example/announce/***"),
        ("https://t.example/rss/123.abcdef0123456", "https://t.example/rss/123.***"),
        ("https://t.example/torrent/download/12.abcdef0123", "https://t.example/torrent/download/12.***"),
        ("https://me:secret@t.example/a", "https://***@t.example/a"),
        (
            "https://t.example/forum.php?mod=attachment&aid=MTJ8YWJj",
            "https://t.example/forum.php?mod=attachment&aid=***",
        ),
        ("https://t.example/index.php?sid=abc#p1", "https://t.example/index.php?sid=***#p1"),
        ("https://t.example/?a=1&amp;authkey=abc&amp;b=2", "https://t.example/?a=1&amp;authkey=***&amp;b=2"),
        ("https://t.example/x?PassKey=abc", "https://t.example/x?PassKey=***"),
        ("https://t.example/x?user_token=abc;hash=def", "https://t.example/x?user_token=***;hash=***"),
        (
            "https://t.example/x?seccodeverify=AB12&totp_code=123456",
            "https://t.example/x?seccodeverify=***&totp_code=***",
        ),
        ("https://t.example/x?token=", "https://t.example/x?token="),
        (
            "https://t.example/thread-1-1-1.html?tid=5&page=2",
            "https://t.example/thread-1-1-1.html?tid=5&page=2",
        ),
        ("magnet:?xt=urn:btih:" + KEY, "magnet:?xt=urn:btih:" + KEY),
        ("https://t.example/user@example", "https://t.example/user@example"),
        ("", ""),
    ],
)
def test_a_url_is_shown_without_its_secrets(url, shown):
    assert redact_url(url) == shown


@pytest.mark.parametrize(
    "line",
    [
        "Cookie: sid=hidden; uid=hidden",
        "set-cookie: sid=hidden; path=/",
        "Authorization: Basic hidden",
        "headers {'Cookie': 'sid=hidden'}",
        "[('X-Api-Key', 'hidden')]",
        'sending "authorization": "hidden"',
        "failed: https://u:hidden@a.example/ (try again)",
        "GET /x?passkey=hidden HTTP/1.1",
    ],
)
def test_a_log_line_is_shown_without_its_secrets(line):
    assert "hidden" not in redact_text(line)


def test_other_lines_of_a_text_stay():
    assert redact_text("one\nCookie: a=b\ntwo cookies were set") == "one\nCookie: ***\ntwo cookies were set"


def test_header_fields_that_carry_credentials_are_masked():
    fields = [("Cookie", "a"), ("Accept", "b"), ("X-API-Key", "c")]
    assert redact_headers(fields) == [("Cookie", "***"), ("Accept", "b"), ("X-API-Key", "***")]
    assert is_secret_header("SET-COOKIE")


@given(st.text(max_size=80), st.text(alphabet="abcdefghijk&?=/ \n", max_size=40))
def test_a_passkey_never_survives_whatever_stands_around_it(before, after):
    assert "q9q9q9q9" not in redact_text(f"{before}?passkey=q9q9q9q9{after}")


@given(st.text(max_size=200))
def test_redacting_twice_changes_nothing_more(text):
    once = redact_text(text)
    assert redact_text(once) == once


@pytest.mark.parametrize(
    "piece", ["?", "token", "a=&", "://", "://@", "/rss/1.", "cookie: ", "?token", "_", "Cookie:"]
)
def test_a_long_hostile_text_is_redacted_in_bounded_time(piece):
    started = time.process_time()
    redact_text(piece * (400_000 // len(piece)))
    assert time.process_time() - started < 2
