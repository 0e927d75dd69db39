from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from harvester.links import extract
from harvester.links.extract import extract_links
from harvester.links.signs import EVERYTHING, Signs, signs_of
from tests.links.vectors import ED2K, FILE, HASH, MAGNET, b64, qqdl, thunder

NOTHING = Signs(attributes=False, text=False, scripts=False)


@pytest.mark.parametrize(
    "html",
    [
        "<a href='/x'>x</a>",
        "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd'>",
        "<html xmlns='http://www.w3.org/1999/xhtml'><a href='http://a.example/'>x</a><img src=\"https://a.example/b\">",
        "<a href='/go?u=http://a.example/'>x</a><meta content='1;url=http://a.example/'>",
        "<script src='http://a.example/x.js'></script><script>var a='http://a.example/';</script>",
        "<style>@import 'http://a.example/';</style><a href=/x.torrent>demo.torrent</a>",
        f"<a href='/go?u={b64(FILE)}'>x</a>",
        "我们的位置",
    ],
)
def test_an_ordinary_page_shows_no_sign(html: str) -> None:
    assert signs_of(html) == NOTHING


@pytest.mark.parametrize(
    "html", [MAGNET, thunder("x").upper(), "特征码", "Info Hash", "ｍagnet", "<b>\\x6d", "ed2k://"]
)
def test_a_sign_of_an_encoded_download_has_everything_read(html: str) -> None:
    assert signs_of(html) == EVERYTHING


@pytest.mark.parametrize(
    ("html", "attributes", "text", "scripts"),
    [
        (f"<p>{FILE}</p>", False, True, False),
        ("HTTP://a.example/", False, True, False),
        ("<p title='http://a.example/'>", True, False, False),
        (f"<p data-x='{b64(FILE)}'>", True, False, False),
        ("<script>location.href='x'</script>", False, False, True),
        ("<b onclick=\"location='x'\">", True, False, False),
        ("<p>location</p>", False, False, False),
        ("<script>x='/a.torrent'</script>", False, False, True),
        (f"<script>x='{b64(FILE)}'</script><p>{FILE}", False, True, True),
        ("<IFRAME src=x>", True, False, False),
    ],
)
def test_what_is_read_depends_on_where_a_sign_stands(
    html: str, attributes: bool, text: bool, scripts: bool
) -> None:
    assert signs_of(html) == Signs(attributes=attributes, text=text, scripts=scripts)


WRITTEN = [
    *[MAGNET, thunder(FILE), qqdl(FILE), FILE, b64(FILE), b64(MAGNET), FILE[::-1], MAGNET[::-1]],
    *[FILE.encode().hex(), f"特征码：{HASH}", f"Info hash: {HASH}", "HTTPS://a.example/y.html", "/rel.html"],
    *["http：//a.example/q", f"ｍagnet:?xt=urn:btih:{HASH}", f"ed2k://|file|a|5|{ED2K}|/"],
    *["ftp://a.example/b", FILE.replace(":", "%3A"), "".join(f"%{ord(c):02x}" for c in MAGNET)],
    "".join(f"\\x{ord(c):02x}" for c in MAGNET),
]
PLACES = [
    *["<p>@</p>", "<a href='@'>x</a>", '<a href=# x="@">', "<div data-x='@'>", "<script>var a='@';</script>"],
    *[
        "<base href='@'>",
        "<script>location.href='@'</script>",
        "<b onclick=\"window.open('@')\">",
        "<td>@</td>",
    ],
    *['<input value="@">', "<i title='see @'>", "<textarea>@</textarea>", '<script>f("@")</script>'],
    *["<div href='@'>", "<video src='@'>", "<li data-href='@'>", "<!-- @ -->", "<iframe src='@'></iframe>"],
    *["<form action='@'>", "<style>@</style>", "<a onclick=\"a('@')\">", "<option value='@'>", "<td>@</td>"],
]
PIECE = st.builds(
    lambda place, text: place.replace("@", text), st.sampled_from(PLACES), st.sampled_from(WRITTEN)
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECE, max_size=3).map("".join))
def test_reading_what_the_signs_ask_for_finds_what_reading_everything_finds(html: str) -> None:
    page = "https://bbs.example.com/forum/thread-12-1-1.html"
    asked = {link.url for link in extract_links(html, page).links}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extract, "signs_of", lambda _: EVERYTHING)
        everything = {link.url for link in extract_links(html, page, tree=LexborHTMLParser(html)).links}
    assert asked == everything
