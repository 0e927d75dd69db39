"""The language of a name."""

from __future__ import annotations

import pytest

from harvester.text.name_language import language_of
from harvester.text.terms import index_terms


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("三体全集", "zh"),
        ("進撃の巨人", "ja"),
        ("기생충", "ko"),
        ("Война и мир", "ru"),
        ("Тіні забутих предків", "uk"),
        ("Some.Film.2019.FRENCH.1080p", "fr"),
        ("ubuntu-24.04-desktop", ""),
        ("", ""),
    ],
)
def test_script_and_release_tags_tell_the_language(name: str, language: str) -> None:
    assert language_of(name, index_terms(name)) == language
