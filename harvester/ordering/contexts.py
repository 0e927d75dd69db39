"""The lists that links stand on: an arm is a kind of URL on one of them."""

from __future__ import annotations

from collections import OrderedDict

from harvester.model.order import PageSeen
from harvester.ordering.arms import Arm

MOST_CONTEXTS = 4000
LIST_ROWS = 5
"""Rows from which a page has a list of its own."""
_REMEMBERED = 50_000


class Contexts:
    """Numbers lists from 1; 0 is none, also when there are too many. The further pages of a list are one."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._turned: OrderedDict[int, int] = OrderedDict()

    def named(self, name: str) -> int:
        """The number of the list of that name, a new one where it was not met."""
        known = self.numbers.get(name)
        if known is None:
            if len(self.numbers) >= MOST_CONTEXTS:
                return 0
            known = self.numbers[name] = len(self.numbers) + 1
        return known

    def turns(self, key_hash: int, context: int) -> None:
        """A link leads to a further page of a list."""
        self._turned[key_hash] = context
        if len(self._turned) > _REMEMBERED:
            self._turned.popitem(last=False)

    def is_turned(self, key_hash: int) -> bool:
        """Whether the page is a further one of a list."""
        return key_hash in self._turned

    def of(self, seen: PageSeen, arm: Arm | None, key: str, *, is_detail: bool) -> int:
        """The list of a page of `arm` with that `key`: its own, or the one it is a further page of.

        A page about one thing (`is_detail`), or with few rows, belongs to the list it was found on.
        """
        turned = self._turned.get(seen.key_hash)
        if turned is not None:
            return turned
        if arm is not None and (arm.is_flip or seen.row_count < LIST_ROWS or is_detail):
            return arm.context
        return self.named(key)
