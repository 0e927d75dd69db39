"""What a body is, told by its structure and never by what it is called."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import LimitExceeded, NotATorrent
from harvester.torrents import identify, parse_torrent, recognise
from harvester.torrents.recognition import unwrap
from tests.torrents.building import encode, torrent

BODY = torrent(announce=b"http://tracker.example/announce")


@pytest.mark.parametrize(
    ("body", "flags"),
    [
        (BODY, set()),
        (gzip.compress(BODY, mtime=0), {"gzip"}),
        (zlib.compress(BODY), {"gzip"}),
        (zlib.compress(BODY, 9), {"gzip"}),
        (gzip.compress(b"\n" + BODY, mtime=0), {"gzip", "leading_blanks"}),
        (b"\r\n\r\n" + gzip.compress(BODY, mtime=0), {"gzip", "leading_blanks"}),
        (gzip.compress(BODY, mtime=0)[:-4], {"gzip", "damaged_gzip"}),
        (b"\xef\xbb\xbf" + BODY, {"leading_bom"}),
        (b"\n\n  \t" + BODY, {"leading_blanks"}),
        (b"\xef\xbb\xbf\r\n" + BODY, {"leading_bom", "leading_blanks"}),
        (b"\r\n\xef\xbb\xbf" + BODY, {"leading_bom", "leading_blanks"}),
        (BODY + b"\n", {"trailing_bytes"}),
        (BODY + b"%d" % len(BODY), {"trailing_bytes"}),
        (BODY + b"<html><title>Login</title>", {"trailing_bytes"}),
    ],
)
def test_a_wrapping_is_taken_off_and_flagged(body: bytes, flags: set[str]) -> None:
    verdict = recognise(body)
    assert (verdict.kind, verdict.content, set(verdict.flags)) == ("torrent", BODY, flags)


@pytest.mark.parametrize(
    "wrap", [gzip.compress, lambda body: b"\xef\xbb\xbf" + body, lambda body: body + b"\n"]
)
def test_downloads_that_differ_in_wrapping_have_one_md5(wrap: object) -> None:
    plain, wrapped = parse_torrent(BODY), parse_torrent(wrap(BODY))  # type: ignore[operator]
    assert (wrapped.md5, wrapped.content_length) == (plain.md5, len(BODY))
    assert wrapped.infohash_v1 == plain.infohash_v1


@pytest.mark.parametrize(
    "content_type", [None, "", "text/html", "text/html; charset=utf-8", "image/png", "\xff" * 300]
)
def test_a_torrent_is_one_whatever_the_content_type(content_type: str | None) -> None:
    verdict = recognise(BODY, content_type)
    assert verdict.is_torrent
    assert ("sent_as_html" in verdict.flags) == ("html" in (content_type or ""))


PAGE = b"<!DOCTYPE html><html><head><title>\n Login &amp; more </title></head><body>d8:announce</body></html>"


@pytest.mark.parametrize(
    ("body", "content_type", "kind", "reason"),
    [
        (PAGE, "text/html", "html", 'an HTML page titled "Login & more"'),
        (PAGE, None, "html", 'an HTML page titled "Login & more"'),
        (
            PAGE,
            "application/x-bittorrent; x=y",
            "html",
            'an HTML page titled "Login & more", sent as application/x-bittorrent',
        ),
        (b"\xef\xbb\xbf\n" + PAGE, None, "html", 'an HTML page titled "Login & more"'),
        (gzip.compress(PAGE, mtime=0), "text/html", "html", 'an HTML page titled "Login & more"'),
        (
            "<html><title>登录论坛</title>".encode("gbk"),
            "text/html; charset=gbk",
            "html",
            'an HTML page titled "登录论坛"',
        ),
        (
            b'<html><meta charset="big5"><title>' + "登入論壇".encode("big5") + b"</title>",
            None,
            "html",
            'an HTML page titled "登入論壇"',
        ),
        ("<html><title>Вход</title>".encode(), "text/html", "html", 'an HTML page titled "Вход"'),
        (b"<html><title>a\x1b[31m\x07b</title>", None, "html", 'an HTML page titled "a[31mb"'),
        (b"<html><title></title>", None, "html", "an HTML page"),
        (b"<HTML><BODY>no", None, "html", "an HTML page"),
        (b"Warning: <b>x</b> in <br />\n", None, "html", "an HTML page"),
        (b"<?xml version='1.0'?><rss></rss>", None, "xml", "an XML document"),
        (b"", None, "empty", "an empty body"),
        (b" \r\n", None, "empty", "an empty body"),
        (
            b"PK\x03\x04" + bytes(30),
            None,
            "archive",
            "a zip archive; a torrent inside it has to be unpacked first",
        ),
        (b"Rar!\x1a\x07\x00", None, "archive", "a RAR archive; a torrent inside it has to be unpacked first"),
        (b"\x1f\x8b\x08garbage", None, "archive", "a damaged gzip or zlib file"),
        (b'{"error": "no"}', "application/json", "json", "a JSON document"),
        (b"magnet:?xt=urn:btih:" + b"a" * 40, None, "text", "a magnet link as text"),
        (b"dear user, log in", None, "text", 'a text that begins "dear user, log in"'),
        (b"You have no rights", None, "text", 'a text that begins "You have no rights"'),
        (b"%PDF-1.4", None, "other", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n", None, "other", "a PNG image"),
        (b"\x00\x01\x02\x03", None, "other", "binary data of an unknown kind"),
        (b"l1:ae", None, "bencode", "bencoded data that is no dictionary"),
        (b"4:spam", None, "bencode", "bencoded data that is no dictionary"),
        (b"de", None, "bencode", "bencoded data without an `info` dictionary"),
        (b"d4:infoi1ee", None, "bencode", "bencoded data whose `info` is no dictionary"),
        (b"d14:failure reason6:no waye", None, "bencode", 'a tracker\'s answer: "no way"'),
        (b"d8:intervali9e5:peers0:e", None, "bencode", "a tracker's answer, no torrent"),
        (b"d10:magnet-uri1:xe", None, "resume", "a client's note of a magnet link, without the torrent"),
        (b"d10:.fileguard1:xe", None, "resume", "the private data of a client (uTorrent), no torrent"),
        (
            b"d11:file-format22:libtorrent resume filee",
            None,
            "resume",
            "the resume file of a client (libtorrent), no torrent",
        ),
        (
            BODY[:50],
            "application/x-bittorrent",
            "truncated",
            "bencoded data cut at byte 50: a string of 4 bytes begins at byte 47",
        ),
    ],
)
def test_what_is_no_torrent_is_named(body: bytes, content_type: str | None, kind: str, reason: str) -> None:
    verdict = recognise(body, content_type)
    assert (verdict.kind, verdict.reason) == (kind, reason)
    assert verdict.content == b""
    with pytest.raises(NotATorrent) as caught:
        parse_torrent(body, content_type)
    assert (caught.value.kind, caught.value.reason) == (kind, reason)


def test_a_decompressed_body_is_bounded() -> None:
    bomb = gzip.compress(bytes(20_000_000))
    assert recognise(bomb).kind == "too_large"
    with pytest.raises(LimitExceeded):
        unwrap(bomb)


def test_more_bytes_than_the_limit_are_too_large() -> None:
    assert recognise(BODY + bytes(10_000_000)).kind == "too_large"


def test_a_long_title_is_cut() -> None:
    verdict = recognise(b"<html><title>" + b"a" * 400 + b"</title>")
    assert verdict.reason == 'an HTML page titled "' + "a" * 99 + '…"'


@given(st.binary(max_size=300), st.none() | st.text(max_size=40))
def test_recognise_never_raises(body: bytes, content_type: str | None) -> None:
    for start in (b"", b"<html><title>", b"d4:info", b"\x1f\x8b\x08", b"\x78\x9c"):
        verdict = recognise(start + body, content_type)
        assert verdict.is_torrent or verdict.reason


@given(st.binary(max_size=100))
def test_html_is_never_a_torrent(inside: bytes) -> None:
    assert recognise(b"<html>" + inside + BODY, "application/x-bittorrent").kind == "html"


def test_identify_takes_wrapped_torrents_too() -> None:
    assert identify(gzip.compress(BODY, mtime=0)).infohash_v1 == identify(BODY).infohash_v1


def test_words_of_a_tracker_are_shown_without_control_characters() -> None:
    assert "\x1b" not in recognise(encode({b"failure reason": b"\x1b[31mred"})).reason
