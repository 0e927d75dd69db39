"""Rules matched all at once: `re2.Set` over path + query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harvester.model.site import Role, Rule


@dataclass(frozen=True, slots=True)
class RuleMatch:
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

    Retired rules are left out. Raises `SiteFileError` when RE2 refuses a pattern.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        raise NotImplementedError

    def match(self, url: str) -> RuleMatch | None:
        """The winning rule for an absolute URL (or a path); URLs over 2 KB match nothing."""
        raise NotImplementedError

    def explain(self, url: str) -> str:
        """Which rule takes the URL, and why, for a person."""
        raise NotImplementedError
