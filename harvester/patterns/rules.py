"""Rules matched all at once: `re2.Set` over path + query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

import re2

from harvester.errors import SiteFileError
from harvester.model.site import Role, Rule, RuleSource, RuleState

MAX_URL = 2048
"""Longer URLs match nothing; with the limit, matching time is bounded."""
MAX_PATTERN = 1000
MAX_MEMORY = 64 << 20

_PRECEDENCE = {RuleSource.OPERATOR: 0, RuleSource.LEARNED: 1, RuleSource.ENGINE: 2}
_PLACEHOLDER = re.compile(r"\{(\d{1,2})\}")
_PROBES = (
    "/",
    "/a",
    "/index.php",
    "/x-1/y_2/z.html?q=1&r=2",
    "/0",
    "/?p=1",
    "/robots.txt",
    "/%E4%BD/A.torrent",
)


def options(max_memory: int = MAX_MEMORY) -> re2.Options:
    """RE2 as rules use it: bytes, 64 MB, nothing on stderr."""
    chosen = re2.Options()
    chosen.encoding = re2.Options.Encoding.LATIN1
    chosen.max_mem = max_memory
    chosen.log_errors = False
    return chosen


_OPTIONS = options()
_UNANCHORED = re2._re2.RE2.Anchor.UNANCHORED


def compile_pattern(pattern: str) -> re2._Regexp:
    """The compiled pattern; raises `ValueError` with RE2's message when it is refused."""
    if not pattern:
        raise ValueError("is empty")
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"is longer than {MAX_PATTERN} characters")
    try:
        return re2.compile(pattern.encode(), _OPTIONS)
    except re2.error as error:
        message = error.args[0] if error.args else "refused"
        text = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
        raise ValueError(
            f"is no RE2 pattern: {text}", "RE2 has no look-around and no back-references"
        ) from None


def check_match(pattern: str) -> str:
    """The pattern itself, if it can serve as a rule; else `ValueError`."""
    if "://" in pattern:
        raise ValueError(
            "is for path and query only", "leave out scheme and host: '/thread-\\d{1,10}\\.html'"
        )
    compiled = compile_pattern(pattern)
    if all(compiled.search(probe.encode()) for probe in _PROBES):
        raise ValueError("matches everything", "name what is special in these URLs")
    return pattern


def _missing_group(key: str, groups: int) -> str:
    for number in _PLACEHOLDER.findall(key):
        if not 1 <= int(number) <= groups:
            return f"`key` names group {{{number}}}, but `match` has {groups} groups"
    return ""


def check_key(rule: Rule) -> None:
    """Raise `ValueError` when the key names a group that the pattern doesn't have."""
    fault = _missing_group(rule.key, compile_pattern(rule.match).groups)
    if fault:
        raise ValueError(fault)


def target(url: str) -> bytes:
    """What rules see of a URL: path and query, as bytes."""
    if "#" in url:
        url = url.partition("#")[0]
    scheme = url.find("://", 0, 12)
    if scheme >= 0:
        slash = url.find("/", scheme + 3)
        mark = url.find("?", scheme + 3, slash if slash >= 0 else len(url))
        if mark >= 0:
            return ("/" + url[mark:]).encode("utf-8", "surrogatepass")
        url = url[slash:] if slash >= 0 else "/"
    return url.encode("utf-8", "surrogatepass")


class RuleMatch(NamedTuple):
    """The rule that takes a URL; `others` are the ids of those that match it too, in their order."""

    rule: Rule
    key: str
    """The rule's key with its groups filled in, "" when it has none."""
    others: tuple[str, ...] = ()

    @property
    def role(self) -> Role:
        """The role of the rule."""
        return self.rule.role


class RuleSet:
    """Rules in their order of precedence: operator, learned, engine, and within one by place.

    A pattern is searched for in path + query. Retired rules are left out. Raises `SiteFileError` when
    RE2 refuses a pattern or, within `max_memory` bytes, all of them together. Immutable; safe to share
    between threads.
    """

    def __init__(self, rules: Iterable[Rule], *, max_memory: int = MAX_MEMORY) -> None:
        active = [rule for rule in rules if rule.state is not RuleState.RETIRED]
        self.rules: tuple[Rule, ...] = tuple(sorted(active, key=lambda rule: _PRECEDENCE[rule.source]))
        self._keys = tuple(_PLACEHOLDER.split(rule.key) if rule.key else None for rule in self.rules)
        self._find_groups: dict[int, Callable[..., list[tuple[int, int]]]] = {}
        self._match = self._compile(max_memory).Match if self.rules else None

    def _compile(self, max_memory: int) -> re2.Set:
        compiled = re2.Set.SearchSet(options(max_memory))
        for place, rule in enumerate(self.rules):
            try:
                pattern = compile_pattern(rule.match)
                compiled.Add(rule.match.encode())
            except (ValueError, re2.error) as error:
                reason = f"rule `{rule.id}`: `match` {error.args[0]}"
                raise SiteFileError(f"{rule.source} rules", rule.line, reason) from None
            if rule.key:
                self._check_groups(rule, pattern.groups)
                self._find_groups[place] = pattern._regexp.Match
        try:
            compiled.Compile()
        except re2.error:
            reason = "the rules together are too large for RE2"
            raise SiteFileError("rules", 0, reason, hint="use + instead of large {n,m}") from None
        return compiled

    @staticmethod
    def _check_groups(rule: Rule, groups: int) -> None:
        fault = _missing_group(rule.key, groups)
        if fault:
            raise SiteFileError(f"{rule.source} rules", rule.line, f"rule `{rule.id}`: {fault}")

    def match(self, url: str) -> RuleMatch | None:
        """The winning rule for an absolute URL (or a path); URLs over 2 KB match nothing."""
        if self._match is None or len(url) > MAX_URL:
            return None
        path = target(url)
        places = self._match(path)
        if not places:
            return None
        if len(places) == 1:
            first = places[0]
            return RuleMatch(self.rules[first], self._key(first, path))
        first, *rest = sorted(places)
        return RuleMatch(self.rules[first], self._key(first, path), tuple(self.rules[n].id for n in rest))

    def _key(self, place: int, path: bytes) -> str:
        pieces = self._keys[place]
        if pieces is None:
            return ""
        if len(pieces) == 1:
            return pieces[0]
        # The wrapper's search() costs ten times what this call into RE2 does.
        spans = self._find_groups[place](_UNANCHORED, path, 0, len(path))
        filled = list(pieces)
        for n in range(1, len(pieces), 2):
            start, end = spans[int(pieces[n])]
            filled[n] = path[start:end].decode("utf-8", "replace") if start >= 0 else ""
        return "".join(filled)

    def explain(self, url: str) -> str:
        """Which rule takes the URL, and why, for a person."""
        if len(url) > MAX_URL:
            return f"no rule: the URL is longer than {MAX_URL} characters"
        found = self.match(url)
        if found is None:
            return "no rule: none of the patterns is found in path and query"
        rule = found.rule
        place = f", line {rule.line}" if rule.line else ""
        text = f"{rule.id} ({rule.role}, {rule.source}{place}): `{rule.match}`"
        if found.key:
            text += f", key {found.key}"
        if found.others:
            text += f"; wins over {', '.join(found.others)}"
            text += " (operator before learned before engine, then by order)"
        return text
