"""What kind of thing a torrent holds, from the names of its files and its own.

The largest file decides. Where that is an archive or a disc image, which hold anything, the torrent's name
does, and then the other files. What a site says of a torrent goes before all of this.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal

Category = Literal["video", "audio", "software", "books", "games", "images", "other"]

_EXTENSIONS: dict[Category, str] = {
    "video": "3gp asf avi divx f4v flv m1v m2ts m2v m4v mk3d mkv mov mp4 mpeg mpg mts ogm ogv qt rm rmvb"
    " ts vob webm wmv xvid",
    "audio": "aac ac3 aif aiff alac ape dff dsf dts flac m4a m4b mid midi mka mod mp2 mp3 oga ogg opus ra"
    " tak tta wav wma wv",
    "software": "apk app appimage bat bin cab cmd com deb dll dmg elf exe flatpak gem ipa jar msi msix ova"
    " pkg qcow2 rpm run sh snap so sys vdi vhd vmdk whl xpi",
    "books": "azw azw3 cb7 cba cbr cbt cbz chm djv djvu doc docx epub fb2 htm html lit md mobi odt pdb pdf"
    " ppt pptx ps rtf tex txt xls xlsx",
    "games": "3ds a26 chd cia cso gb gba gbc gcm gcz gen n64 nds nes nro nsp nsz pbp pck rvz sfc smc smd"
    " sms snes uasset vpk wad wbfs xci z64",
    "images": "ai arw bmp cr2 dng emf eps gif heic heif ico jpeg jpg nef png psd raw svg tga tif tiff webp"
    " xcf",
}
_KIND_OF: dict[str, Category] = {
    extension: kind for kind, extensions in _EXTENSIONS.items() for extension in extensions.split()
}

# In the order in which they are believed. Latin words stand alone, those of CJK anywhere.
_WORDS: tuple[tuple[Category, str], ...] = (
    (
        "games",
        r"games?|gog|nsw|nsp|xci|ps[1-5]|psp|ps ?vita|xbox ?360|wii ?u?|gamecube|dreamcast|roms?|steam",
    ),
    (
        "video",
        r"(?:2160|1440|1080|720|576|480)[pi]|[48]k|uhd|x26[45]|h ?26[45]|hevc|avc|xvid|divx|blu ?ray|"
        r"bd ?rip|br ?rip|bdmv|dvd ?rip|dvd ?r?|dvd[59]|web ?dl|web ?rip|hdtv|hd ?rip|remux|hdr(?:10)?|"
        r"s\d{1,2} ?e\d{1,3}|season \d{1,2}|s\d{2}|mkv|mp4|avi",
    ),
    (
        "audio",
        r"flac|mp3|ape|alac|aac|dsd\d*|(?:128|192|256|320) ?kbps|24 ?bit|16 ?bit|hi ?res|discography|"
        r"soundtrack|ost|audiobooks?|vinyl|album",
    ),
    ("books", r"epub|mobi|azw3?|pdf|djvu|cbz|cbr|e ?books?|magazine|comics?|manga|textbooks?"),
    (
        "software",
        r"x86(?: 64)?|x64|amd64|arm64|i[36]86|win(?:dows)?(?: ?(?:7|8|10|11|xp))?|linux|ubuntu|debian|fedora|"
        r"[kxl]ubuntu|opensuse|centos|almalinux|rocky|arch ?linux|kali|raspbian|(?:free|open|net)bsd|macos|"
        r"android|live ?cd|netinst|installer|setup|portable|keygen|iso",
    ),
    ("images", r"wallpapers?|photos?|pictures?|stock images?|cosplay"),
)
_CJK_WORDS: tuple[tuple[Category, str], ...] = (
    ("games", r"游戏|遊戲|ゲーム|汉化版|整合版|게임"),
    ("books", r"电子书|電子書|小说|小說|漫画|漫畫|マンガ|杂志|雜誌|教材|全本"),
    ("audio", r"无损|無損|专辑|專輯|音乐|音樂|音楽|原声|有声书|有聲書|演唱会原声"),
    (
        "video",
        r"字幕|电影|電影|映画|电视剧|電視劇|动漫|動漫|动画|アニメ|全集|高清|蓝光|藍光|双语|国语|粤语|"
        r"第\d{1,3}[集季话話期]|更新至|드라마|영화",
    ),
    ("software", r"软件|軟體|软体|系统|安装|破解版|绿色版|便携版|ソフト"),
    ("images", r"写真|寫真|图集|圖集|壁纸|桌布|画集|畫集|图片"),
)
_CUES = [
    *[(kind, re.compile(words)) for kind, words in _CJK_WORDS],
    *[(kind, re.compile(rf"(?:^| )(?:{words})(?: |$)")) for kind, words in _WORDS],
]
_PARTING = re.compile(r"[\W_]+")
_MAX_NAME = 300
_MAX_PATHS = 300


def category_of(name: str, main_path: str = "", paths: Iterable[str] = ()) -> Category:
    """The category of a torrent of that name; `main_path` is its largest file's, "" when none is known.

    Constant time: of names and paths only the beginning is read.
    """
    told = _kind_of_path(main_path)
    if told is not None and told != "software":
        # A text beside archives is not what they hold; alone it is.
        return told
    cued = _cue(name[:_MAX_NAME])
    if told == "software":
        return "games" if cued == "games" else "software"
    if cued is not None:
        return cued
    kinds: Counter[Category] = Counter()
    for number, path in enumerate(paths):
        if number >= _MAX_PATHS:
            break
        kind = _kind_of_path(path)
        if kind is not None:
            kinds[kind] += 1
    if kinds:
        return kinds.most_common(1)[0][0]
    return _kind_of_path(name[-_MAX_NAME:]) or "other"


def _kind_of_path(path: str) -> Category | None:
    head, parting, extension = path[-24:].rpartition(".")
    return _KIND_OF.get(extension.lower()) if parting and head else None


def _cue(name: str) -> Category | None:
    words = _PARTING.sub(" ", name.lower())
    return next((kind for kind, pattern in _CUES if pattern.search(words)), None)
