"""Charset labels are looked up, never passed on; a right reading looks more natural than a wrong one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.torrents.charsets import CODECS, DETECTABLE, known_label, naturalness, strict_decode


@pytest.mark.parametrize("label", CODECS)
def test_every_label_is_known_by_its_own_name_and_has_python_codecs(label: str) -> None:
    assert known_label(label.encode()) == label
    assert known_label(label.upper()) == label
    assert all("a".encode(codec) == b"a" for codec in CODECS[label])


@pytest.mark.parametrize(
    ("said", "label"),
    [
        (b"GBK", "gb18030"),
        (b"gb_2312-80", "gb18030"),
        (936, "gb18030"),
        (b"Big5-HKSCS", "big5"),
        (950, "big5"),
        ("Shift_JIS", "shift_jis"),
        (b"windows-31j", "shift_jis"),
        (949, "euc-kr"),
        (51932, "euc-jp"),
        (b"CP1251", "windows-1251"),
        (1251, "windows-1251"),
        (20866, "koi8-r"),
        (b"latin-1", "iso-8859-1"),
        (b"ISO8859-1", "iso-8859-1"),
        (65001, "utf-8"),
        (b"UTF8", "utf-8"),
    ],
)
def test_the_usual_names_and_code_pages_are_known(said: object, label: str) -> None:
    assert known_label(said) == label


@pytest.mark.parametrize(
    "said", [b"rot13", b"mbcs", b"idna", b"utf-16", b"utf-7", b"cp500", b"hex", b"", 0, -5, 10**9, None, []]
)
def test_other_codecs_of_python_are_not_known(said: object) -> None:
    assert known_label(said) is None


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60), st.integers(), st.none()))
def test_a_label_is_always_one_of_ours(said: object) -> None:
    assert known_label(said) in {*CODECS, None}


def test_every_answer_of_the_detector_has_a_label() -> None:
    assert set(DETECTABLE.values()) <= set(CODECS)


@pytest.mark.parametrize(
    ("text", "codec", "right", "wrong"),
    [
        ("卧虎藏龙", "gbk", "gb18030", "euc-kr"),
        ("電影明星", "big5", "big5", "gb18030"),
        ("ドラえもん", "cp932", "shift_jis", "gb18030"),
        ("무한도전", "cp949", "euc-kr", "gb18030"),
        ("Сталкер", "cp1251", "windows-1251", "koi8-r"),
        ("Сталкер", "koi8_r", "koi8-r", "windows-1251"),
        ("Fräulein", "cp1252", "windows-1252", "windows-1251"),
    ],
)
def test_the_right_reading_looks_more_natural(text: str, codec: str, right: str, wrong: str) -> None:
    raw = text.encode(codec)
    misread = strict_decode(raw, wrong)
    assert strict_decode(raw, right) == text
    assert naturalness(text, right) > 0.5
    assert misread is None or naturalness(text, right) > naturalness(misread, wrong)


@given(st.text(max_size=40), st.sampled_from(list(CODECS)))
def test_naturalness_is_a_small_number_for_any_text(text: str, label: str) -> None:
    assert -3 < naturalness(text, label) < 3
