"""The interface's languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import harvester.web
from harvester.web.pages.texts import choose_language, translated

_FOLDER = Path(harvester.web.__file__).parent
_CALLED = re.compile(r'(?<![a-z])t\("([^"]+)"|count\([^"]{1,60}"([^"]+)", "([^"]+)"\)')


def used_texts() -> set[str]:
    """Every English text that a template shows."""
    found: set[str] = set()
    for path in sorted((_FOLDER / "templates").glob("*.html")):
        for match in _CALLED.finditer(path.read_text(encoding="utf-8")):
            found |= {text for text in match.groups() if text}
    return found


def test_every_text_of_the_pages_has_its_chinese() -> None:
    texts = used_texts()
    assert len(texts) > 60
    same = {"Infohash v1", "Infohash v2"}
    assert {text for text in texts if translated(text, "zh") == text} <= same


def test_a_translation_fills_in_the_same_values() -> None:
    for text in used_texts():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", translated(text, "zh")))


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        ("zh", "en", "zh"),
        ("xx", "zh-TW", "zh"),
        ("", "en;q=0.3, zh;q=0.7", "zh"),
        ("", "zh;q=0", "en"),
        ("", "fr, *;q=0.5", "en"),
        ("", "zh;q=1" + "0" * 100_000, "en"),
        ("", "," * 100_000, "en"),
    ],
)
def test_a_choice_wins_over_what_the_browser_asks_for(chosen: str, accepted: str, language: str) -> None:
    assert choose_language(chosen, accepted) == language
