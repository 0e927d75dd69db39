"""Magnet links are read as pages write them, and written in one way."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import libtorrent
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from harvester.errors import LinkRejected
from harvester.model.magnet import Magnet
from harvester.torrents.magnet import MAX_LENGTH, format_magnet, magnet_uri, parse_magnet
from harvester.torrents.paths import safe_text

DATA = Path(__file__).parents[2].parent / "shared" / "data"
V1 = "14ffe5dd23188fd5cb53a1d47f1289db70abf31e"
V2 = "caf1e1c30e81cb361b9ee167c4aa64228a7fa4fa9f6105232b28ad099f3a302e"
ROWS = [line.split("\t")[:2] for line in (DATA / "magnets.tsv").read_text("utf-8").splitlines()[1:]]
VECTORS: list[dict[str, Any]] = [
    vector
    for vector in json.loads((DATA / "link_vectors.json").read_text("utf-8"))["vectors"]
    if vector["kind"] == "url" and vector["input"].lower().startswith("magnet:")
]

DIFFERENCES = {
    f"MAGNET:?XT=URN:BTIH:{V1}&DN=x": (
        Magnet(V1, None, "x"),
        "schemes and URNs have no case (RFC 3986, RFC 8141); libtorrent looks for the lower-case letters",
    ),
    f"magnet:///?xt=urn:btih:{V1}": (
        Magnet(V1, None),
        "written by URL builders that always add an authority",
    ),
    f"magnet:?xt=urn:btih:{V1}&dn=%D6%D0%CE%C4": (
        Magnet(V1, None, "中文"),
        "a name in GBK; libtorrent takes the link, only its Python binding cannot show the name",
    ),
    f"magnet:?xt=urn:btih:{V1}&amp;dn=x&amp;tr=udp://t:1": (
        Magnet(V1, None, "x", ("udp://t:1",)),
        "copied out of HTML source; libtorrent loses the name and the tracker to a parameter `amp;dn`",
    ),
}
"""Where we read something else than libtorrent: what, and the reason."""


def _libtorrent(uri: str) -> Magnet:
    params = libtorrent.parse_magnet_uri(uri)
    hashes = params.info_hashes
    return Magnet(
        infohash_v1=str(hashes.v1) if hashes.has_v1() else None,
        infohash_v2=str(hashes.v2) if hashes.has_v2() else None,
        display_name=params.name,
        trackers=tuple(params.trackers),
        webseeds=tuple(params.url_seeds),
    )


def _main_parts(magnet: Magnet) -> Magnet:
    return Magnet(
        magnet.infohash_v1, magnet.infohash_v2, magnet.display_name, magnet.trackers, magnet.webseeds
    )


@pytest.mark.parametrize(("uri", "said"), ROWS)
def test_libtorrent_and_we_agree_but_for_the_listed_differences(uri: str, said: str) -> None:
    if uri in DIFFERENCES:
        assert parse_magnet(uri) == DIFFERENCES[uri][0]
    elif said.startswith("raise"):
        with pytest.raises(LinkRejected):
            parse_magnet(uri)
    else:
        assert _main_parts(parse_magnet(uri)) == _libtorrent(uri)


def test_every_listed_difference_is_a_line_of_the_data() -> None:
    assert set(DIFFERENCES) <= {uri for uri, _ in ROWS}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_the_vectors_of_magnets_hold(vector: dict[str, Any]) -> None:
    expect = vector["expect"]
    if expect["status"] == "reject":
        with pytest.raises(LinkRejected) as caught:
            parse_magnet(vector["input"])
        assert caught.value.reason == expect["reason"]
        return
    magnet = parse_magnet(vector["input"])
    said = expect["magnet"]
    assert (magnet.infohash_v1, magnet.infohash_v2) == (said["infohash_v1"], said["infohash_v2"])
    assert magnet.display_name == said.get("dn", "")
    assert list(magnet.trackers) == said.get("tr", [])
    assert list(magnet.webseeds) == said.get("ws", [])
    assert (magnet.size, magnet.select_only) == (said.get("xl"), said.get("so", ""))
    if expect["url"]:
        assert format_magnet(magnet) == expect["url"]


@pytest.mark.parametrize(
    ("tail", "expected"),
    [
        ("&dn=Tom & Jerry&tr=udp://t:1", Magnet(V1, None, "Tom & Jerry", ("udp://t:1",))),
        ("&dn=Tom&#039;s &quot;x&quot;", Magnet(V1, None, 'Tom\'s "x"')),
        ("&amp;amp;dn=x", Magnet(V1, None, "x")),
        ("&dn=a%00b%0Ac%E2%80%AEd", Magnet(V1, None, "a b cd")),
        (
            f"&dn={quote('电影 第01集'.encode('gbk'))}+x&tr=http://t/a+b",
            Magnet(V1, None, "电影 第01集 x", ("http://t/a+b",)),
        ),
        ("&tr.1=udp://a:1&tr.2=udp://b:2&tr=udp://a:1", Magnet(V1, None, "", ("udp://a:1", "udp://b:2"))),
        ("&xl=abc&xl=7&kt=a+b", Magnet(V1, None, size=7, other=(("xl", "abc"), ("kt", "a+b")))),
        ("&xt=urn:btih:bad&xt=urn:sha1:X", Magnet(V1, None, other=(("xt", "urn:sha1:X"),))),
        (f"&xt=urn:btih:{'0' * 40}", Magnet(V1, None)),
        ("&x.pe=1.2.3.4:5&x.pe=[2001:db8::1]:6", Magnet(V1, None, peers=("1.2.3.4:5", "[2001:db8::1]:6"))),
        ("&&=&dn&tr=&=x", Magnet(V1, None)),
    ],
)
def test_sloppy_parameters_are_understood(tail: str, expected: Magnet) -> None:
    assert parse_magnet(f"magnet:?xt=urn:btih:{V1}{tail}") == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not_a_link"),
        ("http://example.org/", "not_a_link"),
        ("magnet:", "no_xt"),
        ("magnet:?xt=", "no_xt"),
        ("magnet:?xt=urn:btih:", "bad_hash"),
        (f"magnet:?xt=urn:btmh:1220{V2[:-1]}", "bad_hash"),
        (f"magnet:?xt=urn:btmh:1120{V2}", "bad_hash"),
        (f"magnet:?xt=urn:btih:{'A' * 32}", "null_hash"),
        (f"magnet:?xt=urn:btih:{V1}&dn=\x00", "control_char"),
        (f"magnet:?xt=urn:btih:{V1}&dn=" + "x" * MAX_LENGTH, "too_long"),
    ],
)
def test_what_is_no_usable_magnet_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(LinkRejected) as caught:
        parse_magnet(text)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    "piece", ["&tr=udp://t:%d", "&x%d=y", "&amp;dn=%d", "&%d", "&#%d;", "&xt=urn:btih:%d"]
)
def test_a_magnet_of_very_many_parameters_is_read_quickly(piece: str) -> None:
    text = f"magnet:?xt=urn:btih:{V1}&dn=" + "".join(piece % number for number in range(20_000))
    start = time.process_time()
    assert parse_magnet(text[:MAX_LENGTH]).infohash_v1 == V1
    assert time.process_time() - start < 1


# Letters that show nothing (U+115F) are left out when a magnet is read.
PLAIN = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20).filter(
    lambda text: safe_text(text) == text
)
MAGNETS = st.builds(
    Magnet,
    infohash_v1=st.just(V1) | st.none(),
    infohash_v2=st.just(V2),
    display_name=PLAIN | st.just(""),
    trackers=st.lists(PLAIN, unique=True, max_size=3).map(tuple),
    webseeds=st.lists(PLAIN, unique=True, max_size=3).map(tuple),
    peers=st.lists(PLAIN, unique=True, max_size=2).map(tuple),
    size=st.none() | st.integers(0, 2**63 - 1),
    select_only=st.sampled_from(["", "0,2,4-6"]),
    other=st.lists(st.tuples(st.sampled_from(["kt", "as", "x.y"]), PLAIN), max_size=3).map(tuple),
)


@settings(max_examples=300, deadline=None)
@given(MAGNETS)
def test_a_written_magnet_is_read_back_as_it_was(magnet: Magnet) -> None:
    written = format_magnet(magnet)
    assert written.isascii()
    assert parse_magnet(written) == magnet
    bare = replace(magnet, trackers=(), webseeds=(), peers=(), size=None, select_only="", other=())
    assert parse_magnet(magnet_uri(magnet.infohash_v1, magnet.infohash_v2, magnet.display_name)) == bare


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=80),
    st.lists(st.sampled_from(["&dn=", "&tr=", "%", "&", "=", "+", "&amp;", "%FF", "xt"]), max_size=8),
)
def test_any_magnet_read_is_written_and_read_back_the_same(text: str, pieces: list[str]) -> None:
    middle = "".join(pieces) + re.sub(r"[\x00-\x1f\x7f]", "", text) + "".join(reversed(pieces))
    magnet = parse_magnet(f"magnet:?xt=urn:btih:{V1}&{middle}")
    assert parse_magnet(format_magnet(magnet)) == magnet
