"""What a learner knows of its kinds as plain values, for the run that goes on after this one."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from harvester.patterns.learner.evidence import COUNTS, MAX_EXAMPLES, Evidence, Target
from harvester.patterns.learner.tree import Leaf, PatternTree

MOST_KINDS = 200
"""Kinds that are kept: those that were visited most."""
_MOST_TARGETS = 20


def written(tree: PatternTree) -> list[Any]:
    """The evidence of each kind under an address of it, as JSON takes it; bounded."""
    visited = [leaf for leaf in tree.live() if leaf.evidence.visits]
    visited.sort(key=lambda leaf: -leaf.evidence.visits)
    return [_kind(tree, leaf) for leaf in visited[:MOST_KINDS]]


def _kind(tree: PatternTree, leaf: Leaf) -> list[Any]:
    evidence = leaf.evidence
    targets = list(evidence.targets.items())[:_MOST_TARGETS]
    return [
        leaf.first,
        [round(getattr(evidence, name), 2) for name in COUNTS],
        [
            [
                tree.leaf(number).first if number >= 0 else "",
                shown.few,
                shown.many,
                shown.lists,
                shown.rows,
                shown.any,
            ]
            for number, shown in targets
        ],
        [[tree.leaf(number).first, count] for number, count in evidence.turned.items()],
        evidence.examples,
    ]


Kept = tuple[str, Evidence, list[tuple[str, Target]], list[tuple[str, float]]]
"""An address of a kind, its counts, and by their addresses what its pages show (magnet links by none) and
what they turn pages of."""


def read(memory: object) -> list[Kept]:
    """What was written; nothing where it makes no sense."""
    if not isinstance(memory, list):
        return []
    try:
        return [_read(row) for row in memory[:MOST_KINDS]]
    except (TypeError, ValueError):
        return []


def _read(row: Any) -> Kept:
    url, counts, targets, turned, examples = row
    evidence = Evidence(examples=[str(example) for example in examples][:MAX_EXAMPLES])
    for name, count in zip(COUNTS, _numbers(counts), strict=True):
        setattr(evidence, name, count)
    shown = [(str(first), Target(*_numbers(numbers))) for first, *numbers in targets[:_MOST_TARGETS]]
    return str(url), evidence, shown, [(str(first), _numbers([count])[0]) for first, count in turned]


def _numbers(values: Iterable[Any]) -> list[float]:
    numbers = [float(value) for value in values]
    if not all(isfinite(number) and number >= 0 for number in numbers):
        raise ValueError("no such count")
    return numbers
