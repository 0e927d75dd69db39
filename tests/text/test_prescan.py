"""html5lib's encoding cases, and what the prescan forgives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.text.charset import decode_page
from harvester.text.encoding_labels import encoding_name
from harvester.text.prescan import declared_encoding

CASES = Path(__file__).parents[3] / "shared" / "data" / "conformance" / "html5lib-encoding"

# What is read otherwise than html5lib's cases say, and why.
EXPLAINED = {
    b'<!DOCTYPE HTML>\n<meta http-equiv="Content-Type content="text/html; charset=iso8859-2">': (
        "a quote is missing; the stray quote at the end of the label is forgiven, nobody means windows-1252"
    ),
    b'<!DOCTYPE HTML>\n<meta charset=iso8859-2">\n<p>"</p>': "the same stray quote",
}


def read_cases() -> list[tuple[str, bytes, str]]:
    cases = []
    for path in sorted(CASES.glob("*.dat")):
        for number, case in enumerate(path.read_bytes().split(b"#data\n")[1:]):
            data, expected = case.split(b"#encoding\n")
            name = encoding_name(expected.strip().decode())
            assert name is not None
            cases.append((f"{path.stem}-{number}", data.removesuffix(b"\n"), name))
    return cases


def test_the_cases_are_all_there() -> None:
    assert len(read_cases()) == 82


@pytest.mark.parametrize(("data", "expected"), [pytest.param(d, e, id=i) for i, d, e in read_cases()])
def test_html5lib_cases_decode_as_expected_or_are_explained(data: bytes, expected: str) -> None:
    page = decode_page(data)
    if data in EXPLAINED:
        assert page.encoding != expected
        return
    if page.how == "utf8" and expected == "euc-jp":
        # Yahoo's page as the suite keeps it declares EUC-JP and is UTF-8: the bytes overrule it.
        assert "日本最大級" in page.text
        return
    if page.how == "utf8" and data.isascii() and expected == "windows-1252":
        # Nothing is declared and the text is ASCII: html5lib names its default, the text is the same.
        assert page.text == data.decode("ascii")
        return
    assert page.encoding == expected


@pytest.mark.parametrize(
    "meta",
    [
        b'<meta httpequiv="Content-Type" content="text/html; charset=gb2312">',
        b'<meta content="text/html; charset=gb2312" http-equiv=Content-Type>',
        b'<META HTTP-EQUIV="content-type" CONTENT="text/html;charset=GBK"/>',
        b"<meta http_equiv='Content-Type' content='text/html; charset = \"gbk\"'>",
        b"<meta charset=gb18030>",
        b'<?xml version="1.0" encoding="GB2312"?><rss>',
    ],
)
def test_a_chinese_declaration_is_read_as_gb18030(meta: bytes) -> None:
    declared = declared_encoding(b"<html><head>" + meta if not meta.startswith(b"<?") else meta)
    assert declared is not None
    assert declared[0] == "gb18030"


def test_a_declaration_in_a_comment_or_in_the_text_says_nothing() -> None:
    assert declared_encoding(b'<!-- <meta charset="gbk"> --><p>charset=gbk</p>') is None


def test_a_declared_utf16_that_can_be_read_is_utf8() -> None:
    assert declared_encoding(b'<meta charset="utf-16le">') == ("utf-8", False)


@given(st.binary(max_size=400))
def test_any_bytes_declare_an_encoding_that_can_be_read_or_none(body: bytes) -> None:
    declared = declared_encoding(b"<meta " + body)
    assert declared is None or encoding_name(declared[0]) is not None


def test_hostile_markup_costs_linear_time() -> None:
    for piece in (b"<meta ", b"<meta a=", b"<!--", b"</", b'<a "', b"<meta content='"):
        assert declared_encoding(piece * 20_000, 65_536) is None
