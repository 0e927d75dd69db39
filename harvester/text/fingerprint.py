"""Near-duplicate fingerprints: simhash over shingles, I-Match, Jaccard on doubt.

Simhash (Charikar 2002, Manku et al. 2007) is usually computed with 64 counters for each shingle. Here the
hashes of all shingles are packed into one buffer; each of its eight byte columns is read as one big integer,
and the votes for a bit are the population count under a mask: 64 operations on integers for a whole page.

Tokens that hold a digit are left out, so that counters, dates, prices, session ids and hashes make no
difference. Two episodes of a series on the same template are near-duplicates by that measure: who must tell
them apart looks at `exact`, or at the titles.
"""

from __future__ import annotations

import re
import struct
from collections import OrderedDict

from xxhash import xxh3_64_digest, xxh3_64_intdigest

from harvester.model.text import Fingerprint

MAX_CHARACTERS = 40_000
"""Characters of a text that are looked at."""
MAX_TOKENS = 4_000
"""Tokens that are looked at; more of a page makes no difference to what it is."""
SURE = 3
"""Up to this many differing bits two pages say the same (Manku et al. found 3 of 64 for the Web)."""
DOUBTFUL = 6
"""Up to this many, Jaccard decides."""
_SIMILAR = 0.9
"""Jaccard similarity from which doubtful pages say the same."""
_FEW = 200
"""Fewer shingles than this, and the words of a template outweigh those of a post: Jaccard decides always."""
_SKETCH = 64

# One Chinese, Japanese or Korean character, or a run of letters and digits of any other script.
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_FIRST_CJK = "\u3040".encode()[0]
"""The byte with which UTF-8 begins the first of them; no letter of a smaller one has so high a byte."""
_TOKEN = re.compile(f"[{_CJK}]|[0-9a-zªµº\u00c0-\u1fff\u2c00-\u2dff\ua640-\uabff]+")

# The same for ASCII: lower case, and a blank for whatever is neither letter nor digit.
_ASCII_WORDS = bytes(
    byte if chr(byte).islower() or chr(byte).isdigit() else byte + 32 if chr(byte).isupper() else 32
    for byte in range(128)
) + bytes(range(128, 256))

_TURN = 21
"""Bits that a token's hash is rotated by for each place in its run."""


def _lanes(bits: int) -> int:
    """The same 64 bits in every lane."""
    return int.from_bytes(bits.to_bytes(8, "little") * MAX_TOKENS, "little")


_BELOW_TURN, _BELOW_TURNS = _lanes((1 << _TURN) - 1), _lanes((1 << 2 * _TURN) - 1)
_ABOVE_TURN, _ABOVE_TURNS = _lanes(2**64 - (1 << _TURN)), _lanes(2**64 - (1 << 2 * _TURN))
_MASKS = tuple(int.from_bytes(bytes([1 << bit]) * MAX_TOKENS, "little") for bit in range(8))
_NOBODY: list[str] = []
_MOST_WORDS = 10_000


class _Digests(dict[bytes, bytes]):
    """The hashes of words met lately: most words of a text are common ones."""

    def __missing__(self, token: bytes) -> bytes:
        if len(self) >= _MOST_WORDS:
            self.clear()
        digest = self[token] = xxh3_64_digest(token)
        return digest


_DIGESTS = _Digests()
_EMPTY = Fingerprint(exact=0, simhash=0, imatch=0, sketch=b"", shingles=0)


def text_tokens(text: str) -> list[bytes]:
    """The tokens that a fingerprint is made of, in UTF-8: words and single CJK characters, none with a
    digit."""
    text = text[:MAX_CHARACTERS]
    if text.isascii():
        folded = text.encode().translate(_ASCII_WORDS)
        words = folded.split()
        has_digits = len(folded.translate(None, b"0123456789")) < len(folded)
        return ([token for token in words if token.isalpha()] if has_digits else words)[:MAX_TOKENS]
    found = _TOKEN.findall(text.lower())
    kept = [token for token in found if token.isalpha() or not (token.isascii() or _has_digit(token))]
    return " ".join(kept[:MAX_TOKENS]).encode().split()


def _has_digit(token: str) -> bool:
    return any(character.isdigit() for character in token)


def fingerprint(text: str, *, whole_page: bool = False) -> Fingerprint:
    """The fingerprint of a text, of at most its first `MAX_CHARACTERS`.

    `whole_page` says that the text is a page with its menus and all, for want of a main text.
    """
    tokens = text_tokens(text)
    if not tokens:
        return _EMPTY
    shingles = _shingles(tokens)
    return Fingerprint(
        exact=xxh3_64_intdigest(" ".join(text.split()).encode("utf-8", "replace")),
        simhash=_simhash(shingles),
        imatch=_imatch(tokens),
        sketch=_sketch(shingles),
        shingles=len(shingles) // 8,
        whole_page=whole_page,
    )


def _shingles(tokens: list[bytes]) -> bytes:
    """The hashes of all runs of three tokens, eight bytes each; of the whole when there are fewer.

    The hash of a run is that of its tokens, each rotated by its place, xored (Cohen 1997, "cyclic
    polynomials"). It is worked out for all runs at once: the tokens' hashes are the 64-bit lanes of one
    integer.
    """
    runs = len(tokens) - 2
    if runs < 1:
        return xxh3_64_digest(b" ".join(tokens))
    first = int.from_bytes(b"".join(map(_DIGESTS.__getitem__, tokens)), "little")
    second, third = first >> 64, first >> 128
    mixed = (
        first
        ^ (second << _TURN & _ABOVE_TURN)
        ^ (second >> 64 - _TURN & _BELOW_TURN)
        ^ (third << 2 * _TURN & _ABOVE_TURNS)
        ^ (third >> 64 - 2 * _TURN & _BELOW_TURNS)
    )
    return mixed.to_bytes(8 * (runs + 2), "little")[: 8 * runs]


def _simhash(shingles: bytes) -> int:
    """Each bit is what most of the hashes have there."""
    half = len(shingles) / 16
    value = 0
    for byte in range(8):
        column = int.from_bytes(shingles[byte::8], "little")
        for bit, mask in enumerate(_MASKS):
            if (column & mask).bit_count() > half:
                value |= 1 << (byte * 8 + bit)
    return value


def _imatch(tokens: list[bytes]) -> int:
    """The hash of the sorted distinct tokens, without the shortest words, which are on every page."""
    distinct = sorted([token for token in set(tokens) if len(token) > 4 or token[0] >= _FIRST_CJK])
    return xxh3_64_intdigest(b" ".join(distinct)) if distinct else 0


def _sketch(shingles: bytes) -> bytes:
    hashes = struct.unpack(f"<{len(shingles) // 8}Q", shingles)
    low: set[int] = set()
    if len(hashes) > 4 * _SKETCH:
        # The smallest are among those below a bound that leaves twice as many as are needed.
        bound = (2 * _SKETCH << 64) // len(hashes)
        low = {value for value in hashes if value < bound}
    smallest = sorted(low if len(low) >= _SKETCH else set(hashes))[:_SKETCH]
    return struct.pack(f"<{len(smallest)}Q", *smallest)


def hamming(a: int, b: int) -> int:
    """Number of differing bits of two simhashes."""
    return (a ^ b).bit_count()


def jaccard(a: Fingerprint, b: Fingerprint) -> float:
    """Estimated Jaccard similarity of the shingle sets, 0 to 1 (Broder 1997, bottom-k sketches).

    Exact for texts of up to 64 distinct shingles; beyond, the standard error is below 0.07.
    """
    if not a.sketch or not b.sketch:
        return 0.0
    ours, others = (set(struct.unpack(f"<{len(one.sketch) // 8}Q", one.sketch)) for one in (a, b))
    both = ours & others
    smallest = sorted(ours | others)[:_SKETCH]
    return sum(value in both for value in smallest) / len(smallest)


def is_near_duplicate(a: Fingerprint, b: Fingerprint) -> bool:
    """Whether two pages say the same but for counters, dates and tokens; never for pages without text."""
    if not a.shingles or not b.shingles:
        return False
    if a.exact == b.exact:
        return True
    if a.whole_page != b.whole_page or 2 * min(a.shingles, b.shingles) < max(a.shingles, b.shingles):
        return False
    if a.whole_page:
        # Most of it is the same on all pages of the site: only the same words will do.
        return a.imatch == b.imatch and jaccard(a, b) >= _SIMILAR
    distance = hamming(a.simhash, b.simhash)
    if distance > DOUBTFUL:
        return bool(a.imatch) and a.imatch == b.imatch and jaccard(a, b) >= _SIMILAR
    if distance <= SURE and min(a.shingles, b.shingles) >= _FEW:
        return True
    return jaccard(a, b) >= _SIMILAR


class NearDuplicates:
    """The recent fingerprints of one crawl or host; the first seen is kept.

    Looks up by blocks: two hashes that differ in at most `DOUBTFUL` bits agree in at least one of seven
    blocks of nine or ten bits, so only the fingerprints in those buckets are compared. Also by I-Match.
    """

    _BLOCKS = tuple((shift, 0x1FF if shift else 0x3FF) for shift in (0, 10, 19, 28, 37, 46, 55))

    def __init__(self, capacity: int = 10_000) -> None:
        """Keep at most `capacity` fingerprints; the oldest that was never met again goes first."""
        self._capacity = max(1, capacity)
        self._kept: OrderedDict[str, tuple[Fingerprint, int]] = OrderedDict()
        # Per block, and for I-Match: slot -> the keys there; a lone key stands for itself.
        self._buckets: tuple[dict[int, str | list[str]], ...] = tuple(
            {} for _ in range(len(self._BLOCKS) + 1)
        )

    def __len__(self) -> int:
        return len(self._kept)

    def first_like(self, key: str, page: Fingerprint, *, title: str = "") -> str | None:
        """The key of the first page that `page` is a near-duplicate of; None when new (then it is kept).

        Pages with different titles are never taken for one: numbers don't count in a text, but two episodes
        on one template have them in their titles. The same key again is not compared with itself; its
        first fingerprint stays.
        """
        if not page.shingles:
            return None
        salt = xxh3_64_intdigest(title.encode("utf-8", "replace")) if title else 0
        slots = self._slots(page, salt)
        for bucket, slot in zip(self._buckets, slots, strict=True):
            # Beyond so many bits only I-Match makes two pages alike, and that has a bucket of its own.
            reach = DOUBTFUL if bucket is not self._buckets[-1] else 64
            there = bucket.get(slot, _NOBODY)
            for other in there if isinstance(there, list) else (there,):
                kept = self._kept[other][0]
                near = (kept.simhash ^ page.simhash).bit_count() <= reach
                if near and other != key and is_near_duplicate(kept, page):
                    self._kept.move_to_end(other)
                    return other
        if key not in self._kept:
            self._keep(key, page, salt, slots)
        return None

    def _slots(self, page: Fingerprint, salt: int) -> list[int]:
        """A title's pages share no slot with those of another one."""
        return [salt << 10 | (page.simhash >> shift) & mask for shift, mask in self._BLOCKS] + [
            salt ^ page.imatch
        ]

    def _keep(self, key: str, page: Fingerprint, salt: int, slots: list[int]) -> None:
        if len(self._kept) >= self._capacity:
            old_key, (old, old_salt) = self._kept.popitem(last=False)
            for bucket, slot in zip(self._buckets, self._slots(old, old_salt), strict=True):
                there = bucket[slot]
                if isinstance(there, list) and len(there) > 1:
                    there.remove(old_key)
                else:
                    del bucket[slot]
        self._kept[key] = page, salt
        for bucket, slot in zip(self._buckets, slots, strict=True):
            there = bucket.setdefault(slot, key)
            if isinstance(there, list):
                there.append(key)
            elif there is not key:
                bucket[slot] = [there, key]
