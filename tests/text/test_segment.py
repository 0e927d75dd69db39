"""Words of Chinese by dictionary."""

from __future__ import annotations

from harvester.text.segment import dictionary_words


def test_whole_words_are_found_and_parts_of_words_are_not() -> None:
    assert {"权力", "游戏"} <= set(dictionary_words("权力的游戏"))
    assert not {"中国", "展中"} & set(dictionary_words("发展中国家"))


def test_latin_text_and_single_characters_have_no_dictionary_words() -> None:
    assert dictionary_words("ubuntu server") == []
    assert dictionary_words("第1季") == []
