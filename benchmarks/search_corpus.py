"""A deterministic corpus of torrents for the search benchmark: Latin, Chinese and Japanese names, files.

Words are drawn by Zipf's law from made-up vocabularies, so that there are common words, rare words and
everything between; torrent `i` of a seed is always the same, whatever the size of the corpus.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha1, sha256
from typing import NamedTuple

SITES = ("archive", "forum-a", "forum-b", "linux", "index-c", "library", "index-d", "forum-e")
# Index sites show fifty torrents on a page; forums have a page, and a title, for each.
LISTED = 50
FIRST_SEEN = 1_600_000_000
_POOL = 1 << 18
_TAGS = ("1080p", "720p", "2160p", "x264", "x265", "BluRay", "WEB-DL", "AAC", "FLAC", "HDTV", "REMUX", "v2")
_EXTENSIONS = ("mkv", "mp4", "txt", "jpg", "nfo", "flac", "mp3", "iso", "pdf", "epub", "zip", "srt", "ass")
_TITLE_WORDS = ("release", "thread", "download", "topic")


class Torrent(NamedTuple):
    """One torrent of the corpus; `id` from 1, `added` in UTC seconds, ascending with it."""

    id: int
    infohash: bytes
    name: str
    title: str
    size: int
    added: int
    site: int
    files: tuple[tuple[str, int], ...]


class Corpus:
    """Torrents and the vocabularies they are made of. `common` words lead each vocabulary."""

    def __init__(self, seed: int = 20261130) -> None:
        draw = random.Random(seed)
        self.latin = _latin_words(draw, 60_000)
        self.chinese = _han_words(draw, 20_000)
        self.japanese = _japanese_words(draw, 20_000)
        self._latin_pool = _zipf(draw, self.latin)
        self._chinese_pool = _zipf(draw, self.chinese)
        self._japanese_pool = _zipf(draw, self.japanese)
        self._seed = seed

    def torrents(self, first: int, last: int) -> Iterator[Torrent]:
        """Torrents `first` to `last`, the last one left out."""
        for number in range(first, last):
            yield self._torrent(number, random.Random(self._seed * 1_000_003 + number))

    def _torrent(self, number: int, draw: random.Random) -> Torrent:
        kind = draw.random()
        latin = self._some(draw, self._latin_pool, 2 + int(draw.random() * 5))
        if kind < 0.6:
            words = [word.capitalize() for word in latin]
        elif kind < 0.85:
            words = ["".join(self._some(draw, self._chinese_pool, 2 + int(draw.random() * 4))), *latin[:1]]
        else:
            words = ["".join(self._some(draw, self._japanese_pool, 2 + int(draw.random() * 3))), *latin[:1]]
        year = str(1980 + int(draw.random() ** 0.5 * 46))
        tags = [_TAGS[int(draw.random() * len(_TAGS))] for _ in range(2)]
        parting = "." if draw.random() < 0.6 else " "
        name = parting.join([*words, year, *tags])
        files = self._files(draw, name, words[0])
        title = f"[{year}] {' '.join(words)} {_TITLE_WORDS[int(draw.random() * 4)]}"
        site = int(draw.random() ** 2 * len(SITES))
        infohash = sha1(number.to_bytes(8, "big"), usedforsecurity=False).digest()
        size = sum(size for _, size in files)
        return Torrent(number, infohash, name, title, size, FIRST_SEEN + number * 37, site, files)

    def _files(self, draw: random.Random, name: str, head: str) -> tuple[tuple[str, int], ...]:
        # 1 to 40 files, 6 on average.
        count = 1 + min(int(draw.expovariate(1 / 5.4)), 39)
        main = _EXTENSIONS[int(draw.random() ** 2 * len(_EXTENSIONS))]
        if count == 1:
            return ((f"{name}.{main}", int(draw.lognormvariate(20, 2))),)
        files = []
        words = self._some(draw, self._latin_pool, count)
        for at in range(count):
            extension = main if at < count - 1 else _EXTENSIONS[int(draw.random() * len(_EXTENSIONS))]
            files.append(
                (f"{name}/{head}.E{at + 1:02}.{words[at]}.{extension}", int(draw.lognormvariate(19, 2)))
            )
        return tuple(files)

    def _some(self, draw: random.Random, pool: list[str], count: int) -> list[str]:
        at = int(draw.random() * (_POOL - 64))
        return pool[at : at + count]


def file_digest(torrent: Torrent) -> tuple[bytes, bytes]:
    """MD5-sized and SHA-256 bytes that stand for the torrent's file."""
    digest = sha256(torrent.infohash).digest()
    return digest[:16], digest


def _latin_words(draw: random.Random, count: int) -> list[str]:
    onsets = [*"bcdfghjklmnprstvwz", "br", "ch", "dr", "gl", "pr", "sh", "st", "tr"]
    nuclei = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
    codas = ("", "", "n", "r", "s", "t", "l", "m", "nd", "rk")
    words: dict[str, None] = {}
    while len(words) < count:
        syllables = 1 + (len(words) > 300) + (draw.random() < 0.5)
        word = "".join(
            draw.choice(onsets) + draw.choice(nuclei) + draw.choice(codas) for _ in range(syllables)
        )
        if len(word) > 2:
            words[word] = None
    return list(words)


def _han_words(draw: random.Random, count: int) -> list[str]:
    characters = [chr(code) for code in range(0x4E00, 0x9FA5)]
    draw.shuffle(characters)
    weights = [1 / (rank + 20) for rank in range(3500)]
    words: dict[str, None] = {}
    while len(words) < count:
        length = draw.choice((2, 2, 2, 3, 4))
        words["".join(draw.choices(characters[:3500], weights, k=length))] = None
    return list(words)


def _japanese_words(draw: random.Random, count: int) -> list[str]:
    kana = [chr(code) for code in range(0x30A2, 0x30EE)]
    hiragana = [chr(code) for code in range(0x3042, 0x308E)]
    han = [chr(code) for code in range(0x4E00, 0x4E00 + 2000)]
    words: dict[str, None] = {}
    while len(words) < count:
        form = draw.random()
        if form < 0.5:
            word = "".join(draw.choices(kana, k=draw.randint(2, 5)))
        elif form < 0.8:
            word = "".join(draw.choices(han, k=2))
        else:
            word = draw.choice(han) + "".join(draw.choices(hiragana, k=draw.randint(1, 2)))
        words[word] = None
    return list(words)


def _zipf(draw: random.Random, words: list[str]) -> list[str]:
    weights = [1 / (rank + 3) for rank in range(len(words))]
    return draw.choices(words, weights, k=_POOL)
