"""What was learned, as rules that a person can read: patterns, roles, states, evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from harvester.model.site import Role, Rule, RuleEvidence, RuleSource, RuleState
from harvester.patterns.learner.drift import Health
from harvester.patterns.learner.evidence import ACTIVE, MAX_EXAMPLES, PROBATION, wilson
from harvester.patterns.learner.generalise import Kind, Part, parts_of
from harvester.patterns.learner.roles import Roles
from harvester.patterns.learner.spelling import Spelling, part_pattern, pattern_for
from harvester.patterns.learner.tokens import escape, has_words
from harvester.patterns.learner.tree import Leaf, PatternTree
from harvester.patterns.rules import check_match, target

MOST_ACTIVE = 25
MOST_RULES = 120
BORROWED = 5.0
"""Visits that a kind may borrow from one that differs in a word of its path and is of the same role."""
_MANY = 1e6


@dataclass(slots=True)
class Draft:
    """A rule in the making. `trials` visits (or rows), `hits` of them as the role wants; `urls` are known."""

    part: Part
    pattern: str
    hits: float
    trials: float
    urls: float
    is_seen: bool
    health: Health
    state: RuleState | None = None

    def effective(self, borrowed: float = 0.0) -> float:
        """The visits that these amount to: of few URLs, some tell more than of endlessly many (a finite
        population)."""
        trials = self.trials
        if self.is_seen and self.urls > 1:
            left = self.urls - trials
            trials = trials * (self.urls - 1) / left if left > 0 else _MANY
        return min(trials, _MANY) + borrowed

    def bound(self, borrowed: float = 0.0) -> float:
        """The Wilson bound of the share of hits."""
        trials = self.effective()
        return wilson(trials * self.hits / self.trials + borrowed, trials + borrowed)

    def judge(self, borrowed: float = 0.0) -> None:
        """Set the state."""
        bound, enough = self.bound(borrowed), self.effective(borrowed) >= ACTIVE[0]
        if self.health is not Health.FINE:
            self.state = RuleState.RETIRED if self.health is Health.RETIRED else RuleState.SUSPECT
        elif self.trials < PROBATION[0] or bound < PROBATION[1]:
            self.state = None
        else:
            self.state = RuleState.ACTIVE if enough and bound >= ACTIVE[1] else RuleState.PROBATION

    def rule(self) -> Rule:
        """The rule, without a name."""
        assert self.state is not None
        kinds = self.part.right
        examples = dict.fromkeys(url for kind in kinds for url in kind.leaf.evidence.examples[:2])
        visits = sum(kind.leaf.evidence.visits for kind in kinds)
        reward = sum(kind.leaf.evidence.reward for kind in kinds)
        return Rule(
            id="",
            role=self.part.role,
            match=self.pattern,
            source=RuleSource.LEARNED,
            state=self.state,
            evidence=RuleEvidence(
                support=round(visits),
                reward=round(reward / max(1.0, visits), 3),
                bound=round(min(1.0, self.bound()), 3),
                examples=tuple(examples)[:MAX_EXAMPLES],
            ),
        )


def write_rules(
    tree: PatternTree,
    spellings: Mapping[str, Spelling],
    known: Sequence[Rule],
    health: Callable[[Leaf], Health],
    passwords_tell: bool,
) -> list[Rule]:
    """The rules of a site, the narrow ones first; at most 25 of them active."""
    tree.refresh_forms()
    roles = Roles(tree, passwords_tell=passwords_tell)
    kinds = [_kind(leaf, roles) for leaf in tree.live()]
    drafts = [
        draft for part in parts_of(kinds) for draft in _drafts(part, spellings, health) if draft.pattern
    ]
    for draft in drafts:
        draft.judge()
    _lend(drafts)
    families = _families(kinds)
    kept = [draft for draft in drafts if draft.state is not None and not _is_covered(draft, families)]
    fresh = [*_by_narrowness(kept), *families]
    return _named(_bounded(_with_known(_without_twins(fresh), known)))


def _kind(leaf: Leaf, roles: Roles) -> Kind:
    names_text = leaf.group.partition("?")[2]
    names = names_text.split("&") if names_text else []
    count = len(leaf.forms) - len(names)
    params = dict(zip(names, leaf.forms[count:], strict=True))
    return Kind(leaf, roles.of(leaf), leaf.forms[:count], params)


# Drafts --------------------------------------------------------------------------------------------


def _drafts(part: Part, spellings: Mapping[str, Spelling], health: Callable[[Leaf], Health]) -> list[Draft]:
    """One draft for the part; where no one pattern finds all of it, one for each of its kinds."""
    right = part.right
    if len(right) > 1 or part.required:
        pattern = part_pattern(part, spellings)
        if _usable(pattern, right):
            return [_draft(part, _taken(pattern, part.kinds), pattern, health)]
    return [_draft(_only(part, kind), [kind], _usable_pattern(kind, spellings), health) for kind in right]


def _taken(pattern: str, kinds: Iterable[Kind]) -> list[Kind]:
    """The kinds of which something is known and whose URLs the pattern finds, right or wrong."""
    return [kind for kind in kinds if kind.sort is not None and _usable(pattern, [kind])]


def _only(part: Part, kind: Kind) -> Part:
    """The part with one of its kinds only."""
    role = kind.verdict.role if kind.verdict is not None else part.role
    return Part(part.pot, role, [kind])


def _draft(part: Part, known: list[Kind], pattern: str, health: Callable[[Leaf], Health]) -> Draft:
    wanted = Role.LIST if part.role is Role.FLIP else part.role
    right = [kind for kind in known if kind.sort is wanted]
    visited = {health(kind.leaf) for kind in known if kind.leaf.evidence.visits} or {Health.FINE}
    return Draft(
        part,
        pattern,
        hits=sum(kind.verdict.hits for kind in right if kind.verdict is not None),
        trials=sum(kind.trials for kind in known),
        urls=sum(kind.leaf.urls for kind in known),
        is_seen=all(kind.verdict.is_seen for kind in known if kind.verdict is not None),
        health=min(visited, key=list(Health).index),
    )


def _usable_pattern(kind: Kind, spellings: Mapping[str, Spelling]) -> str:
    """The kind's pattern, as narrow as its examples allow; "" when there is none."""
    for loose in (False, True):
        pattern = pattern_for(kind.leaf, spellings.get(kind.leaf.group), loose=loose)
        if _usable(pattern, [kind]):
            return pattern
    return ""


def _usable(pattern: str, kinds: Iterable[Kind]) -> bool:
    """Whether the pattern can serve as a rule, and finds the URLs that it was made of."""
    try:
        check_match(pattern)
    except ValueError:
        return False
    compiled = re.compile(pattern)
    urls = [url for kind in kinds for url in (kind.leaf.evidence.examples[:2] or [kind.leaf.first])]
    return all(compiled.search(target(url).decode("latin-1")) for url in urls[:200])


def _lend(drafts: list[Draft]) -> None:
    """Let kinds with few visits borrow from those that differ in one word of the path."""
    sure = [draft for draft in drafts if draft.state is RuleState.ACTIVE and draft.is_seen]
    for draft in drafts:
        if draft.state is not RuleState.PROBATION or draft.hits < draft.trials:
            continue
        lenders = [other for other in sure if _are_siblings(draft.part, other.part)]
        if lenders:
            draft.judge(min(BORROWED, max(other.trials for other in lenders)))


def _are_siblings(part: Part, other: Part) -> bool:
    first, second = part.pot, other.pot
    alike = (first.host, first.extension, len(first.path)) == (
        second.host,
        second.extension,
        len(second.path),
    )
    if not alike or part.role is not other.role or part.required != other.required:
        return False
    differing = [(a, b) for a, b in zip(first.path, second.path, strict=True) if a != b]
    words = [a for a, b in differing if has_words(a) and has_words(b)]
    same = {frozenset(kind.params) for kind in part.kinds} & {frozenset(kind.params) for kind in other.kinds}
    return len(differing) == len(words) == 1 and bool(same)


def _families(kinds: Sequence[Kind]) -> list[Rule]:
    """One rule for all files with an ending, or all folders, where kinds of many depths have one role."""
    families: dict[str, list[Kind]] = {}
    for kind in kinds:
        extension = _extension(kind)
        if not kind.params and kind.trials and (extension or (kind.path and kind.path[-1] == "")):
            families.setdefault(extension, []).append(kind)
    rules = []
    for extension, members in families.items():
        depths = {len(kind.path) for kind in members}
        roles = {kind.sort for kind in members if kind.trials >= 2 or len(members) < 3}
        if len(depths) < 2 or len(members) < 3 or len(roles) != 1 or Role.IGNORE in roles:
            continue
        (role,) = roles
        assert role is not None
        right = [kind for kind in members if kind.sort is role]
        part = Part(parts_of(right[:1])[0].pot, role, right)
        pattern = rf"^/[^?]*\.{escape(extension)}$" if extension else "^/(?:[^?]+/)?$"
        draft = _draft(part, members, pattern, lambda _leaf: Health.FINE)
        draft.judge()
        if draft.state is RuleState.ACTIVE:
            rules.append(draft.rule())
    return rules


def _extension(kind: Kind) -> str:
    return kind.leaf.group.partition("?")[0].rpartition("/")[2].partition(".")[2]


def _is_covered(draft: Draft, families: Sequence[Rule]) -> bool:
    """Whether a rule for all files with an ending, or all folders, says the same."""
    if any(kind.params for kind in draft.part.kinds) or draft.health is not Health.FINE:
        return False
    first = target(draft.part.kinds[0].leaf.first).decode("latin-1")
    return any(rule.role is draft.part.role and re.search(rule.match, first) for rule in families)


# The whole set -------------------------------------------------------------------------------------


def _by_narrowness(drafts: list[Draft]) -> list[Rule]:
    """Rules with more of the site's own words in their path first; those of one pot stay in their order."""
    pots: dict[int, int] = {}
    for draft in drafts:
        pots.setdefault(id(draft.part.pot), sum(map(_words, draft.part.pot.path)))
    ordered = sorted(enumerate(drafts), key=lambda pair: (-pots[id(pair[1].part.pot)], pair[0]))
    return [draft.rule() for _, draft in ordered]


def _words(form: str) -> int:
    return len(re.sub(r"<[a-z]+>|#", "", form))


def _support(rule: Rule) -> int:
    return rule.evidence.support if rule.evidence is not None else 0


def _without_twins(rules: Sequence[Rule]) -> list[Rule]:
    """Of rules with one pattern, the one with the most support."""
    best: dict[str, Rule] = {}
    for rule in rules:
        twin = best.get(rule.match)
        if twin is None or _support(twin) < _support(rule):
            best[rule.match] = rule
    return list(best.values())


def _with_known(fresh: list[Rule], known: Sequence[Rule]) -> list[Rule]:
    """What earlier runs learned stays where this one saw too little; locked rules come first, untouched."""
    locked = [rule for rule in known if rule.locked]
    taken = {rule.match for rule in locked}
    new = {rule.match: rule for rule in fresh if rule.match not in taken}
    rest = []
    for rule in known:
        if rule.locked:
            continue
        again = new.get(rule.match)
        if again is None:
            rest.append(rule)
        elif _support(again) < _support(rule) and again.state is not RuleState.RETIRED:
            new[rule.match] = replace(rule, line=0)
        elif again is not None:
            new[rule.match] = replace(again, id=rule.id)
    return locked + list(new.values()) + rest


def _bounded(rules: list[Rule]) -> list[Rule]:
    """At most 25 active rules: those with the most support; the others wait on probation."""
    active = [rule for rule in rules if rule.state is RuleState.ACTIVE and not rule.locked]
    locked = sum(rule.locked for rule in rules)
    active.sort(key=lambda rule: (rule.role is Role.IGNORE, -_support(rule)))
    waiting = set(map(id, active[max(0, MOST_ACTIVE - locked) :]))
    kept = [replace(rule, state=RuleState.PROBATION) if id(rule) in waiting else rule for rule in rules]
    return kept[:MOST_RULES]


def _named(rules: list[Rule]) -> list[Rule]:
    """Give each rule a name that is unique: its role and a word of its pattern."""
    used = {rule.id for rule in rules if rule.id}
    named = []
    for rule in rules:
        if rule.id:
            named.append(rule)
            continue
        words = re.findall(r"[a-z]{3,}", re.sub(r"\\d|\[[^\]]*\]", "", rule.match.lower()))
        words = [word for word in words if word not in ("php", "html", "htm", "index", "sid", "asp")]
        base = "-".join([rule.role.value, *words[:2]])[:50]
        name, number = base, 2
        while name in used:
            name, number = f"{base}-{number}", number + 1
        used.add(name)
        named.append(replace(rule, id=name))
    return named
