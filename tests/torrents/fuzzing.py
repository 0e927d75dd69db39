"""Mutants of real torrent files, and libtorrent as the judge of what was made of them.

The tests run 20,000 of them, the benchmark 300,000. Every mutant is determined by its number alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import bencodepy
import libtorrent

from harvester.errors import HarvestError
from harvester.torrents import identify
from tests.torrents.corpus import samples

Mutator = Callable[[random.Random, bytes], bytes]
_LARGEST_SEED = 20_000  # larger files only make the run longer: what differs between them is piece hashes


def _place(rng: random.Random, body: bytes) -> int:
    """A place to change, mostly outside the piece hashes."""
    pieces = body.find(b"6:pieces")
    if pieces > 0 and rng.random() < 0.7:
        return rng.randrange(min(len(body), pieces + 16))
    return rng.randrange(len(body))


def flip_bytes(rng: random.Random, body: bytes) -> bytes:
    """One to four bytes become others."""
    changed = bytearray(body)
    for _ in range(rng.choice((1, 1, 2, 4))):
        changed[_place(rng, body)] = rng.choice((rng.randrange(256), *b"0123456789deil:-"))
    return bytes(changed)


def insert_bytes(rng: random.Random, body: bytes) -> bytes:
    """A few bytes more, mostly bencode."""
    place = _place(rng, body)
    piece = rng.choice((b"0:", b"i0e", b"le", b"de", b"e", b"d", b"l", b"1:a", b"0", b"-", rng.randbytes(3)))
    return body[:place] + piece + body[place:]


def delete_bytes(rng: random.Random, body: bytes) -> bytes:
    """A few bytes less."""
    place = _place(rng, body)
    return body[:place] + body[place + rng.randint(1, 4) :]


def cut_end(rng: random.Random, body: bytes) -> bytes:
    """The end is missing."""
    return body[: rng.randrange(1, len(body))]


def add_trailing(rng: random.Random, body: bytes) -> bytes:
    """Bytes behind the end."""
    return body + rng.choice((b"\n", b"\r\n", b"e", b"%d" % len(body), b"d4:infodee", rng.randbytes(5)))


def add_leading_zero(rng: random.Random, body: bytes) -> bytes:
    """A zero before a digit: in a length, in an integer, or in some text."""
    digits = [place for place in range(min(len(body), 2_000)) if 48 <= body[place] <= 57]
    if not digits:
        return body
    place = rng.choice(digits)
    return body[:place] + b"0" + body[place:]


def duplicate_slice(rng: random.Random, body: bytes) -> bytes:
    """Some bytes twice."""
    start = _place(rng, body)
    end = start + rng.randint(1, 60)
    return body[:end] + body[start:end] + body[end:]


class _Pairs(list[tuple[bytes, Any]]):
    """A dictionary as it is written: any order, any repetition."""


def _decode(body: bytes, place: int = 0, depth: int = 0) -> tuple[Any, int]:
    """A plain recursive reader for well-formed files, which the corpus seeds are."""
    kind = body[place : place + 1]
    if kind == b"i":
        end = body.index(b"e", place)
        return int(body[place + 1 : end]), end + 1
    if kind in (b"l", b"d"):
        items: list[Any] = []
        place += 1
        while body[place : place + 1] != b"e":
            item, place = _decode(body, place, depth + 1)
            items.append(item)
        if kind == b"d":
            return _Pairs(zip(items[::2], items[1::2], strict=True)), place + 1
        return items, place + 1
    colon = body.index(b":", place)
    end = colon + 1 + int(body[place:colon])
    return body[colon + 1 : end], end


def _encode(value: Any) -> bytes:
    if isinstance(value, _Pairs):
        return b"d" + b"".join(_encode(key) + _encode(item) for key, item in value) + b"e"
    if isinstance(value, list):
        return b"l" + b"".join(map(_encode, value)) + b"e"
    encoded = bencodepy.encode(value)
    assert isinstance(encoded, bytes)
    return encoded


def _dictionaries(value: Any) -> Iterator[_Pairs]:
    if isinstance(value, _Pairs):
        yield value
        for _, item in value:
            yield from _dictionaries(item)
    elif isinstance(value, list):
        for item in value[:20]:
            yield from _dictionaries(item)


# Encoded, so that each use has a value of its own.
_VALUES = (
    b"i0e", b"i1e", b"i2e", b"i-1e", b"i16384e", b"i2147483648e", b"i9223372036854775807e",
    b"0:", b"1:a", b"1:1",
    b"2:..", b"20:" + b"x" * 20, b"32:" + b"r" * 32, b"le", b"l1:ae", b"ll1:aee", b"de", b"d0:d6:lengthi1eee",
)  # fmt: skip


def _value(rng: random.Random) -> Any:
    return _decode(rng.choice(_VALUES))[0]


_KEYS = (
    b"info", b"name", b"name.utf-8", b"length", b"files", b"pieces", b"piece length",
    b"file tree", b"meta version",
    b"path", b"path.utf-8", b"attr", b"symlink path", b"private", b"root hash",
    b"pieces root", b"piece layers", b"zz",
)  # fmt: skip


def change_structure(rng: random.Random, body: bytes) -> bytes:
    """One to three changes to the keys and values of a dictionary somewhere inside."""
    tree, end = _decode(body)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        pairs = rng.choice(list(_dictionaries(tree)))
        change = rng.randrange(6)
        if change == 0 or not pairs:  # a new key, in its place or anywhere
            pairs.append((rng.choice(_KEYS), _value(rng)))
            if rng.random() < 0.6:
                pairs.sort(key=lambda pair: pair[0])
        elif change == 1:  # a key less
            del pairs[rng.randrange(len(pairs))]
        elif change == 2:  # a key twice, here or at the end
            pair = rng.choice(pairs)
            value = pair[1] if rng.random() < 0.5 else _value(rng)
            pairs.insert(rng.randrange(len(pairs) + 1), (pair[0], value))
        elif change == 3:  # another order
            rng.shuffle(pairs)
        elif change == 4:  # another value
            place = rng.randrange(len(pairs))
            pairs[place] = (pairs[place][0], _value(rng))
        else:  # two values change places
            first, second = rng.randrange(len(pairs)), rng.randrange(len(pairs))
            one, two = pairs[first], pairs[second]
            pairs[first], pairs[second] = (one[0], two[1]), (two[0], one[1])
    return _encode(tree) + body[end:]


MUTATORS: tuple[Mutator, ...] = (
    flip_bytes,
    insert_bytes,
    delete_bytes,
    cut_end,
    add_trailing,
    add_leading_zero,
    duplicate_slice,
    change_structure,
    change_structure,
    change_structure,
    change_structure,
)


def seeds() -> list[bytes]:
    """Files to start from: all that libtorrent accepts and that are not large."""
    return [sample.body for sample in samples() if sample.accepted and len(sample.body) <= _LARGEST_SEED]


def mutants(first: int, count: int) -> Iterator[tuple[int, bytes]]:
    """The mutants with these numbers; now and then one of two changes."""
    bodies = seeds()
    for number in range(first, first + count):
        rng = random.Random(number)
        body = rng.choice(bodies)
        body = rng.choice(MUTATORS)(rng, body)
        if rng.random() < 0.15:
            body = rng.choice(MUTATORS[:7])(rng, body) if body else body
        yield number, body


@dataclass(slots=True)
class Verdict:
    """What came of a run.

    `disagreements` are mutants that both accept with different infohashes; `missed` those that libtorrent
    accepts and we refuse, by our reason; `extra` those that we accept and libtorrent refuses, by its reason.
    """

    tried: int = 0
    both: int = 0
    neither: int = 0
    disagreements: list[int] = field(default_factory=list)
    missed: dict[str, list[int]] = field(default_factory=dict)
    extra: Counter[str] = field(default_factory=Counter)

    def add(self, number: int, body: bytes) -> None:
        """Let both read one mutant."""
        self.tried += 1
        theirs: tuple[str | None, str | None] | None = None
        refusal = ""
        try:
            theirs = libtorrent_hashes(body)
        except RuntimeError as error:
            refusal = str(error)
        try:
            identity = identify(body)
        except HarvestError as error:
            if theirs is None:
                self.neither += 1
            else:
                self.missed.setdefault(getattr(error, "reason", str(error)), []).append(number)
            return
        if theirs is None:
            self.extra[refusal] += 1
            return
        self.both += 1
        if (identity.infohash_v1, identity.infohash_v2) != theirs:
            self.disagreements.append(number)


def libtorrent_hashes(body: bytes) -> tuple[str | None, str | None]:
    """Both infohashes as libtorrent has them; raises RuntimeError where it refuses the file."""
    hashes = libtorrent.torrent_info(body).info_hashes()
    return (
        str(hashes.v1) if hashes.has_v1() else None,
        str(hashes.v2) if hashes.has_v2() else None,
    )
