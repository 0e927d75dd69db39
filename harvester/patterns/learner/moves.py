"""Where a site's addresses went: from a few pairs of an old and a new URL, how to write the new one.

Pairs come from redirects, or, where old addresses are simply gone, from links that had one text before and
after. The parts of the new URL must each be the same in all pairs, or be a part of the old one: then what
waits under old addresses can be asked for under the new ones at once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from harvester.patterns.learner.tokens import split

LEAST_PAIRS = 3
MOST_PAIRS = 8
MOST_FAILURES = 2
"""Rewritten addresses that led to nothing after which a move is given up."""
_MOST_BUCKETS = 300
_MOST_TEXTS = 30_000
_MOST_KINDS = 4
"""Kinds of URLs that are remembered for one text."""
_ATOMS = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9]+")
_WORD = re.compile(r"[A-Za-z_]{1,24}")

Fields = tuple[str, ...]
Shape = tuple[str, int, str, tuple[str, ...]]
"""Host, number of path segments, extension, names of the parameters."""


@dataclass(frozen=True, slots=True)
class Move:
    """How URLs of one shape are written now.

    `fixed` are the words by which the old URLs are known (place, word). Each of `made` is a field of the new
    URL: pieces that are a text, or a place in the old one (field, atom; -1 for the whole field).
    """

    shape: Shape
    fixed: tuple[tuple[int, str], ...]
    target: Shape
    made: tuple[tuple[str | tuple[int, int], ...], ...]

    def apply(self, url: str) -> str | None:
        """The new address of `url`, None when it is not of the old shape."""
        shape, fields = fields_of(url)
        if shape != self.shape or any(fields[place] != word for place, word in self.fixed):
            return None
        atoms: dict[int, list[str]] = {}
        made = []
        for pieces in self.made:
            text = ""
            for piece in pieces:
                if isinstance(piece, str):
                    text += piece
                    continue
                place, atom = piece
                if atom < 0:
                    text += fields[place]
                    continue
                found = atoms.setdefault(place, _ATOMS.findall(fields[place]))
                if atom >= len(found):
                    return None
                text += found[atom]
            made.append(text)
        return _written(self.target, made)


@dataclass(slots=True)
class _Bucket:
    pairs: list[tuple[Fields, Fields]] = field(default_factory=list)
    move: Move | None = None
    failures: int = 0


class Moves:
    """The moves of one site; bounded memory."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[Shape, Shape, Fields, Fields], _Bucket] = {}
        self._by_shape: defaultdict[Shape, list[_Bucket]] = defaultdict(list)
        self._texts: dict[int, tuple[tuple[int, str], ...]] = {}
        """By the hashes of the texts: there are many, and what a text says does not matter."""
        self._strayed: dict[tuple[Shape, Fields], int] = {}
        self.count = 0
        """Moves that were found so far."""

    # Texts -------------------------------------------------------------------------------------------

    def remember(self, text: str, kind: int, url: str) -> None:
        """A link of a kind had this text; the first URL of each kind is kept."""
        key = hash(text)
        known = self._texts.get(key)
        if known is None:
            self._texts[key] = ((kind, url),)
            if len(self._texts) > _MOST_TEXTS:  # the older half at once: a dict is slow to lose its first
                self._texts = dict(list(self._texts.items())[_MOST_TEXTS // 2 :])
        elif known[0][0] != kind and len(known) < _MOST_KINDS and all(number != kind for number, _ in known):
            self._texts[key] = (*known, (kind, url))

    def before(self, text: str) -> tuple[tuple[int, str], ...]:
        """The kinds and URLs of links with this text."""
        return self._texts.get(hash(text), ())

    # Pairs -------------------------------------------------------------------------------------------

    def pair(self, old: str, new: str) -> bool:
        """Take in a pair of canonical keys; whether a move was found by it."""
        shape, fields = fields_of(old)
        target, others = fields_of(new)
        key = (shape, target, _words(fields), _words(others))
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= _MOST_BUCKETS or (shape == target and fields == others):
                return False
            bucket = self._buckets[key] = _Bucket()
            self._by_shape[shape].append(bucket)
        if bucket.move is not None or bucket.failures >= MOST_FAILURES:
            return False
        if any(known == fields for known, _ in bucket.pairs):
            return False
        bucket.pairs = [*bucket.pairs[-MOST_PAIRS + 1 :], (fields, others)]
        if len(bucket.pairs) >= LEAST_PAIRS:
            bucket.move = _found(shape, target, bucket.pairs)
            self.count += bucket.move is not None
        return bucket.move is not None

    def rewrite(self, url: str) -> str | None:
        """Where `url` (a canonical key, or as it is fetched) is now; None when it did not move."""
        if not self.count:
            return None
        for bucket in self._by_shape.get(fields_of(url)[0], ()):
            made = bucket.move.apply(url) if bucket.move is not None else None
            if made is not None and made != url:
                return made
        return self._by_beginning(url)

    def _by_beginning(self, url: str) -> str | None:
        """Where `url` is now, going by a shorter path: what is below it, or has parameters, moved with it."""
        (origin, depth, extension, names), fields = fields_of(url)
        if self._strayed.get(coarse(url), 0) >= MOST_FAILURES:
            return None
        for length in range(depth if names or extension else depth - 1, 0, -1):
            beginning = f"{origin}/{'/'.join(fields[:length])}"
            for bucket in self._by_shape.get((origin, length, "", ()), ()):
                made = bucket.move.apply(beginning) if bucket.move is not None else None
                if made is not None and made != beginning and "?" not in made:
                    return made + url[len(beginning) :] if url.startswith(beginning) else None
        return None

    def has_moved(self, url: str) -> bool:
        """Whether it is known where `url` is now."""
        return self.rewrite(url) is not None

    def shows_same(self, old: str, new: str) -> bool:
        """Whether `new` is where `old` went but for numbers that no old address has: `thread-12-1-6` beside
        `thread-12-1-1`, where the last number is the list that one came from."""
        shape, fields = fields_of(new)
        for bucket in self._by_shape.get(fields_of(old)[0], ()):
            made = bucket.move.apply(old) if bucket.move is not None else None
            if bucket.move is None or made is None or bucket.move.target != shape:
                continue
            pairs = zip(bucket.move.made, fields_of(made)[1], fields, strict=True)
            if all(_alike(pieces, mine, theirs) for pieces, mine, theirs in pairs):
                return True
        return False

    def failed(self, url: str) -> None:
        """A rewritten `url` led to nothing: that may happen, but not often."""
        for bucket in self._by_shape.get(fields_of(url)[0], ()):
            if bucket.move is not None and bucket.move.apply(url) is not None:
                bucket.failures += 1
                if bucket.failures >= MOST_FAILURES:
                    bucket.move = None
                return
        self._strayed[coarse(url)] = self._strayed.get(coarse(url), 0) + 1


def fields_of(url: str) -> tuple[Shape, Fields]:
    """The shape of a URL, and its fields: path segments, then values in the order of their names."""
    host, segments, extension, pairs = split(url)
    scheme = url.partition("://")[0]
    shape = (f"{scheme}://{host}", len(segments), extension, tuple(name for name, _ in pairs))
    return shape, (*segments, *(value for _, value in pairs))


def coarse(url: str) -> tuple[Shape, Fields]:
    """The kind of a URL by its shape and its words alone, whatever the values look like."""
    shape, fields = fields_of(url)
    return shape, _words(fields)


def _alike(pieces: tuple[str | tuple[int, int], ...], made: str, other: str) -> bool:
    """Whether two values of a field differ in constant numbers only."""
    mine, theirs = _ATOMS.findall(made), _ATOMS.findall(other)
    if len(pieces) != len(mine) or len(mine) != len(theirs):
        return made == other
    return all(
        a == b or (isinstance(piece, str) and a.isdigit() and b.isdigit())
        for piece, a, b in zip(pieces, mine, theirs, strict=True)
    )


def _words(fields: Fields) -> Fields:
    return tuple(field if _WORD.fullmatch(field) else "" for field in fields)


def _written(shape: Shape, fields: list[str]) -> str:
    origin, depth, extension, names = shape
    path = "/" + "/".join(fields[:depth]) + (f".{extension}" if extension else "")
    pairs = [
        name[:-1] if name.endswith("!") else f"{name}={value}"
        for name, value in zip(names, fields[depth:], strict=True)
    ]
    return f"{origin}{path}" + (f"?{'&'.join(pairs)}" if pairs else "")


def _found(shape: Shape, target: Shape, pairs: list[tuple[Fields, Fields]]) -> Move | None:
    """The move that all of the pairs agree in; None when there is none, or when nothing is carried over."""
    olds, news = [old for old, _ in pairs], [new for _, new in pairs]
    made, used = [], set[int]()
    for place in range(len(news[0])):
        values = [new[place] for new in news]
        pieces = _pieces(values, olds)
        if pieces is None:
            return None
        made.append(pieces)
        used.update(piece[0] for piece in pieces if not isinstance(piece, str))
    if not used:
        return None
    fixed = tuple(
        (place, olds[0][place])
        for place in range(len(olds[0]))
        if place not in used and _WORD.fullmatch(olds[0][place]) and len({old[place] for old in olds}) == 1
    )
    return Move(shape, fixed, target, tuple(made))


def _pieces(values: list[str], olds: list[Fields]) -> tuple[str | tuple[int, int], ...] | None:
    """How one field of the new URLs is made from the fields of the old ones."""
    if len(set(values)) == 1:
        return (values[0],)
    for place in range(len(olds[0])):
        if all(old[place] == value for old, value in zip(olds, values, strict=True)):
            return ((place, -1),)
    rows = [_ATOMS.findall(value) for value in values]
    if len({len(row) for row in rows}) != 1:
        return None
    pieces: list[str | tuple[int, int]] = []
    for column in zip(*rows, strict=True):
        source = column[0] if len(set(column)) == 1 else _source(column, olds)
        if source is None:
            return None
        pieces.append(source)
    return tuple(pieces)


def _source(column: tuple[str, ...], olds: list[Fields]) -> tuple[int, int] | None:
    """The place in the old URLs where these atoms stand."""
    for place in range(len(olds[0])):
        if all(old[place] == atom for old, atom in zip(olds, column, strict=True)):
            return place, -1
        split_up = [_ATOMS.findall(old[place]) for old in olds]
        for number in range(min(map(len, split_up))):
            if all(atoms[number] == atom for atoms, atom in zip(split_up, column, strict=True)):
                return place, number
    return None
