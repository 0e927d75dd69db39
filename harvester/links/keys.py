"""The identity of a URL, apart from the URL that is fetched."""

from __future__ import annotations


def canonical_key(url: str, ignore: frozenset[str] = frozenset()) -> str:
    """The identity of an absolute URL: two URLs with one key are one page.

    The rules stand in `docs/links.md`. `ignore` names query parameters (lower case) found irrelevant
    on that site. Idempotent: `canonical_key(canonical_key(u)) == canonical_key(u)`. Never raises.
    """
    raise NotImplementedError


def key_hash(key: str, seed: int = 0) -> int:
    """The 64-bit hash of a key as the signed integer a database column holds (xxh3)."""
    raise NotImplementedError
