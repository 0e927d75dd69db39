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
from harvester.patterns.learner.drift import Change, Health, Outage, Watch
from harvester.patterns.learner.evidence import ACTIVE, MAX_TURNED, Evidence, hits_of, role_of
from harvester.patterns.learner.flips import is_numbered_page, looks_like_flip
from harvester.patterns.learner.moves import Fields, Moves, Shape, coarse
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
MOST_LOST = 200
LEAST_NAME = 6
"""Characters of a text that may tell a page from others."""
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
        self._watches: dict[tuple[Shape, Fields], Watch] = {}
        self._direct: Counter[tuple[Shape, Fields]] = Counter()
        self._lost: dict[tuple[Shape, Fields], list[str]] = {}
        self._outage = Outage()
        self._parameters = Parameters()
        self.slots = Slots()
        self._contents: OrderedDict[bytes, tuple[int, str]] = OrderedDict()
        self._predecessors: dict[tuple[Shape, Fields], int] = {}
        self._pages = self._files = 0
        self._met = 0
        self._commonplace = Commonplace()
        self.moves = Moves()
        self.aliases: dict[str, str] = {}
        """New addresses (keys) by the old ones, of what links call by the same name."""
        self.suspicions = 0
        """How many kinds worked and then failed: each is a sign that the site has changed."""
        self.retirements = 0
        """How many of them were given up."""
        self.found_again: list[str] = []
        """URLs that were gone and whose new address is known now; the crawl takes them from here."""
        self._first_new = 0
        self._unmoved: set[tuple[Shape, Fields]] = set()
        """Kinds that answered since the site was first suspected to have moved."""
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
            self._outage.add(failed=True)
            return leaf
        self._outage.add(failed=False)
        self._watch(leaf, seen)
        if seen.redirects and self._was_direct(leaf):  # the site moved: this is how its URLs are written now
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
        self._compare_texts(seen.links if counts_for or self._first_new else seen.fresh_links())
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

    # Change ------------------------------------------------------------------------------------------

    def _watch(self, leaf: Leaf, seen: PageSeen) -> None:
        key = self.key(seen.url)
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
            self._first_new = self._first_new or len(self.tree.leaves)
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

    def _was_direct(self, leaf: Leaf) -> bool:
        """Whether the kind answered by itself, and is known to have moved since."""
        key = self.key(leaf.first)
        return self._direct[coarse(key)] >= ACTIVE[0] // 2 and self.moves.has_moved(key)

    def _health_of_rule(self, leaf: Leaf) -> Health:
        return Health.RETIRED if self._was_direct(leaf) else self.health(leaf)

    def _has_moved(self, url: str) -> bool:
        return self.moves.has_moved(self.key(url))

    def _redirected(self, leaf: Leaf, seen: PageSeen, key: str) -> None:
        """Learn from where the URL led."""
        if not seen.redirects and seen.final_url == seen.url:
            return
        for url in dict.fromkeys((*seen.redirects[:3], *filter(None, (seen.final_url,)))):
            target = self.key(url)
            if target == key:
                continue
            if self.kind(url) is not leaf:
                self._predecessors[coarse(target)] = leaf.number
            self._pair(leaf, key, target)

    def _compare_texts(self, links: Sequence[PageLink]) -> None:
        """Remember what links are called; where the site moved, find what had the same name before."""
        for link in links:
            if len(link.anchor) < LEAST_NAME or link.is_next:
                continue
            leaf, key = self.kind(link.url), self.key(link.url)
            if self._first_new and leaf.number >= self._first_new:
                for number, old in self.moves.before(link.anchor):
                    before = self.tree.leaf(number)
                    if before is leaf or before.number >= self._first_new or self._still_works(old):
                        continue
                    self._predecessors.setdefault(coarse(key), before.number)
                    self._pair(before, old, key)
                    if self.moves.shows_same(old, key) and len(self.aliases) < _MEMO:
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
        if not seen.final_url or self.key(seen.final_url) == self.key(seen.url):
            return None
        return seen.final_url if self.kind(seen.final_url) is not self.kind(seen.url) else None

    def health(self, leaf: Leaf) -> Health:
        """Whether the kind still works."""
        if not self.suspicions:
            return Health.FINE
        watch = self._watches.get(coarse(self.key(leaf.first)))
        return watch.health if watch is not None else Health.FINE

    def predecessor(self, leaf: Leaf) -> Leaf | None:
        """The kind whose URLs are of this one since the site changed, None without one."""
        if not self._predecessors:
            return None
        number = self._predecessors.get(coarse(self.key(leaf.first)))
        old = self.tree.leaf(number) if number is not None else None
        return old if old is not leaf else None

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
        return write_rules(self.tree, self._spellings, self._known, self._health_of_rule, self.passwords_tell)

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
