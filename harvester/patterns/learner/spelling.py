"""Kinds and parts as RE2 patterns that a person can read, anchored, over path + query."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import permutations

from harvester.patterns.learner.generalise import Feature, Part
from harvester.patterns.learner.tokens import ANY, escape, is_class, pattern_of
from harvester.patterns.learner.tree import Leaf
from harvester.patterns.rules import MAX_PATTERN

_MOST_ORDERS = 3
_NAMES = re.compile(r"[?&;]([^=&;]*)(=?)")
_ANYTHING = "(?:[^#]*[&;])?"


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
    """The pattern of one kind, as narrow as can be.

    `loose` leaves open what the values of parameters look like: those of identities may be other than those
    of URLs (an attachment's id inside a token).
    """
    head, _, names_text = leaf.group.partition("?")
    extension = head.rpartition("/")[2].partition(".")[2]
    names = names_text.split("&") if names_text else []
    count = len(leaf.forms) - len(names)
    path = path_pattern(leaf.forms[:count], extension)
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


def path_pattern(forms: Iterable[str], extension: str) -> str:
    """The pattern of a path."""
    path = "/" + "/".join(pattern_of(form) for form in forms)
    return path + (r"\." + escape(extension) if extension else "")


def part_pattern(part: Part, spellings: Mapping[str, Spelling]) -> str:
    """The pattern of several kinds: their path, and what their parameters have in common."""
    path = path_pattern(part.pot.path, part.pot.extension)
    known = part.right
    told = [spellings[kind.leaf.group] for kind in known if kind.leaf.group in spellings]
    if part.required:
        return rf"^{path}\?{_ANYTHING}{_required(part.required, told)}"
    names = {name for kind in known for name in kind.params}
    bare = any(not kind.params for kind in known)
    dropped = {name for spelling in told for name in spelling.dropped}
    if not names:
        return f"^{path}{_session(Spelling(dropped=dropped), first=True)}$"
    if part.is_whole:
        return rf"^{path}(?:\?|$)" if bare else rf"^{path}\?"
    listed = "|".join(escape(name.rstrip("!")) for name in sorted(names | dropped))
    query = rf"\?(?:(?:{listed})(?:=[^&;]*)?(?:[&;]|$))+"
    return f"^{path}(?:{query})?$" if bare else f"^{path}{query}$"


def _required(features: tuple[Feature, ...], spellings: list[Spelling]) -> str:
    """The parameters that decide, in the orders in which they were met."""
    met: Counter[tuple[Feature, ...]] = Counter()
    places = dict(features)
    for spelling in spellings:
        for order, count in spelling.orders.items():
            found = [(name, places[name]) for name in order if name in places]
            if len(found) == len(places):
                met[tuple(found)] += count
    orders = [order for order, _ in met.most_common(_MOST_ORDERS)] or list(permutations(places.items()))[:2]
    written = [f"[&;]{_ANYTHING}".join(map(_feature, order)) for order in orders]
    query = written[0] if len(written) == 1 else f"(?:{'|'.join(written)})"
    return rf"{query}(?:[&;]|$)"


def _feature(feature: Feature) -> str:
    name, form = feature
    if name.endswith("!"):
        return escape(name[:-1])
    if "|" in form:
        return f"{escape(name)}=(?:{'|'.join(map(pattern_of, form.split('|')))})"
    return f"{escape(name)}={pattern_of(form)}" if form else f"{escape(name)}=[^&;]*"


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
