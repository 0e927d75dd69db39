"""What the text room says of a page: its decoded text, what it is about, and its fingerprint."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

DecidedBy = Literal["override", "bom", "header", "meta", "xml", "utf8", "detector", "fallback"]
"""What settled the encoding of a page."""


class DecodedPage(Struct, frozen=True):
    """A body as text.

    `encoding` is the WHATWG name in lower case (`utf-8`, `gb18030`, `windows-1252`), `how` what decided,
    `errors` the number of U+FFFD that the decoder had to put in.
    """

    text: str
    encoding: str
    how: DecidedBy
    errors: int = 0


class Fingerprint(Struct, frozen=True):
    """What of a page's main text is kept to know it again.

    `exact`: 64-bit hash of the folded text, digits included; equal means the same text.
    `simhash`: 64 bits over shingles of three tokens, tokens with digits left out.
    `imatch`: 64-bit hash of the set of distinct middling tokens (I-Match, Chowdhury et al. 2002).
    `sketch`: the smallest shingle hashes in ascending order, for Jaccard (Broder 1997).
    `shingles`: number of shingles seen; 0 means that there was too little text to compare.
    `whole_page`: taken of the page with its menus, for want of a main text; compared more strictly.
    """

    exact: int
    simhash: int
    imatch: int
    sketch: tuple[int, ...]
    shingles: int
    whole_page: bool = False


class PageText(Struct, frozen=True):
    """What a page is about.

    `language` is a BCP 47 tag (`zh-Hans`, `zh-Hant`, `ja`, `ko`, `ru`, `en`, …) or empty when unknown.
    `around` is the beginning of all the page's text, menus included, where there is next to no main text
    (lists, message boxes), else empty.
    """

    title: str
    heading: str
    main_text: str
    language: str
    fingerprint: Fingerprint
    around: str = ""
