"""What the demo sites offer: openly published things, with plausible sizes and file lists.

Linux distributions and other free software, films and books in the public domain, Blender's open
movies, open datasets and music. `torrents_of(topic)` yields them in a fixed order.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from harvester.demo.seeds import MIB, TRACKERS, Kind, Seed, make_seed

Topic = Literal["software", "film", "book", "data", "music"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing and its torrent: `title` is what a page calls it, the torrent's name may differ."""

    title: str
    topic: Topic
    seed: Seed

    @property
    def file_name(self) -> str:
        """The name that its .torrent file is offered under."""
        return f"{self.seed.name}.torrent"


_IMAGES = (
    (
        "debian-{v}-amd64-netinst.iso",
        "Debian {v} 网络安装镜像",
        ("12.9.0", "12.10.0", "13.0.0", "13.1.0"),
        660,
    ),
    ("debian-{v}-amd64-DVD-1.iso", "Debian {v} DVD 完整镜像", ("12.9.0", "13.0.0", "13.1.0"), 3800),
    ("ubuntu-{v}-desktop-amd64.iso", "Ubuntu {v} 桌面版", ("22.04.5", "24.04.2", "24.10", "25.04"), 5900),
    ("ubuntu-{v}-live-server-amd64.iso", "Ubuntu Server {v}", ("22.04.5", "24.04.2"), 2600),
    (
        "Fedora-Workstation-Live-x86_64-{v}.iso",
        "Fedora Workstation {v}",
        ("40-1.14", "41-1.4", "42-1.1"),
        2300,
    ),
    ("archlinux-{v}-x86_64.iso", "Arch Linux {v}", ("2025.04.01", "2025.05.01", "2025.06.01"), 1200),
    ("openSUSE-Leap-{v}-DVD-x86_64.iso", "openSUSE Leap {v}", ("15.5", "15.6"), 4300),
    ("linuxmint-{v}-cinnamon-64bit.iso", "Linux Mint {v} Cinnamon", ("21.3", "22.1"), 2900),
    ("deepin-desktop-community-{v}-amd64.iso", "深度操作系统 deepin {v}", ("20.9", "23.1"), 4400),
    ("openEuler-{v}-x86_64-dvd.iso", "openEuler {v} 欧拉系统", ("22.03-LTS-SP4", "24.03-LTS"), 4100),
    ("ubuntukylin-{v}-desktop-amd64.iso", "优麒麟 {v}", ("22.04.4", "24.04"), 4700),
    ("FreeBSD-{v}-RELEASE-amd64-dvd1.iso", "FreeBSD {v}", ("13.5", "14.2"), 4600),
    ("alpine-standard-{v}-x86_64.iso", "Alpine Linux {v}", ("3.20.6", "3.21.3"), 230),
    ("kali-linux-{v}-installer-amd64.iso", "Kali Linux {v}", ("2024.4", "2025.1"), 4000),
    ("LibreOffice_{v}_Linux_x86-64_deb.tar.gz", "LibreOffice {v}", ("24.8.6", "25.2.3"), 200),
    ("0ad-{v}-release.tar.gz", "零纪元 0 A.D. {v}", ("0.26", "0.27"), 1300),
    ("SuperTuxKart-{v}-linux-x86_64.tar.gz", "SuperTuxKart {v} 企鹅卡丁车", ("1.4", "1.5"), 680),
)

_FILMS = (
    ("神女", "The Goddess", 1934),
    ("马路天使", "Street Angel", 1937),
    ("渔光曲", "Song of the Fishermen", 1934),
    ("小城之春", "Spring in a Small Town", 1948),
    ("大路", "The Big Road", 1934),
    ("桃花泣血记", "Peach Girl", 1931),
    ("十字街头", "Crossroads", 1937),
    ("夜半歌声", "Song at Midnight", 1937),
    ("小玩意", "Little Toys", 1933),
    ("诺斯费拉图", "Nosferatu", 1922),
    ("大都会", "Metropolis", 1927),
    ("将军号", "The General", 1926),
    ("活死人之夜", "Night of the Living Dead", 1968),
    ("月球旅行记", "A Trip to the Moon", 1902),
    ("卡里加里博士的小屋", "The Cabinet of Dr. Caligari", 1920),
    ("战舰波将金号", "Battleship Potemkin", 1925),
    ("摩登保姆", "His Girl Friday", 1940),
    ("谜中谜", "Charade", 1963),
    ("失落的世界", "The Lost World", 1925),
    ("歌剧魅影", "The Phantom of the Opera", 1925),
    ("福尔摩斯二世", "Sherlock Jr.", 1924),
    ("東京行進曲", "Tokyo March", 1929),
    ("狂った一頁", "A Page of Madness", 1926),
    ("雄呂血", "Orochi", 1925),
)

_OPEN_MOVIES = (
    ("Big Buck Bunny", 2008, "大雄兔"),
    ("Sintel", 2010, "辛特尔"),
    ("Tears of Steel", 2012, "钢铁之泪"),
    ("Elephants Dream", 2006, "大象之梦"),
    ("Cosmos Laundromat", 2015, "宇宙洗衣店"),
    ("Spring", 2019, "春"),
    ("Caminandes Llamigos", 2016, "羊驼历险"),
    ("Agent 327 Operation Barbershop", 2017, "特工327"),
    ("Coffee Run", 2020, "咖啡快跑"),
    ("Sprite Fright", 2021, "精灵惊魂"),
    ("Charge", 2022, "充能"),
    ("Glass Half", 2015, "半满的杯子"),
    ("Hero", 2018, "英雄"),
    ("Wing It", 2023, "展翅"),
)

_BOOKS = (
    "红楼梦",
    "西游记",
    "三国演义",
    "水浒传",
    "聊斋志异",
    "儒林外史",
    "史记",
    "资治通鉴",
    "唐诗三百首",
    "全宋词",
    "鲁迅全集 呐喊 彷徨",
    "老残游记",
    "镜花缘",
    "封神演义",
    "吾輩は猫である",
    "銀河鉄道の夜",
    "羅生門",
    "坊っちゃん",
    "人間失格",
    "源氏物語",
    "Pride and Prejudice",
    "Moby-Dick",
    "Alice's Adventures in Wonderland",
    "Frankenstein",
    "The Time Machine",
    "Les Misérables",
    "Faust",
    "Don Quijote",
)

_DATA = (
    ("zhwiki-20250601-pages-articles.xml.bz2", "中文维基百科全文转储 2025-06", 3100),
    ("enwiki-20250601-pages-articles-multistream.xml.bz2", "English Wikipedia dump 2025-06", 24500),
    ("jawiki-20250601-pages-articles.xml.bz2", "日本語ウィキペディア 2025-06", 4300),
    ("planet-250602.osm.pbf", "OpenStreetMap planet 2025-06-02", 83000),
    ("china-250602.osm.pbf", "OpenStreetMap 中国 2025-06-02", 1400),
    ("cv-corpus-21.0-zh-CN.tar.gz", "Common Voice 普通话语音数据集 21.0", 21000),
    ("LibriSpeech-train-clean-360.tar.gz", "LibriSpeech train-clean-360", 23000),
    ("THCHS-30.tgz", "THCHS-30 清华中文语音库", 6400),
    ("stackexchange-2025-03.7z", "Stack Exchange data dump 2025-03", 91000),
    ("MNIST.tar.gz", "MNIST 手写数字", 12),
    ("gaia-dr3-sample.tar", "Gaia DR3 星表样本", 1900),
    ("gutenberg-2025-05.zip", "Project Gutenberg 全部文本 2025-05", 15800),
    ("sentinel-2-beijing-2024.tar", "Sentinel-2 北京 2024 影像", 7200),
    ("openlibrary-dump-2025-05.txt.gz", "Open Library dump 2025-05", 10400),
)

_MUSIC = (
    ("Beethoven - Symphony No. {n} (Musopen) [FLAC]", "贝多芬 第{n}交响曲 [FLAC]", 9, 290),
    ("Bach - Well-Tempered Clavier, Book {n} (Open) [FLAC]", "巴赫 平均律钢琴曲集 第{n}卷", 2, 420),
    ("Chopin - Nocturnes {n} (Musopen) [FLAC]", "肖邦 夜曲 {n}", 4, 210),
)


def _jitter(name: str, mebibytes: int) -> int:
    """A size near so many MiB, odd as real ones are, always the same for a name."""
    return int(mebibytes * MIB * random.Random(name).uniform(0.92, 1.08))


def _single(name: str, title: str, topic: Topic, mebibytes: int, kind: Kind = "v1") -> Entry:
    size = _jitter(name, mebibytes)
    return Entry(
        title, topic, make_seed(name, [(name, size)], kind=kind, trackers=TRACKERS[:2], age=size % 10**7)
    )


def _software() -> Iterator[Entry]:
    for pattern, title, versions, mebibytes in _IMAGES:
        for version in versions:
            yield _single(pattern.format(v=version), title.format(v=version), "software", mebibytes)


def _film(chinese: str, english: str, year: int, resolution: str) -> Entry:
    dotted = english.replace(" ", ".").replace("..", ".")
    name = f"{chinese}.{dotted}.{year}.{resolution}.BluRay.x264-公有领域"
    size = _jitter(name, 1400 if resolution == "720p" else 4200)
    files = [
        (f"{dotted}.{year}.{resolution}.chs.srt", 61_440 + size % 20_000),
        (f"{dotted}.{year}.{resolution}.mkv", size),
        ("说明.txt", 1_204),
    ]
    seed = make_seed(name, files, trackers=TRACKERS, comment="公有领域影片", age=size % 10**7)
    return Entry(f"[{year}][{chinese}/{english}][{resolution}][中文字幕]", "film", seed)


def _films() -> Iterator[Entry]:
    for number, (chinese, english, year) in enumerate(_FILMS):
        for resolution in ("720p", "1080p") if number < 20 else ("720p",) if number % 2 else ("1080p",):
            yield _film(chinese, english, year, resolution)
    for english, year, chinese in _OPEN_MOVIES:
        for resolution, mebibytes in (("1080p", 420), ("2160p", 1900)):
            dotted = english.replace(" ", ".")
            name = f"{dotted}.{year}.{resolution}.WEB.h264-Blender"
            size = _jitter(name, mebibytes)
            files = [(f"{name}.mkv", size), ("LICENSE.txt", 18_650), ("poster.jpg", 512_000 + size % 90_000)]
            title = f"Blender 开放电影 {chinese} {english} ({year}) {resolution}"
            yield Entry(title, "film", make_seed(name, files, trackers=TRACKERS[:2], age=size % 10**7))


def _books() -> Iterator[Entry]:
    for book in _BOOKS:
        name = f"{book} [epub+mobi]"
        size = _jitter(name, 4)
        files = [
            (f"{book}.epub", size),
            (f"{book}.mobi", size * 3 // 2),
            ("cover.jpg", 180_000 + size % 50_000),
        ]
        yield Entry(f"{book} 公版电子书", "book", make_seed(name, files, age=size % 10**7))


def _data() -> Iterator[Entry]:
    for name, title, mebibytes in _DATA:
        yield _single(name, title, "data", mebibytes)


def _music() -> Iterator[Entry]:
    for pattern, title, count, mebibytes in _MUSIC:
        for number in range(1, count + 1):
            name = pattern.format(n=number)
            tracks = [
                (f"{track:02} - Movement {track}.flac", _jitter(f"{name}{track}", mebibytes // 4))
                for track in range(1, 5)
            ]
            yield Entry(title.format(n=number), "music", make_seed(name, tracks, age=number * 86_400))


_TOPICS = {"software": _software, "film": _films, "book": _books, "data": _data, "music": _music}


def torrents_of(topic: Topic) -> list[Entry]:
    """Everything of one topic, the same at each call."""
    return list(_TOPICS[topic]())
