"""Learned rules as a file: what was learned, with its evidence, for a person to read, correct and lock."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import yaml

from harvester.errors import SiteFileError
from harvester.model.site import Role, Rule, RuleEvidence, RuleSource, RuleState
from harvester.patterns.rulefile import RULE, check_rules
from harvester.patterns.rules import check_key
from harvester.patterns.schema import Choice, Field, ListOf, Number, Section, Text
from harvester.patterns.yaml_nodes import compose

_MOST_FAULTS = 200


@dataclass(frozen=True, slots=True)
class _LearnedRule:
    """A rule and its evidence as the file writes them: side by side."""

    id: str
    role: Role
    match: str
    key: str = ""
    locked: bool = False
    state: RuleState = RuleState.PROBATION
    support: int = 0
    reward: float = 0.0
    bound: float = 0.0
    examples: tuple[str, ...] = ()
    line: int = 0

    def rule(self) -> Rule:
        evidence = RuleEvidence(self.support, self.reward, self.bound, self.examples)
        return Rule(
            id=self.id,
            role=self.role,
            match=self.match,
            key=self.key,
            locked=self.locked,
            source=RuleSource.LEARNED,
            state=self.state,
            evidence=evidence,
            line=self.line,
        )


@dataclass(frozen=True, slots=True)
class _LearnedFile:
    site: str
    rules: tuple[_LearnedRule, ...] = ()


def _verify(value: object) -> None:
    assert isinstance(value, _LearnedRule)
    check_key(value.rule())


_FILE = Section(
    (
        Field("site", Text(longest=64), "name of the site", required=True),
        Field(
            "rules",
            ListOf(
                Section(
                    (
                        *RULE.fields,
                        Field(
                            "state",
                            Choice(tuple(state.value for state in RuleState), to=RuleState, back=str),
                            "how far it is trusted",
                        ),
                        Field("support", Number(), "pages that were fetched"),
                        Field("yield", Number(whole=False), "new torrents a page", attribute="reward"),
                        Field("bound", Number(0, 1, whole=False), "Wilson lower bound of the role"),
                        Field("examples", ListOf(Text(longest=2048), most=20), "some of its URLs"),
                    ),
                    _LearnedRule,
                    with_line=True,
                    verify=_verify,
                ),
                most=10_000,
            ),
            "what was learned",
        ),
    ),
    _LearnedFile,
)


def parse_learned_file(text: str, file_name: str) -> tuple[Rule, ...]:
    """The learned rules of a file; raises `SiteFileError` like `parse_site_file`."""
    learned = _FILE.read(compose(text, file_name), file_name, "")
    assert isinstance(learned, _LearnedFile)
    rules = tuple(rule.rule() for rule in learned.rules)
    check_rules(rules, file_name)
    return rules


def read_learned_file(text: str, file_name: str) -> tuple[tuple[Rule, ...], tuple[SiteFileError, ...]]:
    """The rules of a learned file that are right, and what is wrong with the others.

    Raises `SiteFileError` only when the file as a whole cannot be read.
    """
    root = compose(text, file_name)
    faults: list[SiteFileError] = []
    while True:
        try:
            learned = _FILE.read(root, file_name, "")
            assert isinstance(learned, _LearnedFile)
            rules = tuple(rule.rule() for rule in learned.rules)
            check_rules(rules, file_name)
        except SiteFileError as error:
            if len(faults) >= _MOST_FAULTS or not _drop_rule(root, error.line):
                raise
            faults.append(error)
        else:
            return rules, tuple(faults)


def _drop_rule(root: yaml.MappingNode, line: int) -> bool:
    """Take the rule that stands in `line` out of the file's node; whether there was one."""
    for key, value in root.value:
        if key.value != "rules" or not isinstance(value, yaml.SequenceNode):
            continue
        for rule in value.value:
            if rule.start_mark.line < line <= max(rule.end_mark.line, rule.start_mark.line + 1):
                value.value.remove(rule)
                return True
    return False


def dump_learned_file(site: str, rules: Iterable[Rule]) -> str:
    """The YAML that reads back as `rules` (but for their lines)."""
    learned = []
    for rule in rules:
        evidence = rule.evidence or RuleEvidence()
        learned.append(
            _LearnedRule(
                id=rule.id,
                role=rule.role,
                match=rule.match,
                key=rule.key,
                locked=rule.locked,
                state=rule.state,
                support=evidence.support,
                reward=evidence.reward,
                bound=evidence.bound,
                examples=evidence.examples,
            )
        )
    written = _FILE.write(_LearnedFile(site, tuple(learned)))
    return yaml.safe_dump(written, allow_unicode=True, sort_keys=False, width=200)
