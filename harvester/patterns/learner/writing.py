"""What was learned, as rules that a person can read: patterns, roles, states, evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from harvester.model.site import Role, Rule, RuleEvidence, RuleSource, RuleState
from harvester.patterns.learner.drift import Health
from harvester.patterns.learner.evidence import Evidence, role_of, state_of
from harvester.patterns.learner.tokens import ANY, escape, is_class, pattern_of
from harvester.patterns.learner.tree import Leaf, PatternTree
from harvester.patterns.rules import MAX_PATTERN, check_match, target

MOST_ACTIVE = 25
MOST_RULES = 120
_MOST_ORDERS = 3
_NAMES = re.compile(r"[?&;]([^=&;]*)(=?)")
_ORDER = {
    Role.DOWNLOAD: 0,
    Role.FLIP: 1,
    Role.LIST: 2,
    Role.DETAIL: 3,
    Role.LOGIN: 4,
    Role.IGNORE: 5,
}


def _names_of(url: str) -> list[str]:
    """The names of the parameters as the groups of the tree have them: `x!` for one without a value."""
    query = url.partition("#")[0].partition("?")[2]
    return [name if equals else f"{name}!" for name, equals in _NAMES.findall(f"?{query}") if name]


@dataclass(slots=True)
class Spelling:
    """How the URLs of one group are really written: the order of their parameters, and what is left out
    of their identity (session ids)."""

    orders: Counter[tuple[str, ...]] = field(default_factory=Counter)
    dropped: set[str] = field(default_factory=set)

    def add(self, url: str, key: str) -> None:
        """Take in a URL and its identity."""
        if "?" not in url:
            return
        kept = set(_names_of(key))
        names = _names_of(url)
        order = tuple(dict.fromkeys(name for name in names if name in kept))
        if order in self.orders or len(self.orders) < 20:
            self.orders[order] += 1
        if len(self.dropped) < 8:
            self.dropped.update(
                name for name in names if name not in kept and re.fullmatch(r"[\w.-]{1,32}", name)
            )


def pattern_for(leaf: Leaf, spelling: Spelling | None, *, loose: bool = False) -> str:
    """The RE2 pattern of a kind: anchored, over path + query.

    `loose` leaves open what the values of parameters look like: those of identities may be other than those
    of URLs (an attachment's id inside a token).
    """
    head, _, names_text = leaf.group.partition("?")
    extension = head.rpartition("/")[2].partition(".")[2]
    names = names_text.split("&") if names_text else []
    count = len(leaf.forms) - len(names)
    path = "/" + "/".join(pattern_of(form) for form in leaf.forms[:count])
    if extension:
        path += r"\." + escape(extension)
    if not names:
        return f"^{path}{_session(spelling, first=True)}$"
    values = dict(zip(names, leaf.forms[count:], strict=True))
    if loose:
        values = {name: ANY if is_class(form) else form for name, form in values.items()}
    orders = [order for order, _ in spelling.orders.most_common(_MOST_ORDERS)] if spelling else []
    orders = [order for order in orders if sorted(order) == sorted(names)] or [tuple(names)]
    session = _session(spelling, first=False)
    written = ["[&;]".join(_pair(name, values[name]) + session for name in order) for order in orders]
    query = written[0] if len(written) == 1 else f"(?:{'|'.join(written)})"
    pattern = rf"^{path}\?{_session(spelling, first=None)}{query}$"
    if len(pattern) > MAX_PATTERN:
        pattern = rf"^{path}\?{written[0]}$"
    return pattern if len(pattern) <= MAX_PATTERN else rf"^{path}\?"


def _pair(name: str, form: str) -> str:
    if name.endswith("!"):
        return escape(name[:-1])
    return f"{escape(name)}={pattern_of(form)}"


def _session(spelling: Spelling | None, *, first: bool | None) -> str:
    """What may stand in a URL besides its parameters: before the first, between them, or alone."""
    if spelling is None or not spelling.dropped:
        return ""
    dropped = sorted(spelling.dropped)
    names = escape(dropped[0]) if len(dropped) == 1 else f"(?:{'|'.join(map(escape, dropped))})"
    if first is None:
        return f"(?:{names}=[^&;]*[&;])*"
    return rf"(?:\?{names}=[^&;]*)?" if first else f"(?:[&;]{names}=[^&;]*)*"


def write_rules(
    tree: PatternTree,
    spellings: dict[str, Spelling],
    known: Sequence[Rule],
    health: Callable[[Leaf], Health],
    passwords_tell: bool,
) -> list[Rule]:
    """The rules of a site, the narrow ones first; at most 25 of them active."""
    tree.refresh_forms()
    written: dict[str, Rule] = {}
    for leaf in tree.live():
        evidence = leaf.evidence
        role, bound = role_of(evidence, passwords_tell=passwords_tell)
        if role is None:
            continue
        state = _state(evidence, bound, health(leaf))
        pattern = _usable_pattern(leaf, spellings.get(leaf.group)) if state else ""
        if state is None or not pattern:
            continue
        rule = _rule(role, pattern, state, bound, evidence)
        twin = written.get(pattern)
        if twin is None or _support(twin) < _support(rule):
            written[pattern] = rule
    fresh = [*_families(tree, passwords_tell), *written.values()]
    fresh.sort(key=lambda rule: (-_literals(rule.match), _ORDER[rule.role], rule.match))
    return _named(_bounded(_with_known(fresh, known)))


def _state(evidence: Evidence, bound: float, health: Health) -> RuleState | None:
    if health is Health.RETIRED:
        return RuleState.RETIRED
    if health is Health.SUSPECT:
        return RuleState.SUSPECT
    return state_of(evidence.visits, bound)


def _families(tree: PatternTree, passwords_tell: bool) -> list[Rule]:
    """One rule for all files with an ending, or all folders, where kinds of many depths have one role."""
    families: dict[str, list[Leaf]] = {}
    for leaf in tree.live():
        head, _, names = leaf.group.partition("?")
        extension = head.rpartition("/")[2].partition(".")[2]
        if not names and leaf.evidence.visits and (extension or (leaf.forms and leaf.forms[-1] == "")):
            families.setdefault(extension, []).append(leaf)
    rules = []
    for extension, leaves in families.items():
        depths = {len(leaf.forms) for leaf in leaves}
        whole = Evidence()
        roles = set()
        for leaf in leaves:
            whole.add(leaf.evidence)
            if leaf.evidence.visits >= 2 or len(leaves) < 3:
                roles.add(role_of(leaf.evidence, passwords_tell=passwords_tell)[0])
        role, bound = role_of(whole, passwords_tell=passwords_tell)
        state = state_of(whole.visits, bound)
        if (
            len(depths) < 2
            or len(leaves) < 3
            or roles != {role}
            or state is not RuleState.ACTIVE
            or role is None
        ):
            continue
        pattern = rf"^/[^?]*\.{escape(extension)}$" if extension else "^/[^?]+/$"
        rules.append(_rule(role, pattern, state, bound, whole))
    return rules


def _rule(role: Role, pattern: str, state: RuleState, bound: float, evidence: Evidence) -> Rule:
    return Rule(
        id="",
        role=role,
        match=pattern,
        source=RuleSource.LEARNED,
        state=state,
        evidence=RuleEvidence(
            support=round(evidence.visits),
            reward=round(evidence.reward / max(1.0, evidence.visits), 3),
            bound=round(bound, 3),
            examples=tuple(evidence.examples),
        ),
    )


def _usable_pattern(leaf: Leaf, spelling: Spelling | None) -> str:
    """The leaf's pattern, as narrow as its examples allow; "" when there is none."""
    for loose in (False, True):
        pattern = pattern_for(leaf, spelling, loose=loose)
        if _usable(pattern, leaf.evidence):
            return pattern
    return ""


def _usable(pattern: str, evidence: Evidence) -> bool:
    """Whether the pattern can serve as a rule, and finds the URLs that it was made of."""
    try:
        check_match(pattern)
    except ValueError:
        return False
    compiled = re.compile(pattern)
    return all(compiled.search(target(url).decode("latin-1")) for url in evidence.examples[:2])


def _literals(pattern: str) -> int:
    """How much of the pattern is the site's own words."""
    return len(re.sub(r"\\d\+|\[[^\]]*\]\+|\\.|[\^$?()|*]", "", pattern))


def _support(rule: Rule) -> int:
    return rule.evidence.support if rule.evidence is not None else 0


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
