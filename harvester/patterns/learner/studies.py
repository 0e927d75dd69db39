"""Which links are worth a request for what they teach: tests of parameters, and kinds that nobody looked at.

The order asks for what gives torrents. What never does is never asked for, and stays unknown, although a few
visits would tell what a third of the site's addresses are. So now and then, within a budget, one link is
asked for at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

from harvester.model.order import PageLink
from harvester.model.site import Role
from harvester.patterns.learner.evidence import ACTIVE, role_of
from harvester.patterns.learner.tree import Leaf

SHARE = 0.025
"""Of all visits, at most so many are studies."""
MOST = 80
"""Studies of one run, at most."""
FIRST = 20
"""Visits before the first one."""
LEAST_URLS = 40
LEAST_SHARE = 0.01
"""URLs of a kind, and their share of all that are known, from which it is worth knowing."""
ENOUGH = 3
"""Visits after which a kind that leads nowhere is known well enough."""


class Studies:
    """Chooses, on each page, at most one link to be asked for out of turn.

    `kind` gives the kind of a URL, `group` what it shares with URLs whose values only look different, `tests`
    the URLs worth a test of a parameter, `known` how many URLs were met.
    """

    def __init__(
        self,
        kind: Callable[[str], Leaf],
        tests: Callable[[Sequence[PageLink]], list[str]],
        known: Callable[[], int],
        group: Callable[[str], Hashable] = str,
    ) -> None:
        self._kind = kind
        self._tests = tests
        self._known = known
        self._group = group
        self._asked: Counter[Hashable] = Counter()
        self.made = 0
        """Links chosen so far."""

    def choose(self, links: Sequence[PageLink], visits: int) -> PageLink | None:
        """One of the fresh links of a page, or None; `visits` are those of the run so far."""
        if visits < FIRST or self.made >= min(MOST, 1 + SHARE * visits):
            return None
        asked_for = [link for link in links if link.fresh and not self._is_file(link)]
        if not asked_for:
            return None
        tested = self._tests(asked_for)
        chosen = next((link for link in asked_for if link.url in tested), None) or self._unknown(asked_for)
        self.made += chosen is not None
        return chosen

    def _is_file(self, link: PageLink) -> bool:
        """Whether the link looks like a file, and nothing speaks against it: the order asks for it anyway."""
        evidence = self._kind(link.url).evidence
        return link.download and (not evidence.visits or evidence.torrents > 0)

    def _unknown(self, links: Sequence[PageLink]) -> PageLink | None:
        best, most = None, max(LEAST_URLS, LEAST_SHARE * self._known())
        for link in links:
            leaf = self._kind(link.url)
            if leaf.urls >= most and self._is_unknown(leaf, self._asked[self._group(link.url)]):
                best, most = link, leaf.urls + 1
        if best is not None:
            self._asked[self._group(best.url)] += 1
        return best

    def _is_unknown(self, leaf: Leaf, asked: int) -> bool:
        evidence = leaf.evidence
        if max(evidence.visits, asked) >= ACTIVE[0] or evidence.walls >= ENOUGH:
            return False
        return evidence.visits < ENOUGH or role_of(evidence)[0] is not Role.IGNORE
