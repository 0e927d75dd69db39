"""The label table of the WHATWG Encoding Standard (section 4.2) and its Python codecs.

Two deliberate differences: GBK and GB2312 are read as gb18030, their superset, so one row serves all three;
the labels that the standard maps to its `replacement` decoder are unknown here, and a page that carries one
goes to the detector.
"""

from __future__ import annotations

from types import MappingProxyType

# WHATWG name -> (Python codec, labels besides the name)
_TABLE: dict[str, tuple[str, str]] = {
    "utf-8": ("utf-8", "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8"),
    "ibm866": ("cp866", "866 cp866 csibm866"),
    "iso-8859-2": (
        "iso8859-2",
        "csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    ),
    "iso-8859-3": (
        "iso8859-3",
        "csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    ),
    "iso-8859-4": (
        "iso8859-4",
        "csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    ),
    "iso-8859-5": (
        "iso8859-5",
        "csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
    ),
    "iso-8859-6": (
        "iso8859-6",
        "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i "
        "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    ),
    "iso-8859-7": (
        "iso8859-7",
        "csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
        "iso_8859-7:1987 sun_eu_greek",
    ),
    "iso-8859-8": (
        "iso8859-8",
        "csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
        "iso_8859-8:1988 visual",
    ),
    "iso-8859-8-i": ("iso8859-8", "csiso88598i logical"),
    "iso-8859-10": ("iso8859-10", "csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6"),
    "iso-8859-13": ("iso8859-13", "iso8859-13 iso885913"),
    "iso-8859-14": ("iso8859-14", "iso8859-14 iso885914"),
    "iso-8859-15": ("iso8859-15", "csisolatin9 iso8859-15 iso885915 iso_8859-15 l9"),
    "iso-8859-16": ("iso8859-16", ""),
    "koi8-r": ("koi8-r", "cskoi8r koi koi8 koi8_r"),
    "koi8-u": ("koi8-u", "koi8-ru"),
    "macintosh": ("mac-roman", "csmacintosh mac x-mac-roman"),
    "windows-874": ("cp874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620"),
    "windows-1250": ("cp1250", "cp1250 x-cp1250"),
    "windows-1251": ("cp1251", "cp1251 x-cp1251"),
    "windows-1252": (
        "cp1252",
        "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 "
        "iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252",
    ),
    "windows-1253": ("cp1253", "cp1253 x-cp1253"),
    "windows-1254": (
        "cp1254",
        "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
        "x-cp1254",
    ),
    "windows-1255": ("cp1255", "cp1255 x-cp1255"),
    "windows-1256": ("cp1256", "cp1256 x-cp1256"),
    "windows-1257": ("cp1257", "cp1257 x-cp1257"),
    "windows-1258": ("cp1258", "cp1258 x-cp1258"),
    "x-mac-cyrillic": ("mac-cyrillic", "x-mac-ukrainian"),
    "gb18030": (
        "gb18030",
        "gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
    ),
    "big5": ("big5hkscs", "big5-hkscs cn-big5 csbig5 x-x-big5"),
    "euc-jp": ("euc_jp", "cseucpkdfmtjapanese x-euc-jp"),
    "iso-2022-jp": ("iso2022_jp", "csiso2022jp"),
    "shift_jis": ("cp932", "csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis"),
    "euc-kr": (
        "cp949",
        "cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
    ),
    "utf-16be": ("utf-16-be", "unicodefffe"),
    "utf-16le": (
        "utf-16-le",
        "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
    ),
    "x-user-defined": ("latin-1", ""),
}

# Labels outside the standard that pages and detectors use all the same.
_EXTRA = {
    "cp936": "gb18030",
    "ms936": "gb18030",
    "windows-936": "gb18030",
    "gb-2312": "gb18030",
    "gb-18030": "gb18030",
    "cp950": "big5",
    "big5hkscs": "big5",
    "big-5": "big5",
    "cp932": "shift_jis",
    "shift_jis_2004": "shift_jis",
    "shift_jisx0213": "shift_jis",
    "cp949": "euc-kr",
    "uhc": "euc-kr",
    "johab": "euc-kr",
    "eucjp": "euc-jp",
    "euc_jp": "euc-jp",
    "euc_jis_2004": "euc-jp",
    "eucjis2004": "euc-jp",
    "euckr": "euc-kr",
    "euc_kr": "euc-kr",
    "utf-8-sig": "utf-8",
    "utf_8": "utf-8",
    "win-1251": "windows-1251",
    "win1251": "windows-1251",
    "windows1251": "windows-1251",
    "windows1252": "windows-1252",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
}


def _build() -> tuple[dict[str, str], dict[str, str]]:
    names: dict[str, str] = dict(_EXTRA)
    codecs: dict[str, str] = {}
    for name, (codec, labels) in _TABLE.items():
        codecs[name] = codec
        names[name] = name
        for label in labels.split():
            names[label] = name
    return names, codecs


_names, _codecs = _build()

NAME_OF_LABEL = MappingProxyType(_names)
"""Label in lower case -> WHATWG name in lower case (gbk as gb18030)."""

CODEC_OF_NAME = MappingProxyType(_codecs)
"""WHATWG name in lower case -> Python codec."""


def encoding_name(label: str) -> str | None:
    """The WHATWG name for a label as a page or header writes it, or None when it is unknown."""
    return NAME_OF_LABEL.get(label.strip(" \t\n\r\f\"'").lower())
