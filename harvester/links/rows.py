"""The repeated row of a page that an element sits in."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborNode

from harvester.model.link import Row

MIN_ROWS: Final = 3
_CLIMB: Final = 600
_BY_TAG: Final = frozenset(("tr", "li", "tbody", "article"))
_BY_CLASS: Final = frozenset(("div", "section", "dl", "ul", "table", "fieldset", "details"))
_ROWS: Final = _BY_TAG | _BY_CLASS
_DIGITS: Final = re.compile(r"\d+")
_STRIPES: Final = re.compile(r"(?:^|(?<=[_\-]))(?:odd|even|alt)(?=$|[_\-])", re.IGNORECASE)

_Seat = tuple[int, int, int, str]
"""(parent, index, number of siblings like it and itself, what they are like)."""


@lru_cache(maxsize=4096)
def _class_label(classes: str) -> str:
    """`.first-class`, digits as `#`, the stripes of tables (odd, even) out; "" without a class."""
    first = classes.split(None, 1)[0][:40] if classes and not classes.isspace() else ""
    first = _STRIPES.sub("", _DIGITS.sub("#", first)).replace("/", "")
    return f".{first}" if first else ""


class Rows:
    """The rows of one parsed page; every element is looked at once.

    Knows nothing of links. A row is an element that has at least two siblings like it; of several such
    elements above one another the one with the most siblings counts, so that the cells of a row or the
    categories of a forum do not hide the row itself.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Seat | None] = {}
        self._seats: dict[int, dict[int, _Seat]] = {}
        self._rows: dict[_Seat, Row] = {}
        self._groups: dict[tuple[int, str], int] = {}

    def of(self, node: LexborNode) -> Row | None:
        """The row of an element."""
        parent = node.parent
        if parent is None:
            return None
        try:
            seat = self._known[parent.mem_id]
        except KeyError:
            seat = self._above(parent)
        if node.tag in _ROWS:
            seat = self._better(node, seat)
        if seat is None:
            seat = self._own_seat(node)
        return self._row(seat) if seat is not None else None

    def _row(self, seat: _Seat) -> Row:
        row = self._rows.get(seat)
        if row is None:
            group = self._groups.setdefault((seat[0], seat[3]), len(self._groups))
            row = self._rows[seat] = Row(group, seat[1])
        return row

    def _above(self, node: LexborNode) -> _Seat | None:
        """The seat that counts for what is in `node`."""
        known = self._known
        climbed: list[tuple[int, LexborNode]] = []
        current: LexborNode | None = node
        seat: _Seat | None = None
        while current is not None and len(climbed) < _CLIMB:
            number = current.mem_id
            if number in known:
                seat = known[number]
                break
            climbed.append((number, current))
            current = current.parent
        for number, element in reversed(climbed):
            if element.tag in _ROWS:
                seat = self._better(element, seat)
            known[number] = seat
        return seat

    def _better(self, element: LexborNode, seat: _Seat | None) -> _Seat | None:
        """The seat of an element, or that of what it is in, if that has more siblings."""
        own = self._own_seat(element)
        return own if own is not None and (seat is None or own[2] >= seat[2]) else seat

    def _own_seat(self, element: LexborNode) -> _Seat | None:
        """The seat of an element among the siblings like it."""
        parent = element.parent
        if parent is None:
            return None
        number = parent.mem_id
        seats = self._seats.get(number)
        if seats is None:
            seats = self._seats[number] = _seats_of(parent, number)
        return seats.get(element.mem_id)


def _seats_of(parent: LexborNode, number: int) -> dict[int, _Seat]:
    kinds: list[tuple[int, str]] = []
    for child in parent.iter():
        tag = child.tag
        if tag in _BY_TAG:
            kinds.append((child.mem_id, tag))
        elif tag in _BY_CLASS or tag == "a":
            classes = child.attributes.get("class")
            kinds.append((child.mem_id, tag + _class_label(classes) if classes else tag))
    if len(kinds) < MIN_ROWS:
        return {}
    sizes = Counter([kind for _, kind in kinds])
    indices = dict.fromkeys(sizes, 0)
    seats: dict[int, _Seat] = {}
    for child_id, kind in kinds:
        if sizes[kind] >= MIN_ROWS:
            seats[child_id] = (number, indices[kind], sizes[kind], kind)
            indices[kind] += 1
    return seats
