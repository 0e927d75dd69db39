"""Which parts of a name a query found."""

from __future__ import annotations

import re
from typing import NamedTuple

from harvester.model.query import And, Node, Or, Word
from harvester.text.folding import fold
from harvester.text.terms import index_terms

MAX_NAME = 1000
"""Characters of a name that are looked at; what follows is unmarked."""
_MAX_WORDS = 64


class NamePart(NamedTuple):
    """A piece of a name, and whether the query found it."""

    text: str
    match: bool


class Highlighter:
    """Finds the words of one query in many texts. False when the query has no word that a text could have.

    Words are found as search folds them: case, width, accents, simplified and traditional Chinese.
    """

    def __init__(self, query: Node) -> None:
        self._pattern = _pattern(query)

    def __bool__(self) -> bool:
        return self._pattern is not None

    def marked(self, text: str) -> tuple[NamePart, ...]:
        """The text in pieces, in order; joined they are the text."""
        if self._pattern is None or not self._pattern.search(fold(text[:MAX_NAME])):
            return (NamePart(text, False),) if text else ()
        folded: list[str] = []
        origins: list[int] = []
        for at, character in enumerate(text[:MAX_NAME]):
            piece = fold(character)
            folded.append(piece)
            origins.extend([at] * len(piece))
        hits = self._pattern.finditer("".join(folded))
        return tuple(_pieces(text, [(origins[hit.start()], origins[hit.end() - 1] + 1) for hit in hits]))


def around_match(pieces: tuple[NamePart, ...], length: int = 60) -> tuple[NamePart, ...]:
    """The first match with up to `length` characters before it and twice as many after."""
    at = next(place for place, part in enumerate(pieces) if part.match)
    before = "".join(part.text for part in pieces[:at])
    if len(before) > length:
        before = "…" + before[-length:]
    after: list[NamePart] = []
    left = 2 * length
    for part in pieces[at:]:
        after.append(NamePart(part.text[:left], part.match))
        left -= len(part.text)
        if left <= 0:
            after.append(NamePart("…", False))
            break
    return (NamePart(before, False), *after) if before else tuple(after)


def _pieces(name: str, spans: list[tuple[int, int]]) -> list[NamePart]:
    pieces: list[NamePart] = []
    done = 0
    for start, end in spans:
        start = max(start, done)
        if end <= start:
            continue
        if start > done:
            pieces.append(NamePart(name[done:start], False))
        if pieces and pieces[-1].match:
            pieces[-1] = NamePart(pieces[-1].text + name[start:end], True)
        else:
            pieces.append(NamePart(name[start:end], True))
        done = end
    if done < len(name):
        pieces.append(NamePart(name[done:], False))
    return pieces


def _pattern(query: Node) -> re.Pattern[str] | None:
    """Literal words joined by |, so linear; None when there is no word to find."""
    alternatives: dict[str, None] = {}
    for word in _words(query)[:_MAX_WORDS]:
        text = fold(word.text).strip()
        if not text.isascii():
            # Runs of Chinese stand anywhere; the words between them stand on their own.
            for run in re.findall(r"[^\W_]{1,100}", text):
                whole = run.isascii() or len(index_terms(run)) == 1
                alternatives[_bounded(run, word.prefix) if whole and run.isascii() else re.escape(run)] = None
        else:
            for run in re.findall(r"[a-z0-9]{1,100}", text):
                alternatives[_bounded(run, word.prefix)] = None
    if not alternatives:
        return None
    return re.compile("|".join(sorted(alternatives, key=len, reverse=True)))


def _bounded(run: str, prefix: bool) -> str:
    return rf"(?<![a-z0-9]){re.escape(run)}{'[a-z0-9]{0,64}' if prefix else ''}(?![a-z0-9])"


def _words(node: Node) -> list[Word]:
    """The words that a text must or may have, not those it must not."""
    match node:
        case Word():
            return [node]
        case And() | Or():
            return [word for part in node.parts for word in _words(part)]
        case _:
            return []
