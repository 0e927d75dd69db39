"""Words of Chinese text by dictionary (jieba's, in Rust), for ranking: `中国` in `发展中国家` is a pair of
characters, but no word there."""

from __future__ import annotations

from functools import cache
from typing import Any

from harvester.text.terms import cjk_runs


@cache
def _jieba() -> Any:
    import rjieba  # here, because its dictionary takes 0.15 s to load and only Chinese needs it

    return rjieba


def dictionary_words(folded: str) -> list[str]:
    """The Chinese words of two characters or more of a folded text, in order."""
    if folded.isascii():
        return []
    words: list[str] = []
    for run in cjk_runs(folded):
        if len(run) > 1:
            words += [word for word in _jieba().cut(run, False) if len(word) > 1]
    return words
