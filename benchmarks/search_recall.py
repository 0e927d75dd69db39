"""What a search should find, by looking at every text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchmarks.search_corpus import SITES, Corpus, Torrent
from benchmarks.search_queries import Asked
from harvester.model.query import IndexQuery
from harvester.ports.index import SearchIndex
from harvester.search.query import parse_query

_PAGE = 1000


def recall(
    corpus: Corpus, size: int, asked: Sequence[Asked], index: SearchIndex
) -> dict[str, tuple[float, float]]:
    """By class: the share of what the scan found that the search finds, and the other way round.

    The scan knows nothing of terms and bigrams: a CJK word is any part of a text, a Latin one stands between
    what are no letters or digits, in the name, the title or a path, with case ignored.
    """
    wordy = [one for one in asked if one.words]
    expected: list[set[int]] = [set() for _ in wordy]
    scans = [[_scan(word) for word in one.words] for one in wordy]
    for torrent in corpus.torrents(1, size + 1):
        texts = "\n".join((torrent.name, _title(torrent), *(path for path, _ in torrent.files))).lower()
        for at, one in enumerate(wordy):
            if all(_has(scan, texts) for scan in scans[at]) and _passes(torrent, one):
                expected[at].add(torrent.id)
    found: dict[str, list[tuple[float, float]]] = {}
    for one, right in zip(wordy, expected, strict=True):
        got = _all_ids(index, one)
        both = len(got & right)
        shares = (both / len(right) if right else 1.0, both / len(got) if got else 1.0)
        found.setdefault(one.kind, []).append(shares)
    return {
        kind: (sum(r for r, _ in shares) / len(shares), sum(p for _, p in shares) / len(shares))
        for kind, shares in found.items()
    }


def _scan(word: str) -> tuple[str, re.Pattern[str] | None]:
    head = word.rstrip("*").lower()
    if not head.isascii():
        return head, None
    end = "" if word.endswith("*") else r"(?![^\W_])"
    return head, re.compile(rf"(?<![^\W_]){re.escape(head)}{end}")


def _has(scan: tuple[str, re.Pattern[str] | None], texts: str) -> bool:
    head, pattern = scan
    return head in texts and (pattern is None or pattern.search(texts) is not None)


def _title(torrent: Torrent) -> str:
    return torrent.title if SITES[torrent.site].startswith("forum") else ""


def _passes(torrent: Torrent, asked: Asked) -> bool:
    values = {"size": torrent.size, "n_files": len(torrent.files), "site": SITES[torrent.site]}
    return all(
        values[column] == value if sign == "=" else values[column] > value
        for column, sign, value in asked.filters
    )


def _all_ids(index: SearchIndex, asked: Asked) -> set[int]:
    """Every id that matches, page by page."""
    node = parse_query(asked.text, now=0.0)
    ids: set[int] = set()
    after = None
    while True:
        hits = index.search(IndexQuery(node, sort="date", limit=_PAGE, after=after))
        ids.update(hits.ids)
        if len(hits.ids) < _PAGE:
            return ids
        after = hits.keys[-1]
