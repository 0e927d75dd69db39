from __future__ import annotations

import csv
from pathlib import Path

import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.links.keys import canonical_key, full_key, key_hash, looks_like_token
from tests.links.vectors import HASH, HASH_V2, SHARED, b64

SID = "0123456789abcdef0123456789abcdef"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "links.md"
SEGMENTS = st.sampled_from(
    [
        "",
        ".",
        "..",
        "a",
        "thread-1-1.html",
        "%7euser",
        "%2e",
        "%zz",
        "%",
        "a b",
        "电",
        "x;jsessionid=" + SID,
        "(S(abcdefghijklmnop))",
    ]
)
NAMES = st.sampled_from(["a", "b", "sid", "s", "utm_source", "aid", "PHPSESSID", "", "q%20x", "amp", "[x]"])
VALUES = st.sampled_from(
    ["", "1", SID, "%41", "a+b", "a%26b", "debian", "tl;dr", "x=y", "'", "é", b64(f"12|{SID}|17|0|3")]
)
HOSTS = st.sampled_from(
    [
        "example.com",
        "Example.COM",
        "example.com:80",
        "example.com:443",
        "example.com:8080",
        "example.com:99999",
    ]
) | st.sampled_from(
    ["127.0.0.1", "127.1", "xn--a.com", "a.b.", "bücher.de", "u:p@a.bc", "1.2.3.4.5", "256.1.1.1", "a_b.com"]
)


@st.composite
def _urls(draw: st.DrawFn) -> str:
    pairs = draw(st.lists(st.tuples(NAMES, VALUES), max_size=4))
    separator = draw(st.sampled_from(["&", "&amp;", ";", "&amp;amp;", "&#38;"]))
    path = "/".join(draw(st.lists(SEGMENTS, max_size=4)))
    query = "?" + separator.join(f"{name}={value}" for name, value in pairs) if pairs else ""
    scheme = draw(st.sampled_from(["http", "https", "HTTP", "ftp"]))
    return f"{scheme}://{draw(HOSTS)}/{path}{query}" + draw(st.sampled_from(["", "#f", "&", "?", "#?x"]))


URLS = _urls()


def test_normalisation_follows_the_published_cases_but_for_the_documented_ones() -> None:
    documented = DOCS.read_text(encoding="utf-8")
    total = 0
    unexplained = []
    with (SHARED / "conformance/weirdToNormalizedUrls.csv").open(encoding="utf-8", newline="") as lines:
        for line in lines:
            text = line.rstrip("\r\n")
            if not text or text.startswith("#"):
                continue
            url, expected = next(csv.reader([text], skipinitialspace=True))
            total += 1
            if canonical_key(url) != expected.strip() and f"`{url}`" not in documented:
                unexplained.append((url, canonical_key(url), expected))
    assert total == 112
    assert unexplained == []


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("http://example.com/a#x", "http://example.com/a"),
        ("http://EXAMPLE.com:80/./a", "http://example.com/a"),
        ("http://example.com./a", "http://example.com/a"),
        ("http://example.com/viewtopic.php?t=4&f=2", "http://example.com/viewtopic.php?f=2&t=4"),
        ("http://example.com/v.php?t=4&amp;f=2", "http://example.com/v.php?f=2&t=4"),
        ("http://example.com/v.php?t=4&amp;amp;amp;f=2", "http://example.com/v.php?f=2&t=4"),
        ("http://example.com/v.php?t=4&#038;f=2", "http://example.com/v.php?f=2&t=4"),
        ("http://example.com/v.php?t=4;f=2", "http://example.com/v.php?f=2&t=4"),
        ("http://example.com/v.php?t=4&t=4&t=4", "http://example.com/v.php?t=4"),
        (f"http://example.com/v.php?t=4&sid={SID}", "http://example.com/v.php?t=4"),
        (f"http://example.com/showthread.php?s={SID}&t=4", "http://example.com/showthread.php?t=4"),
        ("http://example.com/v.php?t=4&sid=aB3dEf", "http://example.com/v.php?t=4"),
        (f"http://example.com/v.php?PHPSESSID={SID[:26]}&t=4", "http://example.com/v.php?t=4"),
        (f"http://example.com/a;jsessionid={SID}.node1?x=1", "http://example.com/a?x=1"),
        ("http://example.com/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://example.com/a.aspx"),
        ("http://example.com/a?utm_source=rss&utm_medium=x", "http://example.com/a"),
        ("http://example.com/%7Eu/%e7", "http://example.com/~u/%E7"),
        ("http://example.com/a//b///c", "http://example.com/a/b/c"),
        ("http://example.com/././././a", "http://example.com/a"),
    ],
)  # fmt: skip
def test_spellings_of_one_page_share_a_key(url: str, same: str) -> None:
    assert canonical_key(url) == same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.com/a", "https://example.com/a"),
        ("http://example.com/a", "http://example.com:8080/a"),
        ("http://example.com/a", "http://example.com/A"),
        ("http://example.com/?s=debian", "http://example.com/?s=ubuntu"),
        ("http://example.com/?sid=12", "http://example.com/?sid=13"),
        ("http://example.com/?s=the-best-torrents-of-2024", "http://example.com/"),
        ("http://example.com/?q=a%26b", "http://example.com/?q=a&b"),
        ("http://example.com/a%2Fb", "http://example.com/a/b"),
        ("http://example.com/?a=1&a=2", "http://example.com/?a=2&a=1"),
    ],
)
def test_different_pages_have_different_keys(one: str, other: str) -> None:
    assert canonical_key(one) != canonical_key(other)


def test_a_discuz_attachment_is_keyed_on_its_number() -> None:
    page = "http://bbs.example.com/forum.php?mod=attachment&aid="
    first = canonical_key(page + b64("123|abcdef01|1700000000|7|456").replace("=", "%3D"))
    later = canonical_key(page + b64("123|99999999|1800000000|0|456"))
    other = canonical_key(page + b64("124|abcdef01|1700000000|7|456"))
    assert first == later == "http://bbs.example.com/forum.php?aid=123&mod=attachment"
    assert other != first
    assert canonical_key("http://a.example/attachment.php?aid=7").endswith("?aid=7")


def test_parameters_a_rule_found_irrelevant_are_ignored() -> None:
    url = "http://example.com/forum.php?mod=viewthread&tid=5&Extra=page%3D1"
    assert canonical_key(url, frozenset({"extra"})) == "http://example.com/forum.php?mod=viewthread&tid=5"


def test_magnets_and_ed2k_files_are_keyed_on_their_hash() -> None:
    key = f"magnet:?xt=urn:btih:{HASH}"
    assert canonical_key(f"magnet:?dn=A&xt=urn:btih:{HASH.upper()}&tr=http%3A%2F%2Ft") == key
    assert canonical_key("magnet:?xt=urn:btih:O3WSHUEGI6BA2AROGLPAXE464QDJSVJN") == key
    hybrid = f"magnet:?xt.1=urn:btmh:1220{HASH_V2}&xt.2=urn:btih:{HASH}"
    assert canonical_key(hybrid) == key
    assert canonical_key(f"magnet:?xt=urn:btmh:1220{HASH_V2}&dn=x") == f"magnet:?xt=urn:btmh:1220{HASH_V2}"
    one = canonical_key("ed2k://|file|A.mkv|10|4582A0924C4C8B3A7055CF0DC9C742F9|/")
    assert one == canonical_key("ed2k://|file|B.mkv|10|4582a0924c4c8b3a7055cf0dc9c742f9|h=X|/")


@settings(max_examples=600, deadline=None)
@given(URLS | st.text(max_size=30))
def test_the_key_is_idempotent(url: str) -> None:
    key = canonical_key(url)
    assert canonical_key(key) == key


@settings(max_examples=600, deadline=None)
@given(URLS, st.sampled_from([frozenset(), frozenset({"a", "q%20x"})]))
def test_the_fast_path_equals_the_slow_one(url: str, ignore: frozenset[str]) -> None:
    assert canonical_key(url, ignore) == full_key(url, ignore)


@given(
    st.text("abz09.:/?&=;%#@'()~-_+ |AX", max_size=24),
    st.sampled_from(["http://a.bc", "https://a.bc/", "http://"]),
)
def test_the_fast_path_equals_the_slow_one_on_noise(tail: str, start: str) -> None:
    assert canonical_key(start + tail) == full_key(start + tail)


def test_the_hash_is_the_signed_xxh3_of_the_key() -> None:
    values = [key_hash(f"http://example.com/{number}") for number in range(64)]
    assert all(-(2**63) <= value < 2**63 for value in values)
    assert any(value < 0 for value in values)
    assert key_hash("x", 7) % 2**64 == xxhash.xxh3_64_intdigest(b"x", 7)
    assert key_hash("x") != key_hash("x", 1)


@pytest.mark.parametrize(
    "value", [SID, "550e8400-e29b-41d4-a716-446655440000", "k3j2h4k5j6h7g8f9d0s1", SID + ".node1"]
)
def test_a_session_id_looks_like_a_token(value: str) -> None:
    assert looks_like_token(value)


@pytest.mark.parametrize(
    "value", ["1", "debian", "linux-torrents-2024-edition", "internationalisation", "page"]
)
def test_a_word_or_number_does_not_look_like_a_token(value: str) -> None:
    assert not looks_like_token(value, "sid")
