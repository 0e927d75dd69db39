"""The right rule takes a URL, with its key, and fast."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harvester.errors import SiteFileError
from harvester.model.site import Role, Rule, RuleSource, RuleState
from harvester.patterns.rules import MAX_URL, RuleSet, check_match, target

THREAD = Rule("thread", Role.DETAIL, r"/thread-(\d{1,10})-(\d{1,6})-\d{1,6}\.html", "thread:{1}:{2}")
BOARD = Rule("board", Role.LIST, r"/forum-(\d{1,9})-1\.html$", "board:{1}")


def test_path_and_query_are_matched_and_host_and_fragment_are_not() -> None:
    rules = RuleSet([Rule("a", Role.LIST, "abc")])
    assert rules.match("https://abc.example/#abc") is None
    assert rules.match("https://x.example/?q=abc") is not None
    assert rules.match("/xabcx") is not None


@pytest.mark.parametrize(
    ("url", "seen"),
    [
        ("https://x.example", b"/"),
        ("https://x.example?a=1", b"/?a=1"),
        ("https://x.example/a?b#c", b"/a?b"),
        ("/a?b#c", b"/a?b"),
        ("/go?to=http://y.example/z", b"/go?to=http://y.example/z"),
        ("https://x.example/种", "/种".encode()),
    ],
)
def test_a_rule_sees_path_and_query(url: str, seen: bytes) -> None:
    assert target(url) == seen


def test_the_key_is_filled_from_the_groups() -> None:
    found = RuleSet([THREAD, BOARD]).match("https://x.example/bbs/thread-12-3-1.html?x=1")
    assert found is not None
    assert (found.rule, found.role, found.key, found.others) == (THREAD, Role.DETAIL, "thread:12:3", ())


def test_a_key_with_a_group_that_is_not_there_is_refused() -> None:
    with pytest.raises(SiteFileError, match=r"group \{2\}"):
        RuleSet([Rule("a", Role.LIST, "/a([0-9])", "a{2}")])


def test_a_group_that_took_no_part_is_empty() -> None:
    found = RuleSet([Rule("a", Role.LIST, r"/a(\d)?(x)?$", "a:{1}:{2}")]).match("/ax")
    assert found is not None
    assert found.key == "a::x"


def test_operator_wins_over_learned_wins_over_engine() -> None:
    engine = Rule("e", Role.LIST, "/a", source=RuleSource.ENGINE)
    learned = Rule("l", Role.DETAIL, "/a", source=RuleSource.LEARNED)
    operator = Rule("o", Role.IGNORE, "/a", source=RuleSource.OPERATOR)
    found = RuleSet([engine, learned, operator]).match("/a")
    assert found is not None
    assert (found.rule.id, found.others) == ("o", ("l", "e"))


def test_the_first_of_one_source_wins() -> None:
    found = RuleSet([Rule("first", Role.LIST, "/a"), Rule("second", Role.TRAP, "/a")]).match("/a")
    assert found is not None
    assert found.rule.id == "first"


def test_a_retired_rule_is_left_out() -> None:
    old = Rule("old", Role.LIST, "/a", source=RuleSource.LEARNED, state=RuleState.RETIRED)
    assert RuleSet([old]).match("/a") is None


def test_without_rules_nothing_matches() -> None:
    assert RuleSet([]).match("https://x.example/") is None


def test_a_url_over_2_kb_matches_nothing() -> None:
    rules = RuleSet([Rule("a", Role.LIST, "/a+")])
    assert rules.match("/" + "a" * (MAX_URL - 1)) is not None
    assert rules.match("/" + "a" * MAX_URL) is None


def test_letters_outside_ascii_match_as_written() -> None:
    rules = RuleSet([Rule("a", Role.LIST, "/种子/(.+)$", "{1}")])
    found = rules.match("https://x.example/种子/电影")
    assert found is not None
    assert found.key == "电影"


def test_a_pattern_that_re2_refuses_is_named_with_its_line() -> None:
    with pytest.raises(SiteFileError, match=r"rule `bad`.*missing \)") as caught:
        RuleSet([Rule("bad", Role.LIST, "/(", line=7)])
    assert caught.value.line == 7


def test_rules_too_large_together_are_refused() -> None:
    rules = [Rule(f"r{n}", Role.LIST, f"/{n}/[^/]+x") for n in range(200)]
    assert RuleSet(rules).match("/7/ax") is not None
    with pytest.raises(SiteFileError, match="too large"):
        RuleSet(rules, max_memory=20_000)


@pytest.mark.parametrize("pattern", [".*", "/", "", "^/", "(a|/)", "[^x]?", "a*"])
def test_a_pattern_that_matches_everything_is_no_rule(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"everything|empty"):
        check_match(pattern)


def test_the_explanation_names_rule_source_line_and_losers() -> None:
    rules = RuleSet([Rule("a", Role.LIST, "/a", key="k", line=4), Rule("b", Role.TRAP, "/a")])
    text = rules.explain("https://x.example/a")
    assert text.startswith("a (list, operator, line 4): `/a`, key k; wins over b")
    assert rules.explain("/b").startswith("no rule")
    assert "longer than" in rules.explain("/" + "a" * 3000)


@given(st.text(max_size=400))
def test_the_explanation_of_any_url_names_the_rule_that_takes_it(url: str) -> None:
    rules = RuleSet([THREAD, BOARD, Rule("any", Role.LIST, r"\?(.*)$", "{1}")])
    match, told = rules.match(url), rules.explain(url)
    assert told.startswith(f"{match.rule.id} (" if match is not None else "no rule")
