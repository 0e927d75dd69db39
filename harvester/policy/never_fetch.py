"""URLs that no crawl fetches, whatever rules or learner think: those that change something."""

from __future__ import annotations

from collections.abc import Set as AbstractSet


def refusal(
    url: str, *, anchor: str = "", rel: AbstractSet[str] = frozenset(), method: str = "GET"
) -> str | None:
    """The reason (a stable word such as `logout`) why `url` is never fetched, or None.

    `anchor` is the link's text, `rel` its relation words, `method` that of the form it comes from.
    """
    raise NotImplementedError
