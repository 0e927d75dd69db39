"""The fields of the index.

Terms come from `harvester.text.terms` and are joined by blanks: Tantivy only splits them again. Nothing is
stored; a hit is the torrent's id. A change here or in how terms are made has to change `VERSION`.

`text` has every term once and decides what matches; `name` and `about` (titles, comment) keep positions for
phrases and rank higher; `words` are dictionary words of Chinese names. `ext` has the extensions of all
files, for filtering, `main` that of the largest one, for counting: a column with one value for each document
is counted twenty times faster than one with several. For the same reason no value is left out: what is not
known is `UNKNOWN`. `date` and `size` are sort keys: the value with the low bits of the id behind it, so that
no two torrents are equal and paging by key is exact. `tier` is the size in powers of two: the largest are
found without going over all.
"""

from __future__ import annotations

import tantivy

from harvester.model.query import NumberField

VERSION = 3

UNKNOWN = "-"
"""The value of a keyword that is not known; queries cannot name it, facets leave it out."""

TERMS = "terms"
"""The tokenizer: blanks part terms."""

DATE_BITS = 24
SIZE_BITS = 18
_MAX_SECONDS = 2**38
# 17.6 TB: what is larger sorts as equal.
_MAX_SIZE = 2**44 - 1
MAX_NUMBER = 2**62


def build_schema() -> tantivy.Schema:
    """The schema."""
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("id", indexed=True, fast=True)
    builder.add_text_field("text", tokenizer_name=TERMS, index_option="basic")
    builder.add_text_field("name", tokenizer_name=TERMS, index_option="position")
    builder.add_text_field("about", tokenizer_name=TERMS, index_option="position")
    builder.add_text_field("words", tokenizer_name=TERMS, index_option="basic")
    for keyword in ("site", "main", "lang", "type", "private", "wall"):
        builder.add_text_field(keyword, fast=True, tokenizer_name="raw", index_option="basic")
    for keyword in ("ext", "publisher", "tier"):
        builder.add_text_field(keyword, tokenizer_name="raw", index_option="basic")
    for number in ("date", "size", "files", "created"):
        builder.add_integer_field(number, fast=True)
    return builder.build()


def open_index(folder: str, *, create: bool = False) -> tantivy.Index:
    """The index in `folder` (made when `create`), ready to read and write."""
    index = tantivy.Index(build_schema(), path=folder) if create else tantivy.Index.open(folder)
    index.register_tokenizer(TERMS, tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
    # The program looks for commits itself, before each search: no thread that polls, and no delay.
    index.config_reader(reload_policy="manual")
    return index


def date_key(seconds: float, torrent_id: int) -> int:
    """The sort key of a moment: later ones are larger."""
    whole = min(max(int(seconds), -_MAX_SECONDS), _MAX_SECONDS)
    return (whole << DATE_BITS) | (torrent_id & ((1 << DATE_BITS) - 1))


def size_key(size: int | None, torrent_id: int) -> int:
    """The sort key of a size; an unknown one is below zero."""
    if size is None:
        return -1 - (torrent_id & (MAX_NUMBER - 1))
    return (min(max(size, 0), _MAX_SIZE) << SIZE_BITS) | (torrent_id & ((1 << SIZE_BITS) - 1))


TIERS = tuple(f"{tier:02}" for tier in range(_MAX_SIZE.bit_length() + 1))
"""The tiers of known sizes, the smallest first: one for nothing, and one for each power of two."""


def tier_of_key(key: int) -> str:
    """The tier of a size's sort key, `UNKNOWN` for the key of an unknown one."""
    return UNKNOWN if key < 0 else TIERS[(key >> SIZE_BITS).bit_length()]


def number_bounds(field: NumberField, low: int | None, high: int | None) -> tuple[int | None, int | None]:
    """A range of values as one of what the index holds, both ends included."""
    if field == "date":
        return _shifted(low, high, DATE_BITS, -_MAX_SECONDS, _MAX_SECONDS)
    if field == "size":
        return _shifted(0 if low is None else low, high, SIZE_BITS, 0, _MAX_SIZE)
    return _clamped(low), _clamped(high)


def _shifted(
    low: int | None, high: int | None, bits: int, least: int, most: int
) -> tuple[int | None, int | None]:
    first = None if low is None else min(max(low, least), most + 1) << bits
    last = None if high is None or high >= most else ((max(high, least - 1) + 1) << bits) - 1
    return first, last


def _clamped(number: int | None) -> int | None:
    return None if number is None else min(max(number, -MAX_NUMBER), MAX_NUMBER)
