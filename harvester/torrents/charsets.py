"""The charsets that names of torrents come in: which labels are believed, and how natural a reading looks.

Labels out of the network are looked up here and nowhere else, so that no untrusted word ever reaches
`bytes.decode`. What is said of a charset here is about file names, which are short: `harvester.text`
knows about pages.
"""

from __future__ import annotations

import re
from functools import cache

from harvester.torrents import frequent

CODECS: dict[str, tuple[str, ...]] = {
    "utf-8": ("utf-8",),
    "gb18030": ("gb18030",),
    "big5": ("cp950", "big5hkscs"),
    "shift_jis": ("cp932", "shift_jis_2004"),
    "euc-kr": ("cp949",),
    "euc-jp": ("euc_jp", "euc_jis_2004"),
    "windows-1251": ("cp1251",),
    "koi8-r": ("koi8_r",),
    "koi8-u": ("koi8_u",),
    "ibm866": ("cp866",),
    "windows-1250": ("cp1250",),
    "windows-1252": ("cp1252",),
    "windows-1253": ("cp1253",),
    "windows-1254": ("cp1254",),
    "windows-1255": ("cp1255",),
    "windows-1256": ("cp1256",),
    "windows-1257": ("cp1257",),
    "windows-1258": ("cp1258",),
    "windows-874": ("cp874",),
    "iso-8859-1": ("latin-1",),
    "iso-8859-2": ("iso8859-2",),
    "iso-8859-5": ("iso8859-5",),
    "iso-8859-7": ("iso8859-7",),
    "iso-8859-9": ("iso8859-9",),
    "iso-8859-15": ("iso8859-15",),
}
"""Label (IANA) to the Python codecs that read it, the first that succeeds is taken."""

_ALIASES: dict[str, str] = {
    **{label.replace("-", "").replace("_", ""): label for label in CODECS},
    **dict.fromkeys(("utf", "utf8", "unicode11utf8", "65001", "cp65001"), "utf-8"),
    **dict.fromkeys(
        ("gbk", "gb2312", "gb231280", "cp936", "936", "windows936", "ms936", "xgbk", "euccn", "54936"),
        "gb18030",
    ),
    **dict.fromkeys(("20936", "52936", "chinese", "hzgb2312", "gb"), "gb18030"),
    **dict.fromkeys(("big5hkscs", "cp950", "950", "windows950", "ms950", "big5tw", "xbig5"), "big5"),
    **dict.fromkeys(
        ("sjis", "xsjis", "cp932", "932", "windows31j", "ms932", "mskanji", "shiftjis2004"), "shift_jis"
    ),
    **dict.fromkeys(
        ("cp949", "949", "uhc", "ksc56011987", "ksc5601", "windows949", "51949", "ms949"), "euc-kr"
    ),
    **dict.fromkeys(("ujis", "xeucjp", "20932", "51932", "eucjis2004"), "euc-jp"),
    **dict.fromkeys(("cp1251", "1251", "win1251"), "windows-1251"),
    **dict.fromkeys(("koi8", "20866", "cp20866"), "koi8-r"),
    **dict.fromkeys(("21866",), "koi8-u"),
    **dict.fromkeys(("cp866", "866", "dos866"), "ibm866"),
    **dict.fromkeys(("latin1", "l1", "iso88591", "28591", "cp819"), "iso-8859-1"),
    **dict.fromkeys(("latin2", "28592"), "iso-8859-2"),
    **dict.fromkeys(("28595",), "iso-8859-5"),
    **dict.fromkeys(("28597",), "iso-8859-7"),
    **dict.fromkeys(("latin5", "28599"), "iso-8859-9"),
    **dict.fromkeys(("latin9", "28605"), "iso-8859-15"),
    **dict.fromkeys(("874", "cp874", "tis620", "iso885911"), "windows-874"),
    **{
        f"{prefix}{number}": f"windows-{number}"
        for number in range(1250, 1259)
        for prefix in ("cp", "", "win")
    },
}

ASKED_FOR = ("gb18030", "big5", "cp932", "euc-kr", "euc-jp", "cp1251", "koi8-r", "cp1252")
"""The charsets the detector chooses from."""

DETECTABLE: dict[str, str] = {
    "gb18030": "gb18030",
    "big5hkscs": "big5",
    "cp932": "shift_jis",
    "shift_jis_2004": "shift_jis",
    "cp949": "euc-kr",
    "euc_kr": "euc-kr",
    "euc_jis_2004": "euc-jp",
    "euc_jp": "euc-jp",
    "cp1251": "windows-1251",
    "koi8-r": "koi8-r",
    "cp1252": "windows-1252",
}
"""What the detector may answer (its codec names), and our label for it; ties go to the earlier."""

_MAX_LABEL = 40
_SAMPLE = 2000


def known_label(value: object) -> str | None:
    """The label for what a torrent calls its encoding or code page, of any type; None: not one we know."""
    if isinstance(value, bytes | bytearray):
        value = bytes(value[:_MAX_LABEL]).decode("ascii", "replace")
    if isinstance(value, int) and 0 <= value <= 99999:
        value = str(value)
    if not isinstance(value, str):
        return None
    return _ALIASES.get(re.sub(r"[^0-9a-z]", "", value[:_MAX_LABEL].lower()))


def strict_decode(raw: bytes, label: str) -> str | None:
    """The text of `raw` in the charset `label` (of `CODECS`), None where a byte does not fit."""
    for codec in CODECS[label]:
        try:
            return raw.decode(codec)
        except UnicodeDecodeError:
            continue
    return None


def _rows(codec: str, first: int, last: int, *, low: int = 0xA1, high: int = 0xFE) -> str:
    """All characters of the two-byte rows `first` to `last`."""
    return "".join(
        bytes((lead, trail)).decode(codec, "ignore")
        for lead in range(first, last + 1)
        for trail in range(low, high + 1)
        if trail != 0x7F
    )


_SYMBOLS = dict.fromkeys("，。、；：？！…—·～「」『』【】《》〈〉（）“”‘’　〔〕", 0.9)
_FULL_WIDTH = dict.fromkeys((chr(point) for point in range(0xFF01, 0xFF5F)), 0.5)
_KANA = dict.fromkeys((chr(point) for point in (*range(0x3041, 0x3094), *range(0x30A1, 0x30FD))), 1.2)


@cache
def _weights(label: str) -> tuple[dict[str, float], float]:
    """How natural each character is in a file name of that charset, and the weight of any other one."""
    if label == "gb18030":
        return {
            **dict.fromkeys(_rows("cp950", 0xA4, 0xC6, low=0x40), 0.3),  # traditional characters, in GBK
            **dict.fromkeys(_rows("gb2312", 0xD8, 0xF7), 0.3),
            **dict.fromkeys(_rows("gb2312", 0xB0, 0xD7), 0.8),
            **dict.fromkeys(_KANA, 0.5),
            **_FULL_WIDTH,
            **_SYMBOLS,
            **dict.fromkeys(frequent.SIMPLIFIED, 1.4),
        }, -1.5
    if label == "big5":
        return {
            **dict.fromkeys(_rows("cp950", 0xC9, 0xF9, low=0x40), -0.1),
            **dict.fromkeys(_rows("cp950", 0xA4, 0xC6, low=0x40), 0.7),
            **_FULL_WIDTH,
            **_SYMBOLS,
            **dict.fromkeys(frequent.TRADITIONAL, 1.4),
        }, -1.5
    if label in ("shift_jis", "euc-jp"):
        return {
            **dict.fromkeys((chr(point) for point in range(0xFF61, 0xFFA0)), -0.6),
            **dict.fromkeys(_rows("euc_jp", 0xD0, 0xF4), -0.1),
            **dict.fromkeys(_rows("euc_jp", 0xB0, 0xCF), 0.7),
            **_FULL_WIDTH,
            **_SYMBOLS,
            **_KANA,
            **dict.fromkeys(frequent.JAPANESE, 1.3),
        }, -1.0
    if label == "euc-kr":
        return {
            **dict.fromkeys(_rows("cp949", 0xCA, 0xFD), -0.3),
            **dict.fromkeys((chr(point) for point in range(0xAC00, 0xD7A4)), -0.4),
            **dict.fromkeys(_rows("cp949", 0xB0, 0xC8), 0.7),
            **_FULL_WIDTH,
            **_SYMBOLS,
            **dict.fromkeys(frequent.KOREAN, 1.4),
        }, -1.0
    return {}, 0.0


_CYRILLIC_WORD = re.compile(r"[\u0400-\u04ff]+")
_CYRILLIC_CASE = re.compile(r"[А-ЯЁІЇЄ]?[а-яёіїє]+|[А-ЯЁІЇЄ]+")
_LATIN_WORD = re.compile(r"[A-Za-z\u0080-\u024f\u0160-\u017e]+")
_LATIN_CASE = re.compile(
    r"(?:[A-ZÀ-ÖØ-ÞŒŠŽŸ]?[a-zß-öø-ÿœšž]+)|(?:[A-ZÀ-ÖØ-ÞŒŠŽŸ]+)|(?:[DLdl]['’][A-ZÀ-Þ]?[a-zß-ÿ]*)"
)
_LATIN_MARKS = "–—‘’“”„…•™©®°·«»´¡¿ªº§€£"


def _cyrillic_score(text: str) -> float:
    """Cyrillic words of one case pattern, in frequent letters, and nothing else beyond ASCII."""
    score = 0.0
    foreign = sum(1 for char in text if char > "\x7f" and not "\u0400" <= char <= "\u04ff")
    letters = 0
    for match in _CYRILLIC_WORD.finditer(text):
        word = match.group()
        letters += len(word)
        if not _CYRILLIC_CASE.fullmatch(word):
            score -= len(word)
            continue
        usual = sum(1 for char in word.lower() if char in "оеаинтсрвлкмдпуяыь")
        score += 0.4 * len(word) + 0.7 * usual
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        if (before.isalpha() or after.isalpha()) and len(word) < 4:
            score -= len(word)  # one or two Cyrillic letters inside a Latin word: an accent, misread
    marks = sum(1 for char in text if char in "–—«»“”„…№")
    return (score + 0.6 * marks - 1.5 * (foreign - marks)) / max(1, letters + foreign)


def _latin_score(text: str) -> float:
    """Accented letters that stand alone among plain ones, and the punctuation of typesetters."""
    score = 0.0
    accented = 0
    for match in _LATIN_WORD.finditer(text):
        word = match.group()
        beyond = sum(1 for char in word if char > "\x7f")
        if not beyond:
            continue
        accented += beyond
        natural = _LATIN_CASE.fullmatch(word) and beyond * 2 <= len(word)
        score += 0.75 * beyond if natural else -0.8 * beyond
        score += sum(0.2 for char in word if char in "éèáàäöüñçíóúâêãõåøæß") if natural else 0
    marks = sum(1 for char in text if char in _LATIN_MARKS)
    others = sum(1 for char in text if char > "\x7f" and not _LATIN_WORD.match(char)) - marks
    marks_inside = sum(
        1 for char in text if char > "\x7f" and _LATIN_WORD.match(char) and char in _LATIN_MARKS
    )
    return (score + 0.3 * marks - 1.5 * max(0, others + marks_inside)) / max(1, accented + marks + others)


def naturalness(text: str, label: str) -> float:
    """How natural `text` looks as names read in `label`: about 1 for right, below 0 for wrong.

    The mean over the characters beyond ASCII (at most the first 2,000); 0 where there are none.
    """
    beyond = [char for char in text if char > "\x7f"][:_SAMPLE]
    if not beyond:
        return 0.0
    if label in ("windows-1251", "koi8-r", "koi8-u", "ibm866", "iso-8859-5"):
        return _cyrillic_score(text[: 4 * _SAMPLE])
    weights, other = _weights(label)
    if not weights:
        return _latin_score(text[: 4 * _SAMPLE])
    return sum(weights.get(char, other) for char in beyond) / len(beyond)
