"""The charset of a torrent's names is found, and nothing a torrent declares is trusted."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harvester.torrents.charsets import CODECS
from harvester.torrents.encodings import DecodedNames, decode_names

CHINESE = (
    "电影 第01集 灌篮高手.mkv 三国演义 我的祖国 "
    "红歌合集 【字幕组】进击的巨人[01].mp4 西游记 骆驼祥子 霸王别姬 大话西游"
)
MORE_CHINESE = (
    "让子弹飞 卧虎藏龙 重庆森林 花样年华 少林足球 "
    "流浪地球 白蛇缘起 新建文件夹 安装说明.txt 封面.jpg 月亮代表我的心"
)
TRADITIONAL = (
    "電影 第01集 灌籃高手.mkv 三國演義 西遊記 霸王別姬 大話西遊 讓子彈飛 臥虎藏龍 重慶森林 花樣年華 海角七號"
)
MORE_TRADITIONAL = (
    "那些年我們一起追的女孩 悲情城市 月亮代表我的心 新增資料夾 安裝說明.txt 封面.jpg 唐詩三百首 作業系統 高雄"
)
JAPANESE = (
    "テスト ドラえもん第01話.avi 東京物語 涼宮ハルヒの憂鬱 "
    "千と千尋の神隠し もののけ姫 天空の城ラピュタ 七人の侍"
)
MORE_JAPANESE = (
    "機動戦士ガンダム 君の名は。 進撃の巨人 鬼滅の刃 "
    "ワンピース 名探偵コナン 吾輩は猫である 新しいフォルダ 劇場版"
)
KOREAN = (
    "영화 무한도전_제01회.avi 대장금 기생충 올드보이 살인의추억 "
    "괴물 부산행 아가씨 겨울연가 태양의후예 런닝맨 자막.smi"
)
RUSSIAN = (
    "Фильм Ирония_судьбы_(1975).avi Война_и_мир Мастер_и_Маргарита "
    "Бриллиантовая_рука Солярис Ночной_дозор Обложка.jpg"
)
WESTERN = (
    "Amélie.avi Español_-_Canción Größe Les_Misérables Señorita_México "
    "Übersicht.pdf El_Niño Pokémon Motörhead São_Paulo"
)
TITLES = {
    ("gb18030", "gb18030"): CHINESE + " " + MORE_CHINESE,
    ("big5", "big5"): TRADITIONAL + " " + MORE_TRADITIONAL,
    ("cp932", "shift_jis"): JAPANESE + " " + MORE_JAPANESE,
    ("euc_jp", "euc-jp"): JAPANESE + " " + MORE_JAPANESE,
    ("cp949", "euc-kr"): KOREAN,
    ("cp1251", "windows-1251"): RUSSIAN,
    ("koi8_r", "koi8-r"): RUSSIAN,
    ("cp1252", "windows-1252"): WESTERN,
}


def _titles(text: str) -> list[str]:
    return [title.replace("_", " ") for title in text.split()]


@pytest.mark.parametrize(("codec", "label"), TITLES)
def test_names_of_a_small_torrent_are_read_in_their_charset(codec: str, label: str) -> None:
    titles = _titles(TITLES[codec, label])
    chance = random.Random(7)
    for _ in range(15):
        chosen = chance.sample(titles, 5)
        decoded = decode_names([title.encode(codec) for title in chosen])
        assert decoded.texts == chosen
        assert decoded.encoding == label
        assert "encoding_detected" in decoded.flags


@pytest.mark.parametrize(("codec", "label"), TITLES)
def test_nine_of_ten_single_names_are_read_in_their_charset(codec: str, label: str) -> None:
    titles = [title for title in _titles(TITLES[codec, label]) if not title.isascii()]
    right = sum(decode_names([title.encode(codec)]).texts == [title] for title in titles)
    assert right >= 0.9 * len(titles)


def test_utf8_comes_before_what_is_declared() -> None:
    names = ["电影".encode(), b"plain.txt", "é".encode()]
    assert decode_names(names, declared=b"GBK", codepage=936) == DecodedNames(
        ["电影", "plain.txt", "é"], "utf-8", frozenset()
    )


@pytest.mark.parametrize(
    ("declared", "codepage", "how"),
    [
        (b"GBK", None, "encoding_declared"),
        (b"gb2312", None, "encoding_declared"),
        (None, 936, "encoding_codepage"),
        (None, b"936", "encoding_codepage"),
        (b"UTF-8", 936, "encoding_codepage"),
        (b"rot13", 936, "encoding_codepage"),
    ],
)
def test_a_declaration_that_fits_is_followed(declared: object, codepage: object, how: str) -> None:
    decoded = decode_names(["货弃歹".encode("gbk")], declared=declared, codepage=codepage)
    assert decoded.texts == ["货弃歹"]
    assert decoded.encoding == "gb18030"
    assert how in decoded.flags
    assert ("encoding_lies" in decoded.flags) == (declared == b"UTF-8")
    assert ("encoding_unknown" in decoded.flags) == (declared == b"rot13")


def test_a_declaration_that_decodes_to_nonsense_is_not_followed() -> None:
    titles = _titles(CHINESE)
    decoded = decode_names([title.encode("gbk") for title in titles], declared=b"windows-1252")
    assert decoded.texts == titles
    assert {"encoding_lies", "encoding_detected"} <= decoded.flags


def test_utf8_declared_over_gbk_bytes_is_a_lie_that_does_no_harm() -> None:
    titles = _titles(MORE_CHINESE)
    decoded = decode_names([title.encode("gbk") for title in titles], declared=b"UTF-8")
    assert decoded.texts == titles
    assert "encoding_lies" in decoded.flags


@pytest.mark.parametrize(
    "declared",
    [b"utf", b"mbcs", b"rot13", b"utf-16be", b"cp500", b"idna", b"\xff" * 99, 7, -1, 2**70, [], {}, "hex"],
)
def test_an_unknown_declaration_never_reaches_a_codec(declared: object) -> None:
    decoded = decode_names(
        ["重庆森林".encode("gbk"), "花样年华".encode("gbk")], declared=declared, codepage=declared
    )
    assert decoded.texts == ["重庆森林", "花样年华"]
    assert declared == b"utf" or "encoding_unknown" in decoded.flags


def test_two_charsets_in_one_torrent_are_both_read() -> None:
    names = ["plain", "流浪地球", "花样年华.mkv"]
    decoded = decode_names([names[0].encode(), names[1].encode("utf-8"), names[2].encode("gbk")])
    assert decoded.texts == names
    assert decoded.encoding == "gb18030"
    assert "encoding_mixed" in decoded.flags


def test_three_charsets_in_one_torrent_lose_no_name() -> None:
    names = [
        "流浪地球".encode(),
        "花样年华".encode("gbk"),
        "Größe 80\u20ac".encode("cp1252"),
        b"\x81\xff\x00\xff",
    ]
    decoded = decode_names(names, declared=b"gbk")
    assert decoded.texts[:3] == ["流浪地球", "花样年华", "Größe 80€"]
    assert len(decoded.texts) == 4
    assert decoded.texts[3]
    assert "encoding_mixed" in decoded.flags


def test_a_gbk_name_that_happens_to_be_utf8_follows_the_others() -> None:
    accident = "模隆"  # C4 A3 C2 A1: two letters of UTF-8
    assert accident.encode("gbk").decode("utf-8")
    names = [*_titles(CHINESE), accident]
    decoded = decode_names([name.encode("gbk") for name in names])
    assert decoded.texts == names
    assert "encoding_mixed" not in decoded.flags


def test_a_twin_replaces_its_name_and_a_broken_twin_does_not() -> None:
    names = ["中文".encode("gbk"), "第二".encode("gbk"), b"third", b"same", b""]
    twins = ["中文".encode(), b"\xff\xfe", None, b"same", b""]
    decoded = decode_names(names, twins=twins, declared=b"GBK")
    assert decoded.texts == ["中文", "第二", "third", "same", ""]
    assert {"names_from_twin", "bad_utf8_twin", "encoding_declared"} <= decoded.flags


def test_names_may_hold_the_replacement_character_and_the_separator() -> None:
    names = ["a\n\0\nb", "\ufffd", "", "\n\0\n"]
    assert decode_names([name.encode() for name in names]).texts == names
    mixed = decode_names([*(name.encode() for name in names), "花样年华".encode("gbk")])
    assert mixed.texts == [*names, "花样年华"]


def test_no_names_are_no_trouble() -> None:
    assert decode_names([]) == DecodedNames([], "utf-8", frozenset())


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.binary(max_size=12), max_size=8),
    st.sampled_from(
        [None, b"gbk", b"big5", b"koi8-r", b"latin1", b"shift_jis", b"tis-620", 936, b"zip", 65001]
    ),
)
def test_any_bytes_become_as_many_texts(names: list[bytes], declared: object) -> None:
    decoded = decode_names(names, declared=declared, codepage=declared)
    assert len(decoded.texts) == len(names)
    assert all(bool(text) == bool(name) for text, name in zip(decoded.texts, names, strict=True))
    assert decoded.encoding in CODECS
    assert decoded == decode_names(names, declared=declared, codepage=declared)
    for text in decoded.texts:
        text.encode("utf-8")


def test_a_declared_charset_that_reads_but_reads_badly_is_a_lie() -> None:
    titles = ["北京", "上海"]
    assert all(title.encode("gbk").decode("koi8_r") for title in titles)
    decoded = decode_names([title.encode("gbk") for title in titles], declared=b"koi8-r")
    assert decoded.texts == titles
    assert "encoding_lies" in decoded.flags


@pytest.mark.parametrize(
    "name", [b"\xff", b"\xd6\xd0", b"\x81\x30", "é".encode()], ids=["latin", "gbk", "cut", "utf-8"]
)
def test_half_a_million_names_take_bounded_time(name: bytes) -> None:
    start = time.process_time()
    decode_names([name, b"\xff\xff"] * 250_000, declared=b"gbk")
    assert time.process_time() - start < 3
