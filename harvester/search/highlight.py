"""Which parts of a name made it a hit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from harvester.model.query import And, HasHash, Node, Or, Word
from harvester.text.folding import fold
from harvester.text.terms import is_cjk, runs_of


def highlighted(text: str, query: Node) -> list[tuple[str, bool]]:
    """`text` in pieces, with whether each was asked for; joined they are `text`, unescaped.

    Latin words are whole words (or beginnings, for `word*`), CJK any part of the text. What the query leaves
    out is not looked for.
    """
    folded, origin = _folded(text)
    marked = [False] * len(text)
    for run, prefix in dict.fromkeys(_runs_asked_for(query)):
        for start, end in _places(folded, run, prefix=prefix):
            for at in range(start, end):
                marked[origin[at]] = True
    pieces = groupby(zip(text, marked, strict=True), key=lambda one: one[1])
    return [("".join(character for character, _ in piece), mark) for mark, piece in pieces]


def _folded(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the place in `text` it came from."""
    folded, origin = [], []
    for at, character in enumerate(text):
        for one in fold(character):
            folded.append(one)
            origin.append(at)
    return "".join(folded), origin


def _runs_asked_for(node: Node) -> Iterator[tuple[str, bool]]:
    match node:
        case Word():
            runs = runs_of(node.text)
            for at, run in enumerate(runs):
                yield run, node.prefix and at == len(runs) - 1
        case HasHash():
            for run in runs_of(node.text):
                yield run, False
        case And() | Or():
            for part in node.parts:
                yield from _runs_asked_for(part)
        case _:
            return


def _places(folded: str, run: str, *, prefix: bool) -> Iterator[tuple[int, int]]:
    anywhere = is_cjk(run)
    start = folded.find(run)
    while start >= 0:
        end = start + len(run)
        begins = start == 0 or not _is_of_word(folded[start - 1])
        ends = end == len(folded) or not _is_of_word(folded[end])
        if anywhere or (begins and (ends or prefix)):
            yield start, end
        start = folded.find(run, start + 1)


def _is_of_word(character: str) -> bool:
    return character.isalnum() and not is_cjk(character)
