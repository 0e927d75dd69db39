from __future__ import annotations

import pytest

from harvester.links.text_scan import labelled_hashes, link_candidates, shorter_readings, visible
from tests.links.vectors import ED2K, FILE, HASH, HASH_V2, MAGNET


def _candidates(text: str) -> list[str]:
    return [candidate for _, candidate in link_candidates(text)]


@pytest.mark.parametrize(
    "text",
    [
        f"see {FILE}.",
        f"({FILE})",
        f"「{FILE}」",
        f"《{FILE}》",
        f"“{FILE}”",
        f"{FILE}。",
        f"{FILE}、",
        f"{FILE}，好",
        f"<{FILE}>",
        f'"{FILE}"',
        f"'{FILE}'",
        f"[{FILE}]",
        f"[url]{FILE}[/url]",
        f"[url={FILE}]x[/url]",
        f"{FILE}；",
        f"{FILE}！",
        f"{FILE}（x）",
        f"{FILE}\u3000x",
        f"{FILE}……",
        f"*{FILE}*",
        f"{FILE}?!",
        f"链接{FILE}下载",
        f"{FILE},",
    ],
)
def test_a_link_ends_where_its_sentence_goes_on(text: str) -> None:
    assert _candidates(text) == [FILE]


def test_balanced_brackets_belong_to_the_link() -> None:
    assert _candidates("(http://a.example/x_(y)_[z])") == ["http://a.example/x_(y)_[z]"]


def test_full_width_letters_count_as_ascii() -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and c not in "()" else c for c in MAGNET)
    assert _candidates(f"磁力：{wide}，x") == [MAGNET]


def test_a_scheme_inside_a_word_is_none() -> None:
    assert _candidates("xmagnet:?x ahttp://a.example/ 9ftp://b.example/") == []


def test_percent_encoded_links_and_ed2k_names_with_blanks_are_candidates() -> None:
    ed2k = f"ed2k://|file|a b (1)。.mkv|5|{ED2K}|/"
    assert _candidates(f"x {ed2k} y magnet%3A%3Fxt%3Durn%3Abtih%3A{HASH} z") == [
        ed2k,
        f"magnet%3A%3Fxt%3Durn%3Abtih%3A{HASH}",
    ]


def test_positions_are_those_of_the_text() -> None:
    text = f"电影：{MAGNET} 和 {FILE}"
    assert [text[position:].startswith(found) for position, found in link_candidates(text)] == [True, True]


def test_a_shorter_reading_ends_at_the_first_sign_beyond_ascii() -> None:
    assert shorter_readings(MAGNET + "下载") == [MAGNET]
    assert shorter_readings(MAGNET) == []


def test_invisible_characters_are_left_out() -> None:
    assert visible("a\u200bb\u00adc\ufeffd\u2060e") == "abcde"


@pytest.mark.parametrize(
    "label",
    [
        "特征码：",
        "特征值 ",
        "特徵碼:",
        "哈希：",
        "哈希值：",
        "Info Hash: ",
        "infohash=",
        "INFO_HASH : ",
        "btih:",
        "info-hash (v1): ",
        "Info hash is ",
        "种子特征码【",
        "散列值：",
    ],
)
def test_a_hash_beside_its_label_is_found(label: str) -> None:
    assert [found for _, found in labelled_hashes(f"{label}{HASH.upper()}】")] == [HASH]


def test_a_label_may_stand_in_the_text_before() -> None:
    assert [found for _, found in labelled_hashes(HASH, before="Info hash:")] == [HASH]
    assert [found for _, found in labelled_hashes(f"info hash v2: {HASH_V2}")] == [HASH_V2]


@pytest.mark.parametrize(
    "text", [HASH, f"commit {HASH}", f"特征码：{HASH}a", f"sha256 {HASH_V2}", f"md5: {HASH}"]
)
def test_a_hash_without_a_label_is_not_found(text: str) -> None:
    assert list(labelled_hashes(text)) == []


@pytest.mark.parametrize("separator", [",", ";", "|", " ", "，", "\n", "、"])
def test_links_in_a_list_are_apart(separator: str) -> None:
    assert _candidates(separator.join([FILE, MAGNET, FILE])) == [FILE, MAGNET, FILE]


def test_an_address_inside_an_address_stays_there() -> None:
    url = "http://a.example/go?url=http://b.example/,x"
    assert _candidates(url) == [url]
