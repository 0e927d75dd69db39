"""The terms of a text, for the search index and for queries: the same on both sides.

Letters and digits make words; everything else parts them, so that release names (`Ubuntu.22.04-LTS[x64]`)
come apart. Chinese, Japanese and Korean don't part their words: each run of such characters becomes its
overlapping pairs (bigrams) and its last character on its own. Two characters or more of a query are found
by their pairs, wherever a word may begin; a single one as what pairs begin with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from harvester.text.folding import fold

MAX_TERM = 64
"""Characters of a term; a longer word is several, in queries as well."""

_CJK = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
# `\w` without the underscore, which parts words in file names.
# Marks that are part of Indic and Thai words are no letters to `\w`.
_MARKS = "\u0900-\u0963\u0966-\u096f\u0971-\u0dff\u0e31-\u0e4e"
_RUN = re.compile(f"[{_CJK}]+|(?:[^\\W_{_CJK}]|[{_MARKS}]){{1,{MAX_TERM}}}")
_IS_CJK = re.compile(f"[{_CJK}]")
_FIRST_CJK = "\u3005"
_ASCII_WORD = re.compile(f"[a-z0-9]{{1,{MAX_TERM}}}")


class Part(NamedTuple):
    """What a query's word asks for: a term, or (`prefix`) any term that begins so."""

    term: str
    prefix: bool = False


def index_terms(text: str) -> list[str]:
    """The terms of a text in order, repeats included, for indexing."""
    runs = _runs(fold(text))
    if text.isascii():
        return runs
    terms: list[str] = []
    for run in runs:
        if is_cjk(run):
            terms += map("".join, pairwise(run))
            terms.append(run[-1])
        else:
            terms.append(run)
    return terms


def distinct_terms(texts: Iterable[str]) -> set[str]:
    """The terms of many texts (the paths of a torrent), each once."""
    runs = set(_runs(fold("\n".join(texts))))
    # Paths repeat their folders: what is taken apart is taken apart once.
    for run in [run for run in runs if run[0] >= _FIRST_CJK and is_cjk(run)]:
        runs.discard(run)
        runs.update(map("".join, pairwise(run)))
        runs.add(run[-1])
    return runs


def _runs(folded: str) -> list[str]:
    """Words, and runs of CJK as they are."""
    return (_ASCII_WORD if folded.isascii() else _RUN).findall(folded)


def runs_of(text: str) -> list[str]:
    """The folded words of a text, and its runs of CJK as they are."""
    return _runs(fold(text))


def is_cjk(run: str) -> bool:
    """Whether a run (of one character at least) is of Chinese, Japanese or Korean."""
    return run[0] >= _FIRST_CJK and _IS_CJK.match(run) is not None


def query_parts(text: str, *, prefix: bool = False) -> list[Part]:
    """What a query's word asks for, in order; all of it has to be there. `prefix` is for the last part.

    A run of Chinese asks for its pairs only: its last character may stand in the middle of a text's run.
    """
    parts: list[Part] = []
    for run in _runs(fold(text)):
        if not is_cjk(run):
            parts.append(Part(run))
        elif len(run) == 1:
            parts.append(Part(run, prefix=True))
        else:
            parts += [Part(run[at : at + 2]) for at in range(len(run) - 1)]
    if prefix and parts:
        last = parts[-1].term
        # A pair is a term of its own length: every text that goes on has it as it is.
        parts[-1] = Part(last, prefix=not (len(last) > 1 and is_cjk(last)))
    return parts


def phrase_terms(text: str) -> list[str]:
    """The terms that a text with this phrase in it has next to each other, as `index_terms` orders them.

    The last character is left out when it is of a Chinese run: that run may go on in the text.
    """
    terms = index_terms(text)
    return terms[:-1] if terms and len(terms[-1]) == 1 and is_cjk(terms[-1]) else terms


def cjk_runs(folded: str) -> list[str]:
    """The runs of Chinese, Japanese and Korean of a folded text."""
    return [run for run in _RUN.findall(folded) if is_cjk(run)]
