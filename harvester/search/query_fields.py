"""The fields of the query language: what may stand after each `field:`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from harvester.model.query import HasHash, Is, KeywordField, Node, NumberField, Range
from harvester.policy.blocking import publisher_key
from harvester.search.hashes import digests_in

_UNITS = {"": 1, "b": 1}
_UNITS |= {f"{letter}b": 1000**power for power, letter in enumerate("kmgtp", 1)}
_UNITS |= {f"{letter}ib": 1024**power for power, letter in enumerate("kmgtp", 1)}
_UNITS |= {letter: 1000**power for power, letter in enumerate("kmgtp", 1)}
_SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)\s?([kmgtp]?i?b?)", re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_AGO = re.compile(r"(\d{1,5})([hdwmy])")
_AGO_SECONDS = {"h": 3600, "d": 86_400, "w": 7 * 86_400, "m": 30 * 86_400, "y": 365 * 86_400}
_COUNT = re.compile(r"\d{1,9}")
_COMPARED = re.compile(r"(>=|<=|>|<|=)\s*(.*)")

Span = tuple[int, int]
"""The first and the last number that a value names: a day is its seconds."""


class BadValue(Exception):
    """What stands after a field makes no sense. Never leaves the parser, which adds the position."""


def _size(text: str) -> Span:
    found = _SIZE.fullmatch(text)
    if not found or found[2].lower() not in _UNITS:
        raise BadValue(f"{text!r} is no size; write 700MB, 1.5GB or 4GiB")
    size = round(float(found[1]) * _UNITS[found[2].lower()])
    return size, size


def _count(text: str) -> Span:
    if not _COUNT.fullmatch(text):
        raise BadValue(f"{text!r} is no number of files")
    return int(text), int(text)


def _date(text: str, now: float) -> Span:
    ago = _AGO.fullmatch(text)
    if ago:
        moment = int(now) - int(ago[1]) * _AGO_SECONDS[ago[2]]
        return moment, moment
    found = _DATE.fullmatch(text)
    try:
        if not found:
            raise ValueError
        year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
        first = datetime(year, month, day, tzinfo=UTC)
        if found[3]:
            after = first + timedelta(days=1)
        elif found[2]:
            after = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
        else:
            after = datetime(year + 1, 1, 1, tzinfo=UTC)
    except (ValueError, OverflowError):
        raise BadValue(
            f"{text!r} is no date; write 2024, 2024-01, 2024-01-31, or 7d for a week ago"
        ) from None
    return int(first.timestamp()), int(after.timestamp()) - 1


def _number(field: NumberField) -> Callable[[str, float], Node]:
    def read(text: str, now: float) -> Node:
        def span(value: str) -> Span:
            if field == "size":
                return _size(value)
            return _count(value) if field == "files" else _date(value, now)

        compared = _COMPARED.fullmatch(text)
        if compared:
            return _compared(field, compared[1], span(compared[2]))
        low, dots, high = text.partition("..")
        if dots:
            return _between(field, span(low) if low else None, span(high) if high else None)
        if field == "size" and not text.isdecimal():
            raise BadValue(f"say {field}:>{text}, {field}:<{text}, or a range such as {field}:1GB..2GB")
        if _AGO.fullmatch(text) and field != "files":
            raise BadValue(f"say {field}:>{text} for what is newer, {field}:<{text} for what is older")
        first, last = span(text)
        return Range(field, first, last)

    return read


def _compared(field: NumberField, sign: str, span: Span) -> Node:
    first, last = span
    match sign:
        case ">":
            return Range(field, low=last + 1)
        case ">=":
            return Range(field, low=first)
        case "<":
            return Range(field, high=first - 1)
        case "<=":
            return Range(field, high=last)
        case _:
            return Range(field, first, last)


def _between(field: NumberField, low: Span | None, high: Span | None) -> Node:
    if low is None and high is None:
        raise BadValue("a range needs a number before or after its ..")
    if low is not None and high is not None and low[0] > high[1]:
        raise BadValue("the range ends before it begins")
    return Range(field, None if low is None else low[0], None if high is None else high[1])


def _keyword(field: KeywordField) -> Callable[[str, float], Node]:
    def read(text: str, now: float) -> Node:
        del now
        return Is(field, text.lower().removeprefix(".") if field == "ext" else text.lower())

    return read


def _private(text: str, now: float) -> Node:
    del now
    said = {"yes": "yes", "true": "yes", "1": "yes", "no": "no", "false": "no", "0": "no"}.get(text.lower())
    if said is None:
        raise BadValue("private: is yes or no")
    return Is("private", said)


def _publisher(text: str, now: float) -> Node:
    del now
    return Is("publisher", publisher_key(text))


def _hash(text: str, now: float) -> Node:
    del now
    digests = digests_in(text)
    if not digests:
        raise BadValue("this is no hash; give 40 or 64 hexadecimal digits, 32 letters of base32, or an MD5")
    return HasHash(digests)


FIELDS: dict[str, Callable[[str, float], Node]] = {
    "size": _number("size"),
    "date": _number("date"),
    "created": _number("created"),
    "files": _number("files"),
    "site": _keyword("site"),
    "ext": _keyword("ext"),
    "lang": _keyword("lang"),
    "type": _keyword("type"),
    "private": _private,
    "wall": _keyword("wall"),
    "publisher": _publisher,
    "hash": _hash,
}
"""What reads the value of each field, given the time (UTC seconds); raises `BadValue`."""
