"""The learner: takes in visits, groups URLs by shape, and says what kind of page a URL leads to."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from harvester.links import canonical_key
from harvester.model.order import Came, PageLink, PageSeen
from harvester.model.site import Role, Rule
from harvester.patterns.learner import keeping
from harvester.patterns.learner.changes import Changes
from harvester.patterns.learner.evidence import MAX_TURNED, Evidence, hits_of, role_of
from harvester.patterns.learner.flips import is_numbered_page, looks_like_flip
from harvester.patterns.learner.parameters import Parameters
from harvester.patterns.learner.slots import Slots
from harvester.patterns.learner.spelling import Spelling
from harvester.patterns.learner.structure import Commonplace, structure_of
from harvester.patterns.learner.tokens import names_of, shape_of
from harvester.patterns.learner.tree import Leaf, PatternTree
from harvester.patterns.learner.writing import write_rules
from harvester.patterns.rules import MAX_URL, RuleSet

LIST_ROWS = 5
SOME_ROWS = 2
MAGNETS = -1
"""Stands for magnet links among the kinds that a page shows."""
SETTLED = 24
ONE_OF = 4
"""Visits of a kind from which its pages are known to be alike: of those that show no file one of so many is
read closely and counts for as many. Reading pages is most of what learning costs."""
_MEMO = 100_000
_CONTENTS = 20_000


class Belief(NamedTuple):
    """What the learner thinks of a URL.

    `rule` is its number for the kind of URL, which a later merge may map to another. `role` is None while
    nothing of the kind was visited. `support` are its visits, `bound` the Wilson lower bound of the share
    that fits the role.
    """

    rule: int
    role: Role | None = None
    support: float = 0.0
    bound: float = 0.0


class Learner:
    """Learns the rules of one site (all of its hosts) from its visits.

    Pure and deterministic; bounded memory; cheap for each page. `known` are rules learned before: their
    evidence counts, locked ones are kept as they are.
    """

    def __init__(self, hosts: Iterable[str] = (), known: Sequence[Rule] = ()) -> None:
        self._hosts = frozenset(hosts)
        self.tree = PatternTree(_differ)
        self._kinds: dict[str, int] = {}
        self._keys: dict[str, str] = {}
        self._spellings: dict[str, Spelling] = {}
        self._parameters = Parameters()
        self.slots = Slots()
        self._contents: OrderedDict[bytes, tuple[int, str]] = OrderedDict()
        self._pages = self._files = 0
        self._met = 0
        self._commonplace = Commonplace()
        self.changes = Changes(self.tree, self.kind, self.key)
        self._with_password = 0
        self._known = tuple(known)
        self._known_set = RuleSet(known)
        self._priors = {rule.id: rule for rule in known}
        self._ignore: frozenset[str] = frozenset()

    # What is seen ------------------------------------------------------------------------------------

    def kind(self, url: str) -> Leaf:
        """The kind of a URL, a new one where there was none like it."""
        number = self._kinds.get(url)
        if number is not None:
            return self.tree.leaf(number)
        key = self.key(url)
        shape = shape_of(key)
        leaf = self.tree.add(shape, url)
        spelling = self._spellings.get(shape.group)
        if spelling is None:
            spelling = self._spellings[shape.group] = Spelling()
        spelling.add(url, key)
        self._met += 1
        if len(self._kinds) >= _MEMO:
            self._kinds.clear()
        self._kinds[url] = leaf.number
        return leaf

    def key(self, url: str) -> str:
        """The identity of a URL as far as this site's parameters are known."""
        key = self._keys.get(url)
        if key is None:
            if len(self._keys) >= _MEMO:
                self._keys.clear()
            key = canonical_key(url[:MAX_URL], self._ignore)
            self._keys[url] = key if key != url else url
        return key

    def ignore(self, names: Iterable[str]) -> None:
        """Leave these parameters (lower case) out of identities from now on; kinds that differ in them only
        become one."""
        fresh = frozenset(names) - self._ignore
        if not fresh:
            return
        self._ignore |= fresh
        self._kinds.clear()
        self._keys.clear()
        for leaf in list(self.tree.live()):
            if not fresh.isdisjoint(names_of(leaf.group)):
                self.tree.join(self.kind(leaf.first), leaf)

    def recall(self, url: str, content: bytes) -> None:
        """A page was read before this learner began; `content` identifies what it showed."""
        self._parameters.observe(self.key(url), content)
        self.slots.observe(self.key(url), content)

    def memory(self) -> list[Any]:
        """What a run that goes on after this one needs to know of the kinds, as JSON takes it; bounded."""
        return keeping.written(self.tree)

    def remember(self, memory: object) -> None:
        """Take up what an earlier run wrote (`memory`); what makes no sense is not heeded."""
        for url, evidence, shown, turned in keeping.read(memory):
            for first, target in shown:
                evidence.targets[self.kind(first).number if first else MAGNETS] = target
            for first, count in turned:
                evidence.turned[self.kind(first).number] = count
            self.kind(url).evidence.add(evidence)

    def known_urls(self) -> list[str]:
        """The URLs met lately, visited or not."""
        return list(self._kinds)

    def observe(self, seen: PageSeen) -> Leaf:
        """Take in one visit with all of its links; the kind it was of."""
        leaf = self.kind(seen.url)
        if seen.came is Came.FAILED:
            self.changes.answered(failed=True)
            return leaf
        self.changes.answered(failed=False)
        self.changes.observe(leaf, seen)
        if seen.redirects and self.changes.was_direct(
            leaf
        ):  # the site moved: this is how its URLs are written now
            seen = replace(seen, url=seen.redirects[0])
            leaf = self.kind(seen.url)
        self._count(leaf.evidence, seen)
        leaf.evidence.example(seen.url)
        if seen.came is Came.PAGE:
            self._page(leaf, seen)
        return leaf

    def _count(self, evidence: Evidence, seen: PageSeen) -> None:
        evidence.visits += 1
        match seen.came:
            case Came.TORRENT:
                evidence.torrents += 1
                self._files += 1
            case Came.WALL:
                evidence.walls += 1
            case Came.GONE:
                evidence.gone += 1
            case Came.REDIRECT:
                evidence.redirects += 1
            case Came.OTHER:
                evidence.others += 1
        evidence.reward += seen.torrents

    def _page(self, leaf: Leaf, seen: PageSeen) -> None:
        for link in seen.links:  # first, because new kinds may make one of several, the page's own among them
            if link.fresh:
                self.kind(link.url)
        leaf = self.tree.leaf(leaf.number)
        evidence = leaf.evidence
        self._pages += 1
        self._with_password += seen.password_form
        evidence.passwords += seen.password_form
        shown, fresh = set(), 0
        for link in seen.links:
            if link.download or self.is_download(link.url):
                shown.add(link.row or link.key_hash)
                fresh += link.fresh
        magnets = seen.torrents + seen.repeated
        count = len(shown) + magnets
        copied = self._is_copy(leaf, seen) or (count > 0 and not fresh and not seen.torrents)
        if 0 < count < LIST_ROWS:
            evidence.shows += 1
        elif count:
            evidence.many += 1
        if seen.row_count >= LIST_ROWS:
            evidence.rows += 1
        evidence.copies += copied
        evidence.found += fresh + seen.torrents
        source = self.key(seen.url)
        self._parameters.observe(source, seen.page_key)
        self.slots.observe(source, seen.page_key)
        counts_for = 1 if count or evidence.visits <= SETTLED else _counts_for(seen)
        if counts_for:
            self._structure(leaf, seen, magnets, counts_for)
            self._flips(leaf, seen, counts_for)
        self.changes.compare_texts(
            seen.links if counts_for or self.changes.is_suspected else seen.fresh_links()
        )
        self.ignore(self._parameters.irrelevant())

    def _flips(self, leaf: Leaf, seen: PageSeen, counts_for: int) -> None:
        """Count the links to each kind, and those of them that turn a page."""
        source = self.key(seen.url)
        for link in seen.links:
            target = self.kind(link.url).evidence
            target.links += counts_for
            key = self.key(link.url)
            turns = looks_like_flip(source, key, link.anchor, is_next=link.is_next)
            if turns or is_numbered_page(key, link.anchor):
                target.flips += counts_for
            if turns and (leaf.number in target.turned or len(target.turned) < MAX_TURNED):
                target.turned[leaf.number] = target.turned.get(leaf.number, 0.0) + counts_for

    def _structure(self, leaf: Leaf, seen: PageSeen, magnets: int, counts_for: int) -> None:
        """Count what the page shows of other kinds."""
        self._commonplace.add(seen.links, counts_for)
        found = structure_of(seen, self._commonplace, self._looks_like_file)
        evidence = leaf.evidence
        evidence.folders += counts_for * found.is_folder
        evidence.empty += counts_for * (not (found.named or found.files or magnets))
        files = Counter(self.kind(link.url).number for link in found.files)
        if magnets:
            files[MAGNETS] = magnets
        for number, count in files.items():
            target = evidence.target(number)
            if target is not None:
                target.few += counts_for * (count < LIST_ROWS)
                target.many += counts_for * (count >= LIST_ROWS)
        rows: Counter[int] = Counter()
        for link, beside in found.named:
            named = self.kind(link.url)
            rows[named.number] += 1
            named.evidence.named += counts_for
            named.evidence.beside += counts_for * beside
        for number in {self.kind(link.url).number for link in found.others}:
            if (target := evidence.target(number)) is not None:
                target.lists += counts_for * (rows[number] >= LIST_ROWS)
                target.rows += counts_for * (rows[number] >= SOME_ROWS)
                target.any += counts_for

    def _looks_like_file(self, link: PageLink) -> bool:
        return link.download or self.is_download(link.url)

    def _is_copy(self, leaf: Leaf, seen: PageSeen) -> bool:
        """Whether the page was seen under another kind of URL that has fewer spellings of it."""
        if not seen.page_key:
            return False
        first = self._contents.get(seen.page_key)
        if first is None:
            self._contents[seen.page_key] = (leaf.number, seen.url)
            if len(self._contents) > _CONTENTS:
                self._contents.popitem(last=False)
            return False
        other = self.tree.leaf(first[0])
        if other is leaf:
            return first[1] != seen.url
        if other.urls > leaf.urls:
            other.evidence.copies += 1
            other.evidence.doubles += 1
            return False
        leaf.evidence.doubles += 1
        return True

    # What is thought ---------------------------------------------------------------------------------

    @property
    def passwords_tell(self) -> bool:
        """Whether a password form makes a login page: not where every page carries one."""
        return self._with_password < 0.3 * max(1, self._pages)

    def is_download(self, url: str) -> bool:
        """Whether the kind was found to give torrent files."""
        if not self._files:
            return False
        evidence = self.kind(url).evidence
        return evidence.torrents >= 2 and evidence.torrents >= 0.5 * evidence.visits

    def believe(self, url: str) -> Belief:
        """What kind of URL this is, as far as is known."""
        return self.believe_kind(self.kind(url))

    def believe_kind(self, leaf: Leaf) -> Belief:
        """What is known of a kind."""
        role, bound = role_of(leaf.evidence, passwords_tell=self.passwords_tell)
        return Belief(leaf.number, role, leaf.evidence.visits, bound)

    def rules(self) -> list[Rule]:
        """What was learned, as rules in their order, with evidence; retired ones included."""
        return write_rules(
            self.tree, self._spellings, self._known, self.changes.health_of_rule, self.passwords_tell
        )

    def irrelevant_parameters(self) -> frozenset[str]:
        """Query parameters (lower case) that were found to change nothing."""
        return self._ignore

    def tests(self, links: Sequence[PageLink]) -> list[str]:
        """At most one URL worth a request to find out whether a parameter changes anything."""
        for link in links:
            if link.fresh and self._parameters.worth_a_test(self.key(link.url)):
                return [link.url]
        return []

    @property
    def met(self) -> int:
        """URLs met so far, roughly."""
        return self._met


def _counts_for(seen: PageSeen) -> int:
    """For how many pages a page is read closely that is one of many; 0: it is not.

    Drawn by its identity, so that all pages like it together are counted about right (Horvitz and Thompson
    1952), and the same each time.
    """
    return 0 if seen.key_hash % ONE_OF else ONE_OF


def _differ(one: Evidence, rest: Evidence) -> bool:
    """Whether a word's URLs lead elsewhere than the others': another role, with some evidence."""
    if one.visits < 2 or rest.visits < 2:
        return False
    role, bound = role_of(one)
    other, _ = role_of(rest)
    return role is not other and bound > 0.4 and hits_of(one)[role or Role.IGNORE] > 0
