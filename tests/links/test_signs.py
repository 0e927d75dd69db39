from __future__ import annotations

import pytest

from harvester.links.signs import EVERYTHING, Signs, signs_of
from tests.links.vectors import FILE, MAGNET, b64, thunder

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
