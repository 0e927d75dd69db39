"""Icons in the rows of a list: a paperclip, a lock, a pin.

Forums mark the threads that carry files, and what is closed, hot or a poll, by small pictures beside the
title. What a picture means is not known here; that it stands there is told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from zlib import crc32

from selectolax.lexbor import LexborHTMLParser

from harvester.links.places import Places
from harvester.model.link import Row

MAX_ICONS: Final = 200
"""Icons that are looked at on one page."""
MAX_MARKS: Final = 6
"""Icons of one row that are told."""
_DIGITS: Final = re.compile(r"\d+")


def row_marks(tree: LexborHTMLParser, places: Places) -> Mapping[Row, tuple[int, ...]] | None:
    """For each row with icons their names as numbers, sorted: the file of an image, the classes of an `<i>`.

    Digits in names do not count (`avatar_17.png`). None where a page has more than `MAX_ICONS`: its rows were
    not looked at, and nobody knows which of them have none.
    """
    nodes = [*tree.tags("img"), *tree.tags("i")]
    if len(nodes) > MAX_ICONS:
        return None
    found: dict[Row, set[int]] = {}
    for node in nodes:
        attributes = node.attributes
        name = attributes.get("class") if node.tag == "i" else _file_name(attributes)
        if not name:
            continue
        _, row = places.of(node, attributes)
        if row is not None:
            names = found.setdefault(row, set())
            if len(names) < MAX_MARKS:
                names.add(crc32(_DIGITS.sub("#", name[:80]).encode()))
    return {row: tuple(sorted(names)) for row, names in found.items()}


def _file_name(attributes: Mapping[str, str | None]) -> str:
    source = attributes.get("src") or ""
    if not source or source[:5].lower() == "data:":
        return attributes.get("alt") or ""
    return source[:2000].partition("?")[0].rpartition("/")[2]
