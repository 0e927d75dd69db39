"""The pattern tree: URLs of one group, told apart by the words that matter.

One level a position (path segments, then query values). A word stays literal while that makes the
description of all URLs shorter; otherwise the position is opened and its words become one. Opening only
ever merges, so that what was queued under a fine kind is found again under the coarse one.

(Lei et al., "A pattern tree-based approach to learning URL normalization rules", WWW 2010; description
length as in Blanco, Dalvi and Machanavajjhala, WWW 2011.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import log2

from harvester.patterns.learner.evidence import Evidence
from harvester.patterns.learner.tokens import ANY, Shape, common_form, has_words

MOST_WORDS = 12
"""Words of one position beyond which it is opened whatever the description length says."""
LEAST_WORDS = 6
"""Fewer words than this are kept: there is too little to tell."""
KEPT_SHARE = 0.05
"""Share of the URLs from which a word with another outcome than the rest survives an opening."""
_BITS = 5.0
"""Of one character of a URL."""


@dataclass(slots=True)
class Leaf:
    """One kind of URL.

    `number` is its place in the tree's list; a leaf that was merged away points to its heir. `forms` are
    those of its positions. `first` is the first URL seen of it.
    """

    number: int
    group: str
    forms: tuple[str, ...]
    first: str
    evidence: Evidence = field(default_factory=Evidence)
    heir: int = -1
    urls: int = 0


@dataclass(slots=True)
class _Node:
    """A position under one prefix; at the last level `leaf` is the number of the kind."""

    seen: int = 0
    children: dict[str, _Node] = field(default_factory=dict)
    is_open: bool = False
    opened: list[str] = field(default_factory=list)
    leaf: int = -1


Differs = Callable[[Evidence, Evidence], bool]


class PatternTree:
    """The kinds of URLs of a site. Bounded: beyond `most_leaves` kinds, positions are opened early."""

    def __init__(self, differs: Differs, most_leaves: int = 2000) -> None:
        self.leaves: list[Leaf] = []
        self.merged: list[int] = []
        """The numbers of the kinds that were merged away, in the order in which they were."""
        self._roots: dict[str, _Node] = {}
        self._differs = differs
        self._most = most_leaves
        self._live = 0

    def leaf(self, number: int) -> Leaf:
        """The kind that `number` stands for now."""
        leaf = self.leaves[number]
        while leaf.heir >= 0:
            leaf = self.leaves[leaf.heir]
        return leaf

    def live(self) -> Iterator[Leaf]:
        """Every kind that was not merged away."""
        return (leaf for leaf in self.leaves if leaf.heir < 0)

    def add(self, shape: Shape, url: str) -> Leaf:
        """The kind of a URL that was not seen before."""
        node = self._roots.get(shape.group)
        if node is None:
            node = self._roots[shape.group] = _Node()
        path = []
        for form in shape.forms:
            path.append(node)
            node = self._step(node, form)
        if node.leaf < 0:
            node.leaf = self._new_leaf(shape, url)
        node.seen += 1
        leaf = self.leaf(node.leaf)
        leaf.urls += 1
        for passed in path:
            passed.seen += 1
        opened = False
        for depth, passed in enumerate(path):
            if self._should_open(passed):
                self._open(passed, depth)
                opened = True
        return self.find(shape) or leaf if opened else leaf

    def find(self, shape: Shape) -> Leaf | None:
        """The kind of a URL, None when there is none like it."""
        node = self._roots.get(shape.group)
        for form in shape.forms:
            if node is None:
                return None
            node = node.children.get(form) or (node.children.get(ANY) if node.is_open else None)
        return self.leaf(node.leaf) if node is not None and node.leaf >= 0 else None

    def _step(self, node: _Node, form: str) -> _Node:
        child = node.children.get(form)
        if child is None:
            if node.is_open and has_words(form):
                if form not in node.opened and len(node.opened) < 50:
                    node.opened.append(form)
                return node.children[ANY]
            child = node.children[form] = _Node()
        return child

    def _new_leaf(self, shape: Shape, url: str) -> int:
        self._live += 1
        self.leaves.append(Leaf(len(self.leaves), shape.group, shape.forms, url))
        return len(self.leaves) - 1

    def _should_open(self, node: _Node) -> bool:
        if node.is_open or len(node.children) < LEAST_WORDS:
            return False
        words = {form: child.seen for form, child in node.children.items() if has_words(form)}
        if len(words) < LEAST_WORDS:
            return False
        return len(words) > MOST_WORDS or self._live > self._most or not literals_pay(words)

    def _open(self, node: _Node, depth: int) -> None:
        """Make the words of this position one, but for those that lead elsewhere than the rest."""
        words = [form for form in node.children if has_words(form)]
        kept = self._outliers(node, words)
        merged = [form for form in words if form not in kept]
        if len(merged) < 2:
            merged = words
        target = _Node()
        for form in merged:
            self._merge(target, node.children.pop(form), depth)
        node.is_open = True
        node.opened = merged[:50]
        node.children[ANY] = target
        self._rename(node, depth)

    def _outliers(self, node: _Node, words: list[str]) -> set[str]:
        total = Evidence()
        parts = {}
        for form in words:
            parts[form] = evidence = Evidence()
            for leaf in self._below(node.children[form]):
                evidence.add(leaf.evidence)
            total.add(evidence)
        seen = max(1, sum(node.children[form].seen for form in words))
        return {
            form
            for form in words
            if node.children[form].seen >= KEPT_SHARE * seen and self._differs(parts[form], total)
        }

    def _below(self, node: _Node) -> Iterator[Leaf]:
        if node.leaf >= 0:
            leaf = self.leaf(node.leaf)
            if leaf.group == self.leaves[node.leaf].group:  # else one that lost a parameter: it is elsewhere
                yield leaf
        for child in node.children.values():
            yield from self._below(child)

    def _merge(self, target: _Node, source: _Node, depth: int) -> None:
        target.seen += source.seen
        if source.leaf >= 0:
            if target.leaf < 0:
                target.leaf = source.leaf
            else:
                self.join(self.leaf(target.leaf), self.leaf(source.leaf))
        target.is_open = target.is_open or source.is_open
        target.opened = (target.opened + source.opened)[:50]
        for form, child in source.children.items():
            if form in target.children:
                self._merge(target.children[form], child, depth + 1)
            else:
                target.children[form] = child

    def join(self, heir: Leaf, leaf: Leaf) -> None:
        """Make one kind of two, because what told them apart says nothing."""
        if heir is leaf:
            return
        self._live -= 1
        heir.evidence.add(leaf.evidence)
        heir.urls += leaf.urls
        leaf.heir = heir.number
        self.merged.append(leaf.number)

    def refresh_forms(self) -> None:
        """Write every opened position into the forms of the leaves below it."""
        for root in self._roots.values():
            self._refresh(root, 0)

    def _refresh(self, node: _Node, depth: int) -> None:
        for child in node.children.values():
            self._refresh(child, depth + 1)
        if node.is_open and node.opened and ANY in node.children:
            self._rename(node, depth)

    def _rename(self, node: _Node, depth: int) -> None:
        """Write the opened position into the forms of the leaves below."""
        form = common_form(node.opened)
        for leaf in self._below(node.children[ANY]):
            forms = list(leaf.forms)
            forms[depth] = form
            leaf.forms = tuple(forms)


def literals_pay(words: dict[str, int]) -> bool:
    """Whether naming each word once and pointing to it is shorter than writing it each time.

    With n URLs, k words of mean length l and entropy H: 5·l·k + n·H against 5·l·n bits.
    """
    total = sum(words.values())
    length = sum(len(word) * count for word, count in words.items()) / total
    entropy = -sum(count / total * log2(count / total) for count in words.values())
    return _BITS * length * len(words) + total * entropy < _BITS * length * total
