"""The place of an element in a page: its tag path, and the repeated row it sits in."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from selectolax.lexbor import LexborNode

from harvester.model.link import Row
from harvester.text.bombs import FORMATTING

PATH_LENGTH: Final = 12
"""Elements in a tag path, the innermost."""
MIN_ROWS: Final = 3
_CLIMB: Final = 600
_BY_TAG: Final = frozenset(("tr", "li", "tbody", "article"))
_BY_CLASS: Final = frozenset(("div", "section", "dl", "ul", "table", "fieldset", "details"))
_DIGITS: Final = re.compile(r"\d+")
_STRIPES: Final = re.compile(r"(?:^|(?<=[_\-]))(?:odd|even|alt)(?=$|[_\-])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _class_label(classes: str) -> str:
    """`.first-class`, digits as `#`, the stripes of tables (odd, even) out; "" without a class."""
    first = classes.split(None, 1)[0][:40] if classes and not classes.isspace() else ""
    first = _STRIPES.sub("", _DIGITS.sub("#", first)).replace("/", "")
    return f".{first}" if first else ""


class Places:
    """Tag paths and rows of one parsed page; every element is looked at once.

    Knows nothing of links. A row is an element that has at least two siblings like it; of several such
    elements above one another the one with the most siblings counts, so that the cells of a row or the
    categories of a forum do not hide the row itself.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Place] = {}
        self._seats: dict[int, dict[int, _Seat]] = {}
        self._groups: dict[tuple[int, str], int] = {}

    def of(self, node: LexborNode, attributes: dict[str, str | None]) -> tuple[str, Row | None]:
        """(tag path, row) of an element with these attributes."""
        parent = node.parent
        if parent is None:
            return node.tag or "", None
        labels, seat = self._known.get(parent.mem_id) or self._place(parent)
        labels, seat = self._below(node, attributes, labels, seat)
        if seat is None:
            seat = self._own_seat(node)
        return "/".join(labels), self._row(seat) if seat else None

    def _row(self, seat: _Seat) -> Row:
        group = self._groups.setdefault(seat[3], len(self._groups))
        return Row(group, seat[1])

    def _place(self, node: LexborNode) -> _Place:
        known = self._known
        parent = node.parent
        place = _NOWHERE if parent is None else known.get(parent.mem_id)
        if place is None:
            place = self._place_from_above(node)
        place = known[node.mem_id] = self._below(node, node.attributes, *place)
        return place

    def _place_from_above(self, node: LexborNode) -> _Place:
        """The place of an element's parent, none of whose own parents may be known yet."""
        known = self._known
        climbed: list[LexborNode] = []
        current = node.parent
        place = _NOWHERE
        while current is not None and len(climbed) < _CLIMB:
            found = known.get(current.mem_id)
            if found is not None:
                place = found
                break
            climbed.append(current)
            current = current.parent
        for element in reversed(climbed):
            place = known[element.mem_id] = self._below(element, element.attributes, *place)
        return place

    def _below(
        self,
        element: LexborNode,
        attributes: dict[str, str | None],
        labels: tuple[str, ...],
        seat: _Seat | None,
    ) -> _Place:
        tag = element.tag
        if tag is None or tag[0] == "-" or tag in FORMATTING:
            return labels, seat
        classes = attributes.get("class")
        label = tag + _class_label(classes) if classes else tag
        if tag in _BY_TAG or tag in _BY_CLASS:
            own = self._own_seat(element)
            if own is not None and (seat is None or own[2] >= seat[2]):
                seat = own
        return (*labels[-PATH_LENGTH + 1 :], label), seat

    def _own_seat(self, element: LexborNode) -> _Seat | None:
        """The seat of an element among the siblings like it."""
        parent = element.parent
        if parent is None:
            return None
        seats = self._seats.get(parent.mem_id)
        if seats is None:
            seats = self._seats[parent.mem_id] = _seats_of(parent)
        return seats.get(element.mem_id)


_Seat = tuple[int, int, int, tuple[int, str]]
"""(parent, index, number of siblings like it and itself, identity of the list)."""
_Place = tuple[tuple[str, ...], _Seat | None]
"""(labels of the path, seat in the list that counts)."""
_NOWHERE: Final[_Place] = ((), None)


def _seats_of(parent: LexborNode) -> dict[int, _Seat]:
    identity = parent.mem_id
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
    sizes = Counter(kind for _, kind in kinds)
    indices: Counter[str] = Counter()
    seats: dict[int, _Seat] = {}
    for child_id, kind in kinds:
        if sizes[kind] >= MIN_ROWS:
            seats[child_id] = (identity, indices[kind], sizes[kind], (identity, kind))
            indices[kind] += 1
    return seats
