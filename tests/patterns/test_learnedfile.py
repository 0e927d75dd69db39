"""What was learned can be written, read, corrected and locked."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from harvester.errors import SiteFileError
from harvester.model.site import Role, Rule, RuleEvidence, RuleSource, RuleState
from harvester.patterns.learnedfile import dump_learned_file, parse_learned_file

RULES = (
    Rule(
        "thread",
        Role.DETAIL,
        r"^/thread-(\d{1,12})-\d{1,12}\.html$",
        "thread:{1}",
        locked=True,
        source=RuleSource.LEARNED,
        state=RuleState.ACTIVE,
        evidence=RuleEvidence(120, 0.85, 0.91, ("https://x.example/thread-1-1.html", "https://x.example/种")),
    ),
    Rule(
        "noise",
        Role.IGNORE,
        "sort=",
        source=RuleSource.LEARNED,
        state=RuleState.RETIRED,
        evidence=RuleEvidence(),
    ),
)


def test_what_is_written_reads_back() -> None:
    read = parse_learned_file(dump_learned_file("example", RULES), "example.learned.yaml")
    assert tuple(replace(rule, line=0) for rule in read) == RULES


def test_a_rule_of_a_person_can_be_written_as_one_to_learn_from() -> None:
    text = dump_learned_file("example", [Rule("a", Role.LIST, "/a")])
    assert parse_learned_file(text, "x")[0].evidence == RuleEvidence()


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("  - {id: a, role: list, match: '/('}\n", "is no RE2 pattern"),
        ("  - {id: a, role: list, match: '/a', key: '{1}'}\n", "names group {1}"),
        ("  - {id: a, role: list, match: '/a', state: old}\n", "must be one of probation"),
        ("  - {id: a, role: list, match: '/a', bound: 2}\n", "must be from 0 to 1"),
        ("  - {id: a, role: list, match: '/a', yeild: 2}\n", "did you mean `yield`?"),
        ("  - {id: a, role: list, match: '/a'}\n  - {id: a, role: list, match: '/b'}\n", "is there twice"),
    ],
)
def test_a_wrong_correction_is_refused(lines: str, reason: str) -> None:
    with pytest.raises(SiteFileError) as caught:
        parse_learned_file("site: example\nrules:\n" + lines, "x.yaml")
    assert reason in str(caught.value)
