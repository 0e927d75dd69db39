"""Which language a text is in, cheaply: the script, then everyday words."""

from __future__ import annotations

import re
from collections import Counter

from harvester.text.hanzi import ONLY_SIMPLIFIED, ONLY_TRADITIONAL

_SAMPLE = 800
"""Characters that are looked at."""

# First and last character -> language, for scripts that one language has (almost) to itself.
_SCRIPTS = (
    ("\u4e00", "\u9fff", "zh"),
    ("\u0400", "\u04ff", "ru"),
    ("\u3041", "\u30fa", "ja"),
    ("\uac00", "\ud7a3", "ko"),
    ("\u0621", "\u064a", "ar"),
    ("\u0e01", "\u0e4e", "th"),
    ("\u05d0", "\u05ea", "he"),
    ("\u0391", "\u03c9", "el"),
    ("\u0904", "\u0939", "hi"),
)

_WORDS = {
    "en": "the of and to in is you that it for was on are with as this have from or not but what all were",
    "de": "der die und das von zu den mit sich des auf für ist im dem nicht ein eine als auch es an werden",
    "fr": "de la le et les des en un du une que est pour qui dans par pas sur plus vous avec ce il sont au",
    "es": "de la que el en y los del se las por un para con no una su al lo como más pero sus este es esta",
    "pt": "de que e do da em um para com não uma os no se na por mais as dos como mas ao ele das seu sua",
    "it": "di che la il un per non sono una si ho con da ti lo mi ci ma come se io ha più anche della del",
    "nl": "de en van ik te dat die in een hij het niet zijn is was op aan met als voor had er maar om hem",
    "pl": "w i z na nie się do to że jest o jak ale po co tak za od dla czy przez może być jego które",
    "tr": "ve bir bu da de için ile çok ne daha gibi olarak kadar sonra olan var ben mi en her ama değil",
    "sv": "och att det i som en på är av för med till den har de inte om ett men var jag vi så från kan",
    "vi": "và của là có được cho không trong một các người những với khi đã này để từ về như đến",
    "id": "yang dan di dengan untuk ini dari dalam itu pada tidak adalah ke akan juga ada atau saya bisa",
    "cs": "a se na v je že to s z do i o ve si za ale po jako pro by od jsem tak jsou byl která nebo",
    "ro": "și de la în a cu pe nu este din care o să mai un pentru că ce fi am sunt au",
    "hu": "a az és hogy nem is egy ez de van meg csak ha már mint el volt vagy ki még",
    "fi": "ja on ei että oli hän se en mutta kuin niin ovat joka myös kun mitä tai jos",
}  # fmt: skip
_WORD_SETS = {
    language: frozenset(word for word in words.split() if len(word) > 1) for language, words in _WORDS.items()
}
_ALL_WORDS = frozenset().union(*_WORD_SETS.values())

_LATIN_WORD = re.compile(r"[a-zà-ɏḀ-ỿ]+")
_TAG = re.compile(r"[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$")


def guess_language(text: str, declared: str = "") -> str:
    """A BCP 47 tag for the language of `text`, or an empty string when there is no telling.

    Chinese is told apart by script (`zh-Hans`, `zh-Hant`). `declared` (the page's `lang`) is believed only
    where the text itself does not say: templates declare what their author spoke, not what users write.
    """
    sample = text[:_SAMPLE]
    found = ("" if sample.isascii() else _by_script(sample)) or _by_words(sample)
    return found or (declared if _TAG.match(declared) and declared.lower() != "und" else "")


def _by_script(sample: str) -> str:
    characters = Counter(sample)
    counts: Counter[str] = Counter()
    for character, number in characters.items():
        if character > "\u0390":
            for first, last, language in _SCRIPTS:
                if first <= character <= last:
                    counts[language] += number
                    break
    letters = counts.total()
    if letters < 4 or letters * 8 < len(sample):
        return ""
    if counts["ja"] * 10 > counts["zh"] and counts["ja"] >= counts["ko"]:
        counts["ja"] += counts["zh"]
        counts["zh"] = 0
    best = max(counts, key=lambda language: counts[language])
    if best == "zh":
        return _chinese(characters)
    return _cyrillic(characters) if best == "ru" else best


def _chinese(characters: Counter[str]) -> str:
    simplified = sum(characters[character] for character in ONLY_SIMPLIFIED & characters.keys())
    traditional = sum(characters[character] for character in ONLY_TRADITIONAL & characters.keys())
    if simplified == traditional:
        return "zh"
    return "zh-Hans" if simplified > traditional else "zh-Hant"


def _cyrillic(characters: Counter[str]) -> str:
    russian = sum(characters[character] for character in "ыэЫЭ")
    if sum(characters[character] for character in "іїєґІЇЄҐ") > russian:
        return "uk"
    return "bg" if russian == 0 and characters["ъ"] >= 3 else "ru"


def _by_words(sample: str) -> str:
    """The language with the most distinct everyday words; three at least, and more than any other has."""
    words = set(_LATIN_WORD.findall(sample.lower()))
    known = words & _ALL_WORDS
    if len(known) < 3:
        return ""
    best, most, second = "", 2, 0
    for language, everyday in _WORD_SETS.items():
        count = len(known & everyday)
        if count > most:
            best, most, second = language, count, most
        elif count > second:
            second = count
    return best if most > second and most * 25 >= len(words) else ""
