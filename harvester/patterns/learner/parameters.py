"""Query parameters that change nothing, found by comparing pages that differ in one of them.

A visit is compared with visits whose URL differs only in one parameter: its value, or whether it is there
at all. (Koppula et al., WSDM 2010; "MaybeDont" names the hypotheses.)
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TypeVar

PAGE_NAMES = frozenset({"page", "p", "pg", "paged", "start", "offset", "pn", "pageno", "page_no"})
"""Parameters that number pages, whatever they stand beside."""
EQUAL_PAIRS = 4
"""Pairs of equal pages, and none unequal, from which a parameter is irrelevant."""
EQUAL_CONTENTS = 3
"""Different pages among them: one message box under many addresses says nothing."""
MOST_TESTS = 5
"""Requests for the sake of a test, for each parameter."""
MOST_IN_ALL = 40
"""Requests for the sake of tests in a run."""
_CAPACITY = 20_000
_MOST_PARAMETERS = 6
_MOST_NAMES = 500

V = TypeVar("V")


class Parameters:
    """Votes on the parameters of one site, in bounded memory."""

    def __init__(self) -> None:
        self._bare: OrderedDict[str, dict[str, bytes]] = OrderedDict()
        self._visited: OrderedDict[str, bytes] = OrderedDict()
        self._contents: dict[str, set[bytes]] = {}
        self.equal: Counter[str] = Counter()
        self.unequal: Counter[str] = Counter()
        self._tested: Counter[str] = Counter()

    def observe(self, key: str, content: bytes) -> None:
        """A page with identity `key` was fetched; `content` identifies what it showed."""
        if not content:
            return
        for name, other in self._bare.get(key, {}).items():
            self._vote(name, content if other == content else None)
        for name, bare in self._without(key):
            beside = self._bare.get(bare, {})
            for known in (self._visited.get(bare), beside.get(name)):
                if known is not None:
                    self._vote(name, content if known == content else None)
            beside[name] = content
            self._remember(self._bare, bare, beside)
        self._remember(self._visited, key, content)

    def irrelevant(self) -> frozenset[str]:
        """Names (lower case) that were found to change nothing.

        Never one that is named like the number of a page: the first page has two names on many a site, and
        a crawl that sees those first would never turn a page.
        """
        return frozenset(
            name
            for name, contents in self._contents.items()
            if len(contents) >= EQUAL_CONTENTS
            and self.equal[name] >= EQUAL_PAIRS
            and not self.unequal[name]
            and name not in PAGE_NAMES
        )

    def worth_a_test(self, key: str) -> bool:
        """Whether fetching the URL would settle a parameter that is not settled; counts as one test."""
        if self._tested.total() >= MOST_IN_ALL:
            return False
        for name, bare in self._without(key):
            undecided = not self.unequal[name] and self.equal[name] < EQUAL_PAIRS
            if undecided and self._tested[name] < MOST_TESTS and bare in self._visited:
                self._tested[name] += 1
                return True
        return False

    def _vote(self, name: str, content: bytes | None) -> None:
        """Two pages that differ in `name` only have this content (None: each its own)."""
        votes = self.equal if content is not None else self.unequal
        if name not in votes and len(votes) >= _MOST_NAMES:
            return
        votes[name] += 1
        if content is not None:
            contents = self._contents.setdefault(name, set())
            if len(contents) < EQUAL_PAIRS:
                contents.add(content)

    @staticmethod
    def _without(key: str) -> list[tuple[str, str]]:
        """For each parameter: its name and the key without it."""
        path, _, query = key.partition("?")
        pairs = query.split("&") if query else []
        if not 0 < len(pairs) <= _MOST_PARAMETERS:
            return []
        found = []
        for place, pair in enumerate(pairs):
            rest = "&".join(pairs[:place] + pairs[place + 1 :])
            found.append((pair.partition("=")[0].lower(), f"{path}?{rest}" if rest else path))
        return found

    @staticmethod
    def _remember(memory: OrderedDict[str, V], key: str, value: V) -> None:
        memory[key] = value
        if len(memory) > _CAPACITY:
            memory.popitem(last=False)
