"""Bytes become the text that their author wrote."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.text.charset import decode_page, python_codec

CHINESE = (
    "<html><head><title>电影下载 - 论坛</title></head><body>本帖隐藏的内容需要回复才可以浏览。我们在这里发布"
    "最新的电影和软件，请大家下载后二十四小时内删除。版主说这个主题很好，有问题可以问我。</body></html>"
)
TRADITIONAL = (
    "<title>電影下載 - 論壇</title>這個主題的內容需要回覆才可以看到，我們在這裡發布最新的電影和軟體，"
    "請大家下載後刪除，有問題可以問我。版主說這個問題還沒有解決。"
)
RUSSIAN = "<title>Раздача торрентов</title>" + "Вы должны войти, чтобы скачать этот торрент-файл. " * 8
JAPANESE = "<title>掲示板</title>" + "このファイルをダウンロードするにはログインしてください。" * 6


@pytest.mark.parametrize(
    ("text", "codec", "expected"),
    [
        (CHINESE, "gbk", "gb18030"),
        (CHINESE, "gb2312", "gb18030"),
        (TRADITIONAL, "big5", "big5"),
        (RUSSIAN, "cp1251", "windows-1251"),
        (RUSSIAN, "koi8-r", "koi8-r"),
        (JAPANESE, "shift_jis", "shift_jis"),
        (JAPANESE, "euc_jp", "euc-jp"),
        (CHINESE, "utf-8", "utf-8"),
        ("<html><title>A page without a byte order mark</title>", "utf-16-le", "utf-16le"),
        ("<html><title>A page without a byte order mark</title>", "utf-16-be", "utf-16be"),
    ],
)
def test_undeclared_text_is_detected(text: str, codec: str, expected: str) -> None:
    page = decode_page(text.encode(codec, "replace"))
    assert page.encoding == expected
    assert page.errors == 0


def test_402_bytes_of_gb2312_are_not_called_big5() -> None:
    body = (CHINESE * 4).encode("gb2312")[:402]
    page = decode_page(body)
    assert page.encoding == "gb18030"
    assert "电影下载" in page.text


def test_a_short_gb2312_title_is_chinese() -> None:
    assert decode_page("<title>我们的论坛 最新电影下载</title>".encode("gb2312")).encoding == "gb18030"


def test_gb2312_that_holds_gb18030_characters_is_read_whole() -> None:
    body = "<meta charset=gb2312>朱镕基 喆 堃 €㐀𠀀".encode("gb18030")
    page = decode_page(body)
    assert page.text.endswith("朱镕基 喆 堃 €㐀𠀀")
    assert page.errors == 0


def test_a_header_that_says_utf8_over_a_gb2312_body_is_overruled() -> None:
    page = decode_page(CHINESE.encode("gb2312"), "text/html; charset=utf-8")
    assert (page.encoding, page.errors) == ("gb18030", 0)
    assert "本帖隐藏的内容" in page.text


def test_the_meta_of_the_page_is_believed_when_the_header_is_wrong() -> None:
    body = ("<meta charset=windows-1251>" + RUSSIAN).encode("cp1251")
    page = decode_page(body, "text/html; charset=utf-8")
    assert (page.encoding, page.how) == ("windows-1251", "meta")


def test_a_header_that_says_gbk_over_a_utf8_body_is_overruled() -> None:
    page = decode_page(CHINESE.encode(), "text/html; charset=gbk")
    assert (page.text, page.encoding, page.how) == (CHINESE, "utf-8", "utf8")


def test_utf8_cut_in_the_middle_of_a_character_stays_utf8() -> None:
    page = decode_page((CHINESE * 3).encode()[:-20][:-1], "text/html; charset=utf-8")
    assert (page.encoding, page.how) == ("utf-8", "header")
    assert page.errors <= 1


def test_a_bom_beats_the_header() -> None:
    page = decode_page(b"\xef\xbb\xbf" + CHINESE.encode(), "text/html; charset=gbk")
    assert (page.text, page.how) == (CHINESE, "bom")


def test_the_header_beats_the_meta() -> None:
    body = b"<meta charset=koi8-r>" + RUSSIAN.encode("cp1251")
    assert decode_page(body, 'text/html; Charset="windows-1251"').encoding == "windows-1251"


def test_the_override_of_the_site_file_beats_everything() -> None:
    page = decode_page(CHINESE.encode("gbk"), "text/html; charset=big5", "gbk")
    assert (page.text, page.how) == (CHINESE, "override")


def test_an_unknown_charset_in_the_header_is_passed_over() -> None:
    page = decode_page(b"<meta charset=gbk>" + CHINESE.encode("gbk"), "text/html; charset=none")
    assert (page.encoding, page.how) == ("gb18030", "meta")


def test_the_number_of_unreadable_places_is_counted() -> None:
    page = decode_page(b"plain text with one bad \xff byte and \xe4\xb8\xad" * 1, None, "utf-8")
    assert page.errors == 1


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        (" GB2312 ", "gb18030"),
        ("latin1", "cp1252"),
        ("x-sjis", "cp932"),
        ("iso-2022-kr", None),
        ("rot13", None),
    ],
)
def test_labels_lead_to_python_codecs(label: str, codec: str | None) -> None:
    assert python_codec(label) == codec


@settings(max_examples=200)
@given(
    st.binary(max_size=300),
    st.none()
    | st.text(max_size=40).map("text/html; charset=".__add__)
    | st.sampled_from(["charset=gbk", "charset=utf-16"]),
    st.none() | st.sampled_from(["gbk", "utf-8", "iso-2022-jp", "utf-16le", "nonsense"]),
)
def test_no_bytes_and_no_header_make_decoding_raise(
    body: bytes, header: str | None, override: str | None
) -> None:
    page = decode_page(body, header, override)
    assert page.errors >= 0


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_utf8_comes_back_as_it_was_written(text: str) -> None:
    if not text.startswith("﻿"):
        assert decode_page(text.encode(), "text/html; charset=utf-8").text == text
