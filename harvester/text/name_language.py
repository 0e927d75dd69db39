"""The language of a name, as far as its script and the tags of release names tell."""

from __future__ import annotations

import re

_SCRIPTS = (
    ("ja", re.compile("[\u3041-\u3096\u30a1-\u30fa]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U000323af]")),
    ("th", re.compile("[\u0e01-\u0e3a]")),
    ("uk", re.compile("[іїєґІЇЄҐ]")),
    ("ru", re.compile("[\u0410-\u044f]")),
    ("el", re.compile("[\u0391-\u03c9]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("fa", re.compile("[پچژگ]")),
    ("ar", re.compile("[\u0621-\u064a]")),
    ("hi", re.compile("[\u0905-\u0939]")),
)
_TAGS = {
    "english": "en",
    "french": "fr",
    "truefrench": "fr",
    "vostfr": "fr",
    "vff": "fr",
    "german": "de",
    "deutsch": "de",
    "italian": "it",
    "ita": "it",
    "spanish": "es",
    "castellano": "es",
    "espanol": "es",
    "latino": "es",
    "portuguese": "pt",
    "dublado": "pt",
    "russian": "ru",
    "polish": "pl",
    "dutch": "nl",
    "swedish": "sv",
    "danish": "da",
    "norwegian": "no",
    "finnish": "fi",
    "czech": "cs",
    "hungarian": "hu",
    "turkish": "tr",
    "hindi": "hi",
    "korean": "ko",
    "japanese": "ja",
    "chinese": "zh",
}


def language_of(text: str, words: list[str]) -> str:
    """An ISO 639-1 code, or "" when nothing tells. `words` are the text's words, folded.

    The script goes first; Latin letters alone say nothing, there the tags of release names do.
    """
    if not text.isascii():
        for language, script in _SCRIPTS:
            if script.search(text):
                return language
    for word in words:
        if word in _TAGS:
            return _TAGS[word]
    return ""
