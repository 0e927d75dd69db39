"""OPIC: cash flows along links; the page with the most cash is fetched next.

(Abiteboul, Preda and Cobena, "Adaptive on-line page importance computation", WWW 2003.)
"""

from __future__ import annotations

from collections import OrderedDict
from typing import ClassVar

from harvester.links import canonical_key, key_hash
from harvester.model.order import PageSeen
from harvester.ordering import OrderOptions, register
from harvester.ordering.scored import ScoredOrder, bump


@register("opic")
class Opic(ScoredOrder):
    """The start pages share a cash of 1; a visit hands the page's cash on to the pages it links to."""

    name: ClassVar[str] = "opic"

    def __init__(self, options: OrderOptions) -> None:
        super().__init__(options)
        self._cash: OrderedDict[int, float] = OrderedDict()
        for url in options.start:
            bump(self._cash, key_hash(canonical_key(url)), 1.0 / len(options.start))

    def observe(self, seen: PageSeen) -> None:
        """Hand on the cash."""
        targets = {link.key_hash for link in seen.links}
        cash = self._cash.pop(seen.key_hash, 0.0)
        for target in sorted(targets):
            bump(self._cash, target, cash / len(targets))

    def score(self, key: int) -> float:
        """Its cash."""
        return self._cash.get(key, 0.0)
