from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.errors import LinkRejected
from harvester.links.decode import MAX_LENGTH, decode_link, may_fetch
from harvester.model.link import Decoded
from tests.links.vectors import ED2K, FILE, HASH, MAGNET, b64, flashget, qqdl, thunder, vectors


def _reason(text: str, base: str | None = None) -> str:
    with pytest.raises(LinkRejected) as refused:
        decode_link(text, base)
    return refused.value.reason


def _differences(decoded: Decoded, expected: dict[str, Any]) -> list[str]:
    found = {
        "url": decoded.url,
        "chain": list(decoded.chain),
        "display": decoded.display,
        "lenient": decoded.lenient,
        "payload_encoding": decoded.payload_encoding,
        "fetch_allowed": decoded.fetch_allowed,
        "secret_params": list(decoded.secret_params),
    }
    if decoded.magnet is not None:
        magnet = decoded.magnet
        found["magnet"] = {
            "infohash_v1": magnet.infohash_v1,
            "infohash_v2": magnet.infohash_v2,
            "dn": magnet.display_name,
            "tr": list(magnet.trackers),
            "xl": magnet.size,
            "ws": list(magnet.webseeds),
            "so": magnet.select_only,
        }
    if decoded.ed2k is not None:
        found["ed2k"] = {"name": decoded.ed2k.name, "size": decoded.ed2k.size, "hash": decoded.ed2k.hash}
    if decoded.discuz_aid is not None:
        aid = decoded.discuz_aid
        found["discuz_aid"] = {"aid": aid.aid, "k": aid.key, "t": aid.time, "uid": aid.uid, "tid": aid.tid}
    found["fs2you"] = {"size": decoded.file_size, "name": decoded.file_name}
    wrong = []
    for name, value in expected.items():
        if name == "status" or (name == "url" and value is None):
            continue
        have = found[name]
        if isinstance(value, dict):
            assert isinstance(have, dict)
            have = {key: have[key] for key in value}
        if have != value:
            wrong.append(f"{name}: {have!r}, not {value!r}")
    return wrong


@pytest.mark.parametrize("vector", vectors("url"), ids=lambda vector: vector["id"])
def test_a_shared_vector_decodes_as_it_says(vector: dict[str, Any]) -> None:
    expected = vector["expect"]
    if expected["status"] == "ok":
        assert _differences(decode_link(vector["input"], vector.get("base_url")), expected) == []
    else:
        reason = _reason(vector["input"], vector.get("base_url"))
        assert reason in (expected["reason"], *expected.get("reason_also", ()))


def test_wrappers_nest_five_deep_and_no_deeper() -> None:
    link = FILE
    for wrap in (thunder, flashget, qqdl, thunder, qqdl):
        link = wrap(link)
    assert decode_link(link).url == FILE
    assert decode_link(link).chain == ("qqdl", "thunder", "qqdl", "flashget", "thunder")
    assert _reason(thunder(link)) == "too_deep"


def test_disguises_count_as_wrappers() -> None:
    link = FILE
    for _ in range(5):
        link = b64(link)
    assert decode_link(link).chain == ("base64",) * 5 + ("http",)
    assert _reason(b64(link)) == "too_deep"


def test_gbk_paths_are_requested_in_their_own_bytes() -> None:
    decoded = decode_link(thunder("http://dl.example.com/电影/第01集.torrent", "gb18030"))
    assert decoded.url == "http://dl.example.com/%B5%E7%D3%B0/%B5%DA01%BC%AF.torrent"
    assert decoded.display == "http://dl.example.com/电影/第01集.torrent"
    assert decoded.payload_encoding == "gb18030"
    assert decoded.alternatives == ("http://dl.example.com/%E7%94%B5%E5%BD%B1/%E7%AC%AC01%E9%9B%86.torrent",)


def test_a_gbk_character_whose_second_byte_is_ascii_does_not_cut_the_link() -> None:
    data = b"http://dl.example.com/\x81\x5c\x81\x7c.torrent"
    decoded = decode_link("thunder://" + b64(b"AA" + data + b"ZZ"))
    assert decoded.url == "http://dl.example.com/%81%5C%81%7C.torrent"


def test_a_host_in_gbk_becomes_punycode() -> None:
    assert decode_link(thunder("http://电影.example/a", "gbk")).url == "http://xn--p3t879b.example/a"


@pytest.mark.parametrize(
    "text",
    [
        f"  {thunder(FILE)}\n",
        f"\ufeff{thunder(FILE)}\u200b",
        thunder(FILE).replace("thunder://", "thunder：／／"),
        thunder(FILE).replace("thunder", "ｔｈｕｎｄｅｒ").replace(":", "："),
        thunder(FILE) + "/",
        thunder(FILE).rstrip("="),
        thunder(FILE).replace("=", "%3D"),
        thunder(FILE).replace("=", "%3d") + "/",
        thunder(FILE)[:30] + "\r\n" + thunder(FILE)[30:],
        thunder(FILE).replace("thunder://", "ThUnDeR://"),
        thunder(FILE).replace("://", ":\\\\"),
    ],
)
def test_a_thunder_link_survives_what_pages_do_to_it(text: str) -> None:
    assert decode_link(text).url == FILE


def test_slashes_escaped_for_a_script_are_undone() -> None:
    for link in (FILE, thunder(FILE), MAGNET.replace(":", ":", 1)):
        assert decode_link(link.replace("/", "\\/")).url == decode_link(link).url
    assert decode_link(FILE.replace("/", "\\/")).chain == ("js_escape", "http")
    assert decode_link("http:\\\\dl.example.com\\files\\demo.torrent").url == FILE


def test_invisible_characters_in_a_link_are_left_out() -> None:
    assert decode_link(MAGNET[:40] + "\u200b\u00ad" + MAGNET[40:]).url == MAGNET


def test_only_entities_with_a_semicolon_are_undone() -> None:
    assert decode_link("http://example.com/?a=1&amp;copy=2&reg=3&#38;x=4").url == (
        "http://example.com/?a=1&copy=2&reg=3&x=4"
    )


def test_an_entity_escaped_magnet_is_read() -> None:
    assert decode_link("".join(f"&#{ord(character)};" for character in MAGNET)).url == MAGNET


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        (" \u200b\n", "empty"),
        ("x" * (MAX_LENGTH + 1), "too_long"),
        ("just words", "not_a_link"),
        (HASH, "not_a_link"),
        ("javascript:alert(1)", "scheme_not_allowed"),
        ("data:text/html;base64,PGEgaHJlZj0i", "scheme_not_allowed"),
        ("gopher://example.com/", "scheme_not_allowed"),
        ("unknown://example.com/", "scheme_not_allowed"),
        ("http:///a.torrent", "no_host"),
        ("http://:80/a", "no_host"),
        ("http://user@/a", "no_host"),
        ("http://a\x00b/", "control_char"),
        ("http://example.com/a\r\nHost: evil", "control_char"),
        ("http://exa mple.com/", "not_a_link"),
        (thunder("mailto:a@example.com"), "scheme_not_allowed"),
        (thunder(""), "empty"),
        (thunder("magnet:?xt=urn:btih:123"), "bad_hash"),
        ("magnet:?xt=urn:btih:" + "g" * 40, "bad_hash"),
        ("ed2k://|file|a|x|" + ED2K + "|/", "bad_size"),
        ("forum.php?mod=attachment", "not_a_link"),
    ],
)
def test_what_leads_nowhere_is_refused_with_its_reason(text: str, reason: str) -> None:
    assert _reason(text) == reason


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("attachment.php?aid=5", "https://bbs.example.com/f/attachment.php?aid=5"),
        ("/dl/1", "https://bbs.example.com/dl/1"),
        ("//dl.example.com/1", "https://dl.example.com/1"),
        ("?id=1&amp;x=2", "https://bbs.example.com/f/t.php?id=1&x=2"),
        ("电影.torrent", "https://bbs.example.com/f/%E7%94%B5%E5%BD%B1.torrent"),
    ],
)
def test_a_relative_link_is_resolved_against_its_page(text: str, url: str) -> None:
    decoded = decode_link(text, "https://bbs.example.com/f/t.php")
    assert (decoded.url, decoded.chain) == (url, ("http",))


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://10.0.0.1/", "http://[::1]/", "http://[::ffff:192.168.0.1]/", "http://2130706433/",
     "http://localhost/", "http://a.localhost:80/", "http://169.254.169.254/x", "ftp://example.com/", MAGNET],
)  # fmt: skip
def test_private_addresses_and_other_schemes_are_never_to_be_fetched(url: str) -> None:
    assert not decode_link(url).fetch_allowed


@pytest.mark.parametrize("url", [FILE, "https://8.8.8.8/", "http://[2606:4700::1111]/"])
def test_public_addresses_may_be_fetched(url: str) -> None:
    assert may_fetch(url)


def test_a_urn_without_its_scheme_is_a_magnet() -> None:
    assert decode_link(f"urn:btih:{HASH.upper()}").url == MAGNET
    assert decode_link(f"btih:{HASH}").url == MAGNET


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.text("thundermagetqdlfs2yo:/|%\\xu0123=&?", max_size=60))
def test_decoding_gives_a_clean_link_or_a_reason(text: str) -> None:
    try:
        url = decode_link(text, "http://example.com/a/b").url
    except LinkRejected:
        return
    assert url.isascii()
    assert url.startswith(("http://", "https://", "ftp://", "magnet:?", "ed2k://|file|"))
    assert not any(ord(character) <= 0x20 or ord(character) == 0x7F for character in url)


@settings(max_examples=300, deadline=None)
@given(
    st.text("abz/电影第集 &=?.é", min_size=1, max_size=20),
    st.sampled_from([thunder, flashget, qqdl]),
    st.sampled_from(["utf-8", "gb18030"]),
)
def test_a_wrapped_url_keeps_its_bytes(path: str, wrap: Callable[[str, str], str], charset: str) -> None:
    url = "http://dl.example.com/x" + path.strip()
    assert unquote_to_bytes(decode_link(wrap(url, charset)).url) == url.encode(charset)
