"""Folding and tokens for search over Chinese, Japanese, Korean and release names.

What is indexed and what is searched for go through the same two functions, so they only have to agree with
themselves. Words are kept whole; a run of CJK is cut into overlapping pairs (the method of Lucene's
CJKAnalyzer), which finds any substring of two characters or more and needs no dictionary.
"""

from __future__ import annotations

import re
import unicodedata

_CJK = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# A run of CJK, or a run of anything else that is a letter, a digit or a combining mark.
_RUN = re.compile(f"[{_CJK}]+|(?:[^\\W_{_CJK}]|[\u0300-\u036f\u0900-\u0dff\u0e31-\u0e4e])+")
_ONE_CJK = re.compile(f"[{_CJK}]")
_SPACE = re.compile(r"\s+")
# What separates the words of a release name: `Some.Film.2019.1080p.BluRay.x264-GROUP`, `[Sub][01]`.
_PUNCTUATION = re.compile(
    r"[._\-+\[\](){}~|/\\,;:!?\"'“”‘’「」『』【】《》〈〉（）、。，；：！？·・…—–&@#*=<>^`]+"
)
_LETTER_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")


def fold(text: str) -> str:
    """NFKC, casefold, full-width to half-width, white space collapsed; folding twice changes nothing."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Casefolding may undo normal form (U+0345 and others), and normal form may undo casefolding.
    for _ in range(3):
        again = unicodedata.normalize("NFKC", folded).casefold()
        if again == folded:
            break
        folded = again
    return _SPACE.sub(" ", folded).strip()


def bigrams(run: str) -> list[str]:
    """The overlapping pairs of a run; a single character is its own token."""
    return [run[place : place + 2] for place in range(len(run) - 1)] or [run] if run else []


def tokens(text: str) -> list[str]:
    """Index tokens of a text, folded: words as they are, CJK runs as overlapping pairs; order is kept."""
    found: list[str] = []
    for run in _RUN.findall(fold(text)):
        if _is_cjk(run[0]):
            found.extend(bigrams(run))
        else:
            found.append(run)
    return found


def release_words(name: str) -> str:
    """A release name as words: punctuation to blanks, so that `Some.Film.S01E02` is found by its words.

    The text is folded; letters and digits that touch stay together (`s01e02`, `x264`, `1080p`).
    """
    return _SPACE.sub(" ", _PUNCTUATION.sub(" ", fold(name))).strip()


def release_parts(name: str) -> list[str]:
    """Index tokens of a release name: those of its words, and the parts of words that mix letters and digits.

    `S01E02` gives `s01e02`, `s`, `01`, `e`, `02`: a search for `e02` or `01` finds it by its parts.
    """
    found: list[str] = []
    for token in tokens(release_words(name)):
        found.append(token)
        parts = _LETTER_DIGIT.split(token)
        if len(parts) > 1:
            found.extend(parts)
    return found


def _is_cjk(character: str) -> bool:
    return _ONE_CJK.match(character) is not None
