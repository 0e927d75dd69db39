"""What changed between two versions of learned rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harvester.model.site import Rule


@dataclass(frozen=True, slots=True)
class RuleChange:
    """One rule that is new, gone or different; `what` is `added`, `removed` or `changed`."""

    what: str
    rule: Rule
    before: Rule | None = None

    def words(self) -> str:
        """The change in one line."""
        if self.before is None:
            return f"{self.what} {self.rule.id}: {self.rule.role}, {self.rule.state}, {self.rule.match}"
        parts = []
        for name in ("role", "match", "key", "state", "locked"):
            old, new = getattr(self.before, name), getattr(self.rule, name)
            if old != new:
                parts.append(f"{name} {old} -> {new}")
        old_support, new_support = _support(self.before), _support(self.rule)
        if old_support != new_support:
            parts.append(f"support {old_support} -> {new_support}")
        return f"{self.what} {self.rule.id}: {', '.join(parts)}"


def rule_changes(before: Sequence[Rule], after: Sequence[Rule]) -> list[RuleChange]:
    """The changes from one version to the next, by id; rules only moved or with the same values are none."""
    old = {rule.id: rule for rule in before}
    new = {rule.id: rule for rule in after}
    changes = [RuleChange("removed", rule) for name, rule in old.items() if name not in new]
    for name, rule in new.items():
        if name not in old:
            changes.append(RuleChange("added", rule))
        elif _values(old[name]) != _values(rule):
            changes.append(RuleChange("changed", rule, old[name]))
    return changes


def _values(rule: Rule) -> tuple[object, ...]:
    return (rule.role, rule.match, rule.key, rule.state, rule.locked, _support(rule))


def _support(rule: Rule) -> int:
    return rule.evidence.support if rule.evidence is not None else 0
