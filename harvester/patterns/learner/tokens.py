"""URLs as tokens: path segments and query values, each reduced to a form that its likes share.

A form is a text in which numbers are `#` and other kinds of values stand in `<…>`, which no URL holds:
`thread-#-#`, `page#`, `<slug>.#`, `<hex>`. What is left of the segment's own words stays literal; the
pattern tree decides later which words matter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

NUMBER: Final = "#"
ANY: Final = "<any>"
SLUG: Final = "<slug>"
HEX: Final = "<hex>"
TOKEN: Final = "<token>"  # noqa: S105 — names a kind of value
DATE: Final = "<date>"
ESCAPED: Final = "<pct>"
EMPTY: Final = ""
MAX_POSITIONS: Final = 24
SLUG_WORDS: Final = 3
SLUG_LENGTH: Final = 24
MIXED_LENGTH: Final = 6
"""Words, or characters, from which a segment is a title and no name of a kind of page."""

_DATE: Final = re.compile(r"(?:19|20)\d{2}([-_.]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])")
_HEX: Final = re.compile(r"(?=[a-fA-F]*\d)(?=\d*[a-fA-F])[0-9a-fA-F]{8,}")
_TOKEN: Final = re.compile(r"(?=[A-Za-z_=-]*\d)(?=[\d_=-]*[A-Za-z])[A-Za-z0-9_=]{16,}")
_MIXED: Final = re.compile(r"(?:[A-Za-z]+\d+){2,}[A-Za-z]*|(?:\d+[A-Za-z]+){2,}\d*")
"""Letters and digits by turns: an identifier, no word."""
_PIECES: Final = re.compile(r"\d+|[A-Za-z]+|[^A-Za-z\d]")
_NUMBERS: Final = re.compile(r"\d+")
_EXTENSION: Final = re.compile(r"\.([A-Za-z][A-Za-z0-9]{0,7})$")
_TAIL: Final = re.compile(r"[-_.~,]\d+$")
_HEAD: Final = re.compile(r"\d+[-_.~,]")
_SPECIAL: Final = re.compile(r"[\\.+*?()|\[\]{}^$]")
_CLASS: Final = re.compile(r"<[a-z]+>|#")
_CLASS_PATTERNS: Final = {
    NUMBER: r"\d+",
    ANY: "[^/?&;]+",
    SLUG: "[^/?&;]+",
    ESCAPED: "[^/?&;]+",
    TOKEN: "[^/?&;]+",
    HEX: "[0-9a-fA-F]+",
    DATE: r"\d{4}[-_.]?\d{2}[-_.]?\d{2}",
}


class Shape(NamedTuple):
    """A URL for the pattern tree.

    `group` is what no pattern ever generalises over: host, depth, names of query parameters, extension.
    `forms` are those of the path segments, then of the query values in the order of their names.
    """

    group: str
    forms: tuple[str, ...]


@lru_cache(maxsize=16384)
def form_of(segment: str) -> str:
    """The form of one path segment or query value."""
    if not segment:
        return EMPTY
    if segment.isdigit() and segment.isascii():
        return NUMBER
    if "%" in segment:
        return ESCAPED
    if _DATE.fullmatch(segment):
        return DATE
    if _HEX.fullmatch(segment):
        return HEX
    if _TOKEN.fullmatch(segment):
        return TOKEN
    if len(segment) >= MIXED_LENGTH and _MIXED.fullmatch(segment):
        return TOKEN
    words = sum(piece.isalpha() for piece in _PIECES.findall(segment[:200]))
    if words < SLUG_WORDS and len(segment) < SLUG_LENGTH:
        return _NUMBERS.sub(NUMBER, segment)
    if not words:
        return _NUMBERS.sub(NUMBER, segment)
    return _slug(segment)


def _slug(segment: str) -> str:
    """A title, with the number in front of it or behind it that identifies the object."""
    head, tail = _HEAD.match(segment), _TAIL.search(segment)
    before = f"#{segment[head.end() - 1]}" if head else ""
    after = f"{segment[tail.start()]}#" if tail else ""
    return f"{before}{SLUG}{after}"


def split(url: str) -> tuple[str, list[str], str, list[tuple[str, str]]]:
    """Host, path segments, extension and sorted query pairs of an absolute URL (a canonical key)."""
    rest = url.partition("#")[0]
    host = ""
    scheme = rest.find("://", 0, 12)
    if scheme >= 0:
        rest = rest[scheme + 3 :]
        slash = rest.find("/")
        mark = rest.find("?")
        end = min(place for place in (slash, mark, len(rest)) if place >= 0)
        host, rest = rest[:end], rest[end:]
    path, _, query = rest.partition("?")
    segments = path.split("/")[1:] or [""]
    extension = ""
    found = _EXTENSION.search(segments[-1])
    if found and found.start() > 0:
        extension = found[1]
        segments[-1] = segments[-1][: found.start()]
    pairs = []
    for piece in query.replace(";", "&").split("&")[:MAX_POSITIONS] if query else ():
        name, equals, value = piece.partition("=")
        if name:
            pairs.append((name if equals else f"{name}!", value))
    pairs.sort()
    return host, segments[:MAX_POSITIONS], extension, pairs


def shape_of(url: str) -> Shape:
    """The shape of an absolute URL, best of its canonical key."""
    host, segments, extension, pairs = split(url)
    names = "&".join([name for name, _ in pairs])
    group = f"{host}/{len(segments)}.{extension}?{names}"
    forms = [form_of(segment) for segment in segments]
    forms += [form_of(value) for _, value in pairs]
    return Shape(group, tuple(forms))


def names_of(group: str) -> list[str]:
    """The names of the parameters in a shape's group, lower case."""
    return [name.rstrip("!").lower() for name in group.partition("?")[2].split("&") if name]


def is_class(form: str) -> bool:
    """Whether the form says nothing but a kind of value."""
    return _CLASS.fullmatch(form) is not None or form == EMPTY


def has_words(form: str) -> bool:
    """Whether the form holds words of the URL, which may matter or not."""
    return any(character.isalnum() for character in _CLASS.sub("", form))


def pattern_of(form: str) -> str:
    """The RE2 pattern of a form."""
    pattern, end = [], 0
    for match in _CLASS.finditer(form):
        pattern += [escape(form[end : match.start()]), _CLASS_PATTERNS[match[0]]]
        end = match.end()
    pattern.append(escape(form[end:]))
    return "".join(pattern)


def escape(text: str) -> str:
    """`text` as an RE2 pattern: the ASCII signs that mean something there are escaped, nothing else."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def common_form(forms: list[str]) -> str:
    """The narrowest form that covers all of `forms`: a shared beginning and end around `<any>`."""
    first = forms[0]
    if all(form == first for form in forms):
        return first
    pieces = [_split_form(form) for form in forms]
    shortest = min(len(piece) for piece in pieces)
    head = 0
    while head < shortest and all(piece[head] == pieces[0][head] for piece in pieces):
        head += 1
    tail = 0
    while tail < shortest - head and all(piece[-1 - tail] == pieces[0][-1 - tail] for piece in pieces):
        tail += 1
    before, after = pieces[0][:head], pieces[0][len(pieces[0]) - tail :]
    while before and (before[-1] in ("#",) or before[-1].startswith("<")):
        before.pop()
    while after and not (after[0] and not after[0][0].isalnum() and after[0] not in ("#",)):
        after.pop(0)
    if after and after[0].startswith("<"):
        after = []
    return "".join(before) + ANY + "".join(after)


_FORM_PIECES: Final = re.compile(r"<[a-z]+>|#|[A-Za-z]+|[^A-Za-z<#]")


def _split_form(form: str) -> list[str]:
    return [match[0] for match in _FORM_PIECES.finditer(form)]
