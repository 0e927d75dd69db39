from __future__ import annotations

import pytest

from harvester.links.codecs.js_escape import attempt, undo


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"\x6d\x61", "ma"),
        (r"m", "m"),
        (r"\u{6d}\u{1F600}", "m😀"),
        (r"😀", "😀"),
        ("%u006d%u7535", "m电"),
        (r"\155\60", "m0"),
        (r"http:\/\/a\.b", "http://a.b"),
        (r"a\nb\\c\'", "a\nb\\c'"),
        ("a\\\nb", "ab"),
        (r"\ud800", "\ufffd"),
        (r"\u{FFFFFF}", "\ufffd"),
        ("plain", "plain"),
    ],
)
def test_escapes_are_undone(written: str, meant: str) -> None:
    assert undo(written) == meant


def test_a_text_without_escapes_is_no_disguise() -> None:
    assert attempt("plain") is None
    assert attempt("100%unicode") is None
    assert attempt(r"\x6d") == "m"
