"""Links that turn a page: the same list or thread, one numeric slot moved."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from harvester.patterns.learner.parameters import PAGE_NAMES as NUMBERS_OF_PAGES
from harvester.patterns.learner.tokens import split

_NEXT = re.compile(
    r"(?i)\b(?:next|older|newer|prev(?:ious)?|more|last|first|page|weiter|suivant|siguiente|вперед|след)\b|[›»→«‹←>]"
    r"|下一?[页頁]|上一?[页頁]|[末尾首][页頁]|次へ|前へ"
)
_PAGE_NAMES = NUMBERS_OF_PAGES | {"from", "st", "cursor", "skip"}
_DIGITS = re.compile(r"\s*[\[(]?\s*\d{1,6}\s*[\])]?\s*")
_NUMBERS = re.compile(r"\d+")
_NAMED_PAGE = re.compile(r"(?i)[-_.,](?:p|pg|page)[-_.,]?\d{1,6}$")
_PAGE_TAIL = re.compile(r"(?i)[-_.,](?:(?:p|pg|page)[-_.,]?)?\d{1,6}")


def looks_like_flip(source: str, url: str, anchor: str, *, is_next: bool = False) -> bool:
    """Whether a link from `source` to `url` (canonical keys) turns the page.

    One numeric slot moved, or one numeric parameter (or `/page/N`) added or taken away; and the anchor is
    a number or a word for it, or the page itself calls it the next.
    """
    if source == url:
        return False
    return (is_next or _says_so(anchor)) and one_slot_moved(source, url)


def is_numbered_page(url: str, anchor: str) -> bool:
    """Whether a link says by its anchor and its URL that it is a further page of something.

    Lists name the pages of a thread beside its title: `2 3 4`, `last page`.
    """
    if not _says_so(anchor):
        return False
    _, path, _, pairs = split(url)
    if any(name.lower() in _PAGE_NAMES and value.isdigit() for name, value in pairs):
        return True
    if any(one.lower() in _PAGE_NAMES and other.isdigit() for one, other in pairwise(path)):
        return True
    return bool(path) and _NAMED_PAGE.search(path[-1]) is not None


@lru_cache(maxsize=4096)
def _says_so(anchor: str) -> bool:
    """Whether an anchor is a number or a word for another page."""
    return _DIGITS.fullmatch(anchor) is not None or (len(anchor) <= 24 and _NEXT.search(anchor) is not None)


def one_slot_moved(source: str, url: str) -> bool:
    """Whether two URLs differ in one number, or in one numeric parameter or path part that one lacks."""
    host, path, extension, pairs = split(source)
    other_host, other_path, other_extension, other_pairs = split(url)
    if host != other_host or extension != other_extension:
        return False
    if path == other_path:
        return _pairs_moved(dict(pairs), dict(other_pairs))
    if pairs != other_pairs:
        return False
    if len(path) == len(other_path):
        moved = [place for place in range(len(path)) if path[place] != other_path[place]]
        return len(moved) == 1 and _segment_moved(path[moved[0]], other_path[moved[0]])
    shorter, longer = sorted((path, other_path), key=len)
    return _path_grew([part for part in shorter if part], [part for part in longer if part])


def _pairs_moved(first: dict[str, str], second: dict[str, str]) -> bool:
    moved = [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)]
    if len(moved) != 1:
        return False
    one, other = first.get(moved[0], ""), second.get(moved[0], "")
    if not one or not other:  # `?page=2` beside nothing: only for names that pages have
        return (one or other).isdigit()
    return _segment_moved(one, other)


def _segment_moved(one: str, other: str) -> bool:
    """One number differs (`thread-12-1-1` and `thread-12-2-1`, `18.0` and `18.20`, `page1` and `page2`), or
    the number of a page was added (`thread-12` and `thread-12-page-2`)."""
    shorter, longer = sorted((one, other), key=len)
    if longer.startswith(shorter) and _PAGE_TAIL.fullmatch(longer, len(shorter)):
        return True
    if _NUMBERS.sub("#", one) != _NUMBERS.sub("#", other):
        return False
    numbers, others = _NUMBERS.findall(one), _NUMBERS.findall(other)
    return len([1 for a, b in zip(numbers, others, strict=True) if a != b]) == 1


def _path_grew(shorter: list[str], longer: list[str]) -> bool:
    """`/category/x` and `/category/x/page/2`, `/list` and `/list/2`, `/t.1` and `/t.1/page-2`."""
    extra = longer[len(shorter) :]
    if longer[: len(shorter)] != shorter or not 1 <= len(extra) <= 2:
        return False
    if len(extra) == 2:
        return extra[1].isdigit() and extra[0].lower() in _PAGE_NAMES
    return re.fullmatch(r"(?:p|page)?[-_]?\d{1,6}", extra[0].lower()) is not None
