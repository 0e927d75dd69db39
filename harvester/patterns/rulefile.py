"""The part that all rule files share: rules, and the examples that test them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from harvester.errors import SiteFileError
from harvester.model.site import Role, Rule, RuleExample, RuleSource
from harvester.patterns.rules import RuleSet, check_key, check_match
from harvester.patterns.schema import Choice, Field, Flag, ListOf, Section, Text

_ID = r"^[a-z0-9][a-z0-9_-]{0,63}$"


def _verify_key(value: object) -> None:
    assert isinstance(value, Rule)
    check_key(value)


ID = Text(pattern=_ID, what="lower-case letters, digits, - and _ (at most 64)")

RULE = Section(
    fields=(
        Field("id", ID, "a name for the rule, once in the file", required=True),
        Field(
            "role",
            Choice(tuple(role.value for role in Role), to=Role, back=str),
            "what the URLs lead to",
            required=True,
        ),
        Field(
            "match", Text(check=check_match, longest=1000), "an RE2 pattern for path and query", required=True
        ),
        Field("key", Text(longest=200), "identity, with {1} for the first group of match"),
        Field("locked", Flag(), "the learner may not touch it"),
    ),
    build=Rule,
    with_line=True,
    verify=_verify_key,
)

EXAMPLE = Section(
    fields=(
        Field("url", Text(longest=2048), "a URL of the site", required=True),
        Field("rule", ID, "the rule that takes it; null for none", nullable=True),
        Field("key", Text(longest=300), "the key that it gets"),
    ),
    build=RuleExample,
    with_line=True,
)

RULES = ListOf(RULE)
EXAMPLES = ListOf(EXAMPLE)


def with_source(rules: Iterable[Rule], source: RuleSource) -> tuple[Rule, ...]:
    """The rules as written by `source`."""
    return tuple(replace(rule, source=source) for rule in rules)


def check_rules(rules: Sequence[Rule], file: str) -> None:
    """Raise `SiteFileError` at a rule whose id was used before."""
    seen: dict[str, int] = {}
    for rule in rules:
        if rule.id in seen:
            raise SiteFileError(
                file, rule.line, f"rule `{rule.id}` is there twice, first in line {seen[rule.id]}"
            )
        seen[rule.id] = rule.line


def run_example(rules: RuleSet, example: RuleExample) -> str:
    """What is wrong with an example, "" when it holds."""
    found = rules.match(example.url)
    got = found.rule.id if found else ""
    if got != example.rule:
        wanted = f"`{example.rule}`" if example.rule else "no rule"
        return f"the example is taken by {f'`{got}`' if got else 'no rule'}, not by {wanted}"
    if example.key and found is not None and found.key != example.key:
        return f"the example's key is `{found.key}`, not `{example.key}`"
    return ""


def check_examples(rules: RuleSet, examples: Iterable[RuleExample], file: str) -> None:
    """Raise `SiteFileError` at the first example that doesn't hold."""
    known = {rule.id for rule in rules.rules}
    for example in examples:
        if example.rule and example.rule not in known:
            raise SiteFileError(
                file, example.line, f"the example names rule `{example.rule}`, which is not there"
            )
        fault = run_example(rules, example)
        if fault:
            raise SiteFileError(file, example.line, fault, hint=rules.explain(example.url))


def rule_warnings(rules: Sequence[Rule], examples: Sequence[RuleExample] = ()) -> tuple[str, ...]:
    """Rules that contradict each other, and those that no example tests."""
    tested = {example.rule for example in examples}
    untested = [f"line {rule.line}: `{rule.id}` has no example" for rule in rules if rule.id not in tested]
    return (*contradictions(rules), *untested)


def contradictions(rules: Sequence[Rule]) -> tuple[str, ...]:
    """Rules with one pattern and two roles, or one key and two roles; and patterns that are there twice."""
    warnings = []
    by_match: dict[str, Rule] = {}
    by_key: dict[str, Rule] = {}
    for rule in rules:
        for seen, value, what in ((by_match, rule.match, "pattern"), (by_key, rule.key, "key")):
            first = seen.setdefault(value, rule) if value else rule
            if first.role != rule.role:
                warnings.append(
                    f"line {rule.line}: `{rule.id}` has the {what} of `{first.id}` (line {first.line}) but "
                    f"another role: {first.role} wins over {rule.role}"
                )
            elif first is not rule and what == "pattern":
                warnings.append(f"line {rule.line}: `{rule.id}` repeats the pattern of `{first.id}`")
    return tuple(warnings)
