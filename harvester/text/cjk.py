"""Folding and tokens for search over Chinese, Japanese, Korean and release names."""

from __future__ import annotations


def fold(text: str) -> str:
    """NFKC, casefold, full-width to half-width, white space collapsed."""
    raise NotImplementedError


def tokens(text: str) -> list[str]:
    """Index tokens of folded text: words as they are, CJK runs as overlapping bigrams."""
    raise NotImplementedError
