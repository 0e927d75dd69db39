"""Rows of a list: which link names the row, and which ones stand beside a better one."""

from __future__ import annotations

from collections.abc import Sequence

from harvester.model.order import PageLink
from harvester.ordering.appraisal import Appraisal
from harvester.patterns.learner import Learner
from harvester.patterns.learner.flips import looks_like_flip

FAIR = 3
"""Visits of a kind after which it may be left for a better one of the same row."""
_LEAST_WORDS = 3


def namers_of(links: Sequence[PageLink]) -> set[int]:
    """The places of the first link with words of each row."""
    first: dict[tuple[int, int], int] = {}
    for number, link in enumerate(links):
        if link.row is not None and link.row not in first and len(link.anchor.strip()) >= _LEAST_WORDS:
            first[link.row] = number
    return set(first.values())


def beside_better(
    links: Sequence[PageLink], namers: set[int], values: Appraisal, learner: Learner
) -> set[int]:
    """Links that stand in one row with a better one: the row is about one object, which that one shows.

    Downloads, and links of the same kind as the better one, are never among them, unless they are its further
    pages (`[2] [3]` beside a title); nor is the link that names the row until its kind had a fair trial.
    """
    rows: dict[tuple[int, int], list[int]] = {}
    for number, link in enumerate(links):
        if link.row is not None:
            rows.setdefault(link.row, []).append(number)
    beside: set[int] = set()
    for numbers in rows.values():
        if len(numbers) < 2:
            continue
        rank, best = max((_rank(links[number], values, learner), -number) for number in numbers)
        if rank <= 0:
            continue
        kind, key = learner.kind(links[-best].url), learner.key(links[-best].url)
        for number in numbers:
            leaf = learner.kind(links[number].url)
            untried = number in namers and values.kind(leaf.number).record.visits < FAIR
            link = links[number]
            other = leaf is not kind or (
                number != -best and looks_like_flip(key, learner.key(link.url), link.anchor)
            )
            if not link.download and other and not untried:
                beside.add(number)
    return beside


def _rank(link: PageLink, values: Appraisal, learner: Learner) -> float:
    """How good the link is known to be; 0 while its kind is unknown."""
    if link.download:
        return 10.0
    leaf = learner.kind(link.url)
    record = values.kind(leaf.number).record
    if record.visits < 2 or record.useful < 0.3 * record.visits:
        return 0.0
    return values.ratio_of(leaf) + record.useful / record.requests
