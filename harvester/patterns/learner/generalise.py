"""From many kinds to few rules: what has one role is written as one, and told apart by what decides.

Kinds of one path form a pot. Pots whose paths differ in one place and that lead to the same are made one.
Where the kinds of a pot differ in role, the parameter that tells them apart best splits it (information gain,
as in Quinlan's ID3), again and again; each part that is of one role becomes a rule.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import log2

from harvester.model.site import Role
from harvester.patterns.learner.roles import Verdict
from harvester.patterns.learner.tokens import ANY, common_form, has_words, is_class
from harvester.patterns.learner.tree import Leaf

LEAST_WORDS = 3
"""Words of one place that lead to the same, from which any word does."""
AGREE = 0.8
"""Share of the words, and of the visits of a pot, that must be of one role for this."""
PURE = 0.95
_MOST_WEIGHT = 50.0
_LEAST_GAIN = 0.01
_WORD_BONUS = 1.05
MOST_VALUES = 4
"""Words of a parameter that a pattern names side by side."""

Feature = tuple[str, str]
"""A parameter that is there: its name, and its value where that is a word of the site ("" for any value)."""


@dataclass(slots=True)
class Kind:
    """A leaf as rules are made of it; `verdict` is None where nothing is known."""

    leaf: Leaf
    verdict: Verdict | None
    path: tuple[str, ...]
    params: dict[str, str]

    @property
    def trials(self) -> float:
        """Pages, or rows, that the verdict rests on."""
        return self.verdict.trials if self.verdict is not None else 0.0

    @property
    def is_guess(self) -> bool:
        """Whether the verdict is a weak one."""
        return self.verdict is not None and self.verdict.is_weak

    @property
    def sort(self) -> Role | None:
        """The role, with further pages of a list counted as lists."""
        if self.verdict is None or not self.verdict.trials:
            return None
        return Role.LIST if self.verdict.role is Role.FLIP else self.verdict.role

    @property
    def features(self) -> set[Feature]:
        """What its parameters may be told apart by."""
        found = {(name, "") for name in self.params}
        return found | {(name, form) for name, form in self.params.items() if _is_word(form)}


@dataclass(slots=True)
class Pot:
    """Kinds of one path."""

    host: str
    extension: str
    path: tuple[str, ...]
    kinds: list[Kind] = field(default_factory=list)

    def role(self) -> Role | None:
        """The role that nearly all visits speak for; None when there is none."""
        trials = trials_by_role(self.kinds)
        if not trials:
            return None
        role, most = trials.most_common(1)[0]
        return role if most >= AGREE * trials.total() else None


@dataclass(slots=True)
class Part:
    """Kinds that one rule stands for: those of a pot with all of `required`. `urls` are known of them."""

    pot: Pot
    role: Role
    kinds: list[Kind]
    required: tuple[Feature, ...] = ()
    is_whole: bool = False
    """Whether any parameters will do."""

    @property
    def right(self) -> list[Kind]:
        """The kinds that are of the role: the pattern is made for them."""
        wanted = Role.LIST if self.role is Role.FLIP else self.role
        return [kind for kind in self.kinds if kind.sort is wanted]


def parts_of(kinds: Iterable[Kind]) -> list[Part]:
    """The parts that rules are written for, those of one pot in their order: the narrow ones first."""
    pots: dict[tuple[str, str, tuple[str, ...]], Pot] = {}
    for kind in kinds:
        host, extension = _head(kind.leaf.group)
        key = (host, extension, kind.path)
        pots.setdefault(key, Pot(*key)).kinds.append(kind)
    merged = _merge_paths(list(pots.values()))
    for pot in merged:
        _drop_guesses(pot)
    return [part for pot in merged for part in _split(pot, pot.kinds, ())]


def _drop_guesses(pot: Pot) -> None:
    """Where something is known of the pot, what is only guessed of its other kinds counts for nothing."""
    if any(kind.sort is not None and not kind.is_guess for kind in pot.kinds):
        for kind in pot.kinds:
            if kind.is_guess:
                kind.verdict = None


def _head(group: str) -> tuple[str, str]:
    head = group.partition("?")[0]
    host, _, rest = head.rpartition("/")
    return host, rest.partition(".")[2]


def _is_word(form: str) -> bool:
    """Whether a value is one word of the site, with nothing in it that varies."""
    return has_words(form) and "<" not in form and "#" not in form


def trials_by_role(kinds: Iterable[Kind]) -> Counter[Role]:
    """How many visits speak for each role."""
    trials: Counter[Role] = Counter()
    for kind in kinds:
        if kind.sort is not None:
            trials[kind.sort] += kind.trials  # type: ignore[assignment]  # counts may be fractions
    return trials


# Paths ---------------------------------------------------------------------------------------------


def _merge_paths(pots: list[Pot]) -> list[Pot]:
    """Make one of pots whose paths differ in one place and that lead to the same."""
    groups: defaultdict[tuple[str, str, int], list[Pot]] = defaultdict(list)
    for pot in pots:
        groups[pot.host, pot.extension, len(pot.path)].append(pot)
    done: list[Pot] = []
    for (_, _, depth), group in groups.items():
        for place in reversed(range(depth)):
            group = _merge_at(group, place)
        done += group
    return done


def _merge_at(pots: list[Pot], place: int) -> list[Pot]:
    buckets: defaultdict[tuple[str, ...], list[Pot]] = defaultdict(list)
    for pot in pots:
        buckets[pot.path[:place] + pot.path[place + 1 :]].append(pot)
    merged: list[Pot] = []
    for bucket in buckets.values():
        shapes = Counter(_shape(pot.path[place]) for pot in bucket)
        values = [pot for pot in bucket if pot.path[place] and _is_value(pot.path[place], shapes)]
        words = [pot for pot in bucket if pot.path[place] and not _is_value(pot.path[place], shapes)]
        merged += [pot for pot in bucket if not pot.path[place]]
        one = _one_of(values, place, _same_role(values))
        several = _one_of(words, place, _same_words(words))
        if len(one) == len(several) == 1 and _same_role([*one, *several]) and len(words) > 1:
            one, several = _one_of([*one, *several], place, [*one, *several]), []
        merged += [*one, *several]
    return merged


def _shape(form: str) -> str:
    """The form with its words taken for any: `open-torrents-#` and `<slug>-#` are of one shape."""
    return re.sub(r"(?:[^\W\d_]+[-_.])*[^\W\d_]+|<[a-z]+>", "*", form)


def _is_value(form: str, shapes: Counter[str]) -> bool:
    """Whether a part of a path is the name of an object: no words, or words beside a number, in several."""
    return not has_words(form) or (not _is_word(form) and shapes[_shape(form)] > 1)


def _same_role(pots: list[Pot]) -> list[Pot]:
    """All of `pots` when those that are known have one role, else none."""
    roles = {pot.role() for pot in pots if trials_by_role(pot.kinds)}
    return pots if len(roles) == 1 and None not in roles else []


def _same_words(pots: list[Pot]) -> list[Pot]:
    """The pots that may be made one: of the commonest role, and those of which nothing is known."""
    roles = {id(pot): pot.role() for pot in pots}
    known = [pot for pot in pots if trials_by_role(pot.kinds)]
    counted = Counter(role for pot in known if (role := roles[id(pot)]) is not None)
    if not counted:
        return []
    role, count = counted.most_common(1)[0]
    urls = sum(kind.leaf.urls for pot in pots for kind in pot.kinds)
    known_urls = sum(kind.leaf.urls for pot in known for kind in pot.kinds)
    if role is Role.IGNORE or count < LEAST_WORDS or count < AGREE * len(known) or known_urls < 0.5 * urls:
        return []
    return [pot for pot in pots if roles[id(pot)] is role or pot not in known]


def _one_of(pots: list[Pot], place: int, chosen: list[Pot]) -> list[Pot]:
    """`pots` with the chosen ones made one."""
    if len(chosen) < 2:
        return pots
    first = chosen[0]
    form = common_form([pot.path[place] for pot in chosen])
    if not has_words(form) and form.count("<") + form.count("#") == 1 and not is_class(form):
        form = ANY
    path = (*first.path[:place], form, *first.path[place + 1 :])
    kinds = [kind for pot in chosen for kind in pot.kinds]
    rest = [pot for pot in pots if all(pot is not other for other in chosen)]
    return [*rest, Pot(first.host, first.extension, path, kinds)]


# Parameters ----------------------------------------------------------------------------------------


def _split(
    pot: Pot, kinds: list[Kind], required: tuple[Feature, ...], *, is_rest: bool = False
) -> list[Part]:
    """Parts of one role each; what stands first wins over what stands later."""
    trials = trials_by_role(kinds)
    if not trials:
        return []
    role, most = trials.most_common(1)[0]
    feature = _best_feature(kinds) if most < PURE * trials.total() or _hides_many(kinds, role) else None
    if feature is None:
        return _pure(pot, role, kinds, required, is_rest=is_rest)
    inside = [kind for kind in kinds if feature in kind.features]
    outside = [kind for kind in kinds if feature not in kind.features]
    first = _split(pot, inside, (*required, feature))
    return [*first, *_split(pot, outside, required, is_rest=not required)]


def _hides_many(kinds: Sequence[Kind], role: Role) -> bool:
    """Whether a kind of another role is known well and has as many URLs as to matter."""
    urls = sum(kind.leaf.urls for kind in kinds)
    return any(
        kind.sort not in (None, role, Role.IGNORE) and kind.trials >= 3 and kind.leaf.urls >= 0.05 * urls
        for kind in kinds
    )


def _pure(
    pot: Pot, role: Role, kinds: list[Kind], required: tuple[Feature, ...], *, is_rest: bool
) -> list[Part]:
    right = [kind for kind in kinds if kind.sort is role]
    sets = {frozenset(kind.params) for kind in right}
    required = (*required, *_common_words(right, required))
    part = Part(pot, role, kinds, required, is_whole=len(sets) >= LEAST_WORDS)
    if is_rest and not required and len(sets) > 1:
        return [_alone(pot, kind) for kind in right]
    if role is not Role.LIST:
        return [part]
    turning = [kind for kind in kinds if kind.verdict is not None and kind.verdict.role is Role.FLIP]
    others = [kind for kind in kinds if kind.sort is role and kind not in turning]
    if turning and not others:
        part.role = Role.FLIP
        return [part]
    names = set.intersection(*(set(kind.params) for kind in turning)) if turning else set()
    for name in sorted(names):
        if not any(name in kind.params for kind in others):
            flips = [kind for kind in kinds if name in kind.params]
            return [Part(pot, Role.FLIP, flips, (*required, (name, ""))), part]
    return [part]


def _alone(pot: Pot, kind: Kind) -> Part:
    assert kind.verdict is not None
    return Part(pot, kind.verdict.role, [kind])


def _common_words(kinds: Sequence[Kind], required: tuple[Feature, ...]) -> list[Feature]:
    """Parameters that all of the kinds have with one of a few words, where there is more than one kind."""
    if len(kinds) < 2:
        return []
    names = set.intersection(*(set(kind.params) for kind in kinds)) - {
        name for name, form in required if form
    }
    found = []
    for name in sorted(names):
        values = sorted({kind.params[name] for kind in kinds})
        if len(values) <= MOST_VALUES and all(map(_is_word, values)):
            found.append((name, "|".join(values)))
    return found


def _best_feature(kinds: Sequence[Kind]) -> Feature | None:
    """The feature that tells the roles apart best; None when none does."""
    known = [kind for kind in kinds if kind.sort is not None]
    features = sorted({feature for kind in known for feature in kind.features})
    before = _disorder(known)
    best, most = None, _LEAST_GAIN
    for feature in features:
        inside = [kind for kind in known if feature in kind.features]
        outside = [kind for kind in known if feature not in kind.features]
        if not outside:
            continue
        gain = before - _disorder(inside) - _disorder(outside)
        gain *= _WORD_BONUS if feature[1] else 1.0  # a word says why; a name may stand there by chance
        if gain > most:
            best, most = feature, gain
    return best


def _disorder(kinds: Sequence[Kind]) -> float:
    """The entropy of the roles, times the weight of the kinds."""
    weights: defaultdict[Role | None, float] = defaultdict(float)
    for kind in kinds:
        weights[kind.sort] += min(kind.trials, _MOST_WEIGHT)
    total = sum(weights.values())
    return -sum(weight * log2(weight / total) for weight in weights.values() if weight)
