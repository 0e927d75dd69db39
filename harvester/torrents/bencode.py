"""Bencode in, values out, together with the exact bytes of `info` (BEP 3, BEP 52).

Two decoders, one answer. bencode2 is strict and fast: what it accepts is canonical, there is one way only
to write it, so the place of `info` follows from the lengths of what stands before and after it. What it
refuses goes to the decoder here, which reads what real files hold (unsorted and repeated keys, leading
zeros, integers that are none, bytes after the end), keeps the span of `info` as it found it, and names each
fault in `flags`. The tests compare both with bencode.py and libtorrent.
"""

from __future__ import annotations

import re
from typing import Any

from bencode2 import BencodeDecodeError, bdecode, bencode
from msgspec import Struct

from harvester.errors import LimitExceeded, NotATorrent
from harvester.torrents import limits

# What a decoded value may be: int, bytes, list, dict with bytes keys; a malformed integer is its bytes.
Value = Any
Dictionary = dict[bytes, Value]

# A body this small cannot reach MAX_ITEMS: the heaviest token for its length is `de`, 8 units on 2 bytes.
_SMALL = limits.MAX_ITEMS * 2 // limits.DICT_WEIGHT // 2
# The digits of the longest integer that is read as one. bencode2 and Python have this limit; what is of use
# has no more than 19.
_LONGEST_INTEGER = 4_300
_USUAL_INTEGER = 19
_LONGEST_LENGTH = 20
_USUAL_TRAILING = b"0123456789 \t\r\n\0"
_CANONICAL_INTEGER = re.compile(rb"(?:0|-?[1-9][0-9]*)\Z")
_INTEGER = re.compile(rb"-?[0-9]+\Z")
# Text where an integer should be, such as `2.69E+18` or `1e+9`: up to its own `e`, never far.
_ODD_INTEGER = re.compile(rb"i([-+0-9._ ,]{0,64}(?:[eE][-+]?[0-9]{1,8})?)e")


class Document(Struct):
    """A decoded dictionary and where `info` stands in its bytes.

    `body[info_start:info_end]` is the first `info` of the root, exactly as found (both 0 when there is
    none); `end` is where the root dictionary ends. `flags` are stable words.
    """

    body: bytes
    root: Dictionary
    info_start: int
    info_end: int
    end: int
    flags: set[str]


def decode(body: bytes) -> Document:
    """Decode the dictionary at the start of `body`.

    Raises NotATorrent (kind `truncated` or `bencode`) and LimitExceeded, nothing else.
    """
    if len(body) > limits.MAX_BYTES:
        raise LimitExceeded(f"the file has {len(body):,} bytes", limits.MAX_BYTES)
    if body[:1] != b"d":
        raise NotATorrent("bencode", "bencoded data that is no dictionary")
    if len(body) <= _SMALL or _may_be_read_fast(body):
        document = _decode_canonical(body)
        if document is not None:
            return document
    return decode_exact(body)


def _decode_canonical(body: bytes) -> Document | None:
    """Decode with bencode2, or None where the exact decoder has to.

    The usual bytes behind a torrent, a line end or the length that PHP's `echo readfile()` adds, are cut
    off first: a dictionary that is whole without them ends there.
    """
    whole = body
    if body[-1:] != b"e":
        whole = body.rstrip(_USUAL_TRAILING)
        if whole[-1:] != b"e":
            return None
    try:
        root = bdecode(whole)
    except (BencodeDecodeError, ValueError):  # ValueError: an integer of more than 4,300 digits
        return None
    document = _locate_info(whole, root)
    if document is not None and whole is not body:
        document.body = body
        document.flags.add("trailing_bytes")
    return document


def _may_be_read_fast(body: bytes) -> bool:
    """Whether even the largest count of items that these bytes allow is within the limit.

    Each item takes one of four letters, so the exact decoder never counts more than is counted here; most
    of it stands inside the piece hashes.
    """
    count = body.count
    weight = count(b":") * limits.KEY_WEIGHT + count(b"i") * limits.ODD_WEIGHT
    weight += count(b"l") * limits.LIST_WEIGHT + count(b"d") * limits.DICT_WEIGHT
    return weight <= limits.MAX_ITEMS - limits.DICT_WEIGHT


def _locate_info(body: bytes, root: Dictionary) -> Document | None:
    """Place `info` in canonical bytes, or None where the exact decoder has to judge (too deep)."""
    head: Dictionary = {}
    tail: Dictionary = {}
    for key, value in root.items():
        if key < b"info":
            head[key] = value
        elif key > b"info":
            tail[key] = value
    if _too_deep(head) or _too_deep(tail):
        return None
    info = root.get(b"info")
    if info is None:
        return Document(body, root, 0, 0, len(body), set())
    if type(info) is not dict:
        if _too_deep(root):
            return None
    elif _too_deep({key: info[key] for key in info if key != b"files" or type(info[key]) is not list}, 2):
        return None
    start = len(bencode(head)) - 1 + len(b"4:info")
    end = len(body) - (len(bencode(tail)) - 2) - 1
    return Document(body, root, start, end, len(body), set())


def _too_deep(values: Dictionary, depth: int = 1) -> bool:
    """Whether anything inside is nested beyond the limit; `depth` is that of `values` itself.

    The entries of `files` are left out by the caller: there may be very many, and what is read of them
    is never more than a list of strings.
    """
    level: list[Value] = [value for value in values.values() if type(value) is dict or type(value) is list]
    while level:
        depth += 1
        if depth > limits.MAX_DEPTH:
            return True
        level = [
            value
            for container in level
            for value in (container.values() if type(container) is dict else container)
            if type(value) is dict or type(value) is list
        ]
    return False


def decode_exact(body: bytes) -> Document:  # noqa: C901, PLR0912, PLR0915 - one loop, for speed: a call a token doubles its time
    """Decode tolerantly and exactly, in one pass and without recursion; see `decode`.

    The first of repeated keys wins, as in libtorrent. Integers that are none become their bytes.
    """
    size = len(body)
    find = body.find
    flags: set[str] = set()
    stack: list[tuple[Value, bytes | None]] = []
    root: Dictionary = {}
    here: Value = root
    key: bytes | None = None
    in_dict = True
    value: Value
    value_start = info_start = info_end = 0
    position = 1
    units = limits.MAX_ITEMS - limits.DICT_WEIGHT
    while position < size:
        byte = body[position]
        if 48 <= byte <= 57:  # a string
            colon = find(b":", position + 1, position + _LONGEST_LENGTH + 1)
            digits = body[position:colon] if colon > 0 else b""
            if not digits.isdigit():
                raise _bad_length(body, position)
            if byte == 48 and len(digits) > 1:
                flags.add("leading_zero")
            start = colon + 1
            position = start + int(digits)
            if position > size:
                raise _truncated(size, f"a string of {int(digits):,} bytes begins at byte {start:,}")
            value = body[start:position]
            if in_dict and key is None:
                key = value
                units -= 2
                if not stack:
                    value_start = position
                continue
            units -= 1
        elif byte == 101:  # the end of a list or dictionary
            position += 1
            if in_dict:
                if key is not None:
                    raise _damaged("a key without a value", position - 1)
                keys = list(here)
                if keys != sorted(keys):
                    flags.add("unsorted_keys")
                if not stack:
                    if position < size:
                        flags.add("trailing_bytes")
                    return Document(body, root, info_start, info_end, position, flags)
            value = here
            here, key = stack.pop()
            in_dict = type(here) is dict
        elif in_dict and key is None:
            raise _damaged("no key", position)
        elif byte == 105:  # an integer
            end = find(b"e", position + 2, position + _USUAL_INTEGER + 2)
            digits = body[position + 1 : end]
            if end > 0 and digits.isdigit() and (digits[0] != 48 or end == position + 2):
                value = int(digits)
                position = end + 1
                units -= 1
            else:
                value, position = _integer(body, position, flags)
                units -= limits.ODD_WEIGHT
        elif byte == 108 or byte == 100:
            position += 1
            stack.append((here, key))
            if len(stack) >= limits.MAX_DEPTH:
                raise LimitExceeded(f"lists nested {len(stack) + 1} deep", limits.MAX_DEPTH)
            if byte == 100:
                here, in_dict, key = {}, True, None
                units -= limits.DICT_WEIGHT
            else:
                here, in_dict, key = [], False, None
                units -= limits.LIST_WEIGHT
            if units < 0:
                raise LimitExceeded("too many items", limits.MAX_ITEMS)
            continue
        else:
            raise _damaged(f"{body[position : position + 1]!r}", position)
        if units < 0:
            raise LimitExceeded("too many items", limits.MAX_ITEMS)
        if not in_dict:
            here.append(value)
            continue
        if key in here:
            flags.add("duplicate_keys")
        else:
            here[key] = value
            if key == b"info" and not stack:
                info_start, info_end = value_start, position
        key = None
    raise _truncated(size, "the dictionary is not closed")


def _integer(body: bytes, position: int, flags: set[str]) -> tuple[int | bytes, int]:
    """Read the integer at `position`: its value (its bytes when it is none) and where it ends."""
    end = body.find(b"e", position + 1, position + 1 + len("-") + _LONGEST_INTEGER + 1)
    if end > 0:
        digits = body[position + 1 : end]
        if _CANONICAL_INTEGER.match(digits):
            return int(digits), end + 1
        if _INTEGER.match(digits):
            flags.add("leading_zero")
            return int(digits), end + 1
    odd = _ODD_INTEGER.match(body, position)
    if odd is not None:
        flags.add("odd_integer")
        return odd[1], odd.end()
    end = body.find(b"e", position)
    if end < 0:
        raise _truncated(len(body), f"an integer begins at byte {position:,}")
    if body[position + 1 : end].lstrip(b"-").isdigit():
        flags.add("odd_integer")
        return body[position + 1 : end][:64], end + 1
    raise _damaged("no integer", position)


def _bad_length(body: bytes, position: int) -> NotATorrent:
    if body[position : position + _LONGEST_LENGTH].isdigit() and len(body) - position < _LONGEST_LENGTH:
        return _truncated(len(body), f"the length of a string begins at byte {position:,}")
    return _damaged("no length of a string", position)


def _damaged(what: str, position: int) -> NotATorrent:
    return NotATorrent("bencode", f"damaged bencode: {what} at byte {position:,}")


def _truncated(size: int, detail: str) -> NotATorrent:
    return NotATorrent("truncated", f"bencoded data cut at byte {size:,}: {detail}")
