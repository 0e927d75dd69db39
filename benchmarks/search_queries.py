"""Two hundred queries by class, the same for every contender."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any, NamedTuple

from benchmarks.search_corpus import FIRST_SEEN, SITES, Corpus
from harvester.model.query import Sort

EACH = 25


class Asked(NamedTuple):
    """One query: in Harvest's language, and taken apart for SQL as (column, sign, value)."""

    kind: str
    text: str
    words: tuple[str, ...]
    filters: tuple[tuple[str, str, Any], ...] = ()
    sort: Sort = "relevance"


def queries(corpus: Corpus, size: int, seed: int = 5) -> list[Asked]:
    """The queries. `size` is the number of torrents, which dates depend on."""
    draw = random.Random(seed)

    def words(pool: list[str], first: int, last: int, count: int = EACH) -> list[str]:
        return draw.sample(pool[first:last], count)

    asked = [Asked("common word", word, (word,)) for word in words(corpus.latin, 0, 60)]
    asked += [Asked("rare word", word, (word,)) for word in words(corpus.latin, 10_000, 60_000)]
    pairs = zip(words(corpus.latin, 0, 100), words(corpus.latin, 0, 400), strict=True)
    asked += [Asked("2 words", f"{one} {other}", (one, other)) for one, other in pairs]
    heads = [f"{word[:4]}*" for word in words(corpus.latin, 0, 3000)]
    asked += [Asked("prefix", head, (head,)) for head in heads]
    both = words(corpus.chinese, 0, 400, 13) + words(corpus.japanese, 0, 400, 12)
    asked += [Asked("CJK, 2 characters", word[:2], (word[:2],)) for word in both]
    longer = [
        word for pool in (corpus.chinese, corpus.japanese) for word in pool[:1500] if 3 <= len(word) <= 4
    ]
    asked += [Asked("CJK, 3-4", word, (word,)) for word in draw.sample(longer, EACH)]
    asked += [_filtered(draw, word) for word in words(corpus.latin, 0, 300)]
    return asked + _browsing(size)


def _filtered(draw: random.Random, word: str) -> Asked:
    site = draw.choice(SITES)
    if draw.random() < 0.5:
        filters: tuple[tuple[str, str, Any], ...] = (("size", ">", 100_000_000), ("site", "=", site))
        return Asked("text + filter + sort", f"{word} size:>100MB site:{site}", (word,), filters, "date")
    filters = (("n_files", ">", 3), ("site", "=", site))
    return Asked("text + filter + sort", f"{word} files:>3 site:{site}", (word,), filters, "size")


def _browsing(size: int) -> list[Asked]:
    middle = FIRST_SEEN + size * 37 // 2
    day = middle // 86_400 * 86_400
    date = _iso(day)
    found: list[Asked] = []
    plain: list[tuple[str, tuple[tuple[str, str, Any], ...]]] = [
        ("", ()),
        ("private:no", (("private", "=", False),)),
        ("lang:zh", (("lang", "=", "zh"),)),
        ("lang:ja", (("lang", "=", "ja"),)),
        (f"date:>={date}", (("added", ">=", day),)),
        ("size:>1GB", (("size", ">", 10**9),)),
        ("files:>10", (("n_files", ">", 10),)),
    ]
    plain += [(f"site:{site}", (("site", "=", site),)) for site in SITES]
    while len(found) < EACH:
        text, filters = plain[len(found) % len(plain)]
        sort: Sort = "date" if len(found) < len(plain) else "size"
        found.append(Asked("browse + facets", text, (), filters, sort))
    return found


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d")
