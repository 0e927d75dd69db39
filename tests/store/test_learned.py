"""Learned rules as files, with the version before."""

from __future__ import annotations

from pathlib import Path

import pytest

from harvester.errors import NotFound, StoreError
from harvester.model.site import Role, Rule, RuleSource
from harvester.store.learned import LearnedFiles

ONE = Rule("one", Role.DETAIL, r"^/one/\d+$", source=RuleSource.LEARNED)
TWO = Rule("two", Role.LIST, r"^/two/\d+$", source=RuleSource.LEARNED)


def ids(rules: tuple[Rule, ...]) -> list[str]:
    return [rule.id for rule in rules]


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    files = LearnedFiles(tmp_path / "rules")
    files.write("a", [ONE, TWO])
    rules, faults = files.read("a")
    assert ids(rules) == ["one", "two"]
    assert not faults


def test_the_version_before_the_run_is_kept(tmp_path: Path) -> None:
    LearnedFiles(tmp_path).write("a", [ONE])
    run = LearnedFiles(tmp_path)
    run.write("a", [TWO])
    run.write("a", [ONE, TWO])
    assert ids(run.read_previous("a")) == ["one"]


def test_wrong_rules_are_left_out_and_named_and_the_others_stay(tmp_path: Path) -> None:
    (tmp_path / "a.learned.yaml").write_text(
        "site: a\nrules:\n"
        "- {id: good, role: detail, match: '^/good/'}\n"
        "- {id: bad, role: detail, match: '(?=x)'}\n"
        "- {id: all, role: list, match: '.*'}\n"
        "- id: good\n  role: list\n  match: '^/again/'\n",
        encoding="utf-8",
    )
    rules, faults = LearnedFiles(tmp_path).read("a")
    assert [rule.match for rule in rules] == ["^/good/"]
    assert [fault.line for fault in faults] == [4, 5, 6]
    assert "matches everything" in str(faults[1])


def test_nothing_learned_is_said(tmp_path: Path) -> None:
    files = LearnedFiles(tmp_path)
    assert files.read("a") == ((), ())
    with pytest.raises(NotFound, match="nothing was learned"):
        files.text("a")


def test_a_folder_that_cannot_be_written_is_an_error_of_the_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError):
        LearnedFiles(tmp_path / "file").write("a", [ONE])
