"""Near-duplicate fingerprints: simhash over shingles, I-Match, Jaccard on doubt."""

from __future__ import annotations

from harvester.model.text import Fingerprint


def fingerprint(text: str) -> Fingerprint:
    """The fingerprint of a page's main text."""
    raise NotImplementedError


def hamming(a: int, b: int) -> int:
    """Number of differing bits of two simhashes."""
    return (a ^ b).bit_count()


def jaccard(a: Fingerprint, b: Fingerprint) -> float:
    """Estimated Jaccard similarity of the shingle sets, 0 to 1."""
    raise NotImplementedError


def is_near_duplicate(a: Fingerprint, b: Fingerprint) -> bool:
    """Whether two pages say the same but for counters, dates and tokens."""
    raise NotImplementedError


class NearDuplicates:
    """The recent fingerprints of one crawl or host; the first seen is kept."""

    def __init__(self, capacity: int = 10_000) -> None:
        raise NotImplementedError

    def first_like(self, key: str, page: Fingerprint) -> str | None:
        """The key of the first page that `page` is a near-duplicate of; None when new (then it is kept)."""
        raise NotImplementedError
