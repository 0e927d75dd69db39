"""What a bandit knows of its arms as plain values, for the run that goes on after this one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harvester.ordering.arms import Arm, Kind
from harvester.ordering.values import Record
from harvester.patterns.learner.tree import PatternTree

VERSION = 1
MOST_KEPT = 1500
"""Arms that are kept: those that were visited most and promise most."""
MOST_LINKS = 40
"""Links of an arm that are kept."""


@dataclass(frozen=True, slots=True)
class KeptArm:
    """An arm as it was kept; `sample` is a URL of its kind, `context` the name of its list."""

    band: int
    sample: str
    context: str
    host: str
    shadow: bool
    tier: int
    is_flip: bool
    is_download: bool
    waiting: int
    prior: float
    record: tuple[float, float, float, float]
    links: dict[int, float]


@dataclass(frozen=True, slots=True)
class KeptKind:
    """The record of a kind, and what links to it were."""

    sample: str
    prior: float | None
    record: tuple[float, float, float, float]
    links: float
    variants: float
    gives: dict[str, float]


@dataclass(frozen=True, slots=True)
class Kept:
    """`next_band`: bands from here on were not known when this was written."""

    next_band: int
    visits: int
    arms: tuple[KeptArm, ...]
    kinds: tuple[KeptKind, ...]


def written(
    arms: list[Arm],
    kinds: Mapping[int, Kind],
    contexts: Mapping[str, int],
    tree: PatternTree,
    *,
    next_band: int,
    visits: int,
) -> dict[str, Any]:
    """The memory as JSON takes it; bounded."""
    names = {number: name for name, number in contexts.items()}
    alive = [arm for arm in arms if arm.waiting > 0 or arm.record.visits]
    alive.sort(key=lambda arm: (-arm.record.visits, -arm.score))
    bands = {arm.number: arm.band for arm in alive[:MOST_KEPT]}
    return {
        "version": VERSION,
        "next_band": next_band,
        "visits": visits,
        "arms": [
            [
                arm.band,
                tree.leaf(arm.kind).first,
                names.get(arm.context, ""),
                arm.host,
                int(arm.shadow),
                arm.tier,
                int(arm.is_flip),
                int(arm.is_download),
                arm.waiting,
                round(arm.prior, 4),
                _counts(arm.record),
                [
                    [bands[n], round(count, 2)]
                    for n, count in list(arm.record.links.items())[:MOST_LINKS]
                    if n in bands
                ],
            ]
            for arm in alive[:MOST_KEPT]
        ],
        "kinds": [
            [
                tree.leaf(number).first,
                kind.prior,
                _counts(kind.record),
                kind.links,
                kind.variants,
                [
                    [tree.leaf(child).first, round(count, 2)]
                    for child, count in list(kind.gives.items())[:MOST_LINKS]
                ],
            ]
            for number, kind in kinds.items()
            if kind.record.visits
        ][:MOST_KEPT],
    }


def _counts(record: Record) -> list[float]:
    return [round(value, 3) for value in (record.visits, record.requests, record.torrents, record.useful)]


def read(memory: Mapping[str, Any]) -> Kept | None:
    """What was written; None when it is nothing of the kind, or of another version."""
    try:
        if memory.get("version") != VERSION:
            return None
        return Kept(
            int(memory["next_band"]),
            int(memory["visits"]),
            tuple(_arm(row) for row in memory["arms"]),
            tuple(_kind(row) for row in memory["kinds"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _arm(row: Any) -> KeptArm:
    band, sample, context, host, shadow, tier, flip, download, waiting, prior, record, links = row
    if not 0 <= int(tier) <= 3:
        raise ValueError("no such tier")
    return KeptArm(
        int(band),
        str(sample),
        str(context),
        str(host),
        bool(shadow),
        int(tier),
        bool(flip),
        bool(download),
        int(waiting),
        float(prior),
        _record(record),
        {int(number): float(count) for number, count in links},
    )


def _kind(row: Any) -> KeptKind:
    sample, prior, record, links, variants, gives = row
    known = float(prior) if prior is not None else None
    return KeptKind(
        str(sample),
        known,
        _record(record),
        float(links),
        float(variants),
        {str(url): float(count) for url, count in gives},
    )


def _record(values: Any) -> tuple[float, float, float, float]:
    visits, requests, torrents, useful = values
    return float(visits), float(requests), float(torrents), float(useful)
