"""How a site changes: kinds that fail, where they went, and what is found again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from harvester.model.order import Came, PageLink, PageSeen
from harvester.patterns.learner.drift import Change, Health, Outage, Watch
from harvester.patterns.learner.evidence import ACTIVE
from harvester.patterns.learner.moves import Fields, Moves, Shape, coarse
from harvester.patterns.learner.tree import Leaf, PatternTree

MOST_LOST = 200
LEAST_NAME = 6
"""Characters of a text that may tell a page from others."""
MOST_ALIASES = 100_000


class Changes:
    """Watches the kinds of one site; `kind` and `key` are those of URLs.

    Kinds are known here by their shape and words alone: what a value looks like says nothing of whether
    addresses still work.
    """

    def __init__(self, tree: PatternTree, kind: Callable[[str], Leaf], key: Callable[[str], str]) -> None:
        self._tree = tree
        self._kind = kind
        self._key = key
        self._watches: dict[tuple[Shape, Fields], Watch] = {}
        self._direct: Counter[tuple[Shape, Fields]] = Counter()
        self._lost: dict[tuple[Shape, Fields], list[str]] = {}
        self._outage = Outage()
        self._predecessors: dict[tuple[Shape, Fields], int] = {}
        self._first_new = 0
        self._unmoved: set[tuple[Shape, Fields]] = set()
        """Kinds that answered since the site was first suspected to have moved."""
        self.moves = Moves()
        self.aliases: dict[str, str] = {}
        """New addresses (keys) by the old ones, of what links call by the same name."""
        self.suspicions = 0
        """How many kinds worked and then failed: each is a sign that the site has changed."""
        self.retirements = 0
        """How many of them were given up."""
        self.found_again: list[str] = []
        """URLs that were gone and whose new address is known now; the crawl takes them from here."""

    @property
    def is_suspected(self) -> bool:
        """Whether the site may have moved."""
        return self._first_new > 0

    def answered(self, *, failed: bool) -> None:
        """Take in whether a request was answered at all."""
        self._outage.add(failed=failed)

    def observe(self, leaf: Leaf, seen: PageSeen) -> None:
        """Take in a visit of a kind that was answered."""
        key = self._key(seen.url)
        kind = coarse(key)
        watch = self._watches.setdefault(kind, Watch())
        is_gone = seen.came in (Came.GONE, Came.REDIRECT)
        if is_gone and self.moves.has_moved(key):
            self.moves.failed(key)
        if seen.came in (Came.PAGE, Came.TORRENT) and not seen.password_form:
            self._redirected(leaf, seen, key)
            works = self.moved_to(seen) is None and not seen.redirects
            self._direct[kind] += works
            if works and self._first_new:
                self._unmoved.add(kind)
        elsewhere = self.moved_to(seen) is not None and not self.moves.has_moved(key)
        alarmed = self.suspicions > (watch.health is not Health.FINE)
        change = watch.add(bad=is_gone or elsewhere, outage=self._outage.now, alarmed=alarmed)
        if is_gone and watch.good:
            lost = self._lost.setdefault(kind, [])
            if len(lost) < MOST_LOST:
                lost.append(seen.url)
        if change is Change.SUSPECTED:
            self._first_new = self._first_new or len(self._tree.leaves)
            self.suspicions += 1
        self.retirements += change is Change.RETIRED

    def _pair(self, leaf: Leaf, old: str, new: str) -> None:
        """Take in where an address is now; what was in vain under addresses like it is found again."""
        if not self.moves.pair(old, new):
            return
        self._predecessors[coarse(new)] = leaf.number
        for kind, watch in self._watches.items():
            lost = self._lost.get(kind, [])
            if watch.health is not Health.FINE and (kind == coarse(old) or any(map(self._has_moved, lost))):
                self._watches[kind] = Watch(good=watch.good)
        for kind in [kind for kind, urls in self._lost.items() if any(map(self._has_moved, urls))]:
            self.found_again += [url for url in self._lost.pop(kind) if self._has_moved(url)]

    def was_direct(self, leaf: Leaf) -> bool:
        """Whether the kind answered by itself, and is known to have moved since."""
        key = self._key(leaf.first)
        return self._direct[coarse(key)] >= ACTIVE[0] // 2 and self.moves.has_moved(key)

    def health_of_rule(self, leaf: Leaf) -> Health:
        """The same for its rule, which is retired when the kind has moved, although it still redirects."""
        return Health.RETIRED if self.was_direct(leaf) else self.health(leaf)

    def _has_moved(self, url: str) -> bool:
        return self.moves.has_moved(self._key(url))

    def _redirected(self, leaf: Leaf, seen: PageSeen, key: str) -> None:
        """Learn from where the URL led."""
        if not seen.redirects and seen.final_url == seen.url:
            return
        for url in dict.fromkeys((*seen.redirects[:3], *filter(None, (seen.final_url,)))):
            target = self._key(url)
            if target == key:
                continue
            if self._kind(url) is not leaf:
                self._predecessors[coarse(target)] = leaf.number
            self._pair(leaf, key, target)

    def compare_texts(self, links: Sequence[PageLink]) -> None:
        """Remember what links are called; where the site moved, find what had the same name before."""
        for link in links:
            if len(link.anchor) < LEAST_NAME or link.is_next:
                continue
            leaf, key = self._kind(link.url), self._key(link.url)
            if self._first_new and leaf.number >= self._first_new:
                for number, old in self.moves.before(link.anchor):
                    before = self._tree.leaf(number)
                    if before is leaf or before.number >= self._first_new or self._still_works(old):
                        continue
                    self._predecessors.setdefault(coarse(key), before.number)
                    self._pair(before, old, key)
                    if self.moves.shows_same(old, key) and len(self.aliases) < MOST_ALIASES:
                        self.aliases[key] = old
            else:
                self.moves.remember(link.anchor, leaf.number, key)

    def _still_works(self, key: str) -> bool:
        """Whether URLs like this one answered since the site was first suspected to have moved, and few
        failed."""
        kind = coarse(key)
        watch = self._watches.get(kind)
        return kind in self._unmoved and (watch is None or watch.health is Health.FINE)

    def moved_to(self, seen: PageSeen) -> str | None:
        """The URL of another kind that answered instead of the one asked, or None."""
        if seen.final_url == seen.url:
            return None
        if not seen.final_url or self._key(seen.final_url) == self._key(seen.url):
            return None
        return seen.final_url if self._kind(seen.final_url) is not self._kind(seen.url) else None

    def health(self, leaf: Leaf) -> Health:
        """Whether the kind still works."""
        if not self.suspicions:
            return Health.FINE
        watch = self._watches.get(coarse(self._key(leaf.first)))
        return watch.health if watch is not None else Health.FINE

    def predecessor(self, leaf: Leaf) -> Leaf | None:
        """The kind whose URLs are of this one since the site changed, None without one."""
        if not self._predecessors:
            return None
        number = self._predecessors.get(coarse(self._key(leaf.first)))
        old = self._tree.leaf(number) if number is not None else None
        return old if old is not leaf else None
